/** Page views through the production app, over real HTTP, into a real store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BUILT } from '../../build/build.ts'
import { campaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaign.ts'
import { listen } from '../../tests/support/receiver.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { loadSite } from '../http/site.ts'
import type { FunnelLine } from '../store/funnel.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { type Analytics, createAnalytics } from './analytics.ts'
import { createPageViews } from './page-views.ts'

const site = loadSite(BUILT)
const BROWSER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1'

let folder: string
let store: Store
let analytics: Analytics
let server: Awaited<ReturnType<typeof listen>>
let now: number
const logged: string[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'visits-'))
  store = openSqliteStore(join(folder, 'leads.sqlite'))
  now = Date.parse('2030-01-31T23:30:00-05:00')
  logged.length = 0
  const config = readConfig({ DATA_DIR: folder, TIME_ZONE: 'America/New_York' })
  analytics = createAnalytics(config, { site, log: code => logged.push(code), now: () => now })
  server = await listen(createApp(config, { site, store, analytics, log: () => {} }))
})
afterEach(async () => {
  await server.close()
  await analytics.stop()
  await store.close()
  rmSync(folder, { recursive: true })
  vi.useRealTimers()
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, redirect: 'manual', headers: { 'user-agent': BROWSER, ...headers } })
const funnel = async (by: 'campaign' | 'page' | 'day'): Promise<Record<string, FunnelLine>> => {
  analytics.start(store)
  await analytics.stop()
  const lines = await store.funnel({ by: [by], since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
  return Object.fromEntries(lines[by].map(line => [line.key, line]))
}

test('serving a page counts as a view, for its campaign and the operator’s date', async () => {
  await get('/?utm_source=news&gclid=one')
  await get('/?utm_source=news&gclid=two')
  // Past midnight, and still without a store.
  now += 3_600_000
  const { headers } = await get('/')
  // The browser revalidates its cached copy: someone is still looking at the page.
  expect((await get('/', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  expect(await funnel('campaign')).toMatchObject({
    [campaignKey({ utm_source: 'news', gclid: 'x' })]: { views: 2 },
    [NO_CAMPAIGN]: { views: 2 },
  })
  expect(await funnel('day')).toMatchObject({ '2030-01-31': { views: 2 }, '2030-02-01': { views: 2 } })
})

test('files, unknown paths, redirects, and other methods don’t count as views', async () => {
  for (const path of ['/robots.txt', '/favicon.ico', '/nowhere', '/advertorial/', '/healthz']) await get(path)
  await get('/', {}, 'POST')
  expect(await funnel('page')).toEqual({})
})

test.each<[string, Record<string, string>, string, Partial<FunnelLine>]>([
  ['a program that says what it is', { 'user-agent': 'Googlebot/2.1' }, 'GET', { bots: 1 }],
  ['an unknown client', { 'user-agent': '' }, 'GET', { bots: 1 }],
  ['a look at the headers', {}, 'HEAD', { bots: 1 }],
  ['a browser that fetches ahead', { 'sec-purpose': 'prefetch;prerender' }, 'GET', { prefetches: 1 }],
  ['an older one', { purpose: 'prefetch' }, 'GET', { prefetches: 1 }],
])('%s is counted separately', async (_, headers, method, expected) => {
  await get('/', headers, method)
  expect(await funnel('page')).toMatchObject({ '/': { views: 0, bots: 0, prefetches: 0, ...expected } })
})

test('the end of a visit is counted once, for the page where it began', async () => {
  const referer = `${server.url}/advertorial?utm_source=news`
  await get('/decline', { referer })
  await get('/thank-you', { referer })
  await get('/decline', { referer, 'cache-control': 'max-age=0' })
  expect(await funnel('page')).toEqual({
    '/advertorial': expect.objectContaining({ views: 0, declined: 1, thanked: 1, asks: true }),
  })
  expect(await funnel('campaign')).toMatchObject({ [campaignKey({ utm_source: 'news' })]: { declined: 1, thanked: 1 } })
})

test('opening the last page without the first doesn’t count as finished', async () => {
  await get('/decline')
  await get('/decline', { referer: 'https://elsewhere.example/' })
  await get('/decline', { referer: `${server.url}/`, 'user-agent': 'Googlebot/2.1' })
  expect(await funnel('page')).toEqual({
    '/decline': expect.objectContaining({ views: 2, bots: 1, declined: 0, asks: false }),
  })
})

test('views from before the store opened, or during an outage, are stored on the next try after ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let away = true
  const failing = {
    ...store,
    addPageCounts: async (counts: Parameters<Store['addPageCounts']>[0]) => {
      if (away) throw new StoreUnavailable('the disk is full.')
      return store.addPageCounts(counts)
    },
  }
  await get('/')
  analytics.start(failing)
  await vi.waitFor(() => expect(logged).toContain('views_kept'))
  await get('/')
  away = false
  vi.advanceTimersByTime(10_000)
  await expect
    .poll(() => store.funnel({ by: ['page'], since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' }))
    .toMatchObject({ page: [{ key: '/', views: 2 }] })
})

test('many fake campaigns during a store outage take little memory', async () => {
  let max = 0
  const failing = {
    ...store,
    addPageCounts: async (counts: Parameters<Store['addPageCounts']>[0]) => {
      max = Math.max(max, counts.views.length)
      throw new StoreUnavailable('gone.')
    },
  }
  const ask = { method: 'GET', socketAddress: '192.0.2.1' }
  const page = site.byPath.get('/')
  if (!page) throw new Error('There is no landing page.')
  const header = (name: string) => (name === 'user-agent' ? BROWSER : undefined)
  for (let index = 0; index < 20_000; index++) {
    analytics.view({ ...ask, header, query: `utm_source=${index}` }, page)
    if (index % 5000 === 0) {
      analytics.start(failing)
      await analytics.stop()
    }
  }
  analytics.start(failing)
  await analytics.stop()
  expect(max).toBeLessThanOrEqual(2001)
  const lines = await funnel('campaign')
  expect(Object.keys(lines)).toHaveLength(199)
  expect(lines[OTHER_CAMPAIGNS]?.views).toBe(20_000 - 198)
})

test('a campaign with a name keeps it when memory is full of fake ones', () => {
  const news = campaignKey({ utm_source: 'news' })
  const place = { day: '2030-01-31', page: '/', variant: '', asks: true }
  const counted = createPageViews()
  counted.learnNames([news])
  for (let index = 0; index < 2000; index++) counted.add(place, campaignKey({ utm_source: `${index}` }), 'views')
  counted.add(place, news, 'views')
  expect(counted.take().views.at(-1)).toMatchObject({ campaign: news, views: 1 })
})

describe('a progress report', () => {
  const report = (query: string, headers: Record<string, string> = {}, method = 'POST') =>
    get(`/api/progress?${query}`, { referer: `${server.url}/?utm_source=news`, origin: server.url, ...headers }, method)
  const reached = async () => {
    analytics.start(store)
    await analytics.stop()
    return store.questionsReached({ since: '2030-01-31', until: '2030-01-31' })
  }

  test('counts once per question, no matter how often it is sent', async () => {
    expect((await report('from=0&to=3')).status).toBe(204)
    await report('from=3&to=7')
    await report('from=0&to=1')
    expect((await report('from=0&to=1', {}, 'GET')).status).toBe(405)
    expect(await reached()).toEqual([2, 1, 1, 1, 1, 1, 1])
  })

  test.each<[string, string, Record<string, string>]>([
    ['from another site', 'from=0&to=1', { 'sec-fetch-site': 'cross-site' }],
    ['from a page without questions', 'from=0&to=1', { referer: '/privacy' }],
    ['from a bot', 'from=0&to=1', { 'user-agent': 'Googlebot/2.1' }],
    ['for a question that doesn’t exist', 'from=0&to=8', {}],
    ['backwards', 'from=3&to=1', {}],
    ['without numbers', 'from=a&to=b', {}],
  ])('isn’t counted %s', async (_, query, headers) => {
    const { referer } = headers
    await report(query, { ...headers, ...(referer && { referer: `${server.url}${referer}` }) })
    expect(await reached()).toEqual([])
  })

  test('is rate-limited by address', async () => {
    const statuses = new Set<number>()
    for (let index = 0; index < 601; index++) statuses.add((await report('from=0&to=1')).status)
    expect([...statuses]).toEqual([204, 429])
    expect(await reached()).toEqual([600])
  })
})
