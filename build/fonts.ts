/**
 * Subsets the two typefaces: Fraunces for headings, Atkinson Hyperlegible Next for everything else. One file has what
 * almost every page uses. Another, with the other Latin characters, is downloaded only for pages that need it, so any
 * text an operator writes appears in the same typeface.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'
import { type AssetFile, hashed } from '../publish/output.ts'

const require = createRequire(import.meta.url)

export interface Fonts {
  /** `@font-face` rules for the files. */
  readonly typefaces: string
  /** `@font-face` rules for the visitor's own fonts, used until the files load. */
  readonly fallbackFonts: string
  readonly files: readonly AssetFile[]
}

interface Subset {
  readonly name: string
  readonly source: string
  readonly family: string
  readonly weight: string
  /** In CSS syntax. */
  readonly unicodeRange: string
  readonly axes: Record<string, number | { min: number; max: number }>
  /** Relative to the original design. */
  readonly scale?: number
}

/** Spanish letters and punctuation: ¡ ¿ Á É Í Ñ Ó Ú Ü á é í ñ ó ú ü. Every page links to Spanish, so none of them loads late. */
const SPANISH = 'U+a1,U+bf,U+c1,U+c9,U+cd,U+d1,U+d3,U+da,U+dc,U+e1,U+e9,U+ed,U+f1,U+f3,U+fa,U+fc'
/** The other characters from U+A2 to U+FF, except © and ·. */
const OTHER_LATIN =
  'U+a2-a8,U+aa-b6,U+b8-be,U+c0,U+c2-c8,U+ca-cc,U+ce-d0,U+d2,U+d4-d9,U+db,U+dd-e0,U+e2-e8,U+ea-ec,U+ee-f0,U+f2,U+f4-f9,U+fb,U+fd-ff'

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

const subsets: readonly Subset[] = [
  {
    ...fraunces,
    name: 'fraunces',
    // Space through ?, and letters, without characters that headings don't use: # * + < = > @ and brackets.
    unicodeRange: `U+20-22,U+24-29,U+2c-3b,U+3f,U+41-5a,U+61-7a,${SPANISH},${TYPOGRAPHIC}`,
  },
  {
    ...fraunces,
    name: 'fraunces-rest',
    unicodeRange: `U+23,U+2a-2b,U+3c-3e,U+40,U+5b-60,U+7b-7e,U+a9,U+b7,${OTHER_LATIN}`,
  },
  {
    ...atkinson,
    name: 'atkinson-hyperlegible-next',
    // Includes the middle dot (U+B7) and the copyright sign (U+A9), which are on every page.
    unicodeRange: `U+20-2f,U+31-7e,U+a9,U+b7,${SPANISH},${TYPOGRAPHIC}`,
  },
  { ...atkinson, name: 'atkinson-hyperlegible-next-rest', unicodeRange: OTHER_LATIN },
  {
    ...atkinson,
    // Atkinson's zero is slashed, which looks like a typo in "$4,018" and "100%". This one isn't; it's scaled to the height
    // of Atkinson's digits.
    name: 'public-sans-zero',
    source: require.resolve('@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2'),
    unicodeRange: 'U+30',
    scale: 0.924,
  },
]

/** Ascent and descent as a percentage of the font size. */
const frauncesHeights = { weight: '650', ascent: 97.8, descent: 25.5 }
const atkinsonHeights = { weight: '400', ascent: 98.4, descent: 31.6 }
/** A real bold font; otherwise, browsers would fake one by thickening the regular weight. */
const boldHeights = { ...atkinsonHeights, weight: '700' }

/**
 * The visitor's own fonts by full and PostScript name, and the width of our pages' text in the typeface as a percentage
 * of its width in that font. Apple and Windows have Georgia and Arial; Android has Noto Serif and Roboto; Linux has the rest.
 */
const fallbackFonts = [
  fallbackFont('Like Fraunces 1', ['Georgia Bold', 'Georgia-Bold'], 92.2, frauncesHeights),
  fallbackFont('Like Fraunces 2', ['Noto Serif Bold', 'NotoSerif-Bold'], 94.3, frauncesHeights),
  fallbackFont('Like Fraunces 3', ['DejaVu Serif Bold'], 84.6, frauncesHeights),
  fallbackFont('Like Atkinson 1', ['Arial', 'Liberation Sans'], 99.4, atkinsonHeights),
  fallbackFont('Like Atkinson 1', ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold'], 99.5, boldHeights),
  fallbackFont('Like Atkinson 2', ['Roboto', 'Roboto-Regular'], 100.2, atkinsonHeights),
  fallbackFont('Like Atkinson 2', ['Roboto Bold', 'Roboto-Bold'], 105, boldHeights),
  fallbackFont('Like Atkinson 3', ['DejaVu Sans'], 85.6, atkinsonHeights),
  fallbackFont('Like Atkinson 3', ['DejaVu Sans Bold'], 83.6, boldHeights),
]

export async function makeFonts(): Promise<Fonts> {
  const made = await Promise.all(
    subsets.map(async subset => ({ subset, file: hashed(subset.name, 'woff2', await createFont(subset)) })),
  )
  return {
    typefaces: made.map(({ subset, file }) => fontFace(subset, file.path)).join(''),
    fallbackFonts: fallbackFonts.join(''),
    files: made.map(({ file }) => file),
  }
}

async function createFont({ source, unicodeRange, axes, scale }: Subset): Promise<Buffer> {
  const text = unicodeRange.split(',').flatMap(range => {
    const [first = 0, last = first] = range
      .slice(2)
      .split('-')
      .map(hex => Number.parseInt(hex, 16))
    return Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset))
  })
  const subset = (font: Buffer, targetFormat: 'woff2' | 'truetype') =>
    subsetFont(font, text.join(''), { targetFormat, variationAxes: axes, keepFeatures: ['kern'], noHinting: true })
  const font = await readFile(source)
  return subset(scale === undefined ? font : scaled(await subset(font, 'truetype'), scale), 'woff2')
}

/**
 * Shrinks a font by enlarging its em. This changes the file, because `size-adjust` works only in a style rule, not in a
 * `FontFace` that a script creates (site/browser/typefaces.ts).
 */
function scaled(font: Buffer, scale: number): Buffer {
  const head = font.readUInt32BE(font.indexOf('head', 12, 'latin1') + 8)
  const unitsPerEm = head + 18
  font.writeUInt16BE(Math.round(font.readUInt16BE(unitsPerEm) / scale), unitsPerEm)
  return font
}

/** `fallback` gives a cached file a tenth of a second to load; otherwise, the visitor's own font is shown first. */
function fontFace({ family, weight, unicodeRange }: Subset, path: string): string {
  return `@font-face{font-family:${family};src:url(${path})format("woff2");font-weight:${weight};font-display:fallback;unicode-range:${unicodeRange}}`
}

/** Gives the visitor's font the typeface's width and height, so nothing shifts when the typeface loads. */
function fallbackFont(
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
