/** Every name that a folder's TOML files can have, with its original and what the folder says instead. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { knownLanguages, type Language } from '../domain/languages.ts'
import { ORIGINALS, TOML_FILES } from './files.ts'
import type { SiteFinding } from './findings.ts'
import { isTable, type Leaf, type Node, readToml, type Table } from './toml.ts'

export interface ListedText {
  readonly file: string
  readonly name: string
  readonly original: string | null
  readonly own: string | null
}

export function textsOf(folder: string | null): readonly ListedText[] {
  return TOML_FILES.flatMap(file => {
    const original = valuesIn(join(ORIGINALS, file))
    const own = folder === null ? new Map<string, string>() : valuesIn(join(folder, file))
    return [...new Set([...original.keys(), ...own.keys()])].map(name => ({
      file,
      name,
      original: original.get(name) ?? null,
      own: own.get(name) ?? null,
    }))
  })
}

/** Texts of one language that the folder changes, but not in the other. That's allowed; it's only said. */
export function changedInOneLanguage(folder: string | null): readonly SiteFinding[] {
  const changed = (language: Language) =>
    new Map(
      textsOf(folder)
        .filter(({ file, own }) => own !== null && file === `${language}.toml`)
        .map(text => [text.name, text]),
    )
  const byLanguage = { en: changed('en'), es: changed('es') }
  return knownLanguages.flatMap(language => {
    const other = language === 'en' ? 'es' : 'en'
    return [...byLanguage[language].keys()]
      .filter(name => !byLanguage[other].has(name))
      .map(name => ({
        level: 'note' as const,
        file: `${language}.toml`,
        line: null,
        message: `${name} is changed here, but not in ${other}.toml.`,
      }))
  })
}

export function listTexts(folder: string | null, words: string): string {
  const wanted = words.toLowerCase()
  const found = textsOf(folder).filter(({ file, ...text }) =>
    Object.values({ ...text, file }).some(value => value?.toLowerCase().includes(wanted)),
  )
  const lines = found.map(({ file, name, original, own }) =>
    [
      `${file}  ${name}`,
      ...(original === null ? [] : [`  original: ${original}`]),
      ...(own === null ? [] : [`  yours:    ${own}`]),
    ].join('\n'),
  )
  return lines.length === 0 ? `No text has “${words}”.\n` : `${lines.join('\n')}\n`
}

function valuesIn(path: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const add = (table: Table, path: readonly string[]) => {
    for (const [name, { value }] of Object.entries(table)) {
      if (isTable(value)) add(value, [...path, name])
      else values.set([...path, name].join('.'), shown(value))
    }
  }
  if (existsSync(path)) add(readToml({ file: path, text: readFileSync(path, 'utf8') }).table, [])
  return values
}

const shown = (value: Leaf | readonly Node[]): string =>
  typeof value === 'object' ? value.map(each => `${each.value}`).join(', ') : `${value}`
