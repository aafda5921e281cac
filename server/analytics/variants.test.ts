/** Two headlines at one URL, through the production app over real HTTP: who gets which, and how they are counted. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT } from '../../build/build.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { listen } from '../../tests/support/receiver.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { type LoadedFile, loadSite, type Site, textOf } from '../http/site.ts'
import type { FunnelLine } from '../store/funnel.ts'
import { versionOf } from '../store/presented.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { type Analytics, createAnalytics, pickVariant } from './analytics.ts'

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
  await store.saveConsentText(site.words.consent)
  const config = readConfig({ DATA_DIR: folder, TRUST_PROXY: '127.0.0.1' })
  analytics = createAnalytics(config, { site, log: () => {} })
  server = await listen(createApp(config, { site, store, analytics, log: () => {} }))
})
afterAll(async () => {
  await server.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

/** As built: the page itself has a path, its variant has none. */
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

const sendLead = (name: string, variant: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/leads?${new URLSearchParams(contactOf(name))}`, {
    headers: {
      ...{ accept: 'application/json', referer: `${server.url}/`, 'x-page-variant': variant },
      ...{ 'x-consent-version': versionOf(site.words.consent), ...headers },
    },
  })

/** The first address that gets this variant. */
async function visitorOf(variant: 'original' | 'other'): Promise<string> {
  for (const address of addresses)
    if (isOther(await (await visit(address)).text()) === (variant === 'other')) return address
  throw new Error(`No one gets ${variant}.`)
}

test('visitors get one or the other, the same one on every visit, and each view is counted for it', async () => {
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

test('shared caches don’t store variants, and a browser’s cached copy is valid only for the same one', async () => {
  const [one, two] = [await visitorOf('original'), await visitorOf('other')]
  const answers = [await visit(one), await visit(two)]
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('private, no-cache')
  const [ofOne = '', ofTwo = ''] = answers.map(({ headers }) => headers.get('etag') ?? '')
  expect(ofOne).not.toBe(ofTwo)
  expect((await visit(one, { 'if-none-match': ofOne })).status).toBe(304)
  expect((await visit(two, { 'if-none-match': ofOne })).status).toBe(200)
})

test('a lead is counted for the variant its page names, not the one its address would get now', async () => {
  const address = await visitorOf('original')
  const before = await byVariant()
  expect((await sendLead('Ada', 'other', { 'x-forwarded-for': address })).status).toBe(202)
  const after = await byVariant()
  expect(after['other']?.leads).toBe((before['other']?.leads ?? 0) + 1)
  expect(after['original']?.leads).toBe(before['original']?.leads)
})

test('?variant=name shows that variant to anyone; neither the visit nor its end is counted', async () => {
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
  // A variant that the page doesn't have counts as an ordinary visit.
  await preview('nothing')
  expect(await byVariant()).not.toEqual(before)
})

test('a lead from a preview is marked and counts for no variant; an impossible name is ignored', async () => {
  const before = await byVariant()
  await sendLead('Pat', 'other', { referer: `${server.url}/?variant=other` })
  await sendLead('Eve', '../<b>')
  const after = await byVariant()
  expect(after['preview:other']).toMatchObject({ submitted: 1 })
  expect(after['other']).toEqual(before['other'])
  expect(after['']).toMatchObject({ leads: 1 })
})

describe('assignment', () => {
  const day = '2030-01-31'
  const addresses = Array.from({ length: 30_000 }, (_, index) => `198.18.${index >> 8}.${index & 255}`)
  const picks = (secret: string, on: string) => addresses.map(address => pickVariant(secret, address, on, 2))

  test.each([
    ['another secret, so that outsiders can’t tell', 'other', day],
    ['another day, so that variants can’t track anyone', 'secret', '2030-02-01'],
  ])('is independent with %s', (_, secret, on) => {
    const before = picks('secret', day)
    const same = picks(secret, on).filter((pick, index) => pick === before[index])
    expect(same.length / addresses.length).toBeCloseTo(0.5, 1)
  })

  test.each([2, 3, 5])('of %i variants is even', count => {
    const dealt = addresses.map(address => pickVariant('secret', address, day, count))
    for (let which = 0; which < count; which++) {
      const share = dealt.filter(each => each === which).length / addresses.length
      // Five standard deviations with a fixed secret: it always passes or always fails.
      expect(Math.abs(share - 1 / count)).toBeLessThan(5 * Math.sqrt(0.25 / addresses.length))
    }
  })

  test('is stable for a phone that changes its address within its network', () => {
    for (let net = 0; net < 100; net++) {
      const network = `2001:db8:${net.toString(16)}:1`
      const [one, other] = [`${network}::1`, `${network}:aaaa:bbbb:cccc:dddd`]
      expect(pickVariant('secret', one, day, 5)).toBe(pickVariant('secret', other, day, 5))
    }
  })
})
