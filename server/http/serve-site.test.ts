import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BUILT } from '../../build/build.ts'
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { loadSite, SiteUnusable } from './load-site.ts'
import { createServeFile, createServeSite } from './serve-site.ts'
import { MANIFEST_FILE } from './site-manifest.ts'

const site = loadSite(BUILT)
const serveSite = createServeSite(site, createServeFile(site))
const ask = (path: string) =>
  serveSite({
    method: 'GET',
    path,
    query: '',
    header: () => undefined,
    socketAddress: undefined,
    body: undefined as never,
  })

/** The best of several runs: what the machine does beside only ever adds to it. */
function shortestMs(work: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
  return Math.min(...times)
}

test('a path of nothing but slashes costs about what it costs to go through it once', () => {
  const path = `/${'/'.repeat(15_500)}x`
  // A search that starts again at every slash takes thousands of times as long.
  expect(shortestMs(() => ask(path)) / shortestMs(() => path.split('/'))).toBeLessThan(100)
})

test('any number of slashes at the end leads to the page', async () => {
  for (const slashes of ['/', '//', '/'.repeat(15_000)]) {
    expect(await ask(`/advertorial${slashes}`)).toMatchObject({ status: 308, headers: { location: '/advertorial' } })
  }
  expect(await ask('//')).toMatchObject({ status: 404 })
})

describe('the built site', () => {
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
})
