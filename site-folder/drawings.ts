/**
 * A drawing is only shapes, gradients, and text. An SVG can also hold scripts, styles that load files, and pages. Only what is listed here
 * is let through: what isn't known can't hurt.
 */
import { type DefaultTreeAdapterTypes, html, parseFragment } from 'parse5'

const ELEMENTS = new Set(
  `svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan lineargradient radialgradient stop
  clippath mask pattern marker image style filter feblend fecolormatrix fecomposite fedropshadow feflood fegaussianblur femerge
  femergenode feoffset metadata`.split(/\s+/),
)

type Element = DefaultTreeAdapterTypes.Element
type Parent = Pick<Element, 'childNodes'>

/** What isn't only a drawing in it, or null. */
export function activeIn(svg: string): string | null {
  if (/<!DOCTYPE[^>]*\[|<!ENTITY|<\?xml-stylesheet/i.test(svg)) return 'a document type or style sheet of its own'
  const elements = elementsIn(parseFragment(svg))
  const [first] = elements
  if (first?.tagName !== 'svg' || elements.filter(({ tagName }) => tagName === 'svg').length > 1)
    return 'no <svg> at the top, or more than one'
  for (const element of elements) {
    const problem = problemIn(element)
    if (problem !== null) return problem
  }
  return null
}

function problemIn({ tagName, namespaceURI, attrs, childNodes }: Element): string | null {
  if (namespaceURI !== html.NS.SVG || !ELEMENTS.has(tagName.toLowerCase())) return `<${tagName}>`
  for (const { name, value } of attrs) {
    const isLink = /(?:^|:)(?:href|src)$/i.test(name)
    const isInside = /^\s*(?:#|data:image\/(?:png|jpe?g|webp|avif);base64,[\w+/=\s]*$)/.test(value)
    if (/^on/i.test(name) || /(?:^|:)base$/i.test(name) || (isLink && !isInside)) return `${name}="…"`
    if (!isLink && loadsFiles(value)) return `${name}="…"`
  }
  const style =
    tagName.toLowerCase() === 'style' ? childNodes.map(node => ('value' in node ? node.value : '')).join('') : ''
  return loadsFiles(style) ? 'a style that loads files' : null
}

/** A backslash could spell any of these otherwise. */
const loadsFiles = (css: string) => /\\|@|image-set|javascript:|url\((?!\s*["']?#)/i.test(css)

const elementsIn = ({ childNodes }: Parent): readonly Element[] =>
  childNodes.flatMap(node => ('tagName' in node ? [node, ...elementsIn(node)] : []))
