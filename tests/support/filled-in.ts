/**
 * The filled-in example: a copy of this project with the folder of a fictional organization, which has everything that the launch check
 * asks for. Kept between runs and rebuilt when something changes.
 */
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { legalRules } from '../../launch/legal-rules.ts'
import { data } from '../../site-folder/data.ts'
import { formatFinding } from '../../site-folder/findings.ts'
import { makeFolder } from '../../site-folder/new-folder.ts'
import { readSite } from '../../site-folder/read-site.ts'
import { copyProjectTo } from './copied-project.ts'
import { PROGRAM_ENV } from './processes.ts'

const { NODE_COMPILE_CACHE } = PROGRAM_ENV
const root = join(import.meta.dirname, '../..')
export const FILLED_IN = join(root, '.cache/filled-in')

const ORGANIZATION = `format = 1
checked-with = "0.9.0"
name = "Harbor Light Advocates"
phone = "833-555-0142"
email = "help@harborlight.test"
hours.en = "Monday to Friday, 9 a.m. to 6 p.m. Eastern time"
hours.es = "De lunes a viernes, de 9 a.m. a 6 p.m., hora del Este"
address = ["Harbor Light Advocates", "1 Pier Road", "Portland, ME 04101"]
advertorialDate = "2026-10-01"

[spanish]
answeredBy = "Luis Ortega"
stopWord = "ALTO"
`

const REVIEWED = 'by = "Ana Ruiz, Esq."\non = "2026-10-01"\n'
const PERMISSION = 'sample = false\npermission = { given = "2026-10-01", record = "signed release, client file 12" }\n'

function evidence(): string {
  const figures = Object.keys(data.figures).map(
    name => `[figures.${name}]\nsource = "Harbor Light Advocates, 2026 annual report"\nuntil = "2099-12-31"\n`,
  )
  const claims = Object.keys(data.claims).map(
    name => `[claims.${name}]\nevidence = "Pier Audit LLP, report dated September 1, 2026"\n`,
  )
  const quotes = [...data.testimonials, { key: 'advertorialQuote' }].map(({ key }) => `[${key}]\n${PERMISSION}`)
  return [...figures, ...claims, ...quotes].join('\n')
}

function reviews(folder: string): string {
  const { data: site, findings } = readSite(folder)
  if (site === null) throw new Error(findings.map(formatFinding).join('\n'))
  const texts = Object.entries(site.reviewable).map(
    ([name, { version }]) => `[texts."${name}"]\n${REVIEWED}version = "${version}"\n`,
  )
  const rules = Object.keys(legalRules).map(name => `[rules.${name}]\nby = "Ana Ruiz, Esq."\non = "2099-01-01"\n`)
  return [`[languages.es]\n${REVIEWED}version = "${site.spanishVersion}"\n`, ...texts, ...rules].join('\n')
}

const legalText = (draft: string) =>
  draft
    .replace(/^Draft.*\n+/, '')
    // Bracketed placeholders, but not link text.
    .replaceAll(/\[([^\]]+)\](?!\()/g, found => (/date/i.test(found) ? 'January 2, 2027' : valueFor(found)))

function valueFor(label: string): string {
  if (/email/i.test(label)) return 'help@harborlight.test'
  if (/number/i.test(label)) return '30'
  return /\.\]$/.test(label) ? 'Harbor Light Advocates has reviewed this with its lawyer.' : 'Harbor Light Advocates'
}

/** Copies the project, fills in the folder, and builds the example. */
export async function buildFilledIn(): Promise<void> {
  mkdirSync(FILLED_IN, { recursive: true })
  copyProjectTo(FILLED_IN)
  cpSync(join(import.meta.dirname, 'filled-in.env'), join(FILLED_IN, '.env'))
  const folder = join(FILLED_IN, 'our-site')
  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder, '0.9.0')
  writeFileSync(join(folder, 'organization.toml'), ORGANIZATION)
  writeFileSync(join(folder, 'evidence.toml'), evidence())
  for (const name of globSync('legal/*.md', { cwd: folder })) {
    const file = join(folder, name)
    writeFileSync(file, legalText(readFileSync(file, 'utf8')))
  }
  writeFileSync(join(folder, 'reviews.toml'), reviews(folder))
  const args = [join(FILLED_IN, 'build/main.ts'), 'site', '--if-stale', '--fast-compression']
  await promisify(execFile)(process.execPath, args, { cwd: FILLED_IN, env: { NODE_COMPILE_CACHE } })
}
