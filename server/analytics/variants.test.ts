/** Two headlines at one address, through the production app by real HTTP: who gets which, and what is counted. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT } from '../../build/build.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { listen } from '../../tests/support/receiver.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createClientAddress } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import { type LoadedFile, loadSite, type Site, textOf } from '../http/load-site.ts'
import { versionOf } from '../presented-version.ts'
import type { FunnelLine } from '../store/funnel.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { type Analytics, createAnalytics, createVariantAssignment } from './analytics.ts'

const HEADLINE = /<h1([^>]*)>[^<]*<\/h1>/
const BROWSER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1'

let folder: string
let store: Store
let analytics: Analytics
let server: Awaited<ReturnType<typeof listen>>
let site: Site

beforeAll(async () => {
  site = withSecondHeadline(loadSite(BUILT))
  folder = mkdtempSync(join(tmpdir(), 'variants-'))
  store = openSqliteStore(join(folder, 'leads.sqlite'))
  await store.rememberConsent(site.words.consent)
  const config = readConfig({ DATA_DIR: folder, TRUST_PROXY: '127.0.0.1' })
  analytics = createAnalytics(config, { site, log: () => {} })
  server = await listen(createApp(config, { site, store, analytics, log: () => {} }))
})
afterAll(async () => {
  await server.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

/** As the build makes them: the page itself has the address, its variant has none. */
function withSecondHeadline(built: Site): Site {
  const page = built.byPath.get('/') as LoadedFile
  const body = new Uint8Array(Buffer.from(textOf(page).replace(HEADLINE, '<h1$1>Another headline</h1>')))
  const original = { ...page, variant: { of: '/', name: 'original' } }
  const other: LoadedFile = {
    ...page,
    path: null,
    variant: { of: '/', name: 'other' },
    representations: [{ encoding: 'identity', body, etag: '"other"' }],
  }
  return {
    ...built,
    byPath: new Map(built.byPath).set('/', original),
    variants: new Map([['/', [original, other]]]),
  }
}

