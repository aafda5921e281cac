/** Prepares the pictures that pages link to: drawings unchanged, photos in multiple sizes, and icons made from the logo. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import sharp, { type Metadata } from 'sharp'
import type { BuiltPicture, SiteAssets } from '../site/static/page.ts'
import { readDrawing } from '../site-folder/drawings.ts'
import type { Organization } from '../site-folder/types.ts'
import { inBrandColors } from './brand-colors.ts'
import { type AssetFile, hashed } from './output.ts'

// Each picture is read once, so keeping the last ones only takes memory.
sharp.cache(false)

export interface BuiltPictures {
  readonly assets: SiteAssets
  readonly files: readonly AssetFile[]
}

const paths = <Name extends string>(files: Readonly<Record<Name, AssetFile>>) =>
  Object.fromEntries(Object.entries<AssetFile>(files).map(([name, { path }]) => [name, path])) as Record<Name, string>

/** `folders`: where the pictures are; the first one that has it counts. One at a time: four large photos together take all memory. */
export async function buildPictures(
  { pictures: drawings, people, logo, colors }: Organization,
  folders: readonly string[],
): Promise<BuiltPictures> {
  const problems = new Set<string>()
  async function draw<Made>(file: string, make: (bytes: Buffer) => Promise<Made>): Promise<Made | null> {
    try {
      return await make(await readPicture(file, folders, colors))
    } catch (error) {
      problems.add(`pictures/${file} ${error instanceof PictureProblem ? error.message : DAMAGED}`)
      return null
    }
  }
  const photos = people.flatMap(({ photo }) => photo ?? [])
  const sources = [...Object.entries(drawings), ...photos.map(file => [file, { file }] as const)]
  const pictures = []
  for (const [name, { file }] of sources) {
    const built = await draw(file, bytes => buildPicture(name.replaceAll(/\W+/g, '-'), file, bytes))
    if (built !== null) pictures.push({ name, ...built })
  }
  const icons = await draw(logo, bytes => drawIcons(kindOf(logo), bytes))
  const preview = await draw(drawings.seniors.file, bytes => drawPng(bytes, 1200, 630, 'cover'))
  if (icons === null || preview === null || problems.size > 0) throw new PictureError([...problems])
  const { favicon, ...named } = icons
  const files = { ...named, socialPreview: hashed('social-preview', 'png', preview) }
  const byName = Object.fromEntries(pictures.map(({ name, picture }) => [name, picture]))
  return {
    assets: { ...paths(files), pictures: byName as SiteAssets['pictures'], photos: byName },
    files: [...Object.values(files), ...pictures.flatMap(each => each.files), favicon],
  }
}

/** The whole logo, on a square without a background. A photo's pixels are too many for the header. */
async function drawIcons(kind: string, logo: Buffer) {
  await checkVisible(logo)
  const png = (size: number) => drawPng(logo, size, size, 'contain')
  return {
    mark: kind === '.svg' ? hashed('icon', 'svg', logo) : hashed('icon', 'png', await png(120)),
    touchIcon: hashed('icon-180', 'png', await png(180)),
    largeIcon: hashed('icon-512', 'png', await png(512)),
    // Browsers request this path even if the page specifies another icon.
    favicon: { path: '/favicon.ico', bytes: await png(48) },
  }
}

/** What's wrong with pictures that only shows when they're drawn. */
export async function pictureProblems(...site: Parameters<typeof buildPictures>): Promise<readonly string[]> {
  try {
    await buildPictures(...site)
    return []
  } catch (error) {
    if (error instanceof PictureError) return error.problems
    throw error
  }
}

/** For phones and desktops, at 1x and 2x pixel density. */
const WIDTHS = [320, 640, 960, 1280] as const

interface PictureAndFiles {
  readonly picture: BuiltPicture
  readonly files: readonly AssetFile[]
}

export const buildPicture = (name: string, file: string, bytes: Buffer): Promise<PictureAndFiles> =>
  kindOf(file) === '.svg' ? drawing(name, bytes) : photo(name, bytes)

