/** Every name that a folder's TOML files can have, with its original and what the folder says instead. */
import { join } from 'node:path'
import type { Language } from '../domain/languages.ts'
import { changedOriginals, valuesIn } from './changed-originals.ts'
import { ORIGINALS, TOML_FILES } from './files.ts'
import type { SiteFinding } from './findings.ts'
import { readSite } from './read-site.ts'
import type { FoundText } from './reading.ts'
import type { Original } from './toml.ts'
import type { SiteData } from './types.ts'

/** `shown`: what visitors read. */
export function textsOf(folder: string | null, shown: readonly FoundText[] = []) {
  const said = new Map(shown.map(({ file, name, text }) => [`${file.replace(/^content\//, '')} ${name}`, text]))
  const changes = folder === null ? [] : changedOriginals(folder).changes
  const before = new Map(changes.map(change => [`${change.file} ${change.name}`, change.before]))
  const whole = shown.flatMap(({ file, text }) =>
    file.endsWith('.md') ? [{ file, section: '', name: '', original: null, before: null, own: null, shown: text }] : [],
  )
  const single = TOML_FILES.flatMap(file => {
    const original = valuesIn(join(ORIGINALS, file))
    const own: typeof original = folder === null ? new Map() : valuesIn(join(folder, file))
    return [...new Set([...original.keys(), ...own.keys()])].map(path => ({
      file,
      section: path.split('.').slice(0, -1).join('.'),
      name: path.split('.').at(-1) ?? '',
      original: asText(original.get(path)),
      before: asText(before.get(`${file} ${path}`)),
      own: asText(own.get(path)),
      shown: said.get(`${file} ${path}`) ?? null,
    }))
  })
  return [...single, ...whole]
}

function asText(value: Original | null = null): string | null {
  if (value === null) return null
  return typeof value === 'object' ? value.join(', ') : `${value}`
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
  const found = textsOf(folder, readSite(folder).data?.texts)
  const lines = found.flatMap(({ file, section, name, original, own, shown }) => {
    const place = `${file}  ${section === '' ? '' : `[${section}] `}${name}`
    const values = [place, `${section}.${name}`, original, own, shown]
    if (!values.some(value => value?.toLowerCase().includes(wanted))) return []
    return [
      place,
      ...(original === null ? [] : [`  original: ${original}`]),
      ...(own === null ? [] : [`  yours:    ${own}`]),
    ]
  })
  return lines.length === 0 ? `No text has “${words}”.\n` : `${lines.join('\n')}\n`
}
