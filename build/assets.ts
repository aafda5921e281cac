/** Makes the files that pages refer to: the font, cut to what is needed, and the pictures drawn from our two SVG files. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import subsetFont from 'subset-font'
import type { SiteAssets } from '../site/pages/page.ts'

export interface AssetFile {
  readonly path: string
  readonly bytes: Buffer
}

export interface MadeAssets {
  readonly assets: SiteAssets
  readonly files: readonly AssetFile[]
}

/** Latin with its accents, so that visitors' names look right in the fields, and the marks our copy uses. */
const FONT_CHARACTERS = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  ...[...'–—‘’“”…·•©'].map(mark => [mark.codePointAt(0) ?? 0, mark.codePointAt(0) ?? 0]),
]
  .map(([first = 0, last = 0]) =>
    Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset)).join(''),
  )
  .join('')

const require = createRequire(import.meta.url)
const fromSite = (file: string) => readFile(new URL(`../site/assets/${file}`, import.meta.url))

async function makeFont(): Promise<Buffer> {
  const source = require.resolve(
    '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  )
  return subsetFont(await readFile(source), FONT_CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 } },
  })
}

const drawPng = (svg: Buffer, width: number) =>
  Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng())

/** The hash in the name lets browsers keep the file for good. */
function hashed(name: string, extension: string, bytes: Buffer): AssetFile {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
  return { path: `/assets/${name}-${hash}.${extension}`, bytes }
}

export async function makeAssets(): Promise<MadeAssets> {
  const [fontBytes, icon, seniors] = await Promise.all([makeFont(), fromSite('icon.svg'), fromSite('seniors.svg')])
  const files = {
    font: hashed('atkinson-hyperlegible-next', 'woff2', fontBytes),
    mark: hashed('icon', 'svg', icon),
    touchIcon: hashed('icon-180', 'png', drawPng(icon, 180)),
    largeIcon: hashed('icon-512', 'png', drawPng(icon, 512)),
    illustration: hashed('seniors', 'svg', seniors),
    socialPreview: hashed('social-preview', 'png', drawPng(seniors, 1200)),
  }
  const assets = Object.fromEntries(Object.entries(files).map(([name, { path }]) => [name, path]))
  // Browsers ask for this one by name, whatever the page says.
  const favicon = { path: '/favicon.ico', bytes: drawPng(icon, 48) }
  return { assets: assets as unknown as SiteAssets, files: [...Object.values(files), favicon] }
}
