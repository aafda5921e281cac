/**
 * Renders Markdown as React elements in the site's style. Supports what a legal page needs: headings, paragraphs, lists,
 * bold, italics, and links. HTML is rejected, so text can't inject a script.
 */
import { marked } from 'marked'
import { parseFragment } from 'parse5'
import { createElement, Fragment, type ReactNode } from 'react'
import { slugOf } from '../../domain/slug.ts'

export interface MarkdownPage {
  readonly title: string
  /** The first paragraph, without links or emphasis. */
  readonly summary: string
  readonly body: ReactNode
}

/** The parts of the parser's output that we use. */
interface Token {
  readonly type: string
  readonly raw: string
  readonly tokens?: readonly Token[]
  readonly text?: string
  readonly depth?: number
  readonly href?: string
  readonly ordered?: boolean
  readonly items?: readonly Token[]
}

interface Source {
  readonly file: string
  readonly text: string
}

interface Page extends Source {
  /** Each heading's anchor. */
  readonly ids: ReadonlyMap<Token, string>
}

/** Tells the author what was expected, with the file and line. */
export class MarkdownError extends Error {
  readonly loc: { readonly file: string; readonly line: number; readonly column: number }

  constructor({ file, text }: Source, raw: string, expected: string) {
    super(expected)
    this.name = 'MarkdownError'
    const words = raw.trim().split('\n')[0] ?? ''
    const lines = text.split('\n')
    const line = Math.max(
      0,
      lines.findIndex(each => each.includes(words)),
    )
    this.loc = { file, line: line + 1, column: Math.max(0, lines[line]?.indexOf(words) ?? 0) }
  }
}

const SUPPORTED = 'Use only headings, paragraphs, lists, bold, italics, and links'

export function renderMarkdown(source: Source): MarkdownPage {
  const found: readonly Token[] = marked.lexer(source.text)
  const tokens = found.filter(({ type }) => type !== 'space' && type !== 'def')
  const [title] = tokens
  if (title?.type !== 'heading' || title.depth !== 1) {
    throw new MarkdownError(source, title?.raw ?? '', 'The page must start with its title: a line such as “# Help”.')
  }
  checkHeadings(source, tokens)
  const summary = tokens.find(({ type }) => type === 'paragraph')
  if (!summary) throw new MarkdownError(source, title.raw, 'Expected a paragraph that says what the page is about.')
  return {
    title: plainText(title),
    summary: plainText(summary),
    body: nodes({ ...source, ids: idsOf(tokens) }, tokens),
  }
}

/** Screen readers list headings by level, and a skipped level sounds like a missing part of the page. */
function checkHeadings(source: Source, tokens: readonly Token[]): void {
  let level = 0
  for (const { type, raw, depth = 0 } of tokens) {
    if (type !== 'heading') continue
    if (depth === 1 && level > 0)
      throw new MarkdownError(source, raw, 'A page can have only one title. Start sections with “##”.')
    if (depth > 3) throw new MarkdownError(source, raw, 'The lowest heading level is “###”.')
    if (depth > level + 1)
      throw new MarkdownError(source, raw, `Expected a heading with ${'#'.repeat(level + 1)} here.`)
    level = depth
  }
}

function nodes(page: Page, tokens: readonly Token[] = []): ReactNode {
  return createElement(Fragment, null, ...tokens.map(token => node(page, token)))
}

function node(page: Page, token: Token): ReactNode {
  const inside = () => nodes(page, token.tokens)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return heading(token.depth ?? 1, page.ids.get(token), inside())
    case 'paragraph':
      return <p className="pt-4">{inside()}</p>
    case 'list':
      return list(page, token.ordered ?? false, token.items ?? [])
    case 'text':
      // A list item's line contains nested tokens; plain text doesn't.
      return token.tokens ? inside() : decodeEntities(token.text ?? '')
    case 'escape':
      return token.text
    case 'strong':
      return <strong>{inside()}</strong>
    case 'em':
      return <em>{inside()}</em>
    case 'br':
      return <br />
    case 'link':
      return link(page, token.raw, token.href ?? '', inside())
    case 'html':
      throw new MarkdownError(page, token.raw, `HTML isn’t supported. ${SUPPORTED}.`)
    default:
      throw new MarkdownError(page, token.raw, `This element (${token.type}) isn’t supported. ${SUPPORTED}.`)
  }
}

function heading(depth: number, id: string | undefined, children: ReactNode): ReactNode {
  if (depth === 1) return <h1 className="text-headline lg:text-[3rem] lg:leading-[1.06]">{children}</h1>
  if (depth === 2) {
    return (
      <h2 id={id} className="pt-10 text-heading">
        {children}
      </h2>
    )
  }
  return (
    <h3 id={id} className="pt-8 text-title">
      {children}
    </h3>
  )
}

function list(page: Page, ordered: boolean, items: readonly Token[]): ReactNode {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List className={`grid gap-3 pt-4 pl-6 marker:text-action ${ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map(item => (
        <li key={item.raw}>{nodes(page, item.tokens)}</li>
      ))}
    </List>
  )
}

function link(source: Source, raw: string, href: string, children: ReactNode): ReactNode {
  if (!/^(https:\/\/|mailto:|tel:|\/(?!\/)|#)/.test(href)) {
    throw new MarkdownError(source, raw, 'Expected a link to https://…, mailto:…, tel:…, /a-page, or #a-heading.')
  }
  return (
    // A phone number stays on one line.
    <a
      href={href}
      className={`${href.startsWith('tel:') ? 'whitespace-nowrap ' : ''}py-3.5 underline underline-offset-4`}
    >
      {children}
    </a>
  )
}

function plainText(token: Token): string {
  if (token.tokens) return token.tokens.map(plainText).join('')
  return token.type === 'br' ? ' ' : decodeEntities(token.text ?? '')
}

/** Decodes entities such as `&sect;` and `&nbsp;`, which Markdown allows. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&#?\w+;/g, name => {
    const [node] = parseFragment(name).childNodes
    const character = node && 'value' in node ? node.value : name
    // For an unknown name, browsers decode its longest known prefix.
    return character.endsWith(';') ? name : character
  })
}

/** Adds a number to repeated headings, because anchors must be unique. */
function idsOf(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const ids = new Map<Token, string>()
  for (const token of tokens.filter(({ type }) => type === 'heading')) {
    const slug = slugOf(plainText(token)) || 'section'
    const taken = new Set(ids.values())
    let id = slug
    for (let number = 2; taken.has(id); number++) id = `${slug}-${number}`
    ids.set(token, id)
  }
  return ids
}
