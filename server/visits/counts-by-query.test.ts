import { expect, test } from 'vitest'
import { campaignKey } from '../../domain/campaign.ts'
import { readCampaign } from '../intake/lead-source.ts'
import { createCampaignOf, createCountsByQuery } from './counts-by-query.ts'
import { createTally } from './tally.ts'

const DAY = '2030-01-31'
const place = { page: '/', variant: '', asks: true }

function counting() {
  const tally = createTally()
  const countsFor = createCountsByQuery(tally, place, createCampaignOf())
  return { tally, view: (query: string, day = DAY) => (countsFor(query, day).views += 1) }
}

const queries = [
  ...['', 'page=2', 'utm_source=news', 'utm_source=news&utm_campaign=spring', 'utm_source=ne%77s', 'utm_source=news&'],
  ...['gclid=one', 'gclid=two', 'fbclid=three', 'gclid=', 'xgclid=one', '&gclid=one', 'gclid=one&gclid=two'],
  ...[
    'utm_source=news&gclid=one',
    'utm_source=news&gclid=two',
    'utm_source=news&msclkid=three',
    'utm_source=news&gclid=',
  ],
  ...[
    'gclid=one&utm_source=news',
    'gclid=two&utm_source=news',
    'utm_source=news&gclid=one&fbclid=two',
    'utm_source=gclid=one',
  ],
]

test.each(queries)('a view of “?%s” is counted where its parameters say, however often it comes', query => {
  const { tally, view } = counting()
  for (let time = 0; time < 3; time++) for (const other of [query, ...queries]) view(other)
  const expected = new Map<string, number>()
  for (const other of [query, ...queries]) {
    const key = campaignKey(readCampaign(new URLSearchParams(other)))
    expected.set(key, (expected.get(key) ?? 0) + 3)
  }
  expect(new Map(tally.take().map(({ campaign, views }) => [campaign, views]))).toEqual(expected)
})

test('after the tally was taken, and on the next day, views are counted anew', () => {
  const { tally, view } = counting()
  const taken = () => tally.take().map(({ day, views }) => [day, views])
  view('utm_source=news')
  view('utm_source=news')
  expect(taken()).toEqual([[DAY, 2]])
  view('utm_source=news')
  view('utm_source=news', '2030-02-01')
  expect(taken()).toEqual([
    [DAY, 1],
    ['2030-02-01', 1],
  ])
})
