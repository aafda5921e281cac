/**
 * The filled-in example: a copy of this project with the edits that a fictional organization needs to pass the launch
 * check. Kept between runs and rebuilt when something changes.
 */
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyProjectTo } from './copied-project.ts'
import { PROGRAM_ENV } from './processes.ts'

const { NODE_COMPILE_CACHE } = PROGRAM_ENV
const root = join(import.meta.dirname, '../..')
export const FILLED_IN = join(root, '.cache/filled-in')

type Edit = readonly [find: RegExp, to: string | ((found: string) => string)]

const contentEdits: readonly Edit[] = [
  [/name: 'SSDI Advocate'/g, "name: 'Harbor Light Advocates'"],
  [/833-243-2965/g, '833-555-0142'],
  [/\bemail: null/g, "email: 'help@harborlight.test'"],
  [
    /\bhours: null/g,
    "hours: { en: 'Monday to Friday, 9 a.m. to 6 p.m. Eastern time', es: 'De lunes a viernes, de 9 a.m. a 6 p.m., hora del Este' }",
  ],
  [/\baddress: null/g, "address: ['Harbor Light Advocates', '1 Pier Road', 'Portland, ME 04101']"],
  [/\bsource: null/g, "source: 'Harbor Light Advocates, 2026 annual report'"],
  [/\buntil: '\d{4}-\d\d-\d\d'/g, "until: '2099-12-31'"],
  [/(?<=spotsRemaining: \{[^}]*)until: null/g, "until: '2099-12-31'"],
  [
    /\b(confidential|hipaaProtected|secure|rated|fiveStars): null/g,
    "$1: 'Pier Audit LLP, report dated September 1, 2026'",
  ],
  [
    /\breviewed: null, answeredBy: null, stopWord: null/g,
    "reviewed: { by: 'Ana Ruiz, Esq.', on: '2026-10-01' }, answeredBy: 'Luis Ortega', stopWord: 'ALTO'",
  ],
  // When to review the legal rules.
  [/'20(?:2[7-9]|[3-9]\d)-\d\d-\d\d'/g, "'2099-12-31'"],
  [/\bpublishedOn: string \| null = null/g, "publishedOn: string | null = '2026-10-01'"],
  [/\bsample: true/g, "sample: false, permission: { given: '2026-10-01', record: 'signed release, client file 12' }"],
]

const legalEdits: readonly Edit[] = [
  [/^Draft.*\n+/, ''],
  // Bracketed placeholders, but not link text.
  [/\[([^\]]+)\](?!\()/g, found => (/date/i.test(found) ? 'January 2, 2027' : valueFor(found))],
]

function valueFor(label: string): string {
  if (/email/i.test(label)) return 'help@harborlight.test'
  if (/number/i.test(label)) return '30'
  return /\.\]$/.test(label) ? 'Harbor Light Advocates has reviewed this with its lawyer.' : 'Harbor Light Advocates'
}

const edited = (text: string, edits: readonly Edit[]) =>
  edits.reduce(
    (before, [find, to]) => (typeof to === 'string' ? before.replace(find, to) : before.replace(find, to)),
    text,
  )

/** Copies, edits, and builds the example. */
export async function buildFilledIn(): Promise<void> {
  mkdirSync(FILLED_IN, { recursive: true })
  copyProjectTo(FILLED_IN)
  cpSync(join(import.meta.dirname, 'filled-in.env'), join(FILLED_IN, '.env'))
  for (const file of globSync('content/**/*.{ts,md}', { cwd: FILLED_IN })) {
    const path = join(FILLED_IN, file)
    writeFileSync(path, edited(readFileSync(path, 'utf8'), file.endsWith('.md') ? legalEdits : contentEdits))
  }
  const args = [join(FILLED_IN, 'build/main.ts'), 'site', '--if-stale', '--types-checked', '--fast-compression']
  await promisify(execFile)(process.execPath, args, { cwd: FILLED_IN, env: { NODE_COMPILE_CACHE } })
}
