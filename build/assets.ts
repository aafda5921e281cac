/** Builds the files that pages refer to: the fonts, and the pictures drawn from our two SVG files. */
import { readFile } from 'node:fs/promises'
import { Resvg } from '@resvg/resvg-js'
import type { SiteAssets } from '../site/static/page.ts'
import { makeFonts } from './fonts.ts'
import { type AssetFile, hashed } from './hashed-asset.ts'

export interface BuiltAssets {
  readonly assets: SiteAssets
  readonly fontFaces: string
  readonly files: readonly AssetFile[]
}

const fromSite = (file: string) => readFile(new URL(`../site/assets/${file}`, import.meta.url))

const drawPng = (svg: Buffer, width: number) =>
  Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng())

export async function buildAssets(): Promise<BuiltAssets> {
  const [fonts, icon, seniors] = await Promise.all([makeFonts(), fromSite('icon.svg'), fromSite('seniors.svg')])
  const files = {
    mark: hashed('icon', 'svg', icon),
    touchIcon: hashed('icon-180', 'png', drawPng(icon, 180)),
    largeIcon: hashed('icon-512', 'png', drawPng(icon, 512)),
    illustration: hashed('seniors', 'svg', seniors),
    socialPreview: hashed('social-preview', 'png', drawPng(seniors, 1200)),
  }
  const assets = Object.fromEntries(Object.entries(files).map(([name, { path }]) => [name, path]))
  // Browsers ask for this one by name, whatever the page says.
  const favicon = { path: '/favicon.ico', bytes: drawPng(icon, 48) }
  return {
    assets: assets as unknown as SiteAssets,
    fontFaces: fonts.css,
    files: [...Object.values(files), ...fonts.files, favicon],
  }
}
