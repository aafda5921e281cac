/** Builds the pictures that pages link to, and icons rendered from the mark. */
import type { SiteAssets } from '../site/static/page.ts'
import type { PictureSources } from '../site/static/render.tsx'
import { type AssetFile, hashed } from './output.ts'
import { buildPicture, drawPng, readPicture } from './pictures.ts'

export interface BuiltPictures {
  readonly assets: SiteAssets
  readonly files: readonly AssetFile[]
}

const paths = <Name extends string>(files: Readonly<Record<Name, AssetFile>>) =>
  Object.fromEntries(Object.entries<AssetFile>(files).map(([name, { path }]) => [name, path])) as Record<Name, string>

/** `folders`: where the pictures are; the first one that has it counts. */
export async function buildPictures(
  { pictures: drawings, photos, mark, colors }: PictureSources,
  folders: readonly string[],
): Promise<BuiltPictures> {
  const read = (file: string) => readPicture(file, folders, colors)
  const icon = await read(mark)
  const sources = [...Object.entries(drawings), ...photos.map(file => [file, { file }] as const)]
  const pictures = await Promise.all(
    sources.map(async ([name, { file }]) => ({
      name,
      ...(await buildPicture(name.replaceAll(/\W+/g, '-'), file, await read(file))),
    })),
  )
  const preview = await read(drawings.seniors.file)
  const files = {
    mark: hashed('icon', 'svg', icon),
    touchIcon: hashed('icon-180', 'png', await drawPng(icon, 180, 180)),
    largeIcon: hashed('icon-512', 'png', await drawPng(icon, 512, 512)),
    socialPreview: hashed('social-preview', 'png', await drawPng(preview, 1200, 630)),
  }
  // Browsers request this path even if the page specifies another icon.
  const favicon = { path: '/favicon.ico', bytes: await drawPng(icon, 48, 48) }
  const byName = Object.fromEntries(pictures.map(({ name, picture }) => [name, picture]))
  return {
    assets: { ...paths(files), pictures: byName as SiteAssets['pictures'], photos: byName },
    files: [...Object.values(files), ...pictures.flatMap(each => each.files), favicon],
  }
}
