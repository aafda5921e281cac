/** Publishing in a copy of the project that's laid out like a release: `built` is a link. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { readPublishingStatus } from '../server/http/publishing-status.ts'
import { loadSite } from '../server/http/site.ts'
import { findSite } from '../server/http/site-files.ts'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { readSite } from '../site-folder/read-site.ts'
import { recordReview } from '../site-folder/reviews.ts'
import type { SiteData } from '../site-folder/types.ts'
import { killAfterTest, newFolder } from '../tests/support/after-test.ts'
import { copyProject } from '../tests/support/copied-project.ts'
import { onDemand } from '../tests/support/on-demand.ts'
import { PROGRAM_ENV, spawnServer } from '../tests/support/processes.ts'

await onDemand('site')

const { folder: release } = copyProject('published')
const sites = join(release, 'sites/this-release')
const live = join(sites, 'live')
const words = join(release, 'words')
const env = { ...PROGRAM_ENV, SITE_FOLDER: words }
/** The server looks every five seconds. */
const WAIT = { timeout: 60_000, interval: 100 }
const program = [join(release, 'publish/main.ts'), '--fast-compression']

/** A folder with its own legal texts, and the site published from it. Each test starts from a copy. */
const made = ['sites', 'words']
const first = join(release, 'first')
beforeAll(() => {
  for (const path of [...made, 'first', 'built']) rmSync(join(release, path), { recursive: true, force: true })
  symlinkSync('sites/this-release/live', join(release, 'built'))
  mkdirSync(words)
  const content = join(release, 'content')
  for (const file of readdirSync(content).filter(each => /^(?:consent|legal)/.test(each))) {
    cpSync(join(content, file), join(words, file), { recursive: true })
  }
  headline('First words')
  recordReview(words, readSite(words).data as SiteData, ['consent.en'], 'Jane Roe, Esq.', '2026-10-01')
  expect(publish()).toMatchObject({ status: 0, stderr: '', home: expect.stringContaining('First words') })
  for (const path of made) cpSync(join(release, path), join(first, path), { recursive: true, verbatimSymlinks: true })
})

beforeEach(() => {
  for (const path of made) rmSync(join(release, path), { recursive: true, force: true })
  cpSync(first, release, { recursive: true, verbatimSymlinks: true })
})

const headline = (text: string) => writeFileSync(join(words, 'en.toml'), `[landing.hero]\nheadline = "${text}"\n`)

function edit(file: string, before: string): void {
  const path = join(words, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(before, '$&Edited. '))
}

const statusErrors = () => readPublishingStatus(join(release, 'built'))?.errors

const manifest = () => JSON.parse(readFileSync(join(live, MANIFEST_FILE), 'utf8')) as SiteManifest

function publish(settings: Readonly<Record<string, string>> = {}) {
  const { status, stderr } = spawnSync(process.execPath, program, { env: { ...env, ...settings }, encoding: 'utf8' })
  return { status, stderr, home: readFileSync(join(live, 'index.html'), 'utf8'), is: readlinkSync(live) }
}

