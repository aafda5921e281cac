import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { colors } from '../site-folder/site.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { buildPicture, drawPng, readPicture } from './pictures.ts'

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
  expect(await sizeOf(await drawPng(svg, 1200, 630))).toEqual([1200, 630, 'png'])
})

test('the organization’s picture comes before the original, which is shown in its colors', async () => {
  const [own, original] = [newFolder(), newFolder()]
  const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text)
  const green = '#1E6B4B #A9C6B1 #C9785A'
  write(original, 'icon.svg', green)
  write(original, 'call.svg', green)
  write(own, 'icon.svg', green)
  const read = async (name: string, more = {}) => `${await readPicture(name, [own, original], { ...colors, ...more })}`
  expect(await read('call.svg')).toBe(green)
  const blue = { action: '#1d4f91', sage: '#dbe6f4' }
  expect([await read('icon.svg', blue), await read('call.svg', blue)]).toEqual([green, '#1d4f91 #a6bcd8 #C9785A'])
  await expect(read('nobody.png')).rejects.toThrow('There is no pictures/nobody.png.')
})

test('a damaged file is named', async () => {
  const truncated = (await blank(400, 300).jpeg().toBuffer()).subarray(0, 300)
  for (const bytes of [truncated, Buffer.from('not a picture')])
    await expect(buildPicture('team', 'team.jpg', bytes)).rejects.toThrow('team.jpg is damaged')
})
