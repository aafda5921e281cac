/** The files of content/ and of an organization's folder, which can replace them. A folder is input: it's checked before it's read. */
import { closeSync, type Dirent, existsSync, lstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { carryOver } from './earlier-originals.ts'
import { mistake, type SiteFinding } from './findings.ts'
import { legalPageNames } from './schema/texts.ts'
import { didYouMean } from './suggest.ts'
import { invisibleIn } from './text-marks.ts'
import { emptyTable, isTable, readToml, type Table } from './toml.ts'

export const ORIGINALS = join(import.meta.dirname, '../content')

export const TOML_FILES = ['organization.toml', 'evidence.toml', 'questions.toml', 'en.toml', 'es.toml', 'reviews.toml']
export const MARKDOWN_FILES = ['en', 'es'].flatMap(language => [
  `consent.${language}.md`,
  `consent.spoken.${language}.md`,
  ...legalPageNames.map(name => `legal/${name}.${language}.md`),
])

export const NOT_UTF8 = 'Save this file as UTF-8: in Notepad, choose File, Save as, and the encoding UTF-8.'

const UNREADABLE = 'This can’t be read. Let everyone read it, as the other files.'

const FOLDERS = ['legal', 'pictures']
const MOST_BYTES = 10_000_000
const MOST_BYTES_TOGETHER = 200_000_000

export interface TextFile {
  /** For messages. */
  readonly file: string
  readonly text: string
  /** If it was reviewed for another name than today's. */
  readonly legalName?: string
}

export interface Files {
  /** Whether there is an organization's folder. */
  readonly isOwn: boolean
  /** Both files of that name, the folder's laid over the original. */
  toml(name: string): Table
  /** The folder's or, without a folder, the original. Null if there is none. */
  whole(name: string): TextFile | null
  /** Where a picture is. */
  picture(name: string): string | null
}

export function createFiles(folder: string | null, findings: SiteFinding[]): Files {
  if (folder !== null) checkFolder(folder, findings)
  const own = (name: string) => (folder === null ? null : readText(join(folder, name), name, findings))
  const original = (name: string) => readText(join(ORIGINALS, name), `content/${name}`, findings)
  const tableIn = (source: TextFile | null): Table => {
    if (source === null) return emptyTable()
    const { table, findings: found } = readToml(source)
    findings.push(...found)
    return table
  }
  return {
    isOwn: folder !== null,
    toml: name => {
      const [before, written] = [tableIn(original(name)), tableIn(own(name))]
      findings.push(...carryOver(name, written, before))
      return layOver(before, written)
    },
    whole: name => (folder === null ? original(name) : own(name)),
    picture: name =>
      pictureFolders(folder)
        .map(each => join(each, name))
        .find(isFile) ?? null,
  }
}

/** The organization's pictures come first. */
export const pictureFolders = (folder: string | null): readonly string[] =>
  [folder, ORIGINALS].flatMap(each => (each === null ? [] : [join(each, 'pictures')]))

/** What is in both is laid over; a list or text replaces the original. */
export function layOver(original: Table, own: Table): Table {
  const table = Object.assign(emptyTable(), original)
  for (const [name, node] of Object.entries(own)) {
    const before = table[name]
    table[name] =
      before && isTable(before.value) && isTable(node.value)
        ? { at: node.at, value: layOver(before.value, node.value) }
        : node
  }
  return table
}

function readText(path: string, file: string, findings: SiteFinding[]): TextFile | null {
  if (!isFile(path)) return null
  const bytes = readOrNull(path)
  if (bytes === null) return null
  const text = decoded(bytes)
  if (text === null) {
    findings.push(mistake({ file, line: null }, NOT_UTF8))
    return null
  }
  for (const [index, line] of text.split('\n').entries()) {
    const invisible = invisibleIn(line)
    if (invisible !== null) findings.push(mistake({ file, line: index + 1 }, invisible))
  }
  return { file, text }
}

/** Null if only someone else can read it. The check of the folder says so. */
export function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return null
    throw error
  }
}

/** Null if it isn't UTF-8. UTF-16 without its mark is full of zeros. */
export function decoded(bytes: Buffer): string | null {
  try {
    return bytes.includes(0) ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Not a link, and not in a folder that can't be read. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false
  }
}

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return true
  } catch {
    return false
  }
}

/** Never follows a link, not even to a folder. */
function* entriesIn(folder: string, inside = ''): Generator<{ readonly name: string; readonly entry: Dirent }> {
  for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
    const name = `${inside}${entry.name}`
    // A repository's own files, a README, and what editors and Windows leave behind.
    if (/(?:^|\/)(?:[.~]|Thumbs\.db$|desktop\.ini$)|~$|^README\b/i.test(name)) continue
    yield { name, entry }
    if (entry.isDirectory() && FOLDERS.includes(name) && isReadable(join(folder, name)))
      yield* entriesIn(folder, `${name}/`)
  }
}

const elsewhere = (name: string) =>
  name.startsWith('legal/')
    ? ` There are ${legalPageNames.map(page => `legal/${page}.en.md`).join(', ')}, and the same with es.`
    : ' Delete it, or put it somewhere else.'

/** Nothing in a folder is silently ignored, and nothing leads out of it. */
function checkFolder(folder: string, findings: SiteFinding[]): void {
  const error = (file: string, message: string) => findings.push(mistake({ file, line: null }, message))
  if (!(existsSync(folder) && statSync(folder).isDirectory())) {
    error(
      folder,
      'There is no such folder. Set SITE_FOLDER to your site’s folder, or make one: npm run site -- new DIR',
    )
    return
  }
  if (!isReadable(folder)) {
    error(folder, UNREADABLE)
    return
  }
  let together = 0
  for (const { name, entry } of entriesIn(folder)) {
    if ((entry.isFile() || entry.isDirectory()) && !isReadable(join(folder, name))) error(name, UNREADABLE)
    if (entry.isDirectory() && FOLDERS.includes(name)) continue
    if (entry.isSymbolicLink()) error(name, 'This is a link to another file. Put the file itself here.')
    else if (entry.isDirectory())
      error(name, 'A site’s folder has only the folders legal and pictures. Delete this one.')
    else if (!entry.isFile()) error(name, 'This isn’t a file. Delete it.')
    if (!entry.isFile()) continue
    const { size } = lstatSync(join(folder, name))
    together += size
    if (size > MOST_BYTES) error(name, 'This file is larger than 10 MB. Make it smaller.')
    const known = [...TOML_FILES, ...MARKDOWN_FILES]
    if (!name.startsWith('pictures/') && !known.includes(name)) {
      error(name, `A site’s folder has no file of this name.${didYouMean(name, known) || elsewhere(name)}`)
    }
  }
  if (together > MOST_BYTES_TOGETHER) error(folder, 'This folder is larger than 200 MB. Make its pictures smaller.')
}