test('a changed word is published; an error leaves the last good site, and says where it is', () => {
  // From before the clock was set back.
  for (const day of ['20990101', '20990102']) mkdirSync(join(sites, `${day}T000000-abc`), { recursive: true })
  const before = readlinkSync(live)
  expect(publish().is).toBe(before)
  headline('Second words')
  mkdirSync(join(words, '.git/refs/heads'), { recursive: true })
  writeFileSync(join(words, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(words, '.git/refs/heads/main'), `${'ab'.repeat(20)}\n`)
  const second = publish()
  expect(second.home).toContain('Second words')
  expect(manifest().publication?.commit).toBe('ab'.repeat(20))
  appendFileSync(join(words, 'en.toml'), 'hedline = "x"\n')
  const broken = publish()
  expect([broken.status, broken.is]).toEqual([3, second.is])
  expect(statusErrors()).toEqual([expect.stringMatching(/^en\.toml, line 3: /)])
  // An edit waits for its review.
  edit('consent.en.md', '# Above the button\n')
  headline('Third words')
  const third = publish()
  expect(third.home).toContain('Third words')
  expect(third.home).not.toContain('Edited. ')
  expect(statusErrors()).toEqual([])
  const { held = [], history = [] } = readPublishingStatus(join(release, 'built')) ?? {}
  expect(held).toMatchObject([{ name: 'consent.en', live: expect.anything(), edit: expect.anything() }])
  expect(held[0]?.edit.filter(line => !held[0]?.live?.includes(line))).toEqual([expect.stringMatching(/^Edited\. By/)])
  expect(history.map(({ commit }) => commit !== null)).toEqual([true, true, false])
  expect(history[0]?.changed).toEqual(['en.toml landing.hero.headline'])
  // Nothing unfinished, and not every site there ever was.
  expect(readdirSync(sites).sort()).toEqual(
    [second.is, third.is, readlinkSync(join(sites, 'good')), 'good', 'live', 'status.json'].sort(),
  )
})

test('another release, or other settings, publish the last good words while the folder has a mistake', () => {
  headline('Broken {words}')
  const other = publish({ SITE_URL: 'https://www.example.org' })
  expect([other.status, other.stderr]).toEqual([3, expect.stringContaining('visitors get the last good folder')])
  expect(other.home).toMatch(/https:\/\/www\.example\.org.*First words/s)
  const [built, next] = [join(release, 'built'), join(release, 'sites/next-release/live')]
  const inRelease = (name: string) => {
    rmSync(built)
    symlinkSync(`sites/${name}/live`, built)
  }
  inRelease('next-release')
  onTestFinished(() => inRelease('this-release'))
  const { status } = spawnSync(process.execPath, program, { env, encoding: 'utf8' })
  expect([status, readFileSync(join(next, 'index.html'), 'utf8')]).toEqual([3, expect.stringContaining('First words')])
  expect(statusErrors()).toEqual([expect.stringMatching(/^en\.toml, line 2: /)])
})

test('a new machine shows no edit: the form is off until the store’s reviewed text is there', () => {
  const { reviewed } = manifest()
  rmSync(sites, { recursive: true })
  edit('consent.en.md', '# Below\n')
  const reviewedTexts = join(newFolder(), 'reviewed-texts.json')
  const off = publish({ REVIEWED_TEXTS: reviewedTexts })
  expect(/data-questionnaire=|Edited\.|replying STOP/.test(off.home)).toBe(false)
  expect(off.home).toContain('href="tel:+18332432965"')
  expect(readFileSync(join(live, 'es/index.html'), 'utf8')).toContain('data-questionnaire=')
  const { copy, unknownTexts } = manifest()
  expect([copy.languages['en']?.consent, unknownTexts]).toEqual(['', ['consent.en']])
  writeFileSync(reviewedTexts, JSON.stringify(reviewed))
  const on = publish({ REVIEWED_TEXTS: reviewedTexts })
  expect(on.home).toContain('data-questionnaire=')
  expect(on.home).toContain('replying STOP')
  expect(on.home).not.toContain('Edited.')
})

test('at first start with a mistake in the folder, the server shows no site, takes stops, and shows the site once it’s mended', async () => {
  rmSync(sites, { recursive: true })
  headline('Broken {words}')
  // The original site, from before there was a folder.
  spawnSync(process.execPath, program, { env: PROGRAM_ENV })
  expect(existsSync(live)).toBe(true)
  expect(publish().status).toBe(3)
  const ERASURE_LIST = join(newFolder(), 'erasures.txt')
  const settings = { SITE_FOLDER: words, DATA_DIR: newFolder(), ERASURE_LIST }
  const server = killAfterTest(spawnServer(settings, { folder: release }))
  const url = await server.url
  const statusOf = async (path: string) => (await fetch(url + path)).status
  expect([await statusOf('/'), await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 503, 200])
  const body = new URLSearchParams({ phone: '2125550187', email: '' })
  expect((await fetch(`${url}/stop`, { method: 'POST', body })).status).toBe(200)
  await vi.waitFor(() => expect(readFileSync(ERASURE_LIST, 'utf8')).toContain('2125550187'), WAIT)
  headline('Mended')
  expect(publish().status).toBe(0)
  await vi.waitFor(async () => expect(await (await fetch(url)).text()).toContain('Mended'), WAIT)
  expect(await statusOf('/readyz')).toBe(200)
})

test('any failure is in the status', () => {
  const wrong = publish({ SITE_URL: 'www' })
  expect([wrong.status, statusErrors()]).toEqual([2, [expect.stringContaining('SITE_URL is "www"')]])
  rmSync(join(words, 'consent.en.md'))
  expect(publish().status).toBe(3)
  expect(statusErrors()).toContainEqual(expect.stringMatching(/^consent\.en\.md: This file is missing\./))
})

test('whenever it’s killed, a whole site is served, and the next one is complete', async () => {
  const before = readlinkSync(live)
  headline('After')
  const isThere = (path: string) => globSync(path, { cwd: sites }).some(found => !found.startsWith(before))
  // As soon as the new site is begun, has its first page, or is complete.
  for (const path of ['new-*', 'new-*/*.html', '2*']) {
    const child = spawn(process.execPath, program, { env, stdio: 'ignore' })
    const exited = once(child, 'exit')
    await expect.poll(() => isThere(path) || child.exitCode !== null, { interval: 5 }).toBe(true)
    child.kill('SIGKILL')
    await exited
    expect(loadSite(findSite(join(release, 'built'))).byPath.has('/')).toBe(true)
  }
  // Setup says so once it's tried again, until it succeeds.
  expect(statusErrors()).toEqual([expect.stringMatching(/^Publishing was stopped before it was done/)])
  expect(publish().home).toContain('After')
  expect(readdirSync(sites).filter(name => name.startsWith('new-'))).toEqual([])
})
