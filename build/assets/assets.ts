/** Builds the files that pages refer to: the fonts, the pictures, and the icons drawn from the mark. */
import { createHash } from 'node:crypto'
import type { SiteAssets } from '../../site/static/page.ts'
import type { PictureSources } from '../../site/static/render.tsx'
import { type AssetFile, hashed } from '../output.ts'
import { type Fonts, makeFonts } from './fonts.ts'
import { buildPicture, drawPng, readPicture } from './pictures.ts'

export interface BuiltAssets {
  readonly assets: SiteAssets
  readonly typefaces: string
  readonly standIns: string
  readonly files: readonly AssetFile[]
}

interface Source {
  readonly name: string
  readonly file: string
  readonly bytes: Buffer
}

let fonts: Promise<Fonts> | undefined
let last: { readonly key: string; readonly built: Promise<BuiltAssets> } | undefined

/** Made again only when a file has changed: the development server asks with every page. */
export async function buildAssets({ pictures, photos, mark }: PictureSources): Promise<BuiltAssets> {
  const icon = await readPicture(mark, ['.svg'])
  const named = [...Object.entries(pictures), ...photos.map(file => [file, { file }] as const)]
  const sources = await Promise.all(
    named.map(async ([name, { file }]) => ({ name, file, bytes: await readPicture(file) })),
  )
  const hash = createHash('sha256').update(icon)
  for (const { name, file, bytes } of sources) hash.update(`${name} ${file} ${bytes.length}`).update(bytes)
  const key = hash.digest('hex')
  if (last?.key !== key) last = { key, built: make(icon, sources) }
  return last.built
}

const paths = <Name extends string>(files: Readonly<Record<Name, AssetFile>>) =>
  Object.fromEntries(Object.entries<AssetFile>(files).map(([name, { path }]) => [name, path])) as Record<Name, string>

async function make(icon: Buffer, sources: readonly Source[]): Promise<BuiltAssets> {
  fonts ??= makeFonts()
  const pictures = await Promise.all(
    sources.map(async ({ name, file, bytes }) => ({
      name,
      ...(await buildPicture(name.replaceAll(/\W+/g, '-'), file, bytes)),
    })),
  )
  const seniors = sources.find(({ name }) => name === 'seniors')?.bytes ?? icon
  const files = {
    mark: hashed('icon', 'svg', icon),
    touchIcon: hashed('icon-180', 'png', await drawPng(icon, 180, 180)),
    largeIcon: hashed('icon-512', 'png', await drawPng(icon, 512, 512)),
    socialPreview: hashed('social-preview', 'png', await drawPng(seniors, 1200, 630)),
  }
  // Browsers ask for this one by name, whatever the page says.
  const favicon = { path: '/favicon.ico', bytes: await drawPng(icon, 48, 48) }
  const byName = Object.fromEntries(pictures.map(({ name, picture }) => [name, picture]))
  return {
    assets: { ...paths(files), pictures: byName as SiteAssets['pictures'], photos: byName },
    typefaces: (await fonts).typefaces,
    standIns: (await fonts).standIns,
    files: [...Object.values(files), ...pictures.flatMap(each => each.files), ...(await fonts).files, favicon],
  }
}
