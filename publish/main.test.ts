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
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { readPublishingStatus } from '../server/http/publishing-status.ts'
import { loadSite } from '../server/http/site.ts'
import { findSite } from '../server/http/site-files.ts'
import { MANIFEST_FILE, type SiteManifest } from '../server/http/site-manifest.ts'
import { readSite } from '../site-folder/read-site.ts'
import { recordReview } from '../site-folder/reviews.ts'
import type { SiteData } from '../site-folder/types.ts'
import { newFolder } from '../tests/support/after-test.ts'
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
const program = [join(release, 'publish/main.ts')]

beforeEach(() => {
  for (const made of ['sites', 'built', 'words']) rmSync(join(release, made), { recursive: true, force: true })
  symlinkSync('sites/this-release/live', join(release, 'built'))
  mkdirSync(words)
  for (const name of ['consent', 'legal']) copyTexts(name)
})

/** A folder has its own legal texts. */
function copyTexts(name: string): void {
  const content = join(release, 'content')
  for (const file of readdirSync(content).filter(each => each.startsWith(name))) {
    cpSync(join(content, file), join(words, file), { recursive: true })
  }
}

const headline = (text: string) => writeFileSync(join(words, 'en.toml'), `[landing.hero]\nheadline = "${text}"\n`)

const statusErrors = () => readPublishingStatus(join(release, 'built'))?.errors

function publish(settings: Readonly<Record<string, string>> = {}) {
  const { status, stderr } = spawnSync(process.execPath, program, { env: { ...env, ...settings }, encoding: 'utf8' })
  return { status, stderr, home: readFileSync(join(live, 'index.html'), 'utf8'), is: readlinkSync(live) }
}

