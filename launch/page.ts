/** Built pages for the launch rules: parse5's tree, and the text that visitors read or hear. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { MANIFEST_FILE, type SiteFile, type SiteManifest } from '../server/http/site-manifest.ts'

export type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

export interface BuiltPage {
  /** Null for an error page. */
  readonly path: string | null
  readonly file: string
  readonly root: Element
}

export const languageOf = ({ root }: BuiltPage) => attribute(root, 'lang') ?? 'en'
export const nameOf = ({ path, file }: BuiltPage) => path ?? file
export const isElement = (node: Node): node is Element => 'tagName' in node

export function parsePage(html: string, { path, file }: Pick<SiteFile, 'path' | 'file'>): BuiltPage {
  // Parse the contents of <noscript> too: some visitors see them.
  const root = parse(html, { scriptingEnabled: false }).childNodes.find(isElement)
  if (!root) throw new Error(`${file} has no elements.`)
  return { path, file, root }
}

export const attribute = ({ attrs }: Element, name: string) => attrs.find(each => each.name === name)?.value

/** The root and its descendants in document order, optionally only those with the tag. */
export function elements(root: Element, tag?: string): readonly Element[] {
  const inside = root.childNodes.filter(isElement).flatMap(child => elements(child, tag))
  return tag === undefined || root.tagName === tag ? [root, ...inside] : inside
}

const HIDDEN = new Set(['script', 'style', 'template', 'svg', 'head'])
const INLINE = new Set(['a', 'b', 'em', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'wbr'])

/** The visible text, on one line. */
export function textOf(element: Element): string {
  const read = (node: Node): string => {
    if (!isElement(node)) return 'value' in node ? node.value : ''
    if (HIDDEN.has(node.tagName) || attribute(node, 'hidden') !== undefined) return ' '
    const text = node.childNodes.map(read).join('')
    return INLINE.has(node.tagName) ? text : ` ${text} `
  }
  return oneLine(read(element))
}

/** Normalizes whitespace, so text from content/ can be found in a page. */
export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Everything a visitor reads or hears: text, labels, and what search engines show. */
export function wordsOf(root: Element): string {
  const unseen = elements(root).flatMap(element =>
    element.tagName === 'title'
      ? textOf(element)
      : ['aria-label', 'alt', 'content'].map(name => attribute(element, name)),
  )
  return [textOf(root), ...unseen].filter(Boolean).join(' · ')
}

/** A copy without any elements that have the tag. */
export function without(tag: string, { childNodes, ...element }: Element): Element {
  const kept = childNodes.filter(node => !isElement(node) || node.tagName !== tag)
  return { ...element, childNodes: kept.map(node => (isElement(node) ? without(tag, node) : node)) }
}

export interface BuiltSite {
  readonly pages: readonly BuiltPage[]
  /** Paths of other files, such as pictures and the sitemap. */
  readonly otherPaths: readonly string[]
}

/** `read` returns a page's HTML. */
export function builtSiteOf<File extends Pick<SiteFile, 'path' | 'file'>>(
  files: readonly File[],
  read: (file: File) => string,
): BuiltSite {
  const isPage = ({ file }: File) => file.endsWith('.html')
  return {
    pages: files.filter(isPage).map(file => parsePage(read(file), file)),
    otherPaths: files.filter(file => !isPage(file)).flatMap(({ path }) => path ?? []),
  }
}

/** Null if the site isn't built. */
export function readBuiltSite(folder: string): BuiltSite | null {
  let manifest: SiteManifest
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'))
  } catch {
    return null
  }
  return builtSiteOf(manifest.files, ({ file }) => readFileSync(join(folder, file), 'utf8'))
}
