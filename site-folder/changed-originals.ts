/**
 * Which originals an upgrade changed, since the version whose originals the organization has seen (checked-with). Raising that number in
 * organization.toml is how they say that they have read the list.
 */
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownLanguages } from '../domain/languages.ts'
import { type Earlier, earlier, landingName, nameNow, type Originals } from './earlier-originals.ts'
import { MARKDOWN_FILES, ORIGINALS, readOrNull, TOML_FILES } from './files.ts'
import { leavesOf, type Original, readToml } from './toml.ts'

interface Change {
  readonly file: string
  /** Of a text or of a section that is all new. Empty: the whole file. */
  readonly name: string
  /** Null: there was none, or there is none anymore. */
  readonly before: Original | null
  readonly now: Original | null
}

export const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}

/** A file of texts by their names, and another file by its hash: what originals/ has of each version. */
export function originalsIn(file: string): Readonly<Record<string, Original>> | string {
  const path = join(ORIGINALS, file)
  return file.endsWith('.toml')
    ? Object.fromEntries(valuesIn(path))
    : createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
}

/** Of what isn't a file that can be read, none: that's an error, which is said elsewhere. */
export function valuesIn(path: string): ReadonlyMap<string, Original> {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  const bytes = isFile ? readOrNull(path) : null
  return bytes === null ? new Map() : leavesOf(readToml({ file: path, text: bytes.toString() }).table)
}

function currentOriginals(): Originals {
  const now = new Map<string, Original>()
  for (const file of [...TOML_FILES, ...MARKDOWN_FILES]) {
    const said = originalsIn(file)
    if (typeof said === 'string') now.set(file, said)
    else for (const [name, value] of Object.entries(said)) now.set(`${file} ${name}`, value)
  }
  return now
}

export function changesBetween(before: Originals, now: Originals, renamed: Earlier['renamed']): readonly Change[] {
  const seen = new Map([...before].map(([key, value]) => [today(key, renamed), value]))
  const changed = [...seen].flatMap(([key, value]) => {
    const change = { ...partsOf(key), before: value, now: now.get(key) ?? null }
    return JSON.stringify(value) === JSON.stringify(change.now) ? [] : change
  })
  const added = [...now.keys()].filter(key => !seen.has(key)).map(key => newPart(key, [...seen.keys()]))
  const parts = [...new Set(added)].map(key => ({ ...partsOf(key), before: null, now: now.get(key) ?? null }))
  return [...changed, ...parts]
}

/** Of a section that is all new, the section. */
function newPart(key: string, seen: readonly string[]): string {
  const { file, name } = partsOf(key)
  const names = name.split('.')
  const sections = names.map((_, index) => `${file} ${names.slice(0, index + 1).join('.')}`)
  return sections.find(section => !seen.some(each => each === section || each.startsWith(`${section}.`))) ?? key
}

function today(key: string, renamed: Earlier['renamed']): string {
  const { file, name } = partsOf(key)
  return name === '' ? file : `${file} ${nameNow(name, renamed)}`
}

function partsOf(key: string) {
  const [file = '', name = ''] = key.split(/ (.*)/)
  return { file, name }
}

export interface ChangedOriginals {
  /** Null: not said, or not known to this program. */
  readonly since: string | null
  readonly changes: readonly Change[]
  /** What the folder says instead, by name. */
  readonly own: ReadonlyMap<string, Original>
}

export function changedOriginals(folder: string): ChangedOriginals {
  const own = new Map<string, Original>()
  for (const file of TOML_FILES)
    for (const [name, value] of valuesIn(join(folder, file))) own.set(`${file} ${landingName(nameNow(name))}`, value)
  const seen = own.get('organization.toml checked-with')
  if (seen === version) return { since: version, changes: [], own }
  const before = earlier.versions.get(`${seen}`)
  if (!before) return { since: null, changes: [], own }
  const languages = own.get('organization.toml languages') ?? knownLanguages
  const isShown = ({ file }: Change) => [languages].flat().includes(/\b(en|es)\.(?:toml|md)$/.exec(file)?.[1] ?? 'en')
  const changes = changesBetween(before, currentOriginals(), earlier.renamed).filter(isShown)
  return { since: `${seen}`, changes, own }
}

/** One line for `npm run dev` and the launch check. Null: nothing has changed. */
export function summarize({ since, changes }: ChangedOriginals): string | null {
  if (since === null)
    return `checked-with in organization.toml must be one of these versions: ${[...new Set([...earlier.versions.keys(), version])].join(', ')}.`
  return changes.length === 0
    ? null
    : `${changes.length} originals have changed since ${since}: npm run site -- check lists them, and says which are replaced by yours.`
}

export function listChanges(changed: ChangedOriginals): readonly string[] {
  const { since, changes, own } = changed
  if (since === null || changes.length === 0) return [summarize(changed) ?? []].flat()
  return [
    `Since ${since} (checked-with in organization.toml), these originals have changed:`,
    ...changes.flatMap(change => linesFor(change, own)),
    `When you have read this list, write checked-with = "${version}" into organization.toml.`,
  ]
}

function linesFor({ file, name, before, now }: Change, own: ReadonlyMap<string, Original>): readonly string[] {
  if (name === '') return [`  ${file}  ${before === null ? '(new)' : '(another original; yours stays as it is)'}`]
  const yours = own.get(`${file} ${name}`)
  const isGone = now === null && before !== null
  const what = [before === null && 'new', isGone && 'removed', yours !== undefined && !isGone && 'yours stays']
  const notes = what.filter(Boolean).join(', ')
  const texts = { before, now, yours }
  return [
    `  ${file}  ${name}${notes && ` (${notes})`}`,
    ...Object.entries(texts).flatMap(([when, text]) => (text == null ? [] : `    ${`${when}:`.padEnd(8)}${text}`)),
  ]
}
