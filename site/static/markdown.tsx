/** Renders Markdown as React elements in the site's style. What it can have is checked where it's read: site-folder/markdown.ts. */
import { marked } from 'marked'
import { parseFragment } from 'parse5'
import { createElement, Fragment, type ReactNode } from 'react'
import { slugOf } from '../../domain/slug.ts'
import type { Token } from '../../site-folder/markdown.ts'

export interface MarkdownPage {
  readonly title: string
  /** The first paragraph, without links or emphasis. */
  readonly summary: string
  readonly body: ReactNode
}

/** Each heading's anchor. */
type Ids = ReadonlyMap<Token, string>

export function renderMarkdown({ text }: { readonly text: string }): MarkdownPage {
  const tokens: readonly Token[] = marked.lexer(text)
  const textOf = (type: string) => tokens.filter(token => token.type === type).map(plainText)[0] ?? ''
  return { title: textOf('heading'), summary: textOf('paragraph'), body: nodes(idsOf(tokens), tokens) }
}

function nodes(ids: Ids, tokens: readonly Token[] = []): ReactNode {
  return createElement(Fragment, null, ...tokens.map(token => node(ids, token)))
}

function node(ids: Ids, token: Token): ReactNode {
  const inside = () => nodes(ids, token.tokens)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return heading(token.depth ?? 1, ids.get(token), inside())
    case 'paragraph':
      return <p className="pt-4">{inside()}</p>
    case 'list':
      return list(ids, token.ordered ?? false, token.items ?? [])
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
      return link(token.href ?? '', inside())
    default:
      // Only in a draft, which npm run dev shows.
      return token.raw
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

function list(ids: Ids, ordered: boolean, items: readonly Token[]): ReactNode {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List className={`grid gap-3 pt-4 pl-6 marker:text-action ${ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map(item => (
        <li key={item.raw}>{nodes(ids, item.tokens)}</li>
      ))}
    </List>
  )
}

function link(href: string, children: ReactNode): ReactNode {
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
function idsOf(tokens: readonly Token[]): Ids {
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