test('a changed word is published; an error leaves the last good site, and says where it is', () => {
  // From before the clock was set back.
  for (const day of ['20990101', '20990102']) mkdirSync(join(sites, `${day}T000000-abc`), { recursive: true })
  headline('First words')
  const first = publish()
  expect([first.status, first.stderr, first.home]).toEqual([0, '', expect.stringContaining('First words')])
  expect(publish().is).toBe(first.is)
  headline('Second words')
  mkdirSync(join(words, '.git/refs/heads'), { recursive: true })
  writeFileSync(join(words, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(words, '.git/refs/heads/main'), `${'ab'.repeat(20)}\n`)
  const second = publish()
  expect(second.home).toContain('Second words')
  const { publication } = JSON.parse(readFileSync(join(live, MANIFEST_FILE), 'utf8')) as SiteManifest
  expect(publication?.commit).toBe('ab'.repeat(20))
  appendFileSync(join(words, 'en.toml'), 'hedline = "x"\n')
  const broken = publish()
  expect([broken.status, broken.is]).toEqual([3, second.is])
  expect(statusErrors()).toEqual([expect.stringMatching(/^en\.toml, line 3: /)])
  headline('Third words')
  recordReview(words, readSite(words).data as SiteData, ['consent.en'], 'Jane Roe, Esq.', '2026-10-01')
  const third = publish()
  expect(third.home).toContain('Third words')
  // An edit waits for its review, also in the site after the next one.
  const consent = join(words, 'consent.en.md')
  writeFileSync(consent, readFileSync(consent, 'utf8').replace('# Above the button\n', '$&\nEdited. '))
  headline('Fourth words')
  const fourth = publish()
  expect(fourth.home).toContain('Fourth words')
  expect(fourth.home).not.toContain('Edited. ')
  expect(statusErrors()).toEqual([])
  const { held = [], history = [] } = readPublishingStatus(join(release, 'built')) ?? {}
  expect(held).toMatchObject([{ name: 'consent.en', live: expect.anything(), edit: expect.anything() }])
  expect(held[0]?.edit.filter(line => !held[0]?.live?.includes(line))).toEqual([expect.stringMatching(/^Edited\. By/)])
  expect(history.map(({ commit }) => commit !== null)).toEqual([true, true, true, false])
  expect(history[0]?.changed).toEqual(['en.toml landing.hero.headline'])
  // Nothing unfinished, and not every site there ever was.
  expect(readdirSync(sites).sort()).toEqual(
    [third.is, fourth.is, readlinkSync(join(sites, 'good')), 'good', 'live', 'status.json'].sort(),
  )
})

test('another release, or other settings, publish the last good words while the folder has a mistake', () => {
  headline('Good words')
  publish()
  headline('Broken {words}')
  const other = publish({ SITE_URL: 'https://www.example.org' })
  expect([other.status, other.stderr]).toEqual([3, expect.stringContaining('visitors get the last good folder')])
  expect(other.home).toMatch(/https:\/\/www\.example\.org.*Good words/s)
  const next = join(release, 'sites/next-release/live')
  rmSync(join(release, 'built'))
  symlinkSync('sites/next-release/live', join(release, 'built'))
  const { status } = spawnSync(process.execPath, program, { env, encoding: 'utf8' })
  expect([status, readFileSync(join(next, 'index.html'), 'utf8')]).toEqual([3, expect.stringContaining('Good words')])
  expect(statusErrors()).toEqual([expect.stringMatching(/^en\.toml, line 2: /)])
})

test('a new machine shows no edit: the form is off until the store’s reviewed text is there', () => {
  recordReview(words, readSite(words).data as SiteData, ['consent.en'], 'Jane Roe, Esq.', '2026-10-01')
  publish()
  const { reviewed } = JSON.parse(readFileSync(join(live, MANIFEST_FILE), 'utf8')) as SiteManifest
  rmSync(sites, { recursive: true })
  const consent = join(words, 'consent.en.md')
  writeFileSync(consent, readFileSync(consent, 'utf8').replace('# Below\n', '$&\nEdited. '))
  const reviewedTexts = join(words, '../reviewed-texts.json')
  const off = publish({ REVIEWED_TEXTS: reviewedTexts })
  expect(/data-questionnaire=|Edited\.|replying STOP/.test(off.home)).toBe(false)
  expect(off.home).toContain('href="tel:+18332432965"')
  expect(readFileSync(join(live, 'es/index.html'), 'utf8')).toContain('data-questionnaire=')
  const { copy, unknownTexts } = JSON.parse(readFileSync(join(live, MANIFEST_FILE), 'utf8')) as SiteManifest
  expect([copy.languages['en']?.consent, unknownTexts]).toEqual(['', ['consent.en']])
  writeFileSync(reviewedTexts, JSON.stringify(reviewed))
  const on = publish({ REVIEWED_TEXTS: reviewedTexts })
  expect(on.home).toContain('data-questionnaire=')
  expect(on.home).toContain('replying STOP')
  expect(on.home).not.toContain('Edited.')
})

test('at first start with a mistake in the folder, the server shows no site, takes stops, and shows the site once it’s mended', async () => {
  headline('Broken {words}')
  // The original site, from before there was a folder.
  spawnSync(process.execPath, program, { env: PROGRAM_ENV })
  expect(existsSync(live)).toBe(true)
  expect(publish().status).toBe(3)
  const dataDir = newFolder()
  const server = spawnServer({ SITE_FOLDER: words, DATA_DIR: dataDir }, { folder: release })
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.exit
  })
  const url = await server.url
  const statusOf = async (path: string) => (await fetch(url + path)).status
  expect([await statusOf('/'), await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 503, 200])
  const body = new URLSearchParams({ phone: '2125550187', email: '' })
  expect((await fetch(`${url}/stop`, { method: 'POST', body })).status).toBe(200)
  headline('Mended')
  expect(publish().status).toBe(0)
  await vi.waitFor(async () => expect(await (await fetch(url)).text()).toContain('Mended'), WAIT)
  expect(await statusOf('/readyz')).toBe(200)
})

test('any failure is in the status', () => {
  publish()
  const wrong = publish({ SITE_URL: 'www' })
  expect([wrong.status, statusErrors()]).toEqual([2, [expect.stringContaining('SITE_URL is "www"')]])
  rmSync(join(words, 'consent.en.md'))
  expect(publish().status).toBe(3)
  expect(statusErrors()).toContainEqual(expect.stringMatching(/^consent\.en\.md: This file is missing\./))
})

test('whenever it’s killed, a whole site is served, and the next one is complete', async () => {
  headline('Before')
  const before = publish()
  headline('After')
  const isThere = (path: string) => globSync(path, { cwd: sites }).some(found => !found.startsWith(before.is))
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
  expect(before.home).toContain('Before')
  expect(publish().home).toContain('After')
  expect(readdirSync(sites).filter(name => name.startsWith('new-'))).toEqual([])
})
