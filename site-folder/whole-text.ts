/**
 * Consents and legal pages: whole texts in Markdown, which lawyers review. The review is of everything that they say, with names filled in,
 * except facts that must change without a lawyer: those stay names, such as {phone}, until the text is shown.
 */
import { telHref } from '../domain/contact/phone.ts'
import type { Block, Part, Words } from '../domain/text/text-blocks.ts'
import type { TextFile } from './files.ts'
import { mistake, type SiteFinding } from './findings.ts'
import { type Filled, fillIn, type Inserts } from './inserts.ts'
import { escapeMarkdown, joined, mapWords, type Parsed, parseMarkdown } from './markdown.ts'

/** “Todo” is a common word in Spanish. The text of a link isn't a placeholder. */
export const PLACEHOLDER = /\[[^\]]{3,}\](?!\()|\b[Ll]orem ipsum\b|\bTODO\b|\bTBD\b/g

const URGENT = ['phone', 'email', 'address', 'hours'] as const
const URGENT_NAME = new RegExp(`\\{(${URGENT.join('|')})\\}`)

/** Each fact that has a value as its own name. */
export const urgentAsNames = (inserts: Inserts): Inserts =>
  Object.fromEntries(
    Object.entries(inserts).map(([name, value]) => [
      name,
      value !== null && URGENT.some(each => each === name) ? `{${name}}` : value,
    ]),
  )

export interface WholeText extends Parsed {
  /** As reviews.toml has it, such as `legal/privacy.en`. */
  readonly name: string
  readonly file: string
  readonly isDraft: boolean
}

/** By its first line. */
export const isDraft = (text: string) => /^\s*draft\b/i.test(text)

/** `inserts`: with urgent facts as names. `phone`: today's. */
export function readWhole(source: TextFile, inserts: Inserts, phone: string, findings: SiteFinding[]): WholeText {
  const { file } = source
  const name = file.replace(/^content\//, '').replace(/\.md$/, '')
  const text = source.text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const draft = name.startsWith('legal/') && isDraft(text)
  const values = Object.fromEntries(
    Object.entries(inserts).map(([key, value]) => [key, value && escapeMarkdown(value)]),
  )
  // For the lawyer who reads a draft.
  const lines = (draft ? text.replace(/^(\s*).*/, '$1') : text).split('\n').map((written, index) => {
    const filled = fillIn(written, values)
    // A draft can be incomplete.
    if (draft) return filled.text
    for (const message of problemsIn(written, filled, name)) findings.push(mistake({ file, line: index + 1 }, message))
    const typed = typedPhone(written, phone)
    if (typed !== undefined) {
      const message = `Type {phone} instead of ${typed}. Then a new number is live at once, without a review.`
      findings.push({ level: 'note', file, line: index + 1, message })
    }
    return filled.text
  })
  const parsed = parseMarkdown(lines.join('\n'), name.startsWith('consent') ? 'sentences and links' : undefined)
  for (const mistake of parsed.mistakes) findings.push({ level: draft ? 'note' : 'error', file, ...mistake })
  return { ...parsed, name, file, isDraft: draft }
}

function problemsIn(written: string, { problems, hidden }: Filled, name: string): readonly string[] {
  const later = name.startsWith('legal/') ? ', or start the file with the line Draft: until it’s complete' : ''
  return [
    ...problems,
    ...(written.match(PLACEHOLDER) ?? []).map(words => `Replace ${words}${later}.`),
    ...(hidden === null ? [] : [`{${hidden}} has no value yet. Set it in organization.toml, or leave it out here.`]),
  ]
}

const typedPhone = (text: string, phone: string) =>
  text.match(/\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}\b/g)?.find(each => telHref(each) === telHref(phone))

/** With today's facts. `facts`: null for those without a value. */
export function withFacts(
  blocks: readonly Block[],
  facts: Readonly<Record<string, Part | null>>,
  report: (message: string) => void,
): readonly Block[] {
  const factOf = (name: string): Part => {
    const value = facts[name] ?? null
    if (value === null)
      report(`{${name}} has no value, but the text that was reviewed has it. Set it in organization.toml.`)
    return value ?? ''
  }
  const fill = (words: Words, isLink: boolean): Words =>
    joined(
      words.flatMap((part): Words => {
        if (typeof part !== 'string') return [{ ...part, words: fill(part.words, isLink || part.is === 'link') }]
        return part.split(URGENT_NAME).map((each, index, all) => {
          if (index % 2 === 0) return each
          const value = factOf(each)
          if (typeof value !== 'string') return isLink ? value.words.join('') : value
          // “until 6 p.m.” at the end of a sentence
          return all[index + 1]?.startsWith('.') ? value.replace(/\.$/, '') : value
        })
      }),
    )
  return mapWords(blocks, words => fill(words, false))
}
