/** Prepares the pictures that pages link to: drawings unchanged, photos in multiple sizes, and icons made from the logo. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import sharp from 'sharp'
import type { BuiltPicture, SiteAssets } from '../site/static/page.ts'
import type { Organization } from '../site-folder/types.ts'
import { inBrandColors } from './brand-colors.ts'
import { type AssetFile, hashed } from './output.ts'

export interface BuiltPictures {
  readonly assets: SiteAssets
  readonly files: readonly AssetFile[]
}

const paths = <Name extends string>(files: Readonly<Record<Name, AssetFile>>) =>
  Object.fromEntries(Object.entries<AssetFile>(files).map(([name, { path }]) => [name, path])) as Record<Name, string>

/** `folders`: where the pictures are; the first one that has it counts. */
export async function buildPictures(
  { pictures: drawings, people, logo, colors }: Organization,
  folders: readonly string[],
): Promise<BuiltPictures> {
  const read = (file: string) => readPicture(file, folders, colors)
  const icon = await read(logo)
  const photos = people.flatMap(({ photo }) => photo ?? [])
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

/** For phones and desktops, at 1x and 2x pixel density. */
const WIDTHS = [320, 640, 960, 1280] as const

interface PictureAndFiles {
  readonly picture: BuiltPicture
  readonly files: readonly AssetFile[]
}

export async function buildPicture(name: string, file: string, bytes: Buffer): Promise<PictureAndFiles> {
  try {
    return await (kindOf(file) === '.svg' ? drawing(name, bytes) : photo(name, bytes))
  } catch (error) {
    throw new PictureError(`${file} is damaged or too large: ${(error as Error).message}.`)
  }
}

/** The reader has checked that it's there. The last folder has our own drawings, which are shown in the organization's colors. */
export async function readPicture(
  file: string,
  folders: readonly string[],
  colors: Organization['colors'],
): Promise<Buffer> {
  const folder = folders.find(each => existsSync(join(each, file)))
  if (folder === undefined) throw new PictureError(`There is no pictures/${file}.`)
  const bytes = await readFile(join(folder, file))
  const isOurs = folder === folders.at(-1) && kindOf(file) === '.svg'
  return isOurs ? Buffer.from(inBrandColors(bytes.toString(), colors)) : bytes
}

const kindOf = (file: string) => extname(file).toLowerCase()

/** The operator can fix it, so there's no stack trace. */
export class PictureError extends Error {
  override readonly stack = ''
}

/** Renders a drawing or a photo as a PNG of this size; overflow is cropped. */
export async function drawPng(bytes: Buffer, width: number, height: number): Promise<Buffer> {
  const { format, width: own } = await sharp(bytes).metadata()
  // Render drawings at the requested size instead of enlarging them. A density of 72 is one pixel per point.
  const image =
    format === 'svg' ? sharp(bytes, { density: Math.max(1, (72 * width) / own) }) : sharp(bytes).autoOrient()
  return image
    .resize(width, height)
    .png({ palette: format !== 'svg' })
    .toBuffer()
}

async function drawing(name: string, bytes: Buffer): Promise<PictureAndFiles> {
  const { width, height } = await sharp(bytes).metadata()
  const file = hashed(name, 'svg', bytes)
  return { picture: { src: file.path, width, height }, files: [file] }
}

async function photo(name: string, bytes: Buffer): Promise<PictureAndFiles> {
  // Apply the EXIF rotation.
  const { data: upright, info } = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true })
  const widest = Math.min(info.width, WIDTHS[3])
  const widths = [...WIDTHS.filter(width => width < widest), widest]
  const files = await Promise.all(
    widths.map(async width => hashed(`${name}-${width}`, 'webp', await sharp(upright).resize(width).webp().toBuffer())),
  )
  const srcSet = files.map(({ path }, index) => `${path} ${widths[index]}w`).join(', ')
  const src = files.at(-1)?.path ?? ''
  return { picture: { src, srcSet, width: info.width, height: info.height }, files }
}
