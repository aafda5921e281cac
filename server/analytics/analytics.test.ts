/** Page views through the production app, over real HTTP, into a real store. */

import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { campaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaigns/campaign.ts'
import { newFolder } from '../../tests/support/after-test.ts'
import { BUILT } from '../../tests/support/built-site.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { listen } from '../../tests/support/receiver.ts'
import { createApp } from '../app.ts'
import { type LoadedFile, loadSite, type Site, textOf } from '../http/site.ts'
import { copyIn } from '../http/site-manifest.ts'
import { readConfig } from '../settings/config.ts'
import { versionOf } from '../store/facts/leads/hashes.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import type { FunnelLine } from '../store/views/funnel.ts'
import { type Analytics, createAnalytics, pickVariant } from './analytics.ts'
import { createPageViews } from './page-views.ts'

const site = loadSite(BUILT)
const BROWSER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1'

let store: Store
let analytics: Analytics
let server: Awaited<ReturnType<typeof listen>>
let now: number
const logged: string[] = []

beforeEach(() => start(site, { TIME_ZONE: 'America/New_York' }))
afterEach(stop)

async function start(served: Site, env: Record<string, string>): Promise<void> {
  const folder = newFolder()
  store = openSqliteStore(join(folder, 'leads.sqlite'))
  now = Date.parse('2030-01-31T23:30:00-05:00')
  logged.length = 0
  const config = readConfig({ DATA_DIR: folder, ...env })
  analytics = createAnalytics(config, { site: () => served, report: code => () => logged.push(code), now: () => now })
  server = await listen(createApp(config, { site: () => served, store, analytics, log: () => {} }))
}

async function stop(): Promise<void> {
  await server.close()
  await analytics.stop()
  await store.close()
  vi.useRealTimers()
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${path}`, { method, redirect: 'manual', headers: { 'user-agent': BROWSER, ...headers } })
const flush = async () => {
  analytics.start(store)
  await analytics.stop()
}
const funnel = async (by: 'campaign' | 'page' | 'day' | 'variant'): Promise<Record<string, FunnelLine>> => {
  await flush()
  const lines = await store.funnel({ by: [by], since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
  return Object.fromEntries(lines[by].map(line => [line.key, line]))
}

test('serving a page counts as a view for its campaign, on the date in the operator’s time zone', async () => {
  await get('/?utm_source=news&gclid=one')
  await get('/?utm_source=news&gclid=two')
  // Past midnight, and the store still isn't open.
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

test('bots and prefetching browsers don’t count', async () => {
  for (const userAgent of ['Googlebot/2.1', '']) await get('/', { 'user-agent': userAgent })
  await get('/', {}, 'HEAD')
  await get('/', { 'sec-purpose': 'prefetch;prerender' })
  await get('/', { purpose: 'prefetch' })
  expect(await funnel('page')).toEqual({})
})

test('the end of a visit counts once, toward the page where the visit started', async () => {
  const referer = `${server.url}/advertorial?utm_source=news`
  await get('/decline', { referer })
  await get('/thank-you', { referer })
  await get('/decline', { referer, 'cache-control': 'max-age=0' })
  expect(await funnel('page')).toEqual({
    '/advertorial': expect.objectContaining({ views: 0, declined: 1, thanked: 1, asks: true }),
  })
  expect(await funnel('campaign')).toMatchObject({ [campaignKey({ utm_source: 'news' })]: { declined: 1, thanked: 1 } })
})

test('an address can’t finish more often than it can send leads; the page is still served', async () => {
  const referer = `${server.url}/`
  const responses = await Promise.all(Array.from({ length: 70 }, () => get('/thank-you', { referer })))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  for (let time = 0; time < 70; time++) await get('/decline', { referer })
  expect(await funnel('page')).toMatchObject({ '/': { thanked: 60, declined: 70 } })
})

test('opening the last page directly doesn’t count as finishing', async () => {
  await get('/decline')
  await get('/decline', { referer: 'https://elsewhere.example/' })
  await get('/decline', { referer: `${server.url}/`, 'user-agent': 'Googlebot/2.1' })
  expect(await funnel('page')).toEqual({
    '/decline': expect.objectContaining({ views: 2, declined: 0, asks: false }),
  })
})

test('views from before the store opened or during an outage are stored on the next try, ten seconds later', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let isDown = true
  await get('/')
  analytics.start({
    ...store,
    addPageCounts: async counts =>
      isDown ? Promise.reject(new StoreUnavailable('the disk is full.')) : store.addPageCounts(counts),
  })
  await expect.poll(() => logged).toContain('views_kept')
  await get('/')
  isDown = false
  vi.advanceTimersByTime(10_000)
  await expect
    .poll(() => store.funnel({ by: ['page'], since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' }))
    .toMatchObject({ page: [{ key: '/', views: 2 }] })
})

test('many fake campaigns take up little memory, even during a store outage', () => {
  const bucket = { day: '2030-01-31', page: '/', variant: '', asks: true }
  const counted = createPageViews()
  for (let index = 0; index < 10_000; index++) {
    counted.add(bucket, campaignKey({ utm_source: `${index}` }), 'views')
    if (index % 3000 === 0) counted.putBack(counted.take())
  }
  const { views } = counted.take()
  expect(views).toHaveLength(2001)
  expect(views.find(({ campaign }) => campaign === OTHER_CAMPAIGNS)?.views).toBe(8000)
})

describe('a progress report', () => {
  const report = (query: string, headers: Record<string, string> = {}, method = 'POST') =>
    get(`/api/progress?${query}`, { referer: `${server.url}/?utm_source=news`, origin: server.url, ...headers }, method)
  const reached = async () => {
    await flush()
    return store.questionsReached({ since: '2030-01-31', until: '2030-01-31' })
  }

  test('counts each question after `from`, up to and including `to`', async () => {
    expect((await report('from=0&to=3')).status).toBe(204)
    await report('from=3&to=7')
    await report('from=0&to=1')
    expect((await report('from=0&to=1', {}, 'GET')).status).toBe(405)
    expect(await reached()).toEqual([2, 1, 1, 1, 1, 1, 1])
  })

  test('isn’t counted if it’s from another site, another page, or a bot, or has impossible question numbers', async () => {
    await report('from=0&to=1', { 'sec-fetch-site': 'cross-site' })
    await report('from=0&to=1', { referer: `${server.url}/privacy` })
    await report('from=0&to=1', { 'user-agent': 'Googlebot/2.1' })
    for (const query of ['from=0&to=8', 'from=3&to=1', 'from=a&to=b']) await report(query)
    expect(await reached()).toEqual([])
  })

  test('is rate-limited per address', async () => {
    const { host } = new URL(server.url)
    const headers: Record<string, string> = {
      host,
      origin: server.url,
      referer: `${server.url}/`,
      'user-agent': BROWSER,
    }
    const header = (name: string) => headers[name]
    const request = { method: 'POST', path: '/api/progress', query: 'from=0&to=1', header, body: Readable.from([]) }
    const statuses = Array.from({ length: 601 }, () => analytics.progress({ ...request, socketAddress: '::1' }).status)
    expect(statuses).toEqual([...Array(600).fill(204), 429])
    expect(await reached()).toEqual([600])
  })
})

describe('two headlines at one URL', () => {
  const tested = withSecondHeadline(site)
  beforeEach(async () => {
    await stop()
    await start(tested, { TRUST_PROXY: '127.0.0.1' })
    await store.saveConsentText(copyIn(site.copy, 'en').consent)
    // Reads the secret that all servers share.
    await flush()
  })

  const visit = (address: string, headers: Record<string, string> = {}) =>
    get('/', { 'x-forwarded-for': address, ...headers })
  const isOther = async (response: Promise<Response>) =>
    (await (await response).text()).includes('>Another headline</h1>')
  const addresses = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`)
  const sendLead = (name: string, variant: string, headers: Record<string, string> = {}) =>
    get(`/api/leads?${new URLSearchParams(contactOf(name))}`, {
      referer: `${server.url}/`,
      'x-page-variant': variant,
      'x-consent-version': versionOf(copyIn(site.copy, 'en').consent),
      ...headers,
    })

  test('each visitor always gets the same one, and each view counts toward it', async () => {
    const first = await Promise.all(addresses.map(address => isOther(visit(address))))
    const again = await Promise.all(addresses.map(address => isOther(visit(address))))
    expect(again).toEqual(first)
    const others = first.filter(Boolean).length
    expect(Math.min(others, 100 - others)).toBeGreaterThan(20)
    expect(await funnel('variant')).toMatchObject({
      other: { views: 2 * others },
      original: { views: 2 * (100 - others) },
    })

    // Shared caches don't store the page, and a browser's cached copy is valid only for the same variant.
    const [one = '', two = ''] = [false, true].map(which => addresses[first.indexOf(which)])
    const { headers } = await visit(one)
    const copy = { 'if-none-match': headers.get('etag') ?? '' }
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect([(await visit(one, copy)).status, (await visit(two, copy)).status]).toEqual([304, 200])
  })

  test('a lead counts toward the variant its page names; previews are marked, and impossible names are ignored', async () => {
    for (const name of ['original', 'other']) expect((await sendLead(name, name)).status).toBe(202)
    await sendLead('Pat', 'other', { referer: `${server.url}/?variant=other` })
    await sendLead('Eve', '../<b>')
    expect(await funnel('variant')).toEqual({
      original: expect.objectContaining({ leads: 1 }),
      other: expect.objectContaining({ leads: 1 }),
      'preview:other': expect.objectContaining({ submitted: 1 }),
      '': expect.objectContaining({ leads: 1 }),
    })
  })

  test('?variant=name shows that variant to anyone; neither the visit nor its end is counted', async () => {
    for (let time = 0; time < 3; time++) {
      expect(await isOther(get('/?variant=other'))).toBe(true)
      expect(await isOther(get('/?variant=original'))).toBe(false)
    }
    const referer = `${server.url}/?variant=other`
    await get('/thank-you', { referer })
    await get('/api/progress?from=0&to=3&variant=other', { origin: server.url, referer }, 'POST')
    expect(Object.keys(await funnel('variant'))).toEqual([])
    expect(await store.questionsReached({ since: '2000-01-01', until: '2999-12-31' })).toEqual([])
    // A visit with an unknown variant counts as an ordinary visit.
    await get('/?variant=nothing')
    expect(Object.keys(await funnel('variant'))).toHaveLength(1)
  })
})

