/** Renders a legal page in the site's style. What it can have is checked where it's read: site-folder/legal.ts. */
import { createElement, Fragment, type ReactNode } from 'react'
import { slugOf } from '../../domain/text/slug.ts'
import { type Block, plainText, type Words } from '../../domain/text/text-blocks.ts'

export interface MarkdownPage {
  readonly title: string
  /** The first paragraph, without links or emphasis. */
  readonly summary: string
  readonly body: ReactNode
}

/** Each heading's anchor. */
type Ids = ReadonlyMap<Block, string>

export function renderMarkdown(blocks: readonly Block[]): MarkdownPage {
  const textOf = (type: Block['is']) =>
    blocks.flatMap(block => (block.is === type && block.is !== 'list' ? plainText(block.words) : []))[0] ?? ''
  return { title: textOf('heading'), summary: textOf('paragraph'), body: nodes(idsOf(blocks), blocks) }
}

function nodes(ids: Ids, blocks: readonly Block[]): ReactNode {
  return createElement(Fragment, null, ...blocks.map(block => node(ids, block)))
}

function node(ids: Ids, block: Block): ReactNode {
  switch (block.is) {
    case 'heading':
      return heading(block.level, ids.get(block), inline(block.words))
    case 'paragraph':
      return <p className="pt-4">{inline(block.words)}</p>
    case 'line':
      return inline(block.words)
    case 'list':
      return list(ids, block.start, block.items)
  }
}

function inline(words: Words): ReactNode {
  const shown = words.map(part => {
    if (typeof part === 'string') return part
    if (part.is === 'br') return <br />
    return part.is === 'link' ? link(part.to, inline(part.words)) : createElement(part.is, null, inline(part.words))
  })
  return createElement(Fragment, null, ...shown)
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

function list(ids: Ids, start: number | null, items: readonly (readonly Block[])[]): ReactNode {
  const [List, style] = start === null ? (['ul', 'list-disc'] as const) : (['ol', 'list-decimal'] as const)
  return (
    <List
      {...(start !== null && start !== 1 && { start })}
      className={`grid gap-3 pt-4 pl-6 marker:text-action ${style}`}
    >
      {items.map(item => (
        <li key={JSON.stringify(item)}>{nodes(ids, item)}</li>
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

/** Adds a number to repeated headings, because anchors must be unique. */
function idsOf(blocks: readonly Block[]): Ids {
  const ids = new Map<Block, string>()
  for (const block of blocks) {
    if (block.is !== 'heading') continue
    const slug = slugOf(plainText(block.words)) || 'section'
    const taken = new Set(ids.values())
    let id = slug
    for (let number = 2; taken.has(id); number++) id = `${slug}-${number}`
    ids.set(block, id)
  }
  return ids
}
