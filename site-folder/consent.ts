/**
 * What the visitor signs: consent.en.md, in three sections, and the sentence that agents read on the phone: consent.spoken.en.md. Both are
 * whole files, so no upgrade can change a word. Any change creates a new version, whose hash is stored with every lead.
 */
import { type Block, plainText, textsIn, type Words } from '../domain/text/text-blocks.ts'
import type { TextFile } from './files.ts'
import { mistake, type SiteFinding } from './findings.ts'
import { fillIn, type Inserts } from './inserts.ts'
import { parseMarkdown } from './markdown.ts'
import type { LinkedText, TextLink } from './schema/kinds.ts'
import { readWhole, type WholeText } from './whole-text.ts'

/** `href: null` means that there is no such page yet: the text is shown but isn't a link. */
export interface PageLink {
  readonly text: string
  readonly href: string | null
}

export interface Consent {
  /** Above the button: says that pressing it is the consent. */
  readonly notice: string
  readonly button: string
  /** What the person agrees to, that they don't have to, and how to opt out. */
  readonly text: string
  /** Who may call, as the text names them. */
  readonly seller: string
  /** The paragraphs of the notice and of the text, with their links. */
  readonly above: readonly LinkedText[]
  readonly below: readonly LinkedText[]
}

/** What the form shows. The rest is only for the contact record. */
export type ConsentCopy = Pick<Consent, 'button' | 'above' | 'below'>

const SECTIONS = ['Above the button', 'Button', 'Below'] as const

/** `facts`: with urgent ones as names. `isPage`: whether a link can lead to this. */
export function readConsent(
  source: TextFile,
  facts: Inserts,
  phone: string,
  isPage: (name: string) => boolean,
  findings: SiteFinding[],
): WholeText {
  const { file } = source
  const report = (line: number | null, message: string) => findings.push(mistake({ file, line }, message))
  const { text: button, problems } = fillIn(buttonIn(source.text), facts)
  for (const problem of problems) report(null, problem)
  const { blocks: written, lineOf, ...rest } = readWhole(source, { ...facts, button }, phone, findings)
  const sections = new Map<string, { readonly line: number; readonly blocks: Block[] }>()
  let current: Block[] | undefined
  for (const block of written) {
    const line = lineOf(block)
    if (block.is === 'heading') {
      const heading = plainText(block.words)
      const known = SECTIONS.find(name => name.toLowerCase() === heading.toLowerCase())
      if (known === undefined)
        report(line, `A consent has only the sections # ${SECTIONS.join(', # ')}, but this one is # ${heading}`)
      else if (sections.has(known)) report(line, `The section # ${known} is here twice. Put its text into one of them.`)
      current = []
      sections.set(known ?? heading, { line, blocks: current })
    } else if (current === undefined) report(line, `A consent starts with the line # ${SECTIONS[0]}`)
    else if (block.is === 'list') {
      report(line, 'A consent has no lists. Write sentences.')
      current.push(block)
    } else current.push({ ...block, words: checked(block.words, line) })
  }

  function checked(words: Words, line: number): Words {
    return words.map(part => {
      if (typeof part === 'string') return part
      if (part.is === 'br') return ' '
      if (part.is !== 'link') {
        report(line, `A consent has no bold or italics. Leave out the marks around “${plainText(part.words)}”.`)
        return part
      }
      const said = plainText(part.words)
      // An address that's only typed.
      if (part.to === said || part.to === `mailto:${said}`) return said
      if (!isPage(part.to))
        report(
          lineOf(part),
          `A consent links only to legal pages, such as [Privacy Policy](privacy), and to [/stop](stop), but not to “${part.to}”.`,
        )
      return { ...part, words: [said] }
    })
  }
  const blocks = SECTIONS.flatMap((name): readonly Block[] => {
    const { line = null, blocks: found = [] } = sections.get(name) ?? {}
    if (found.length === 0)
      report(line, `The section # ${name} is missing or empty. Type the line # ${name}, and its text below it.`)
    return [{ is: 'heading', level: 1, words: [name] }, ...found]
  })
  const [label, ...more] = sections.get('Button')?.blocks ?? []
  if (more.length > 0 || (label?.is === 'paragraph' && label.words.some(part => typeof part !== 'string')))
    report(sections.get('Button')?.line ?? null, 'The button is one line without links.')
  return { ...rest, blocks, lineOf }
}

/** Before anything is filled in. */
function buttonIn(text: string): string {
  const { blocks } = parseMarkdown(text)
  const heading = blocks.findIndex(block => block.is === 'heading' && plainText(block.words).toLowerCase() === 'button')
  return textsIn(blocks.slice(heading + 1, heading + 2)).join('')
}

/** One sentence, read to someone who never sent the form. */
export function readSpokenConsent(source: TextFile, facts: Inserts, phone: string, findings: SiteFinding[]): WholeText {
  const whole = readWhole(source, facts, phone, findings)
  const isPlain = whole.blocks.every(
    block => block.is === 'paragraph' && block.words.every(part => typeof part === 'string'),
  )
  if (!isPlain || whole.blocks.length === 0)
    findings.push(
      mistake({ file: source.file, line: 1 }, 'Agents read this text out: it has only sentences, and can’t be empty.'),
    )
  return whole
}

/** `blocks`: as readConsent makes them, with today's facts. */
export function consentOf(blocks: readonly Block[], seller: string, linkTo: (name: string) => string | null): Consent {
  const section = (name: (typeof SECTIONS)[number]) => {
    const after = blocks.slice(blocks.findIndex(block => block.is === 'heading' && plainText(block.words) === name) + 1)
    const next = after.findIndex(({ is }) => is === 'heading')
    return next < 0 ? after : after.slice(0, next)
  }
  const [notice, button, text] = SECTIONS.map(name => textsIn(section(name)).join(' ')) as [string, string, string]
  const linked = (name: (typeof SECTIONS)[number]) =>
    section(name).map(block => ('words' in block ? linkedText(block.words, linkTo) : ''))
  return { notice, button, text, seller, above: linked('Above the button'), below: linked('Below') }
}

/** A page that doesn't exist yet is shown as text. */
function linkedText(words: Words, linkTo: (name: string) => string | null): LinkedText {
  const parts = words.map((part): string | TextLink => {
    if (typeof part === 'string') return part
    const [text, href] = [plainText(part.words), part.is === 'link' ? linkTo(part.to) : null]
    return href ? { text, href } : text
  })
  return parts.every(part => typeof part === 'string') ? parts.join('') : parts
}
