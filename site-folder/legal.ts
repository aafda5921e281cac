/** The legal pages: one Markdown file each in legal/. A file that starts with `Draft:` isn't published. */
import { fill } from '../domain/fill.ts'
import { type Language, pathInLanguage } from '../domain/languages.ts'
import type { PageLink } from './consent.ts'
import type { TextFile } from './files.ts'
import { mistake, type SiteFinding } from './findings.ts'
import { fillIn, type Inserts } from './inserts.ts'
import { markdownMistakes } from './markdown.ts'
import type { legalPageNames } from './schema/texts.ts'

export type LegalPageName = (typeof legalPageNames)[number]

export interface LegalPage {
  readonly path: string
  readonly file: string
  readonly isDraft: boolean
  /** Markdown, with the facts filled in. */
  readonly text: string
  /** Says how to reach us through a relay service. */
  readonly hasRelay: boolean
}

/** By its first line. */
export const isDraft = (text: string) => /^\s*draft\b/i.test(text)

/** “Todo” is a common word in Spanish. The text of a link isn't a placeholder. */
export const PLACEHOLDER = /\[[^\]]{3,}\](?!\()|\b[Ll]orem ipsum\b|\bTODO\b|\bTBD\b/g

/** `found`: null if there is no such file. */
export function readLegalPage(
  language: Language,
  name: LegalPageName,
  found: TextFile | null,
  facts: Inserts,
  findings: SiteFinding[],
): LegalPage {
  const path = pathInLanguage(language, `/${name}`)
  if (found === null) return { path, file: `legal/${name}.${language}.md`, isDraft: true, text: '', hasRelay: false }
  const { file, legalName } = found
  const source = found.text.replace(/^\uFEFF/, '')
  const draft = isDraft(source)
  const report = (line: number, message: string) => findings.push(mistake({ file, line }, message))
  const lines = source.split(/\r?\n/).map((line, index) => {
    const { text: filled, problems, hidden } = fillIn(line, legalName === undefined ? facts : { ...facts, legalName })
    // A draft is for the lawyer: it can be incomplete.
    if (draft) return filled
    for (const message of problems) report(index + 1, message)
    for (const words of line.match(PLACEHOLDER) ?? [])
      report(index + 1, `Replace ${words}, or start the file with the line Draft: until it’s complete.`)
    if (hidden !== null)
      report(index + 1, `{${hidden}} has no value yet. Set it in organization.toml, or leave it out here.`)
    return filled
  })
  const text = lines.join('\n')
  for (const { line, message } of markdownMistakes(draft ? withoutFirstLine(text) : text))
    findings.push({ level: draft ? 'note' : 'error', file, line, message })
  return { path, file, isDraft: draft, text, hasRelay: source.includes('{relay}') }
}

/** For people who read a draft. Keeps the line's number. */
export const withoutFirstLine = (draft: string) => draft.replace(/^(\s*).*/, '$1')

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
