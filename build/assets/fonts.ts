/**
 * Makes the two typefaces: Fraunces for headings, Atkinson Hyperlegible Next for everything else. Each is cut into what
 * almost every page uses and the rest of Latin, which a browser fetches only for a page that has one of its characters:
 * whatever an operator writes is set in the same face, and nobody pays for letters that are not there.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'
import { type AssetFile, hashed } from './hashed-asset.ts'

const require = createRequire(import.meta.url)

export interface Fonts {
  /** The `@font-face` rules that name the files, each page's in a style of their own. */
  readonly typefaces: string
  /** Those of the visitor's own fonts that stand in for them. */
  readonly standIns: string
  readonly files: readonly AssetFile[]
}

type Range = readonly [first: number, last: number]

interface Cut {
  readonly name: string
  readonly source: string
  readonly family: string
  readonly weight: string
  readonly ranges: readonly Range[]
  readonly axes: Record<string, number | { min: number; max: number }>
  /** How large it is drawn, against its design. */
  readonly scale?: number
}

/** Dashes, quotation marks, the bullet and the ellipsis. */
const TYPOGRAPHIC_SIGNS: readonly Range[] = [
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
]
const ACCENTED_LETTERS_AND_SIGNS: Range = [0xa1, 0xff]

const fraunces = {
  source: require.resolve('@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2'),
  family: 'Fraunces',
  weight: '650',
  axes: { wght: 650, opsz: 48, SOFT: 50, WONK: 0 },
}
const atkinson = {
  source: require.resolve(
    '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  ),
  family: 'Atkinson',
  weight: '400 700',
  axes: { wght: { min: 400, max: 700 } },
}

const cuts: readonly Cut[] = [
  {
    ...fraunces,
    name: 'fraunces',
    // Space to ?, letters, and no signs that headings do without: # * + < = > @ and the brackets.
    ranges: [[0x20, 0x22], [0x24, 0x29], [0x2c, 0x3b], [0x3f, 0x3f], [0x41, 0x5a], [0x61, 0x7a], ...TYPOGRAPHIC_SIGNS],
  },
  {
    ...fraunces,
    name: 'fraunces-rest',
    ranges: [
      [0x23, 0x23],
      [0x2a, 0x2b],
      [0x3c, 0x3e],
      [0x40, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
      ACCENTED_LETTERS_AND_SIGNS,
    ],
  },
  {
    ...atkinson,
    name: 'atkinson-hyperlegible-next',
    // Also the sign between parts of a line (U+B7) and that of copyright (U+A9), which stand on every page.
    ranges: [[0x20, 0x2f], [0x31, 0x7e], [0xa9, 0xa9], [0xb7, 0xb7], ...TYPOGRAPHIC_SIGNS],
  },
  {
    ...atkinson,
    name: 'atkinson-hyperlegible-next-rest',
    ranges: [
      [0xa1, 0xa8],
      [0xaa, 0xb6],
      [0xb8, 0xff],
    ],
  },
  {
    ...atkinson,
    // Atkinson's zero is slashed, which reads as a typing error in "$4,018" and "100%". This one is open, and its
    // size brings it to the height of Atkinson's figures.
    name: 'public-sans-zero',
    source: require.resolve('@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2'),
    ranges: [[0x30, 0x30]],
    scale: 0.924,
  },
]

interface StandIn {
  readonly family: string
  /** The full names and PostScript names by which systems know the font. */
  readonly names: readonly string[]
  readonly weight: string
  /** How wide the words of our pages are in the typeface, against this font, in percent. */
  readonly width: number
  /** Of the typeface, above and below the line, in percent of its size. */
  readonly ascent: number
  readonly descent: number
}

const likeFraunces = { weight: '650', ascent: 97.8, descent: 25.5 }
const likeAtkinson = { ascent: 98.4, descent: 31.6 }
const likeAtkinsonRegular = { ...likeAtkinson, weight: '400' }
// A bold of its own: a browser would smear the regular one.
const likeAtkinsonBold = { ...likeAtkinson, weight: '700' }

/** Apple and Windows have Georgia and Arial, Android Noto Serif and Roboto, Linux the others. */
const standIns: readonly StandIn[] = [
  { family: 'Like Fraunces 1', names: ['Georgia Bold', 'Georgia-Bold'], width: 92.2, ...likeFraunces },
  { family: 'Like Fraunces 2', names: ['Noto Serif Bold', 'NotoSerif-Bold'], width: 94.3, ...likeFraunces },
  { family: 'Like Fraunces 3', names: ['DejaVu Serif Bold'], width: 84.6, ...likeFraunces },
  { family: 'Like Atkinson 1', names: ['Arial', 'Liberation Sans'], width: 99.4, ...likeAtkinsonRegular },
  {
    family: 'Like Atkinson 1',
    names: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'],
    width: 99.5,
    ...likeAtkinsonBold,
  },
  { family: 'Like Atkinson 2', names: ['Roboto', 'Roboto-Regular'], width: 100.2, ...likeAtkinsonRegular },
  { family: 'Like Atkinson 2', names: ['Roboto Bold', 'Roboto-Bold'], width: 105, ...likeAtkinsonBold },
  { family: 'Like Atkinson 3', names: ['DejaVu Sans'], width: 85.6, ...likeAtkinsonRegular },
  { family: 'Like Atkinson 3', names: ['DejaVu Sans Bold'], width: 83.6, ...likeAtkinsonBold },
]

export async function makeFonts(): Promise<Fonts> {
  const made = await Promise.all(cuts.map(async cut => ({ cut, file: hashed(cut.name, 'woff2', await cutFont(cut)) })))
  return {
    typefaces: made.map(({ cut, file }) => fontFace(cut, file.path)).join(''),
    standIns: standIns.map(standInFace).join(''),
    files: made.map(({ file }) => file),
  }
}

async function cutFont({ source, ranges, axes, scale }: Cut): Promise<Buffer> {
  const text = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset)),
  )
  const cut = (font: Buffer, targetFormat: 'woff2' | 'truetype') =>
    subsetFont(font, text.join(''), { targetFormat, variationAxes: axes, keepFeatures: ['kern'], noHinting: true })
  const font = await readFile(source)
  return cut(scale === undefined ? font : scaled(await cut(font, 'truetype'), scale), 'woff2')
}

