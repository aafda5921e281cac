/** A built page as the rules read it: a tree of elements in document order, without scripts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'

export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (Element | string)[]
}

export interface BuiltPage {
  /** Null for an error page. */
  readonly path: string | null
  readonly file: string
  readonly root: Element
}

export const nameOf = ({ path, file }: BuiltPage) => path ?? file

export function parsePage(html: string, path: string | null, file: string): BuiltPage {
  // Parse <noscript> like the rest: some visitors see it.
  const document = parse(html, { scriptingEnabled: false })
  const found = document.childNodes.find(isElement)
  if (!found) throw new Error(`${file} has no elements.`)
  return { path, file, root: elementOf(found) }
}

type Node = DefaultTreeAdapterTypes.ChildNode
const isElement = (node: Node): node is DefaultTreeAdapterTypes.Element => 'tagName' in node

function elementOf(node: DefaultTreeAdapterTypes.Element): Element {
  const children: (Element | string)[] = []
  const element: Element = {
    tag: node.tagName,
    attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
    children,
  }
  for (const child of node.childNodes) {
    if (isElement(child)) children.push(elementOf(child))
    else if ('value' in child) children.push(child.value)
  }
  return element
}

/** All elements with a tag, or all of them, in document order. */
export function elements(root: Element, tag?: string): readonly Element[] {
  const inside = root.children.flatMap(child => (typeof child === 'string' ? [] : elements(child, tag)))
  return tag === undefined || root.tag === tag ? [root, ...inside] : inside
}

const UNREAD = new Set(['script', 'style', 'template', 'svg', 'head'])
const INLINE = new Set(['a', 'b', 'em', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'wbr'])

/** The visible text, in one line. */
export function textOf(element: Element, leaveOut: (element: Element) => boolean = () => false): string {
  const read = (node: Element | string): string => {
    if (typeof node === 'string') return node
    if (UNREAD.has(node.tag) || 'hidden' in node.attributes || leaveOut(node)) return ' '
    const text = node.children.map(read).join('')
    return INLINE.has(node.tag) ? text : ` ${text} `
  }
  return oneLine(read(element))
}

/** Text from content/ is normalized like this before it is searched for in a page. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Everything a visitor reads or hears: text, labels, and what search engines show. */
export function wordsOf({ root }: BuiltPage, leaveOut?: (element: Element) => boolean): string {
  const heads = elements(root).flatMap(({ tag, attributes, children }) => {
    if (tag === 'title') return [children.join('')]
    if (tag === 'meta') return [attributes['content'] ?? '']
    return []
  })
  const body = elements(root, 'body')[0]
  return body ? [textOf(body, leaveOut), labelsIn(body, leaveOut), ...heads].join(' · ') : heads.join(' · ')
}

function labelsIn(element: Element, leaveOut: (element: Element) => boolean = () => false): string {
  if (leaveOut(element)) return ''
  const own = element.attributes['aria-label'] ?? element.attributes['alt'] ?? ''
  const inside = element.children.map(child => (typeof child === 'string' ? '' : labelsIn(child, leaveOut)))
  return [own, ...inside].filter(label => label !== '').join(' · ')
}

export interface BuiltSite {
  readonly pages: readonly BuiltPage[]
  /** Paths that aren't pages: pictures, the sitemap. */
  readonly otherPaths: readonly string[]
}

/** Null when there is no build. */
export function readBuiltSite(folder: string): BuiltSite | null {
  let manifest: SiteManifest
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'))
  } catch {
    return null
  }
  const isPage = ({ file }: { readonly file: string }) => file.endsWith('.html')
  return {
    pages: manifest.files
      .filter(isPage)
      .map(({ path, file }) => parsePage(readFileSync(join(folder, file), 'utf8'), path, file)),
    otherPaths: manifest.files.filter(file => !isPage(file)).flatMap(({ path }) => path ?? []),
  }
}
