import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY, HOUR } from '../domain/durations.ts'
import { MANIFEST_FILE, type SiteFile, type SiteManifest } from '../server/http/site-manifest.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { carryOver } from './carry-over.ts'

const NOON = Date.parse('2030-06-01T12:00:00Z')

/** Publishes a site with these files, as the build does, and returns its folder and manifest. */
function publish(paths: readonly string[], before: string | null, at: number) {
  const folder = newFolder()
  const files = paths.map((path): SiteFile => {
    const isAsset = path.startsWith('/assets/')
    const file = isAsset ? path.slice(1) : `${path.slice(1)}index.html`
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    for (const end of ['', '.br']) writeFileSync(join(folder, file + end), path)
    return { path, file, type: isAsset ? 'text/javascript' : 'text/html', encodings: ['br'], immutable: isAsset }
  })
  const manifest = carryOver({ formerPaths: [], files } as unknown as SiteManifest, folder, before, at)
  writeFileSync(join(folder, MANIFEST_FILE), JSON.stringify(manifest))
  return { folder, manifest, has: (file: string) => existsSync(join(folder, file)) }
}

test('files of earlier sites are served for a day after the last site that used them', () => {
  const first = publish(['/', '/assets/a.js'], null, NOON)
  const second = publish(['/', '/assets/b.js'], first.folder, NOON)
  expect(second.has('assets/a.js') && second.has('assets/a.js.br')).toBe(true)
  const third = publish(['/', '/assets/b.js'], second.folder, NOON + DAY - HOUR)
  expect(third.manifest.files.find(({ path }) => path === '/assets/a.js')?.until).toBe(NOON + DAY)
  const fourth = publish(['/', '/assets/c.js'], third.folder, NOON + DAY)
  expect([fourth.has('assets/a.js'), fourth.has('assets/b.js')]).toEqual([false, true])
  // Used again: it no longer ends.
  const fifth = publish(['/', '/assets/b.js'], fourth.folder, NOON + DAY + HOUR)
  expect(fifth.manifest.files.filter(({ path }) => path === '/assets/b.js')).toEqual([
    expect.not.objectContaining({ until: expect.anything() }),
  ])
})

test('paths that were live are known for good, until they’re back', () => {
  const first = publish(['/', '/es/', '/veterans/'], null, NOON)
  const second = publish(['/'], first.folder, NOON)
  expect(second.manifest.formerPaths).toEqual(['/es/', '/veterans/'])
  const third = publish(['/', '/es/'], second.folder, NOON + 30 * DAY)
  expect(third.manifest.formerPaths).toEqual(['/veterans/'])
})

test('a site that an older version built, or none, is no obstacle', () => {
  const folder = newFolder()
  expect(publish(['/'], join(folder, 'nowhere'), NOON).manifest.formerPaths).toEqual([])
  writeFileSync(join(folder, MANIFEST_FILE), '{"files":[]}')
  expect(publish(['/'], folder, NOON).manifest.formerPaths).toEqual([])
})
