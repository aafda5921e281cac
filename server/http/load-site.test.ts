import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BUILT } from '../../build/build.ts'
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { loadSite, SiteUnusable } from './load-site.ts'
import { MANIFEST_FILE } from './site-manifest.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dist-'))
  cpSync(BUILT, folder, { recursive: true })
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a site that was just built is loaded', () => {
  expect(loadSite(folder).byPath.has('/')).toBe(true)
})

test('what the server says by itself comes with the pages', () => {
  expect(loadSite(folder).words.consent).toBe(consentAsPresented(consent))
})

test.each([
  ['words', () => undefined],
  ['ages', (words: object) => ({ ...words, ages: undefined })],
])('a site without %s for the server, as an older program built it, is refused with what to do', (_, less) => {
  const file = join(folder, MANIFEST_FILE)
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, words: less(manifest.words) }))
  expect(() => loadSite(folder)).toThrow(
    new SiteUnusable('The site was built by an older version of this program. Run `npm run build`.'),
  )
})

test.each(['', '{"fingerprint": "ab'])('a build that was cut short (%j) is no site', cut => {
  writeFileSync(join(folder, MANIFEST_FILE), cut)
  expect(() => loadSite(folder)).toThrow(new SiteUnusable('The site is not built. Run `npm run build` first.'))
})
