import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DIST } from '../../build/site-build.ts'
import { loadSite, SiteUnusable } from './load-site.ts'
import { MANIFEST_FILE } from './site-manifest.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dist-'))
  cpSync(DIST, folder, { recursive: true })
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a site that was just built is loaded', () => {
  expect(loadSite(folder).byPath.has('/')).toBe(true)
})

test('a site that shows an older consent is refused: every lead from it would be', () => {
  const file = join(folder, MANIFEST_FILE)
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  for (const consentVersion of ['f'.repeat(64), undefined]) {
    writeFileSync(file, JSON.stringify({ ...manifest, consentVersion }))
    expect(() => loadSite(folder)).toThrow(SiteUnusable)
    expect(() => loadSite(folder)).toThrow('The built site is out of date')
  }
})
