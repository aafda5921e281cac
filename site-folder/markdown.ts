/** What is wrong in the Markdown of a legal page: it has headings, paragraphs, lists, bold, italics, and links, and nothing else. */
import { marked } from 'marked'

/** The parts of the parser's output that we use. */
export interface Token {
  readonly type: string
  readonly raw: string
  readonly tokens?: readonly Token[]
  readonly items?: readonly Token[]
  readonly depth?: number
  readonly href?: string
  readonly text?: string
  readonly ordered?: boolean
}

interface Mistake {
  readonly line: number
  readonly message: string
}

const KNOWN = /^(?:space|def|heading|paragraph|list|list_item|text|escape|strong|em|br|link)$/
const SUPPORTED = 'Use only headings, paragraphs, lists, bold, italics, and links.'

export function markdownMistakes(text: string): readonly Mistake[] {
  const all: readonly Token[] = marked.lexer(text)
  const [first] = all.filter(({ type }) => type !== 'space' && type !== 'def')
  const mistakes: Mistake[] = []
  /** Where the search for the next token goes on. */
  let at = 0
  let level = 0
  const report = (message: string) => mistakes.push({ line: text.slice(0, at).split('\n').length, message })

  function visit(token: Token): void {
    const words = token.raw.trim().split('\n')[0] ?? ''
    at = Math.max(at, text.indexOf(words, at))
    if (token === first && (token.type !== 'heading' || token.depth !== 1)) report(NO_TITLE)
    if (token.type === 'heading') visitHeading(token.depth ?? 1)
    else if (token.type === 'html') report(`HTML isn’t supported. ${SUPPORTED}`)
    else if (!KNOWN.test(token.type)) report(`This element (${token.type}) isn’t supported. ${SUPPORTED}`)
    else if (token.type === 'link' && !/^(https:\/\/|mailto:|tel:|\/(?!\/)|#)/.test(token.href ?? ''))
      report('Expected a link to https://…, mailto:…, tel:…, /a-page, or #a-heading.')
    const inside = token.tokens ?? token.items ?? []
    for (const each of inside) visit(each)
    if (inside.length === 0) at += words.length
  }

  /** Screen readers list headings by level, and a skipped level sounds like a missing part of the page. */
  function visitHeading(depth: number): void {
    const next = Math.max(level, 1) + 1
    if (depth === 1 && level > 0) report('A page can have only one title. Start sections with “##”.')
    else if (depth > 3) report('The lowest heading level is “###”.')
    else if (depth > next) report(`Expected a heading with ${'#'.repeat(next)} here.`)
    level = depth
  }

  if (first === undefined) report(NO_TITLE)
  else if (!all.some(({ type }) => type === 'paragraph'))
    report('Expected a paragraph that says what the page is about.')
  for (const token of all) visit(token)
  return mistakes
}

const NO_TITLE = 'The page must start with its title: a line such as “# Help”.'
