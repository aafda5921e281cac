/** The legal pages: one Markdown file each in legal/. A file that starts with `Draft:` isn't published. */

import type { Language } from '../domain/languages.ts'
import { fill } from '../domain/text/fill.ts'
import { type Block, linksIn } from '../domain/text/text-blocks.ts'
import type { PageLink } from './consent.ts'
import type { TextFile } from './files.ts'
import type { SiteFinding } from './findings.ts'
import type { Inserts } from './inserts.ts'
import type { Mistake, Parsed } from './markdown.ts'
import { legalPageNames } from './schema/texts.ts'
import { readWhole, type WholeText } from './whole-text.ts'

export type LegalPageName = (typeof legalPageNames)[number]

export const isLegalPage = (name: string): name is LegalPageName => legalPageNames.includes(name as LegalPageName)

export interface LegalPage {
  readonly path: string
  readonly file: string
  readonly isDraft: boolean
  /** With the facts filled in. */
  readonly blocks: readonly Block[]
  /** Says how to reach us through a relay service. */
  readonly hasRelay: boolean
}

/** `facts`: with urgent ones as names. */
export function readLegalPage(source: TextFile, facts: Inserts, phone: string, findings: SiteFinding[]): WholeText {
  const page = readWhole(source, facts, phone, findings)
  for (const { line, message } of pageMistakes(page))
    findings.push({ level: page.isDraft ? 'note' : 'error', file: page.file, line, message })
  return page
}

const NO_TITLE = 'The page must start with its title: a line such as “# Help”.'

/** Screen readers list headings by level, and a skipped level sounds like a missing part of the page. */
export function pageMistakes({ blocks, lineOf }: Parsed): readonly Mistake[] {
  const mistakes: Mistake[] = []
  const report = (node: object | undefined, message: string) =>
    mistakes.push({ line: node ? lineOf(node) : 1, message })
  const [first] = blocks
  if (first?.is !== 'heading' || first.level !== 1) report(first, NO_TITLE)
  else if (!blocks.some(({ is }) => is === 'paragraph'))
    report(first, 'Expected a paragraph that says what the page is about.')
  let level = 0
  for (const block of blocks) {
    if (block.is !== 'heading') continue
    const next = Math.max(level, 1) + 1
    if (block.level === 1 && level > 0) report(block, 'A page can have only one title. Start sections with “##”.')
    else if (block.level > 3) report(block, 'The lowest heading level is “###”.')
    else if (block.level > next) report(block, `Expected a heading with ${'#'.repeat(next)} here.`)
    level = block.level
  }
  for (const link of linksIn(blocks))
    if (!/^(https:\/\/|mailto:|tel:|\/(?!\/)|#)/.test(link.to) || link.to.includes('{'))
      report(link, 'Expected a link to https://…, mailto:…, tel:…, /a-page, or #a-heading.')
  return mistakes
}

type LegalPages = Readonly<Record<Language, Readonly<Record<LegalPageName, LegalPage>>>>
type Elsewhere = Readonly<Record<LegalPageName, { readonly [L in Language]?: string | undefined } | undefined>>

/** Where the links to legal pages lead. */
export interface LegalLinks {
  readonly languages: readonly Language[]
  readonly legalPages: LegalPages
  readonly legalPagesElsewhere: Elsewhere
}

/** A finished page of our own takes precedence over an address elsewhere. With neither, there is no link. */
export function legalHref(language: Language, name: LegalPageName, site: LegalLinks): string | null {
  const page = site.languages.includes(language) ? site.legalPages[language][name] : null
  return page && !page.isDraft ? page.path : (site.legalPagesElsewhere[name]?.[language] ?? null)
}

/** The words for the footer's links. */
export type LegalLinkWords = Readonly<Record<LegalPageName | 'termsOfService' | 'inEnglish', string>>

/** A link to the page in the visitor's language or, if there is none, to the English page. */
function legalLink(
  language: Language,
  words: LegalLinkWords,
  name: LegalPageName,
  site: LegalLinks,
  text = words[name],
): PageLink {
  const href = legalHref(language, name, site)
  const english = legalHref('en', name, site)
  if (href !== null || english === null) return { text, href }
  return { text: fill(words.inEnglish, { text }), href: english }
}

export function footerLinksIn(
  language: Language,
  words: LegalLinkWords,
  site: LegalLinks,
  terms = words.terms,
): readonly PageLink[] {
  const accessibility = legalLink(language, words, 'accessibility', site)
  return [
    legalLink(language, words, 'privacy', site),
    legalLink(language, words, 'terms', site, terms),
    legalLink(language, words, 'hipaa', site),
    legalLink(language, words, 'contact', site),
    legalLink(language, words, 'help', site),
    // Not in the specification, so it's shown only if it has a URL.
    ...(accessibility.href === null ? [] : [accessibility]),
  ]
}
