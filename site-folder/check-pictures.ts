/** Pictures are there and can be shown, and drawings are only drawings: an SVG can hold scripts and load files from elsewhere. */
import { readFileSync } from 'node:fs'
import { activeIn } from './drawings.ts'
import type { Files } from './files.ts'
import { mistake, type Places, placeOf, type SiteFinding } from './findings.ts'
import { type OrganizationFile, PICTURE } from './schema/facts.ts'

/** How a PNG, JPEG, WebP, or AVIF file begins. */
const PHOTO = /^(?:\x89PNG|\xff\xd8\xff|RIFF.{4}WEBP|.{4}ftyp(?:avi|mif))/s

export function checkPictures(
  { logo, pictures, people }: OrganizationFile,
  files: Pick<Files, 'picture'>,
  places: Places,
  findings: SiteFinding[],
): void {
  const used = [
    { file: logo, key: 'logo' },
    ...Object.entries(pictures).map(([name, { file }]) => ({ file, key: `pictures.${name}.file` })),
    ...people.flatMap(({ photo }, index) => (photo === undefined ? [] : [{ file: photo, key: `people.${index}` }])),
  ]
  const isOriginal = (key: string) => places[`organization.toml ${key}`]?.file.startsWith('content/') ?? true
  for (const { file, key } of used) {
    // Wrong names are reported where they're read.
    if (!PICTURE.test(file)) continue
    const report = (message: string) => findings.push(mistake(placeOf(places, `organization.toml ${key}`), message))
    const path = files.picture(file)
    if (path === null) {
      report(`There is no pictures/${file}. Capital letters count.`)
    } else if (/\.svg$/i.test(file)) {
      const active = activeIn(readFileSync(path, 'utf8'))
      if (active !== null)
        report(`pictures/${file} isn’t only a drawing: it has ${active}. Export it again without scripts and links.`)
    } else if (key === 'logo') report('The logo must be an SVG: logo = "logo.svg"')
    else if (!PHOTO.test(readFileSync(path).toString('latin1', 0, 12)))
      report(`pictures/${file} isn’t a valid image. Open it in an image editor and export it again.`)
    const alt = key.replace(/file$/, 'alt')
    if (path !== null && alt !== key && isOriginal(alt) && !isOriginal(key))
      report('Describe the new picture for people who can’t see it: alt.en = "…", alt.es = "…"')
  }
}
