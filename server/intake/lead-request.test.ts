import { expect, test } from 'vitest'
import { isSentToOurHostname, leadSource, readCampaign, readVariant } from './lead-request.ts'

const isOwnHost = (host: string) => host === 'www.example.org'

test('the page is unknown if the referer isn’t one of ours', () => {
  for (const referer of [undefined, '', 'nonsense', 'about:blank', 'https://www.example.org.evil.example/']) {
    expect(leadSource(referer, isOwnHost)).toEqual({ page: 'unknown', campaign: {} })
  }
})

test.each([
  ['plain', 'https://www.example.org/', 'plain'],
  ['plain', 'https://www.example.org/?variant=plain', 'preview:plain'],
  ['plain', 'https://www.example.org/?variant=other', 'plain'],
  ['preview:plain', '', 'preview:plain'],
  ['<b>', '', ''],
])('the variant %j on a page at %j is stored as %j', (reported, referer, variant) => {
  expect(readVariant(reported, referer)).toBe(variant)
})

test('keeps parameters that the operator lists, but not similar ones', () => {
  const query = 'sub-id=7&subid=8&constructor=x&aff_id=9'
  expect(readCampaign(query)).toEqual({})
  expect(readCampaign(query, ['sub-id', 'aff_id'])).toEqual({ 'sub-id': '7', aff_id: '9' })
})

test.each(['x', '"', '😀', 'é'])('a campaign full of “%s” takes up at most 1 KB', character => {
  const query = Array.from({ length: 9 }, (_, index) => `utm_${index}=${character.repeat(200)}`).join('&')
  const campaign = readCampaign(query)
  const bytes = Buffer.byteLength(JSON.stringify(campaign))
  expect(bytes).toBeLessThanOrEqual(1024)
  expect(bytes).toBeGreaterThan(600)
})

test('reads as much of a query as of any other, however it comes in', () => {
  expect(readCampaign(`${'&'.repeat(2040)}ref=tv&utm_source=x`)).toEqual({ ref: 'tv' })
})

test('keeps parameters that fit when another one doesn’t', () => {
  const long = Array.from({ length: 5 }, (_, index) => `utm_${index}=${'x'.repeat(200)}`).join('&')
  const campaign = readCampaign(`${long}&gclid=short`)
  expect(Object.keys(campaign)).toEqual(['utm_0', 'utm_1', 'utm_2', 'utm_3', 'gclid'])
})

test('a parameter is truncated to 200 characters, and stored as clean text even if that cuts one in half', () => {
  const query = new URLSearchParams({
    ref: `${'x'.repeat(199)}😀`,
    source: 'a\u0000b',
    campaign: 'TV\u202E\u200Bgnirps',
  })
  expect(readCampaign(`${query}`)).toEqual({ ref: `${'x'.repeat(199)}\uFFFD`, source: 'a b', campaign: 'TVgnirps' })
})

test.each<[boolean, Record<string, string>]>([
  [true, { host: 'WWW.example.org' }],
  [true, { host: 'www.example.org:8443' }],
  // A proxy changed the Host header.
  [true, { host: '10.0.0.1', referer: 'https://www.example.org/?ref=tv' }],
  [false, { host: 'evil.example' }],
  [false, { host: 'www.example.org.evil.example' }],
  [false, { host: '127.0.0.1' }],
  [false, { host: '99999999999999999999' }],
  [false, { host: 'evil.example', referer: 'https://evil.example/', origin: 'https://evil.example' }],
])('sent to our public hostname: %s for %j', (expected, headers) => {
  expect(isSentToOurHostname(name => headers[name], 'www.example.org')).toBe(expected)
})
