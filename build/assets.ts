/** Builds the files that pages refer to: the fonts, and the pictures drawn from our SVG files. */
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
const pictureOf = async (name: string) => hashed(name, 'svg', await fromSite(`${name}.svg`))

const drawPng = (svg: Buffer, width: number) =>
  Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng())

const paths = <Name extends string>(files: Readonly<Record<Name, AssetFile>>) =>
  Object.fromEntries(Object.entries<AssetFile>(files).map(([name, { path }]) => [name, path])) as Record<Name, string>

export async function buildAssets(): Promise<BuiltAssets> {
  const [fonts, icon] = await Promise.all([makeFonts(), fromSite('icon.svg')])
  const pictures = {
    advocate: await pictureOf('advocate'),
    papers: await pictureOf('papers'),
    seniors: await pictureOf('seniors'),
    shoulder: await pictureOf('shoulder'),
  }
  const files = {
    mark: hashed('icon', 'svg', icon),
    touchIcon: hashed('icon-180', 'png', drawPng(icon, 180)),
    largeIcon: hashed('icon-512', 'png', drawPng(icon, 512)),
    socialPreview: hashed('social-preview', 'png', drawPng(pictures.seniors.bytes, 1200)),
  }
  // Browsers ask for this one by name, whatever the page says.
  const favicon = { path: '/favicon.ico', bytes: drawPng(icon, 48) }
  return {
    assets: { ...paths(files), pictures: paths(pictures) },
    fontFaces: fonts.css,
    files: [...Object.values(files), ...Object.values(pictures), ...fonts.files, favicon],
  }
}
