import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../site-folder/new-folder.ts'
import { readSite } from '../site-folder/read-site.ts'
import type { SiteData } from '../site-folder/types.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { siteNotes } from './notes.ts'

test('a text changed in one language, an edit after a review of Spanish, and a date that is always today’s are only said', () => {
  const folder = join(newFolder(), 'our-site')
  makeFolder(folder, '0.9.0')
  const notes = (more: Partial<SiteData> = {}) => siteNotes(folder, { ...(readSite(folder).data as SiteData), ...more })
  expect(notes({ publishedOn: '2026-10-01' })).toEqual([])
  writeFileSync(join(folder, 'es.toml'), '[header]\ncallLabel = "Llame ya"\n')
  const es = { by: 'Ana Ruiz, Esq.', on: '2026-11-01', version: 'a0' }
  const { reviews } = readSite(null).data as SiteData
  const reviewed = { reviews: { ...reviews, languages: { es } } }
  expect(notes({ ...reviewed, spanishVersion: 'a1' }).map(({ reason }) => reason)).toEqual([
    expect.stringContaining('not in es.toml: footer.affiliation'),
    'es.toml: Changed here, but not in en.toml: header.callLabel.',
    expect.stringMatching(/^Texts in Spanish were edited since Ana Ruiz, Esq\. .* version = "a1" under/),
    expect.stringMatching(/^The advertorial always shows today’s date/),
  ])
  expect(notes({ ...reviewed, spanishVersion: 'a0', publishedOn: '2026-10-01' })).toHaveLength(2)
  expect(notes({ ...reviewed, languages: ['en'], publishedOn: '2026-10-01' })).toEqual([])
})
