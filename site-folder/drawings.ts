/**
 * A drawing is only shapes, gradients, and text. An SVG can also hold scripts, styles that load files, and pages. What's known to be
 * harmless is written again, as XML that browsers can't read in another way than we did. What editors keep for themselves is left out.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from 'parse5'
import { decoded } from './files.ts'

const ELEMENTS = new Set(
  `svg g defs symbol use switch view path rect circle ellipse line polyline polygon text tspan textpath lineargradient radialgradient stop
  clippath mask pattern marker image style filter feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix
  fediffuselighting fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur femerge
  femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence`.split(/\s+/),
)
/** Never shown. */
const LEFT_OUT = new Set(['title', 'desc', 'metadata'])

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

export type Drawing = { readonly svg: string } | { readonly problem: string }

/** The drawing as it's published, or what someone has to change: “pictures/logo.svg …” */
export function readDrawing(bytes: Buffer): Drawing {
  try {
    const source = decoded(bytes)
    if (source === null) throw new Refused('isn’t an SVG drawing in UTF-8. Export it again as a plain SVG.')
    let level = 0
    const treeAdapter = {
      ...defaultTreeAdapter,
      onItemPush() {
        level += 1
        if (level > MOST_LEVELS)
          throw new Refused('has groups in groups, too many for a browser. Export it again, flattened.')
      },
      onItemPop() {
        level -= 1
      },
    }
    const nodes = parseFragment(source, { treeAdapter, sourceCodeLocationInfo: true }).childNodes
    if (/<!DOCTYPE[^<]*\[|<!(?:ENTITY|ATTLIST|ELEMENT)\b/i.test(source))
      throw new Refused(
        'has declarations in its document type (<!DOCTYPE … [ … ]>). Export it again as a plain SVG; in Illustrator, without “Preserve Illustrator Editing Capabilities”.',
      )
    if (nodes.some(node => node.nodeName === '#comment' && 'data' in node && /^\?xml-stylesheet/i.test(node.data)))
      throw active('a style sheet in another file')
    const shown = nodes.filter(node => 'tagName' in node || ('value' in node && node.value.trim() !== ''))
    const [root] = shown
    if (root === undefined || !('tagName' in root) || root.tagName !== 'svg')
      throw new Refused('isn’t an SVG drawing. Export it again as a plain SVG.')
    const [, after] = shown
    if (after !== undefined) throw active('tagName' in after ? `<${after.tagName}>` : 'text after its end')
    return { svg: write(root, source, new Set(), true) }
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message }
    throw error
  }
}

class Refused extends Error {}

const active = (what: string) =>
  new Refused(
    `isn’t only a drawing: it has ${what}. Export it again as a plain SVG, without scripts, animations, and links.`,
  )

/** Deeper ones would end this program, and maybe browsers. */
const MOST_LEVELS = 200

/** `svgPrefixes`: what stands for SVG in `<svg:path>`. HTML's parser doesn't know it. */
function write(element: Element, source: string, svgPrefixes: Set<string>, isRoot = false): string {
  const { tagName, namespaceURI, attrs, childNodes, sourceCodeLocation: at } = element
  for (const { name, value } of attrs)
    if (/^xmlns:/.test(name) && value.trim() === html.NS.SVG) svgPrefixes.add(name.slice('xmlns:'.length))
  const start = source.slice(at?.startOffset, at?.startTag?.endOffset ?? at?.endOffset)
  if (!at?.endTag && !start.endsWith('/>'))
    throw new Refused(`is damaged: <${tagName}> in line ${at?.startLine} has no end. Export it again.`)
  const [prefix = '', local] = tagName.split(':')
  const isEditors = local !== undefined && !svgPrefixes.has(prefix)
  if (isEditors || LEFT_OUT.has(tagName)) return ''
  if (namespaceURI !== html.NS.SVG || !ELEMENTS.has(tagName.toLowerCase())) throw active(`<${tagName}>`)
  const css = tagName === 'style' ? childNodes.map(node => ('value' in node ? node.value : '')).join('') : ''
  if (css.includes('@') || loadsFiles(css)) throw active('a style that loads files')
  const inside = childNodes.map(node => writeNode(node, source, svgPrefixes)).join('')
  const attributes = isRoot ? rootAttributes(element) : attributesOf(element)
  return `<${tagName}${[...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')}>${inside}</${tagName}>`
}

function writeNode(node: Node, source: string, svgPrefixes: Set<string>): string {
  if ('tagName' in node) return write(node, source, svgPrefixes)
  return 'value' in node ? escaped(node.value) : ''
}

function attributesOf({ attrs }: Element): Map<string, string> {
  const kept = new Map<string, string>()
  for (const { name, prefix = '', value } of attrs) {
    const local = name.replace(/^.*:/, '')
    const isLink = /^(?:href|src)$/i.test(local)
    const isInside = /^\s*(?:#|data:image\/(?:png|jpe?g|webp|avif);base64,[\w+/=\s]*$)/.test(value)
    if (/^on/i.test(name) || local === 'base' || (isLink && !isInside)) throw active(`${name}="…"`)
    // What has another prefix is an editor's, and data-… too.
    const isPlain = prefix === '' && /^(?!data-|xmlns)[a-z][\w-]*$/i.test(name)
    if (isPlain && !isLink && loadsFiles(value)) throw active(`${name}="…"`)
    if (isLink) kept.set(name === 'href' && prefix === '' ? 'href' : 'xlink:href', value)
    else if (isPlain) kept.set(name, value)
    else if (prefix === 'xml' && name === 'space') kept.set('xml:space', value)
  }
  return kept
}

/** Renderers refuse larger ones. A drawing can be shown at any size. */
const MOST_PIXELS = 4096
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
}

function rootAttributes(root: Element): Map<string, string> {
  const attributes = attributesOf(root)
  const length = (name: string) => {
    const [, number, unit = ''] = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(attributes.get(name) ?? '') ?? []
    return Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN) || null
  }
  const box = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const hasBox = box.length === 4 && box.every(Number.isFinite)
  const [boxWidth, boxHeight] = hasBox ? box.slice(2) : []
  const ratio = boxWidth && boxHeight && boxWidth / boxHeight
  const [ownWidth, ownHeight] = [length('width'), length('height')]
  const width = ownWidth ?? (ownHeight && ratio ? ownHeight * ratio : boxWidth)
  const height = ownHeight ?? (ownWidth && ratio ? ownWidth / ratio : boxHeight)
  if (!(width && height && width > 0 && height > 0 && (boxWidth ?? 1) > 0 && (boxHeight ?? 1) > 0))
    throw new Refused(
      'doesn’t say how large it is. Set the page’s size in the program that you drew it with, and export it again.',
    )
  const scale = Math.min(1, MOST_PIXELS / Math.max(width, height))
  for (const name of ['width', 'height', 'viewBox']) attributes.delete(name)
  const rounded = (value: number) => `${Math.max(1, Math.round(value * scale * 100) / 100)}`
  return new Map([
    ['xmlns', html.NS.SVG],
    ['xmlns:xlink', html.NS.XLINK],
    ['width', rounded(width)],
    ['height', rounded(height)],
    ['viewBox', hasBox ? box.join(' ') : `0 0 ${width} ${height}`],
    ...attributes,
  ])
}

/** A backslash could spell any of these otherwise. */
const loadsFiles = (css: string) => /\\|image-set|javascript:|src\(|url\((?!\s*["']?#)/i.test(css)

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no other control characters. */
const escaped = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that's what it removes
  text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replaceAll(/[&<>"]/g, found => ESCAPES[found] ?? '')
