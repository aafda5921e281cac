/** Every name that a folder's TOML files can have, with its original and what the folder says instead. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../domain/languages.ts'
import { ORIGINALS, TOML_FILES } from './files.ts'
import type { SiteFinding } from './findings.ts'
import { leavesOf, type Original, readToml } from './toml.ts'
import type { SiteData } from './types.ts'

export function textsOf(folder: string | null) {
  return TOML_FILES.flatMap(file => {
    const original = valuesIn(join(ORIGINALS, file))
    const own = folder === null ? new Map<string, string>() : valuesIn(join(folder, file))
    return [...new Set([...original.keys(), ...own.keys()])].map(path => ({
      file,
      section: path.split('.').slice(0, -1).join('.'),
      name: path.split('.').at(-1) ?? '',
      original: original.get(path) ?? null,
      own: own.get(path) ?? null,
    }))
  })
}

/** Texts that the folder changes in one language only. That's allowed; it's only said. */
export function changedInOneLanguage(
  folder: string | null,
  { languages }: Pick<SiteData, 'languages'>,
): readonly SiteFinding[] {
  const changedIn = (language: Language) => [
    ...new Set(
      textsOf(folder).flatMap(({ file, section, name, own }) =>
        own === null || file !== `${language}.toml` ? [] : partOf(`${section}.${name}`),
      ),
    ),
  ]
  const changed = languages.map(language => ({ language, names: changedIn(language) }))
  return changed.flatMap(({ language, names }) =>
    changed.flatMap(other => {
      const only = names.filter(name => !other.names.includes(name))
      if (only.length === 0) return []
      const message = `Changed here, but not in ${other.language}.toml: ${only.join(', ')}.`
      return [{ level: 'note' as const, file: `${language}.toml`, line: null, message }]
    }),
  )
}

/** A landing page, a headline that's tested, or an item of a list is named once. */
const partOf = (name: string): string => /^(?:pages|headlines)\.[^.]+/.exec(name)?.[0] ?? name

export function listTexts(folder: string | null, words: string): string {
  const wanted = words.toLowerCase()
  const lines = textsOf(folder).flatMap(({ file, section, name, original, own }) => {
    const place = `${file}  ${section === '' ? '' : `[${section}] `}${name}`
    if (![place, `${section}.${name}`, original, own].some(value => value?.toLowerCase().includes(wanted))) return []
    return [
      place,
      ...(original === null ? [] : [`  original: ${original}`]),
      ...(own === null ? [] : [`  yours:    ${own}`]),
    ]
  })
  return lines.length === 0 ? `No text has “${words}”.\n` : `${lines.join('\n')}\n`
}

function valuesIn(path: string): ReadonlyMap<string, string> {
  if (!existsSync(path)) return new Map()
  const { table } = readToml({ file: path, text: readFileSync(path, 'utf8') })
  return new Map([...leavesOf(table)].map(([name, value]) => [name, shown(value)]))
}

const shown = (value: Original): string => (typeof value === 'object' ? value.join(', ') : `${value}`)
