/** Page views through the production app, by real HTTP, into a real store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BUILT } from '../../build/site-build.ts'
import { campaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaign.ts'
import { listen } from '../../tests/support/receiver.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { type LoadedFile, loadSite } from '../http/load-site.ts'
import type { FunnelLine } from '../store/reports/kept-counts.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { createVisits, type Visits } from './visits.ts'

const site = loadSite(BUILT)
const BROWSER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1'

let folder: string
let store: Store
let visits: Visits
let server: Awaited<ReturnType<typeof listen>>
let now: number
const logged: string[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'visits-'))
  store = openSqliteStore(join(folder, 'leads.sqlite'))
  now = Date.parse('2030-01-31T23:30:00-05:00')
  logged.length = 0
  const config = readConfig({ DATA_DIR: folder, TIME_ZONE: 'America/New_York' })
  visits = createVisits(config, { site, log: code => logged.push(code), now: () => now })
  server = await listen(createApp(config, { site, store, visits, log: () => {} }))
})
afterEach(async () => {
  await server.close()
  await visits.stop()
  await store.close()
  rmSync(folder, { recursive: true })
  vi.useRealTimers()
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, redirect: 'manual', headers: { 'user-agent': BROWSER, ...headers } })
const funnel = async (by: 'campaign' | 'page' | 'day'): Promise<Record<string, FunnelLine>> => {
  visits.start(store)
  await visits.stop()
  const lines = await store.funnel({ by, since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
  return Object.fromEntries(lines.map(line => [line.key, line]))
}

test('a page that is answered with is a view, under its campaign and on the operator’s day', async () => {
  await get('/?utm_source=news&gclid=one')
  await get('/?utm_source=news&gclid=two')
  now += 3_600_000
  // As it does every second; and from here on it deals out variants, if there are such, by the secret of the store.
  visits.start(store)
  await visits.stop()
  const { headers } = await get('/')
  // The browser asks whether what it has is still good: somebody looks at the page all the same.
  expect((await get('/', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  expect(await funnel('campaign')).toMatchObject({
    [campaignKey({ utm_source: 'news', gclid: 'x' })]: { views: 2 },
    [NO_CAMPAIGN]: { views: 2 },
  })
  expect(await funnel('day')).toMatchObject({ '2030-01-31': { views: 2 }, '2030-02-01': { views: 2 } })
})

test('the day changes also while there is no store yet', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const config = readConfig({ DATA_DIR: folder, TIME_ZONE: 'America/New_York' })
  const early = createVisits(config, { site, log: code => logged.push(code), now: () => now })
  const seen = () => {
    const page = site.byPath.get('/') as LoadedFile
    early.view({ method: 'GET', query: '', header: () => BROWSER, socketAddress: '192.0.2.1' }, page)
  }
  seen()
  now += 3_600_000
  vi.advanceTimersByTime(1000)
  seen()
  early.start(store)
  await early.stop()
  expect(await funnel('day')).toMatchObject({ '2030-01-31': { views: 1 }, '2030-02-01': { views: 1 } })
})

test('files, unknown addresses, redirects and other methods are no views', async () => {
  for (const path of ['/robots.txt', '/favicon.ico', '/nowhere', '/advertorial/', '/healthz']) await get(path)
  await get('/', {}, 'POST')
  expect(await funnel('page')).toEqual({})
})

test.each<[string, Record<string, string>, string, Partial<FunnelLine>]>([
  ['a program that says what it is', { 'user-agent': 'Googlebot/2.1' }, 'GET', { bots: 1 }],
  ['nobody in particular', { 'user-agent': '' }, 'GET', { bots: 1 }],
  ['a look at the headers', {}, 'HEAD', { bots: 1 }],
  ['a browser that fetches ahead', { 'sec-purpose': 'prefetch;prerender' }, 'GET', { prefetches: 1 }],
  ['an older one', { purpose: 'prefetch' }, 'GET', { prefetches: 1 }],
])('%s is counted apart', async (_, headers, method, expected) => {
  await get('/', headers, method)
  expect(await funnel('page')).toMatchObject({ '/': { views: 0, bots: 0, prefetches: 0, ...expected } })
})

test('a visit that ends is counted where it began, once', async () => {
  const referer = `${server.url}/advertorial?utm_source=news`
  await get('/decline', { referer })
  await get('/thank-you', { referer })
  await get('/decline', { referer, 'cache-control': 'max-age=0' })
  expect(await funnel('page')).toEqual({
    '/advertorial': expect.objectContaining({ views: 0, declined: 1, thanked: 1, asks: true }),
  })
  expect(await funnel('campaign')).toMatchObject({ [campaignKey({ utm_source: 'news' })]: { declined: 1, thanked: 1 } })
})

test('whoever opens the last page without the first has finished nothing', async () => {
  await get('/decline')
  await get('/decline', { referer: 'https://elsewhere.example/' })
  await get('/decline', { referer: `${server.url}/`, 'user-agent': 'Googlebot/2.1' })
  expect(await funnel('page')).toEqual({
    '/decline': expect.objectContaining({ views: 2, bots: 1, declined: 0, asks: false }),
  })
})

test('what was seen before the store was open, or while it is away, is stored when it is back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let away = true
  const failing = {
    ...store,
    addPageCounts: async (counts: Parameters<Store['addPageCounts']>[0]) => {
      if (away) throw new StoreUnavailable('the disk is full.')
      await store.addPageCounts(counts)
    },
  }
  await get('/')
  visits.start(failing)
  await vi.waitFor(() => expect(logged).toContain('views_kept'))
  await get('/')
  vi.advanceTimersByTime(1000)
  away = false
  await expect
    .poll(async () => {
      vi.advanceTimersByTime(1000)
      return store.funnel({ by: 'page', since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
    })
    .toMatchObject([{ key: '/', views: 2 }])
})

test('what was handed over is summed up at once, and then every ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  let [handedOver, posted] = [0, 0]
  visits.start({
    ...store,
    addPageCounts: async () => void handedOver++,
    postPageCounts: async () => void posted++,
    countLeads: async () => false,
  })
  const second = async () => {
    const before = handedOver
    vi.advanceTimersByTime(1000)
    await vi.waitFor(() => expect(handedOver).toBe(before + 1))
    await new Promise(resolve => setImmediate(resolve))
  }
  await vi.waitFor(() => expect(posted).toBe(1))
  for (let seconds = 1; seconds < 10; seconds++) await second()
  expect(posted).toBe(1)
  await second()
  expect(posted).toBe(2)
})

test('however many campaigns are made up while the store is away, little is kept of them', async () => {
  let most = 0
  const failing = {
    ...store,
    addPageCounts: async (counts: Parameters<Store['addPageCounts']>[0]) => {
      most = Math.max(most, counts.length)
      throw new StoreUnavailable('gone.')
    },
  }
  const ask = { method: 'GET', path: '/', socketAddress: '192.0.2.1', body: undefined as never }
  const page = site.byPath.get('/')
  if (!page) throw new Error('There is no landing page.')
  const header = (name: string) => (name === 'user-agent' ? BROWSER : undefined)
  for (let index = 0; index < 20_000; index++) {
    visits.view({ ...ask, header, query: `utm_source=${index}` }, page)
    if (index % 5000 === 0) {
      visits.start(failing)
      await visits.stop()
    }
  }
  visits.start(failing)
  await visits.stop()
  expect(most).toBeLessThanOrEqual(1001)
  const lines = await funnel('campaign')
  expect(Object.keys(lines)).toHaveLength(199)
  expect(lines[OTHER_CAMPAIGNS]?.views).toBe(20_000 - 198)
})