/** Like a built site: the page itself has a path, and its variant has none. */
function withSecondHeadline(built: Site): Site {
  const page = built.byPath.get('/') as LoadedFile
  const html = textOf(page).replace(/<h1([^>]*)>[^<]*<\/h1>/, '<h1$1>Another headline</h1>')
  const original = { ...page, variant: { of: '/', name: 'original' } }
  const other: LoadedFile = {
    ...page,
    path: null,
    variant: { of: '/', name: 'other' },
    representations: [{ encoding: 'identity', body: Buffer.from(html), etag: '"other"' }],
  }
  const byPath = new Map(built.byPath).set('/', original)
  return { ...built, byPath, variants: new Map([['/', [original, other]]]) }
}

describe('assignment', () => {
  const day = '2030-01-31'
  const addresses = Array.from({ length: 3000 }, (_, index) => `198.18.${index >> 8}.${index & 255}`)
  const picks = (secret: string, on: string) => addresses.map(address => pickVariant(secret, address, on, 2))

  test('can’t be used to track anyone, because it changes every day, and can’t be predicted without the secret', () => {
    const before = picks('secret', day)
    for (const after of [picks('other', day), picks('secret', '2030-02-01')]) {
      const same = after.filter((pick, index) => pick === before[index])
      expect(same.length / addresses.length).toBeCloseTo(0.5, 1)
    }
  })

  test('is stable for a phone whose address changes within its network', () => {
    for (let net = 0; net < 100; net++) {
      const network = `2001:db8:${net.toString(16)}:1`
      const [one, other] = [`${network}::1`, `${network}:aaaa:bbbb:cccc:dddd`]
      expect(pickVariant('secret', one, day, 5)).toBe(pickVariant('secret', other, day, 5))
    }
  })
})