const visit = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/`, { headers: { 'user-agent': BROWSER, 'x-forwarded-for': address, ...headers } })
const addresses = Array.from({ length: 200 }, (_, index) => `198.51.100.${index}`)
const isOther = (html: string) => html.includes('>Another headline</h1>')
const byVariant = async (): Promise<Record<string, FunnelLine>> => {
  analytics.start(store)
  await analytics.stop()
  const lines = await store.funnel({ by: ['variant'], since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
  return Object.fromEntries(lines.variant.map(line => [line.key, line]))
}

/** The first address that gets this one. */
async function visitorOf(variant: 'original' | 'other'): Promise<string> {
  for (const address of addresses)
    if (isOther(await (await visit(address)).text()) === (variant === 'other')) return address
  throw new Error(`Nobody gets ${variant}.`)
}

test('visitors get one or the other, the same one whenever they come, and each view is counted for it', async () => {
  const before = await byVariant()
  const first = await Promise.all(addresses.map(async address => isOther(await (await visit(address)).text())))
  const again = await Promise.all(addresses.map(async address => isOther(await (await visit(address)).text())))
  expect(again).toEqual(first)
  const others = first.filter(Boolean).length
  expect(others).toBeGreaterThan(60)
  expect(others).toBeLessThan(140)
  const after = await byVariant()
  expect(after['other']?.views).toBe((before['other']?.views ?? 0) + 2 * others)
  expect(after['original']?.views).toBe((before['original']?.views ?? 0) + 2 * (addresses.length - others))
})

test('no shared cache may keep one for another visitor, and a browser’s own copy is good only for the same one', async () => {
  const [one, two] = [await visitorOf('original'), await visitorOf('other')]
  const answers = [await visit(one), await visit(two)]
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('private, no-cache')
  const [ofOne = '', ofTwo = ''] = answers.map(({ headers }) => headers.get('etag') ?? '')
  expect(ofOne).not.toBe(ofTwo)
  expect((await visit(one, { 'if-none-match': ofOne })).status).toBe(304)
  expect((await visit(two, { 'if-none-match': ofOne })).status).toBe(200)
})

test('pages without variants are cached as before', async () => {
  const { headers } = await fetch(`${server.url}/advertorial`)
  expect(headers.get('cache-control')).toBe('no-cache')
})

test('a lead is counted for the variant that its page names, whichever its address would get now', async () => {
  const address = await visitorOf('original')
  const before = await byVariant()
  const query = new URLSearchParams(contactOf('Ada')).toString()
  const answer = await fetch(`${server.url}/api/leads?${query}`, {
    headers: {
      ...{ accept: 'application/json', 'x-forwarded-for': address, referer: `${server.url}/` },
      ...{ 'x-consent-version': versionOf(site.words.consent), 'x-page-variant': 'other' },
    },
  })
  expect(answer.status).toBe(202)
  const after = await byVariant()
  expect(after['other']?.leads).toBe((before['other']?.leads ?? 0) + 1)
  expect(after['original']?.leads).toBe(before['original']?.leads)
})

test('?variant=name shows that variant to anybody; neither the visit nor its end is counted', async () => {
  const before = await byVariant()
  const preview = (name: string) => fetch(`${server.url}/?variant=${name}`, { headers: { 'user-agent': BROWSER } })
  for (let time = 0; time < 3; time++) {
    expect(isOther(await (await preview('other')).text())).toBe(true)
    expect(isOther(await (await preview('original')).text())).toBe(false)
  }
  const referer = `${server.url}/?variant=other`
  await fetch(`${server.url}/thank-you`, { headers: { 'user-agent': BROWSER, referer } })
  await fetch(`${server.url}/api/progress?from=0&to=3&variant=other`, {
    method: 'POST',
    headers: { 'user-agent': BROWSER, origin: server.url, referer },
  })
  expect(await byVariant()).toEqual(before)
  expect(await store.questionsReached({ since: '2000-01-01', until: '2999-12-31' })).toEqual([])
  // A name that the page does not have is an ordinary visit.
  await preview('nothing')
  expect(await byVariant()).not.toEqual(before)
})

test('a lead from a preview says so, and counts for no variant', async () => {
  const before = await byVariant()
  await fetch(`${server.url}/api/leads?${new URLSearchParams(contactOf('Pat'))}`, {
    headers: {
      ...{ accept: 'application/json', referer: `${server.url}/?variant=other` },
      ...{ 'x-consent-version': versionOf(site.words.consent), 'x-page-variant': 'other' },
    },
  })
  const after = await byVariant()
  expect(after['preview:other']).toMatchObject({ submitted: 1 })
  expect(after['other']).toEqual(before['other'])
})

test('a name that no variant can have is not believed', async () => {
  const query = new URLSearchParams(contactOf('Eve')).toString()
  await fetch(`${server.url}/api/leads?${query}`, {
    headers: {
      ...{ accept: 'application/json', referer: `${server.url}/` },
      ...{ 'x-consent-version': versionOf(site.words.consent), 'x-page-variant': '../<b>' },
    },
  })
  expect((await byVariant())['']).toMatchObject({ leads: 1 })
})

describe('assignment', () => {
  const day = '2030-01-31'
  const dealing = () => createVariantAssignment(createClientAddress(['10.0.0.1']))
  const from = (address: string): HttpRequest => ({
    ...{ method: 'GET', path: '/', query: '', socketAddress: '10.0.0.1', body: undefined as never },
    header: name => (name === 'x-forwarded-for' ? address : undefined),
  })
  const visitors = Array.from({ length: 30_000 }, (_, index) => from(`198.18.${index >> 8}.${index & 255}`))

  test('a visitor gets the same all day, from every server with the same secret', () => {
    const [one, two, stranger] = [dealing(), dealing(), dealing()]
    one.shareSecret('shared')
    two.shareSecret('shared')
    for (const visitor of visitors.slice(0, 1000)) expect(one.pick(visitor, 3, day)).toBe(two.pick(visitor, 3, day))
    const alike = visitors.filter(visitor => one.pick(visitor, 2, day) === stranger.pick(visitor, 2, day))
    expect(alike.length / visitors.length).toBeCloseTo(0.5, 1)
  })

  test('the next day assigns again, so that variants can’t track anyone', () => {
    const one = dealing()
    const before = visitors.map(visitor => one.pick(visitor, 2, day))
    const same = visitors.filter((visitor, index) => one.pick(visitor, 2, '2030-02-01') === before[index])
    expect(same.length / visitors.length).toBeCloseTo(0.5, 1)
  })

  test.each([2, 3, 5])('of %i, each is dealt out to as many', count => {
    const one = dealing()
    const dealt = visitors.map(visitor => one.pick(visitor, count, day))
    for (let which = 0; which < count; which++) {
      const share = dealt.filter(each => each === which).length / visitors.length
      // Five standard deviations: by chance alone, once in two million runs.
      expect(Math.abs(share - 1 / count)).toBeLessThan(5 * Math.sqrt(0.25 / visitors.length))
    }
  })

  test('a phone that changes its address within its network keeps what it got', () => {
    const one = dealing()
    for (let net = 0; net < 100; net++) {
      const network = `2001:db8:${net.toString(16)}:1`
      expect(one.pick(from(`${network}::1`), 5, day)).toBe(one.pick(from(`${network}:aaaa:bbbb:cccc:dddd`), 5, day))
    }
  })
})
