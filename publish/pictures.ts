/** Prepares the pictures for browsers: drawings unchanged, photos in multiple sizes. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import sharp from 'sharp'
import type { BuiltPicture } from '../site/static/page.ts'
import type { Organization } from '../site-folder/types.ts'
import { inBrandColors } from './brand-colors.ts'
import { type AssetFile, hashed } from './output.ts'

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
