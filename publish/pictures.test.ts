import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { ORIGINALS } from '../site-folder/files.ts'
import { readSite } from '../site-folder/read-site.ts'
import { colors } from '../site-folder/site.ts'
import type { Organization } from '../site-folder/types.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { buildPicture, buildPictures, drawPng, isTooLarge, type PictureError, readPicture } from './pictures.ts'

const color = { r: 200, g: 90, b: 40 }
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: color } })
const sizeOf = async (bytes: Buffer | undefined) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}

test('a photo is resized for phones and desktops but never enlarged', async () => {
  const { picture, files } = await buildPicture('team', 'team.jpg', await blank(1000, 500).jpeg().toBuffer())
  expect(picture).toMatchObject({ width: 1000, height: 500, src: files.at(-1)?.path })
  expect(picture.srcSet?.split(', ').map(each => each.split(' ')[1])).toEqual(['320w', '640w', '960w', '1000w'])
  expect(await sizeOf(files[0]?.bytes)).toEqual([320, 160, 'webp'])
  for (const { path } of files) expect(picture.srcSet).toContain(path)
})

test('a photo can be a PNG, an AVIF, a WebP, or a JPEG with EXIF rotation', async () => {
  for (const format of ['png', 'avif', 'webp'] as const) {
    const { files } = await buildPicture('team', `team.${format}`, await blank(400, 300).toFormat(format).toBuffer())
    expect([format, await sizeOf(files[1]?.bytes)]).toEqual([format, [400, 300, 'webp']])
  }
  const bytes = await blank(800, 600).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect((await buildPicture('team', 'team.jpeg', bytes)).picture).toMatchObject({ width: 600, height: 800 })
})

test('an SVG is copied unchanged and measured, even with an uppercase extension', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><path d="M0 0h9v9z"/></svg>')
  const { picture, files } = await buildPicture('plan', 'PLAN.SVG', svg)
  expect(picture).toEqual({ src: files[0]?.path, width: 300, height: 200 })
  expect(files.map(({ bytes }) => bytes)).toEqual([svg])
  expect(await sizeOf(await drawPng(svg, 1200, 630, 'cover'))).toEqual([1200, 630, 'png'])
})

test('the organization’s picture comes before the original, which is shown in its colors', async () => {
  const [own, original] = [newFolder(), newFolder()]
  const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text)
  const green = '#1E6B4B #A9C6B1 #C9785A'
  write(original, 'icon.svg', green)
  write(original, 'call.svg', green)
  const icon = `<svg viewBox="0 0 9 9"><path fill="#1E6B4B"/></svg>`
  write(own, 'icon.svg', icon)
  const read = async (name: string, more = {}) => `${await readPicture(name, [own, original], { ...colors, ...more })}`
  expect(await read('call.svg')).toBe(green)
  const blue = { action: '#1d4f91', sage: '#dbe6f4' }
  expect([await read('icon.svg', blue), await read('call.svg', blue)]).toEqual([
    expect.stringMatching(/^<svg xmlns=.*#1E6B4B/),
    '#1d4f91 #a6bcd8 #C9785A',
  ])
  await expect(read('nobody.png')).rejects.toThrow('isn’t there')
})

const red = '#ff0000'
const shapes = '<rect width="8" height="8" fill="red"/>'

const fixtures = join(import.meta.dirname, '../tests/fixtures/pictures')

/** GIMP 2.10.34 wrote its own. Sharp imitates the others. */
const photos: Readonly<Record<string, () => Promise<Buffer>>> = {
  'an iPhone’s, turned, wide colors, and where it was taken': () =>
    blank(800, 600)
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 0/1 0/1' } })
      .jpeg()
      .toBuffer(),
  'a progressive JPEG': () => blank(800, 600).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  'a print shop’s CMYK': () => blank(800, 600).toColourspace('cmyk').jpeg().toBuffer(),
  'GIMP’s progressive JPEG': () => readFile(join(fixtures, 'gimp-progressive.jpg')),
  'GIMP’s interlaced PNG with 16 bits': () => readFile(join(fixtures, 'gimp-interlaced.png')),
  'GIMP’s WebP': () => readFile(join(fixtures, 'gimp.webp')),
  'a grayscale PNG': () => blank(800, 600).grayscale().png().toBuffer(),
  'a transparent WebP': () => blank(800, 600).ensureAlpha(0.5).webp().toBuffer(),
  'an AVIF': () => blank(800, 600).avif().toBuffer(),
}

