import { expect, test } from 'vitest'
import { campaignKey, campaignName, campaignOf, NO_CAMPAIGN, OTHER_CAMPAIGNS } from './campaign.ts'

test('a campaign is a source, medium, and name; other parameters don’t split it', () => {
  const key = campaignKey({ utm_source: 'news', utm_medium: 'mail', utm_campaign: 'spring', utm_content: 'blue' })
  expect(key).toBe(campaignKey({ utm_campaign: 'spring', utm_medium: ' mail ', utm_source: 'news', utm_term: 'x' }))
  expect(campaignOf(key)).toEqual({ source: 'news', medium: 'mail', campaign: 'spring', clickId: false })
})

test('only the presence of a click ID is stored', () => {
  const one = campaignKey({ gclid: 'Cj0KCQjw-person-one', utm_source: 'search' })
  expect(one).toBe(campaignKey({ gclid: 'Cj0KCQjw-person-two', utm_source: 'search' }))
  expect(one).not.toContain('person')
  expect(one).not.toBe(campaignKey({ utm_source: 'search' }))
  expect(campaignOf(campaignKey({ fbclid: 'abc' }))).toEqual({ source: '', medium: '', campaign: '', clickId: true })
})

test('without UTM parameters or a click ID, there is no campaign', () => {
  for (const parameters of [{}, { ref: 'x' }, { utm_source: ' ' }]) expect(campaignKey(parameters)).toBe(NO_CAMPAIGN)
  expect(campaignOf(NO_CAMPAIGN)).toBeNull()
  expect(campaignOf(OTHER_CAMPAIGNS)).toBeNull()
})

test('a visitor can’t forge the “other campaigns” key or create a long one', () => {
  expect(campaignKey({ utm_source: OTHER_CAMPAIGNS })).not.toBe(OTHER_CAMPAIGNS)
  const long = '\u{1F600}'.repeat(1000)
  const key = campaignKey({ utm_source: long, utm_medium: long, utm_campaign: long })
  expect(Buffer.byteLength(key)).toBeLessThan(800)
  expect(key.isWellFormed()).toBe(true)
  expect(campaignKey({ utm_source: 'a\0b' })).not.toContain('\0')
})

test.each([
  [{ utm_campaign: 'spring' }, 'spring'],
  [{ utm_source: 'radio', utm_medium: 'audio', utm_campaign: 'show' }, 'show · radio / audio'],
  [{ utm_source: 'search', gclid: 'x' }, 'search (ad click)'],
  [{ gclid: 'x' }, 'Ad click'],
  [{}, 'No campaign'],
  [{ utm_source: 'a\u202eb', utm_campaign: '\u2066show' }, 'show · ab'],
])('%j is shown as %j', (parameters, name) => expect(campaignName(campaignKey(parameters))).toBe(name))

test('a key typed by hand is shown as is', () => {
  expect(campaignName('spring')).toBe('spring')
  expect(campaignName(OTHER_CAMPAIGNS)).toBe('All other campaigns')
})