/**
 * Draws a font smaller by making its em larger. In the file, because a face that a script makes
 * (site/browser/typefaces.ts) cannot be given the `size-adjust` that a style could give it.
 */
function scaled(font: Buffer, scale: number): Buffer {
  const head = font.readUInt32BE(font.indexOf('head', 12, 'latin1') + 8)
  const unitsPerEm = head + 18
  font.writeUInt16BE(Math.round(font.readUInt16BE(unitsPerEm) / scale), unitsPerEm)
  return font
}

/** Used only once it has been loaded or is expected in the cache: `fallback` waits a tenth of a second for the latter. */
function fontFace({ family, weight, ranges }: Cut, path: string): string {
  return face({
    'font-family': family,
    src: `url(${path})format("woff2")`,
    'font-weight': weight,
    'font-display': 'fallback',
    'unicode-range': ranges.map(unicodeRange).join(),
  })
}

function unicodeRange([first, last]: Range): string {
  const hex = (codePoint: number) => codePoint.toString(16)
  return first === last ? `U+${hex(first)}` : `U+${hex(first)}-${hex(last)}`
}

/** A font of the visitor's own, made as wide and as high as the typeface, so that nothing moves when that arrives. */
function standInFace({ family, names, weight, width, ascent, descent }: StandIn): string {
  // Heights are a share of the font's size, which the width has changed: they are given back what it took.
  const height = (share: number) => `${((share * 100) / width).toFixed(1)}%`
  return face({
    'font-family': `"${family}"`,
    src: names.map(name => `local("${name}")`).join(),
    'font-weight': weight,
    'size-adjust': `${width}%`,
    'ascent-override': height(ascent),
    'descent-override': height(descent),
  })
}

const face = (descriptors: Readonly<Record<string, string>>) =>
  `@font-face{${Object.entries(descriptors)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`
