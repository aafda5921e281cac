/** Another site is put in place while the production app runs. */
import { cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { watchSite } from '../../desk/server/site.ts'
import { MINUTE } from '../../domain/durations.ts'
import { newFolder } from '../../tests/support/after-test.ts'
import { BUILT } from '../../tests/support/built-site.ts'
import { listen } from '../../tests/support/receiver.ts'
import { createApp } from '../app.ts'
import { createAvailability, type IntakeStore } from '../intake/availability.ts'
import { readConfig } from '../settings/config.ts'
import { versionOf } from '../store/facts/leads/hashes.ts'
import { createLiveSite, findLiveSite } from './live-site.ts'
import { MANIFEST_FILE, type SiteManifest } from './site-manifest.ts'

let folder: string
let stopped: unknown[]
const link = () => join(folder, 'built')

type Change = (manifest: SiteManifest) => SiteManifest

/** Puts a copy of the built site in place, with another manifest. */
function put(name: string, change: Change): void {
  cpSync(BUILT, join(folder, name), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(BUILT, MANIFEST_FILE), 'utf8')) as SiteManifest
  writeFileSync(join(folder, name, MANIFEST_FILE), JSON.stringify(change(manifest)))
  symlinkSync(name, join(folder, 'next'))
  renameSync(join(folder, 'next'), link())
}

/** As if a landing page were removed, Spanish turned off, and the consent changed. */
const other: Change = manifest => {
  const { es: _, en, ...others } = manifest.copy.languages
  const isGone = (path: string | null) => path === '/advertorial' || path?.startsWith('/es/')
  return {
    ...manifest,
    copy: { ...manifest.copy, languages: { ...others, en: { ...en, consent: 'another consent' } } as never },
    formerPaths: manifest.files.flatMap(({ path }) => (path !== null && isGone(path) ? [path] : [])),
    files: manifest.files.filter(({ path }) => !isGone(path)),
  }
}

beforeEach(() => {
  folder = newFolder()
  stopped = []
  put('first', manifest => manifest)
})

async function start() {
  const live = createLiveSite({ built: link(), siteFolder: null })
  const store = {
    addToDoNotCall: async ({ contacts }: { readonly contacts: unknown[] }) => stopped.push(...contacts),
  } as unknown as IntakeStore
  const availability = createAvailability({ alerts: { raise: () => {} }, copy: () => live.site().copy, store })
  const app = createApp(readConfig({}), { site: live.site, availability, log: () => {} })
  const server = await listen(app)
  onTestFinished(() => server.close())
  const get = async (path: string) => {
    const { status, headers } = await fetch(server.url + path, { redirect: 'manual' })
    return [status, headers.get('location')]
  }
  return { live, availability, get, url: server.url }
}

test('the site is switched once its texts are stored, and without a restart', async () => {
  const { live, get } = await start()
  expect(await live.follow(async () => {})).toBe(false)
  put('second', other)
  const storeIsDown = live.follow(() => Promise.reject(new Error('down')))
  await expect(storeIsDown).rejects.toThrow('down')
  expect(await get('/advertorial')).toEqual([200, null])
  const stored: string[] = []
  const saved = live.follow(async next => void stored.push(next.copy.languages['en']?.consent ?? ''))
  expect([await saved, stored]).toEqual([true, ['another consent']])
  expect(await get('/advertorial')).toEqual([307, '/'])
  expect(await live.follow(async () => {})).toBe(false)
})

test('addresses that were live lead to the English page or home, with their query; stops are taken in every language', async () => {
  const { live, get, url } = await start()
  put('second', other)
  await live.follow(async () => {})
  expect(await get('/advertorial/?utm_source=tv')).toEqual([307, '/?utm_source=tv'])
  expect(await get('/es/thank-you?utm_source=tv')).toEqual([307, '/thank-you?utm_source=tv'])
  expect(await get('/es/')).toEqual([307, '/'])
  expect(await get('/es/never-there')).toEqual([404, null])
  expect(await get('/es/stop?a=b')).toEqual([307, '/stop?a=b'])
  const body = new URLSearchParams({ phone: '2125550187', email: '' })
  const stop = await fetch(`${url}/es/stop`, { method: 'POST', body })
  expect([stop.status, stopped]).toMatchObject([200, [{ phone: '2125550187' }]])
})

test('a form that’s open sends its consent, in its language', async () => {
  const { live, availability } = await start()
  const spanish = versionOf(live.site().copy.languages['es']?.consent ?? '')
  expect(await availability.isKnown('consent', spanish)).toBe(true)
  put('second', other)
  await live.follow(async () => {})
  expect(await availability.isKnown('consent', versionOf('another consent'))).toBe(true)
  expect(await availability.isKnown('consent', spanish)).toBe(true)
  expect(availability.languageOf(spanish)).toBe('es')
})

test('a site that can’t be read isn’t switched to; the desk goes on with the last good one, too', async () => {
  const { live, get } = await start()
  const desk = watchSite(null, link())
  put('second', manifest => ({
    ...manifest,
    files: [...manifest.files, { ...manifest.files[0], file: 'missing.html' } as never],
  }))
  await expect(live.follow(async () => {})).rejects.toThrow('missing.html')
  writeFileSync(join(folder, 'second', MANIFEST_FILE), '{"files": [')
  expect(desk().copy.languages['es']).toBeDefined()
  rmSync(link())
  expect(desk().copy.languages['es']).toBeDefined()
  expect(await get('/')).toEqual([200, null])
  put('third', other)
  expect(desk().copy.languages['es']).toBeUndefined()
  expect(await live.follow(async () => {})).toBe(true)
  expect(await get('/advertorial')).toEqual([307, '/'])
})

test('with a folder, only a site that was published from it is shown', () => {
  const options = { built: link(), siteFolder: '/folder' }
  const published = (isFromFolder: boolean): Change => {
    const publication = { at: '2026-11-18T15:00:00Z', of: `${isFromFolder}`, commit: null, isFromFolder }
    return manifest => ({ ...manifest, publication })
  }
  rmSync(link())
  symlinkSync('nothing', link())
  expect(findLiveSite(options)).toBeNull()
  put('original', published(false))
  expect(findLiveSite(options)).toBeNull()
  expect(() => watchSite('/folder', link())).toThrow('Nothing has been published')
  expect(findLiveSite({ ...options, siteFolder: null })).not.toBeNull()
  put('own', published(true))
  expect(findLiveSite(options)?.site().publication?.isFromFolder).toBe(true)
  expect(() => findLiveSite({ ...options, built: join(folder, 'no-build') })).toThrow('npm run build')
})

test('with several servers, files are served at once, and the pages that link to them a minute later', async () => {
  let now = 0
  const live = createLiveSite({ built: link(), siteFolder: null, pagesWaitMs: MINUTE, tick: () => now })
  put('second', manifest => {
    const script = manifest.files.find(({ file }) => file.endsWith('.js'))
    return { ...other(manifest), files: [...other(manifest).files, { ...script, path: '/assets/new.js' } as never] }
  })
  expect(await live.follow(async () => {})).toBe(false)
  expect([live.site().byPath.has('/assets/new.js'), live.site().byPath.has('/advertorial')]).toEqual([true, true])
  now += MINUTE
  expect(await live.follow(async () => {})).toBe(true)
  expect([live.site().byPath.has('/assets/new.js'), live.site().byPath.has('/advertorial')]).toEqual([true, false])
})
