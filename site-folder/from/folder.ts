/** Makes the folder that says what an edited 0.7.0 checkout said: only what differs from 0.7.0, and whole consents and legal pages. */
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { knownLanguages, type Language } from '../../domain/languages.ts'
import { earlier, nameNow, type Originals } from '../earlier-originals.ts'
import { formatFinding } from '../findings.ts'
import { isDisclosure, makeFolder } from '../new-folder.ts'
import { readSite } from '../read-site.ts'
import { PICTURE } from '../schema/facts.ts'
import { legalPageNames } from '../schema/texts.ts'
import type { Original } from '../toml.ts'
import { writeToml } from '../write-toml.ts'
import { type Checkout, readCheckout } from './checkout.ts'
import type { Value } from './items.ts'
import { isUnchanged, leftBehind } from './left-behind.ts'

const FROM = '0.7.0'

/** Returns what it couldn't carry. */
export function makeFolderFrom(checkout: string, folder: string): readonly string[] {
  const version = versionOf(checkout)
  if (version !== FROM) throw new Error(`${checkout} isn’t a checkout of ${FROM}${version && `, but of ${version}`}.`)
  const known: Originals = earlier.versions.get(FROM) ?? new Map()
  const read = readCheckout(checkout, known)
  makeFolder(folder, FROM)
  const { changes, lost } = changesOf(read.values, known)
  for (const [file, values] of Map.groupBy(changes, ([key]) => key.slice(0, key.indexOf(' ')))) {
    const named = new Map(values.map(([key, value]) => [key.slice(file.length + 1), value]))
    const start =
      file === 'organization.toml'
        ? `format = 1\n# The version whose original texts you have seen.\nchecked-with = "${FROM}"\n\n`
        : ''
    writeFileSync(join(folder, file), start + writeToml(named).trimStart())
  }
  for (const language of knownLanguages) {
    const file = join(folder, `consent.${language}.md`)
    writeFileSync(file, consentOf(read, language, readFileSync(file, 'utf8')))
    for (const name of legalPageNames) copyLegalPage(checkout, folder, name, language, read.tested[language])
  }
  copyPictures(checkout, folder)
  const { findings } = readSite(folder)
  return [
    ...lost,
    ...(read.reviewed
      ? [
          `content/languages.ts: ${read.reviewed.by} reviewed the Spanish pages. Many of their texts are new, so have them reviewed again.`,
        ]
      : []),
    ...leftBehind(checkout, [...[...read.values].flat(2), ...elsewhere(read)]),
    ...findings.map(formatFinding),
  ]
}

function versionOf(checkout: string): string {
  const file = join(checkout, 'package.json')
  return existsSync(file) && existsSync(join(checkout, 'content/en/words.ts'))
    ? JSON.parse(readFileSync(file, 'utf8')).version
    : ''
}

const ALSO: Readonly<Record<string, string>> = {
  // People who sent the form see another text now.
  'thankYou.lead': 'thankYou.sentLead',
}

function changesOf(values: ReadonlyMap<string, Value>, known: Originals) {
  const changes = new Map<string, Original>()
  const lost: string[] = []
  const isSection = (key: string) => [...known.keys()].some(each => each.startsWith(`${landing(key)}.`))
  for (const [key, value] of values) {
    const [file = '', name = ''] = key.split(/ (.*)/)
    const original = known.get(landing(key)) ?? null
    const isHiddenSection = value === null && isSection(key)
    const isSame = JSON.stringify(value) === JSON.stringify(original) && !name.startsWith('pages.')
    if (isSame && !isHiddenSection && !(isDisclosure(name) && value !== null)) continue
    const add = (text: Original, to = name) => changes.set(`${file} ${nameNow(to)}`, text)
    if (isHiddenSection) add(false, `${name}.show`)
    else if (value !== null) add(value)
    else if (original !== null) add('')
    const also = ALSO[name]
    if (also !== undefined && value !== null) add(value, also)
  }
  for (const [key, original] of known) {
    if (values.has(key) || !key.includes(' ') || isGoneWithItsPart(key, values)) continue
    if (key.startsWith('evidence.toml ')) changes.set(key, '')
    else lost.push(`${key.replace(' ', ': ')} was removed, but is back: ${original}`)
  }
  for (const key of values.keys()) {
    const [, file, claim] = /^(\w+\.toml) (claims\.\w+)$/.exec(key) ?? []
    if (claim !== undefined && values.get(`evidence.toml ${claim}.show`) === false)
      lost.push(`${file}: ${claim} was hidden in the other language only. Now it’s hidden in both.`)
  }
  return { changes, lost }
}

const landing = (key: string) => key.replace(/ pages\.[^.]+/, ' landing')

/** Not in a list anymore, or in a part that's hidden. */
function isGoneWithItsPart(key: string, values: ReadonlyMap<string, Value>): boolean {
  const parts = key.split('.')
  if (values.get(key.replace(/^\w+\.toml (claims\.\w+)$/, 'evidence.toml $1.show')) === false) return true
  if (/ questions\.\w+$/.test(key)) return true
  const isComputed = /\bshared\.numbers$|\.icon$/.test(key)
  return (
    isComputed ||
    parts.some((_, index) => {
      const part = parts.slice(0, index).join('.')
      return values.get(part) === null || values.get(`${part}.show`) === false || values.has(`${part}.order`)
    })
  )
}

/** What is carried into other files. */
const elsewhere = ({ consents, reviewed }: Checkout) => [
  ...knownLanguages.flatMap(language => [consents[language].button, ...consents[language].paragraphs]),
  ...Object.values(reviewed ?? {}),
]

/** Word for word. Only the sentence above the button is new. */
function consentOf({ consents }: Checkout, language: Language, original: string): string {
  const { button, paragraphs, privacyPolicy } = consents[language]
  const [above = ''] = original.split(/^# (?:Button)$/m)
  const below = paragraphs.map((paragraph, index) => {
    const text = paragraph.replaceAll('{organization}', '{legalName}').replaceAll(`“${button}”`, '“{button}”')
    const isPrivacyNotice = index === paragraphs.length - 1 && text.includes(privacyPolicy.text)
    return isPrivacyNotice ? text.replace(privacyPolicy.text, found => `[${found}](privacy)`) : text
  })
  return `${above.trimEnd()}\n\n# Button\n\n${button}\n\n# Below\n\n${below.join('\n\n')}\n`
}

/** An outline that nobody edited is today's. */
function copyLegalPage(
  checkout: string,
  folder: string,
  name: string,
  language: Language,
  tested: readonly string[],
): void {
  const file = `content/${language}/legal/${name}.md`
  if (!existsSync(join(checkout, file)) || isUnchanged(checkout, file)) return
  const text = readFileSync(join(checkout, file), 'utf8')
    .replace(/\{\{\s*tested\s*\}\}/g, () => tested.map(each => `- ${each}`).join('\n'))
    .replace(/\{\{\s*name\s*\}\}/g, '{organization}')
    .replace(/\{\{\s*(\w+)\s*\}\}/g, '{$1}')
  writeFileSync(join(folder, `legal/${name}.${language}.md`), text)
}

function copyPictures(checkout: string, folder: string): void {
  for (const file of globSync('content/pictures/*', { cwd: checkout })) {
    const name = basename(file)
    if (PICTURE.test(name) && !isUnchanged(checkout, `content/pictures/${name}`))
      copyFileSync(join(checkout, file), join(folder, 'pictures', name))
  }
}