/** The last folder has our own drawings, which are shown in the organization's colors. */
export async function readPicture(
  file: string,
  folders: readonly string[],
  colors: Organization['colors'],
): Promise<Buffer> {
  const folder = folders.find(each => existsSync(join(each, file)))
  if (folder === undefined) throw new PictureProblem('isn’t there. Capital letters count.')
  const bytes = await readFile(join(folder, file))
  if (kindOf(file) !== '.svg') {
    await checkSize(bytes)
    return bytes
  }
  if (folder === folders.at(-1)) return Buffer.from(inBrandColors(bytes.toString(), colors))
  const read = readDrawing(bytes)
  if ('problem' in read) throw new PictureProblem(read.problem)
  for (const [, inside = ''] of read.svg.matchAll(/"data:[^,"]*,([^"]*)"/g))
    await checkSize(Buffer.from(inside, 'base64'))
  return Buffer.from(read.svg)
}

async function checkSize(photo: Buffer): Promise<void> {
  const metadata = await sharp(photo).metadata()
  if (isTooLarge(metadata))
    throw new PictureProblem(
      `is too large: ${metadata.width} × ${metadata.height} pixels. Make it 2500 pixels wide, and save it as a JPEG.`,
    )
}

const MOST_PIXELS = 50_000_000
/** With everything else, publishing takes up to 300 MB then. */
const MOST_BYTES = 100_000_000

type PhotoSize = Pick<
  Metadata,
  'width' | 'height' | 'channels' | 'depth' | 'format' | 'isProgressive' | 'chromaSubsampling'
>

export const isTooLarge = (photo: PhotoSize): boolean =>
  photo.width * photo.height > Math.min(MOST_PIXELS, MOST_BYTES / bytesPerPixel(photo))

/** As measured. JPEGs, PNGs, and WebPs are read in parts, unless they're progressive. */
function bytesPerPixel({ format, isProgressive, channels, depth, chromaSubsampling }: PhotoSize): number {
  if (format === 'heif') return 18
  if (!isProgressive) return 0
  if (format === 'jpeg') return chromaSubsampling?.startsWith('4:2:0') ? channels : 2 * channels
  return 1.5 * channels * (depth === 'uchar' ? 1 : 2)
}

const kindOf = (file: string) => extname(file).toLowerCase()

const DAMAGED = 'is damaged. Open it in an image editor, and export it again.'

/** What is wrong with one picture. */
class PictureProblem extends Error {}

/** The operator can fix these, so there's no stack trace. */
export class PictureError extends Error {
  override readonly stack = ''
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Renders a drawing or a photo as a PNG of this size. */
export async function drawPng(bytes: Buffer, width: number, height: number, fit: 'cover' | 'contain'): Promise<Buffer> {
  const { format, width: own, height: tall } = await sharp(bytes).metadata()
  // Render drawings at the requested size instead of enlarging them. A density of 72 is one pixel per point.
  const larger = (fit === 'cover' ? Math.max : Math.min)(width / own, height / tall)
  const image = format === 'svg' ? sharp(bytes, { density: Math.max(1, 72 * larger) }) : sharp(bytes).autoOrient()
  return image
    .resize(width, height, { fit, background: 'transparent' })
    .png({ palette: format !== 'svg' })
    .toBuffer()
}

async function drawing(name: string, bytes: Buffer): Promise<PictureAndFiles> {
  const { width, height } = await sharp(bytes).metadata()
  await checkVisible(bytes)
  const file = hashed(name, 'svg', bytes)
  return { picture: { src: file.path, width, height }, files: [file] }
}

/** Such as one whose shapes are all beside its page. */
async function checkVisible(drawing: Buffer): Promise<void> {
  const { channels } = await sharp(await drawPng(drawing, 64, 64, 'contain')).stats()
  if (channels[3]?.max === 0)
    throw new PictureProblem('shows nothing. Fit its page to the drawing, and export it again.')
}

async function photo(name: string, bytes: Buffer): Promise<PictureAndFiles> {
  // Apply the EXIF rotation. JPEGs are read at a fraction of their size.
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .resize({ width: WIDTHS[3], withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const widths = [...WIDTHS.filter(width => width < info.width), info.width]
  const files: AssetFile[] = []
  for (const width of widths) {
    const webp = await sharp(data, { raw: info }).resize(width).webp().toBuffer()
    files.push(hashed(`${name}-${width}`, 'webp', webp))
  }
  const srcSet = files.map(({ path }, index) => `${path} ${widths[index]}w`).join(', ')
  return { picture: { src: files.at(-1)?.path ?? '', srcSet, width: info.width, height: info.height }, files }
}