test.each(Object.entries(photos))('%s is shown, and says nothing else', async (_, make) => {
  const bytes = await make()
  const { files } = await buildPicture('team', 'team.jpg', bytes)
  const { format, space, exif, icc, xmp } = await sharp(files.at(-1)?.bytes).metadata()
  expect([format, space, exif ?? icc ?? xmp]).toEqual(['webp', 'srgb', undefined])
  const { dominant } = await sharp(files.at(-1)?.bytes).stats()
  const { dominant: original } = await sharp(bytes).stats()
  expect(Math.abs(dominant.r - original.r)).toBeLessThan(40)
})

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: red } })
    .png()
    .toBuffer()

const organization = readSite(null).data?.organization as Organization

/** With these files in the organization's folder. */
async function built(logo: string, seniors: string, files: Readonly<Record<string, Buffer>>) {
  const folder = newFolder()
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  const pictures = { ...organization.pictures, seniors: { ...organization.pictures.seniors, file: seniors } }
  return buildPictures({ ...organization, logo, pictures }, [folder, join(ORIGINALS, 'pictures')])
}

test('a PNG is a logo, too: whole, on a square without a background', async () => {
  const { assets, files } = await built('logo.png', 'seniors.svg', { 'logo.png': await png(1024, 512) })
  expect(assets.mark).toMatch(/^\/assets\/icon-[\w-]{8}\.png$/)
  const [mark, ...others] = [assets.mark, assets.touchIcon, assets.largeIcon, '/favicon.ico'].map(
    path => files.find(file => file.path === path)?.bytes,
  )
  expect(await Promise.all([mark, ...others].map(sizeOf))).toEqual([120, 180, 512, 48].map(size => [size, size, 'png']))
  const { data, info } = await sharp(mark).raw().toBuffer({ resolveWithObject: true })
  const alphaAt = (y: number) => data[(y * info.width + 60) * info.channels + 3]
  expect([alphaAt(2), alphaAt(60)]).toEqual([0, 255])
})

test('what only shows when it’s drawn is said for each file', async () => {
  const truncated = (await blank(400, 300).jpeg().toBuffer()).subarray(0, 300)
  const beside = '<svg viewBox="0 0 8 8"><rect x="90" width="8" height="8"/></svg>'
  const huge = await blank(9000, 6000).png().toBuffer()
  const inside = `<svg viewBox="0 0 8 8">${shapes}<image href="data:image/png;base64,${huge.toString('base64')}"/></svg>`
  const problemsOf = async (logo: string, seniors: string) => {
    const files = {
      'beside.svg': Buffer.from(beside),
      'inside.svg': Buffer.from(inside),
      'large.png': huge,
      'team.jpg': truncated,
      'words.jpg': Buffer.from('not a picture'),
    }
    return built(logo, seniors, files).catch(error => (error as PictureError).problems)
  }
  expect(await problemsOf('beside.svg', 'team.jpg')).toEqual([
    'pictures/team.jpg is damaged. Open it in an image editor, and export it again.',
    'pictures/beside.svg shows nothing. Fit its page to the drawing, and export it again.',
  ])
  expect(await problemsOf('inside.svg', 'large.png')).toEqual([
    'pictures/large.png is too large: 9000 × 6000 pixels. Make it 2500 pixels wide, and save it as a JPEG.',
    'pictures/inside.svg is too large: 9000 × 6000 pixels. Make it 2500 pixels wide, and save it as a JPEG.',
  ])
  expect(await problemsOf('icon.svg', 'words.jpg')).toEqual([
    'pictures/words.jpg is damaged. Open it in an image editor, and export it again.',
  ])
})

test('what phones and cameras make is read; what would take too much memory isn’t', () => {
  const photo = { channels: 3, depth: 'uchar', isProgressive: false, width: 6000, height: 4000 } as const
  const large = { ...photo, width: 8160, height: 6120 }
  const ofMedium = { ...photo, width: 2500, height: 2000 }
  const progressive = { ...photo, format: 'jpeg', isProgressive: true } as const
  expect(
    [
      { ...large, format: 'jpeg' } as const,
      { ...large, format: 'png' } as const,
      { ...large, format: 'webp' } as const,
      { ...progressive, chromaSubsampling: '4:2:0' },
      { ...ofMedium, format: 'heif' } as const,
    ].map(isTooLarge),
  ).toEqual([false, false, false, false, false])
  expect(
    [
      { ...photo, format: 'heif' } as const,
      { ...progressive, chromaSubsampling: '4:4:4' },
      { ...photo, format: 'png', isProgressive: true } as const,
      { ...large, format: 'jpeg', width: 9000 } as const,
    ].map(isTooLarge),
  ).toEqual([true, true, true, true])
})
