/**
 * How a text looks, worked out from the page's own style: what is hidden, how large, with which contrast. Rules for one
 * class or element are followed, as our styles are made of; not those for a wider screen, print or a state such as hover.
 */
import { type BuiltPage, type Element, lineage } from './page.ts'

const SMALLEST_PX = 14
/** WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5
const ROOT_PX = 16

type Declarations = Readonly<Record<string, string>>

interface StyleRule {
  readonly selector: string
  readonly declarations: Declarations
}

/** Why a text cannot be read well, in a few words; null when it can be; `unknown` where that cannot be worked out. */
export function illegible(element: Element, { css }: BuiltPage): string | null {
  const rules = simpleRules(css)
  const variables = Object.assign({}, ...rules.filter(({ selector }) => selector === ':root').map(r => r.declarations))
  const value = (text: string | undefined): string | undefined =>
    text?.replaceAll(/var\((--[\w-]+)(?:,[^()]*)?\)/g, (all, name: string) => value(variables[name]) ?? all)
  const line = lineage(element).map(each => ({ element: each, style: styleOf(each, rules) }))
  const styles = line.map(
    ({ style }) =>
      (name: string) =>
        value(style[name]),
  )

  if (line.some(each => isHidden(each.element, each.style))) return 'it is hidden'
  const px = fontSize(styles)
  const color = parseColor(firstOf(styles, 'color') ?? '#000')
  const background = parseColor(firstBackground(styles) ?? '#fff')
  if (px === null || color === null || background === null) return 'its size or its colors cannot be worked out'
  if (px < SMALLEST_PX) return `its letters are ${px} px, less than ${SMALLEST_PX}`
  const opacity = styles.reduce((product, style) => product * Number(style('opacity') ?? 1), 1)
  const seen = color.map((channel, index) => channel * opacity + (background[index] ?? 0) * (1 - opacity))
  const ratio = contrast(seen, background)
  return ratio < LEAST_CONTRAST ? `its contrast is ${ratio.toFixed(1)}:1, less than ${LEAST_CONTRAST}:1` : null
}

type Style = (name: string) => string | undefined

const firstOf = (styles: readonly Style[], name: string) =>
  styles.map(style => style(name)).find(found => found !== undefined && found !== 'inherit')

const firstBackground = (styles: readonly Style[]) =>
  styles
    .map(style => style('background-color') ?? style('background'))
    .find(found => found !== undefined && !/^(transparent|none|#0000)$/.test(found))

function isHidden({ attributes }: Element, style: Declarations): boolean {
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return true
  if (style['display'] === 'none' || style['visibility'] === 'hidden' || style['color'] === 'transparent') return true
  // What is for screen readers only is cut down to a pixel.
  return style['position'] === 'absolute' && (style['clip'] ?? style['clip-path'] ?? 'auto') !== 'auto'
}

/** From the outside in, since some sizes are relative. */
function fontSize(styles: readonly Style[]): number | null {
  return styles.reduceRight<number | null>((inherited, style) => {
    const size = style('font-size')
    if (inherited === null || size === undefined || size === 'inherit') return inherited
    // The smallest that it can be.
    const [, number = '', unit = ''] = /^(?:clamp\()?(\d*\.?\d+)(rem|px|em|%)/.exec(size) ?? []
    const factor = { rem: ROOT_PX, px: 1, em: inherited, '%': inherited / 100 }[unit]
    return factor === undefined ? null : Number(number) * factor
  }, ROOT_PX)
}

function styleOf({ tag, attributes }: Element, rules: readonly StyleRule[]): Declarations {
  const classes = new Set((attributes['class'] ?? '').split(/\s+/).map(name => `.${name}`))
  const forTag = rules.filter(({ selector }) => selector === tag)
  const forClass = rules.filter(({ selector }) => classes.has(selector))
  return Object.assign({}, ...[...forTag, ...forClass].map(({ declarations }) => declarations))
}

/** Rules that hold always, each with one selector; layers are opened, conditions are left out. */
function simpleRules(css: string): readonly StyleRule[] {
  const rules: StyleRule[] = []
  let rest = css
  while (rest !== '') {
    const open = rest.indexOf('{')
    if (open < 0) break
    const head = rest.slice(0, open).split(';').at(-1)?.trim() ?? ''
    const close = matchingBrace(rest, open)
    const body = rest.slice(open + 1, close)
    if (head.startsWith('@layer')) rules.push(...simpleRules(body))
    else if (!head.startsWith('@') && !body.includes('{')) {
      const declarations = declarationsIn(body)
      for (const selector of head.split(','))
        rules.push({ selector: selector.trim().replaceAll('\\', ''), declarations })
    }
    rest = rest.slice(close + 1)
  }
  return rules
}

function matchingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at
  }
  return text.length
}

function declarationsIn(body: string): Declarations {
  return Object.fromEntries(
    body.split(';').flatMap(declaration => {
      const [name, ...value] = declaration.split(':')
      return name === undefined || value.length === 0 ? [] : [[name.trim(), value.join(':').trim()]]
    }),
  )
}

function parseColor(text: string): readonly number[] | null {
  const named = { white: '#ffffff', black: '#000000' }[text] ?? text
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(named) ?? []
  if (short) return [...short].map(digit => Number.parseInt(digit + digit, 16))
  return long ? [0, 2, 4].map(at => Number.parseInt(long.slice(at, at + 2), 16)) : null
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map(value => {
    const channel = value / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
