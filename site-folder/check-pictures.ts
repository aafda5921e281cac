/** Pictures are there and can be shown, and drawings are only drawings. */
import { readDrawing } from './drawings.ts'
import { type Files, readOrNull } from './files.ts'
import { mistake, type Places, placeOf, type SiteFinding } from './findings.ts'
import { type OrganizationFile, PICTURE } from './schema/facts.ts'

/** How a PNG, JPEG, WebP, or AVIF file begins. */
const PHOTO = /^(?:\x89PNG|\xff\xd8\xff|RIFF.{4}WEBP|.{4}ftyp(?:avi|mif))/s

const SMALLEST_LOGO = 512

export function checkPictures(
  { logo, pictures, people }: OrganizationFile,
  files: Pick<Files, 'picture'>,
  places: Places,
  findings: SiteFinding[],
): void {
  const used = [
    { file: logo, key: 'logo' },
    ...Object.entries(pictures).map(([name, { file }]) => ({ file, key: `pictures.${name}.file` })),
    ...people.flatMap(({ id, photo }) => (photo === undefined ? [] : [{ file: photo, key: `people.${id}.photo` }])),
  ]
  const isOriginal = (key: string) => places[`organization.toml ${key}`]?.file.startsWith('content/') ?? true
  for (const { file, key } of used) {
    // Wrong names are reported where they're read.
    if (!PICTURE.test(file)) continue
    const report = (message: string) => findings.push(mistake(placeOf(places, `organization.toml ${key}`), message))
    const path = files.picture(file)
    const problem = path === null ? 'isn’t there. Capital letters count.' : problemIn(path, key)
    if (problem !== null) report(`pictures/${file} ${problem}`)
    const alt = key.replace(/file$/, 'alt')
    if (path !== null && alt !== key && isOriginal(alt) && !isOriginal(key))
      report('Describe the new picture for people who can’t see it: alt.en = "…", alt.es = "…"')
  }
}

/** What photos are like inside is found when they're drawn. */
function problemIn(path: string, key: string): string | null {
  const bytes = readOrNull(path)
  // Files that can't be read are reported where folders are listed.
  if (bytes === null) return null
  if (/\.svg$/i.test(path)) {
    const drawing = readDrawing(bytes)
    return 'problem' in drawing ? drawing.problem : null
  }
  const start = bytes.toString('latin1', 0, 12)
  if (!PHOTO.test(start)) return 'isn’t a valid image. Open it in an image editor and export it again.'
  if (key !== 'logo') return null
  const [width, height] =
    start.startsWith('\x89PNG') && bytes.length > 24 ? [16, 20].map(at => bytes.readUInt32BE(at)) : []
  if (width && height && Math.min(width, height) >= SMALLEST_LOGO) return null
  const is = width && height ? `is ${width} × ${height} pixels` : 'is a photo'
  return `${is}. The logo must be an SVG, or a PNG of at least 512 × 512 pixels: logo = "logo.svg"`
}
