/** A built page as the rules read it: a tree of elements, in the order of the document, with what stands in no script. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parent: Element | null
  readonly children: readonly (Element | string)[]
}

export interface BuiltPage {
  /** Its address, or null for a page that the server answers with by itself. */
  readonly path: string | null
  readonly file: string
  readonly root: Element
  readonly css: string
}

/** Told with a finding: the address, or the file of a page without one. */
export const nameOf = ({ path, file }: BuiltPage) => path ?? file

export function parsePage(html: string, path: string | null, file: string): BuiltPage {
  // What is shown without JavaScript is shown: it is parsed like the rest.
  const document = parse(html, { scriptingEnabled: false })
  const found = document.childNodes.find(isElement)
  if (!found) throw new Error(`${file} has no elements.`)
  const root = elementOf(found, null)
  return { path, file, root, css: elements(root, 'style').map(ownText).join('\n') }
}

type Node = DefaultTreeAdapterTypes.ChildNode
const isElement = (node: Node): node is DefaultTreeAdapterTypes.Element => 'tagName' in node

function elementOf(node: DefaultTreeAdapterTypes.Element, parent: Element | null): Element {
  const children: (Element | string)[] = []
  const element: Element = {
    tag: node.tagName,
    attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
    parent,
    children,
  }
  for (const child of node.childNodes) {
    if (isElement(child)) children.push(elementOf(child, element))
    else if ('value' in child) children.push(child.value)
  }
  return element
}

/** All elements of a tag, or all of them, in the order of the document. */
export function elements(root: Element, tag?: string): readonly Element[] {
  const inside = root.children.flatMap(child => (typeof child === 'string' ? [] : elements(child, tag)))
  return tag === undefined || root.tag === tag ? [root, ...inside] : inside
}

const ownText = ({ children }: Element) => children.filter(child => typeof child === 'string').join('')

const UNREAD = new Set(['script', 'style', 'template', 'svg', 'head'])
const INLINE = new Set(['a', 'b', 'em', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'time'])

/** What a visitor reads in it, in one line. `leaveOut` names elements whose text does not count. */
export function textOf(element: Element, leaveOut: (element: Element) => boolean = () => false): string {
  const read = (node: Element | string): string => {
    if (typeof node === 'string') return node
    if (UNREAD.has(node.tag) || leaveOut(node)) return ' '
    const text = node.children.map(read).join('')
    return INLINE.has(node.tag) ? text : ` ${text} `
  }
  return oneLine(read(element))
}

/** As `textOf` and `wordsOf` give it: what content/ says is looked for in this form. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** What a visitor reads or hears of a page anywhere: its text, its labels, and what search engines show of it. */
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

/** The element and all that it stands in, from the inside out. */
export function lineage(element: Element): readonly Element[] {
  return element.parent === null ? [element] : [element, ...lineage(element.parent)]
}
