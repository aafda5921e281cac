/**
 * Makes the two typefaces: Fraunces for headings, Atkinson Hyperlegible Next for everything else. Each is cut into what
 * almost every page uses and the rest of Latin, which a browser fetches only for a page that needs it: any text an
 * operator writes uses the same typeface, and visitors don't download letters that the page doesn't have.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'
import { type AssetFile, hashed } from '../output.ts'

const require = createRequire(import.meta.url)

export interface Fonts {
  /** The `@font-face` rules that name the files. */
  readonly typefaces: string
  /** The rules for the visitor's own fonts, used until the files load. */
  readonly fallbackFonts: string
  readonly files: readonly AssetFile[]
}

interface Cut {
  readonly name: string
  readonly source: string
  readonly family: string
  readonly weight: string
  /** In CSS syntax. */
  readonly unicodeRange: string
  readonly axes: Record<string, number | { min: number; max: number }>
  /** Scale, relative to the original design. */
  readonly scale?: number
}

/** Dashes, quotation marks, the bullet, and the ellipsis. */
const TYPOGRAPHIC = 'U+2013-2014,U+2018-2019,U+201c-201d,U+2022,U+2026'

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
    // Space to ?, and letters, without the signs that headings don't use: # * + < = > @ and the brackets.
    unicodeRange: `U+20-22,U+24-29,U+2c-3b,U+3f,U+41-5a,U+61-7a,${TYPOGRAPHIC}`,
  },
  { ...fraunces, name: 'fraunces-rest', unicodeRange: 'U+23,U+2a-2b,U+3c-3e,U+40,U+5b-60,U+7b-7e,U+a1-ff' },
  {
    ...atkinson,
    name: 'atkinson-hyperlegible-next',
    // With the middle dot (U+B7) and the copyright sign (U+A9), which are on every page.
    unicodeRange: `U+20-2f,U+31-7e,U+a9,U+b7,${TYPOGRAPHIC}`,
  },
  { ...atkinson, name: 'atkinson-hyperlegible-next-rest', unicodeRange: 'U+a1-a8,U+aa-b6,U+b8-ff' },
  {
    ...atkinson,
    // Atkinson's zero is slashed, which looks like a typing error in "$4,018" and "100%". This one is open, scaled to the
    // height of Atkinson's figures.
    name: 'public-sans-zero',
    source: require.resolve('@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2'),
    unicodeRange: 'U+30',
    scale: 0.924,
  },
]

/** Above and below the line, in percent of the typeface's size. */
const frauncesHeights = { weight: '650', ascent: 97.8, descent: 25.5 }
const atkinsonHeights = { weight: '400', ascent: 98.4, descent: 31.6 }
/** A real bold: browsers would only smear the regular one. */
const boldHeights = { ...atkinsonHeights, weight: '700' }

/**
 * The visitor's own fonts by their full and PostScript names, and how wide the words of our pages are in the typeface,
 * compared with that font. Apple and Windows have Georgia and Arial, Android Noto Serif and Roboto, Linux the others.
 */
const fallbackFonts = [
  standIn('Like Fraunces 1', ['Georgia Bold', 'Georgia-Bold'], 92.2, frauncesHeights),
  standIn('Like Fraunces 2', ['Noto Serif Bold', 'NotoSerif-Bold'], 94.3, frauncesHeights),
  standIn('Like Fraunces 3', ['DejaVu Serif Bold'], 84.6, frauncesHeights),
  standIn('Like Atkinson 1', ['Arial', 'Liberation Sans'], 99.4, atkinsonHeights),
  standIn('Like Atkinson 1', ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'], 99.5, boldHeights),
  standIn('Like Atkinson 2', ['Roboto', 'Roboto-Regular'], 100.2, atkinsonHeights),
  standIn('Like Atkinson 2', ['Roboto Bold', 'Roboto-Bold'], 105, boldHeights),
  standIn('Like Atkinson 3', ['DejaVu Sans'], 85.6, atkinsonHeights),
  standIn('Like Atkinson 3', ['DejaVu Sans Bold'], 83.6, boldHeights),
]

export async function makeFonts(): Promise<Fonts> {
  const made = await Promise.all(cuts.map(async cut => ({ cut, file: hashed(cut.name, 'woff2', await cutFont(cut)) })))
  return {
    typefaces: made.map(({ cut, file }) => fontFace(cut, file.path)).join(''),
    fallbackFonts: fallbackFonts.join(''),
    files: made.map(({ file }) => file),
  }
}

async function cutFont({ source, unicodeRange, axes, scale }: Cut): Promise<Buffer> {
  const text = unicodeRange.split(',').flatMap(range => {
    const [first = 0, last = first] = range
      .slice(2)
      .split('-')
      .map(hex => Number.parseInt(hex, 16))
    return Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset))
  })
  const cut = (font: Buffer, targetFormat: 'woff2' | 'truetype') =>
    subsetFont(font, text.join(''), { targetFormat, variationAxes: axes, keepFeatures: ['kern'], noHinting: true })
  const font = await readFile(source)
  return cut(scale === undefined ? font : scaled(await cut(font, 'truetype'), scale), 'woff2')
}

/**
 * Draws a font smaller by making its em larger. In the file, because a face that a script makes
 * (site/browser/typefaces.ts) can't have the `size-adjust` that a style could give it.
 */
function scaled(font: Buffer, scale: number): Buffer {
  const head = font.readUInt32BE(font.indexOf('head', 12, 'latin1') + 8)
  const unitsPerEm = head + 18
  font.writeUInt16BE(Math.round(font.readUInt16BE(unitsPerEm) / scale), unitsPerEm)
  return font
}

/** Used only once it is loaded or expected in the cache: `fallback` waits a tenth of a second for the latter. */
function fontFace({ family, weight, unicodeRange }: Cut, path: string): string {
  return `@font-face{font-family:${family};src:url(${path})format("woff2");font-weight:${weight};font-display:fallback;unicode-range:${unicodeRange}}`
}

/** Makes the visitor's font as wide and as high as the typeface, so that nothing moves when the typeface arrives. */
function standIn(
  family: string,
  names: readonly string[],
  width: number,
  { weight, ascent, descent }: { readonly weight: string; readonly ascent: number; readonly descent: number },
): string {
  const sources = names.map(name => `local("${name}")`).join()
  // Heights are relative to the font's size, which size-adjust changes.
  const height = (share: number) => `${((share * 100) / width).toFixed(1)}%`
  return `@font-face{font-family:"${family}";src:${sources};font-weight:${weight};size-adjust:${width}%;ascent-override:${height(ascent)};descent-override:${height(descent)}}`
}
