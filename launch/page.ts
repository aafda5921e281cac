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

const isElement = (node: Node): node is Element => 'tagName' in node

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

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

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
