/**
 * What the visitor signs: consent.en.md, in three sections, and the sentence that agents read on the phone: consent.spoken.en.md. Both are
 * whole files, so no upgrade can change a word. Any change creates a new version, whose hash is stored with every lead.
 */
import type { TextFile } from './files.ts'
import { mistake, type SiteFinding } from './findings.ts'
import { fillIn, type Inserts } from './inserts.ts'

/** `href: null` means that there is no such page yet: the text is shown but isn't a link. */
export interface PageLink {
  readonly text: string
  readonly href: string | null
}

export interface Consent {
  /** Above the button: says that pressing it is the consent. */
  readonly notice: string
  /** The part of the notice that links to the text below the button. */
  readonly noticeLink: string
  readonly button: string
  /** What the person agrees to, that they don't have to, and how to opt out. */
  readonly text: string
  /** Who may call, as the text names them. */
  readonly seller: string
  readonly paragraphs: readonly string[]
  /** Where the text mentions them. */
  readonly links: readonly PageLink[]
}

/** What the form shows. The full text is only for the contact record. */
export type ConsentCopy = Omit<Consent, 'text' | 'seller'>

export type ConsentFacts = Inserts & { readonly legalName: string }

const SECTIONS = ['Above the button', 'Button', 'Below'] as const
const LINK = /\[([^\]]+)\]\(([^)\s]*)\)/g

export function readConsent(
  { file, text, legalName }: TextFile,
  today: ConsentFacts,
  linkTo: (name: string) => string | null | undefined,
  findings: SiteFinding[],
): Consent {
  const facts = { ...today, legalName: legalName ?? today.legalName }
  const report = (line: number | null, message: string) => findings.push(mistake({ file, line }, message))
  const sections = new Map<string, { readonly line: number; readonly lines: string[] }>()
  let current: string[] | undefined
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const [, heading] = /^#+\s*(.*?)\s*$/.exec(line) ?? []
    if (heading === undefined) {
      current?.push(line)
      if (!current && line.trim() !== '') report(index + 1, `A consent starts with the line # ${SECTIONS[0]}`)
      continue
    }
    const known = SECTIONS.find(name => name.toLowerCase() === heading.toLowerCase())
    if (known === undefined)
      report(index + 1, `A consent has only the sections # ${SECTIONS.join(', # ')}, but this one is # ${heading}`)
    current = []
    sections.set(known ?? heading, { line: index + 1, lines: current })
  }
  const paragraphsOf = (name: (typeof SECTIONS)[number], inserts: Inserts): readonly string[] => {
    const section = sections.get(name)
    const found = (section?.lines.join('\n') ?? '').split(/\n\s*\n/).map(oneLine)
    const written = found.filter(each => each !== '')
    if (written.length === 0)
      report(
        section?.line ?? null,
        `The section # ${name} is missing or empty. Type the line # ${name}, and its text below it.`,
      )
    return written.map(each => {
      const { text: filled, problems, hidden } = fillIn(each, inserts)
      for (const problem of problems) report(lineOf(text, each), problem)
      if (hidden !== null) report(lineOf(text, each), `{${hidden}} has no value yet. Set it in organization.toml.`)
      return filled
    })
  }
  const button = paragraphsOf('Button', facts).join(' ')
  const [notice = ''] = paragraphsOf('Above the button', facts)
  const below = paragraphsOf('Below', { ...facts, button })
  const links = below.flatMap(paragraph =>
    Array.from(paragraph.matchAll(LINK), ([raw, shown = '', name = '']) => {
      const href = linkTo(name)
      if (href === undefined)
        report(
          lineOf(text, raw),
          `A consent links only to legal pages, such as [Privacy Policy](privacy), and to [/stop](stop), but not to “${name}”.`,
        )
      return { text: shown, href: href ?? null }
    }),
  )
  const paragraphs = below.map(withoutLinks)
  return {
    notice: withoutLinks(notice),
    noticeLink: [...notice.matchAll(LINK)][0]?.[1] ?? notice,
    button,
    text: paragraphs.join(' '),
    seller: facts.legalName,
    paragraphs,
    links,
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const withoutLinks = (text: string) => text.replaceAll(LINK, '$1')

/** One sentence, read to someone who never sent the form. */
export function readSpokenConsent(
  { file, text, legalName }: TextFile,
  facts: ConsentFacts,
  findings: SiteFinding[],
): string {
  const report = (message: string) => findings.push(mistake({ file, line: 1 }, message))
  const sentence = oneLine(text.replace(/^\uFEFF/, ''))
  const { text: filled, problems } = fillIn(sentence, { ...facts, legalName: legalName ?? facts.legalName })
  for (const problem of problems) report(problem)
  if (filled === '') report('This text can’t be empty.')
  return filled
}

/** The line where a text begins. */
const lineOf = (text: string, part: string) =>
  text.split('\n').findIndex(line => line.includes(part.split(' ').slice(0, 3).join(' '))) + 1 || null
