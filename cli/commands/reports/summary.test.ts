import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, insertLeads } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'

const HOUR = 3_600_000

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

async function json(...argv: readonly string[]) {
  const { code, out } = await leads(['list', ...argv, '--json'], store)
  expect(code).toBe(0)
  return JSON.parse(out)
}

const fewLeads = [
  { receivedAt: NOW, delivery: 'delivered' },
  { receivedAt: NOW, delivery: 'dead', page: '/advertorial' },
  { receivedAt: NOW - 24 * HOUR, campaign: { utm_campaign: 'spring' } },
  { receivedAt: NOW - 24 * HOUR, state: 'held', delivery: null, campaign: { utm_campaign: 'spring' } },
  { receivedAt: NOW - 400 * HOUR, state: 'repeat', delivery: null },
  { receivedAt: NOW - 400 * HOUR, state: 'erased', delivery: 'delivered', campaign: {} },
] as const

describe('a summary', () => {
  test('counts by state, by delivery and by day', async () => {
    insertLeads(store.file, fewLeads)
    const { states, deliveries, days, timeZone } = await json('--summary')
    expect(states).toEqual({ accepted: 3, held: 1, rejected: 0, repeat: 1, erased: 1 })
    expect(deliveries).toEqual({ pending: 1, delivered: 2, dead: 1 })
    expect(timeZone).toBe('UTC')
    expect(days).toHaveLength(14)
    expect(days.slice(0, 3)).toEqual([
      { date: '2030-01-16', leads: 2 },
      { date: '2030-01-15', leads: 2 },
      { date: '2030-01-14', leads: 0 },
    ])
    const words = (await leads(['list', '--summary'], store)).out
    for (const line of [/^held +1$/m, /^delivered +2$/m, /^DAY \(UTC\)/m, /^2030-01-16 +2$/m]) {
      expect(words).toMatch(line)
    }
  })

  test('is of the leads that are chosen by filters', async () => {
    insertLeads(store.file, fewLeads)
    const { states, deliveries, days } = await json('--summary', '--since', '2d', '--campaign', 'utm_campaign=spring')
    expect(states).toEqual({ accepted: 1, held: 1, rejected: 0, repeat: 0, erased: 0 })
    expect(deliveries).toEqual({ pending: 1, delivered: 0, dead: 0 })
    expect(days.slice(0, 2)).toEqual([
      { date: '2030-01-16', leads: 0 },
      { date: '2030-01-15', leads: 2 },
    ])
  })

  test('with --since lists the days from there, or from the first lead', async () => {
    insertLeads(store.file, [{ receivedAt: Date.UTC(2029, 5, 1, 12) }, {}])
    const { days } = await json('--summary', '--since', '2020-01-01')
    expect(days[0]).toEqual({ date: '2030-01-16', leads: 0 })
    expect(days.at(-1)).toEqual({ date: '2029-06-01', leads: 1 })
    expect((await json('--summary', '--since', '2029-05-15')).days).toHaveLength(days.length)
    expect((await json('--summary', '--since', '2029-12-25')).days).toHaveLength(14)
  })
})

describe('--by', () => {
  test('takes the name of any parameter that may be kept', async () => {
    insertLeads(store.file, [{ campaign: { 'sub-id': '7' } }, { campaign: {} }])
    expect(await json('--by', 'sub-id')).toMatchObject([
      { 'sub-id': null, received: 1 },
      { 'sub-id': '7', received: 1 },
    ])
  })

  test('campaign counts by utm_campaign, the largest first, and what has none or is erased', async () => {
    insertLeads(store.file, fewLeads)
    expect(await json('--by', 'campaign')).toEqual([
      expect.objectContaining({ utm_campaign: null, received: 3, accepted: 2, repeat: 1, delivered: 1, dead: 1 }),
      expect.objectContaining({ utm_campaign: 'spring', received: 2, accepted: 1, held: 1, pending: 1 }),
      expect.objectContaining({ utm_campaign: null, erasedWithIt: true, received: 1, erased: 1, delivered: 1 }),
    ])
    const { out } = await leads(['list', '--by', 'campaign'], store)
    expect(out.split('\n')[0]).toMatch(
      /^UTM_CAMPAIGN +RECEIVED +ACCEPTED +HELD +REJECTED +REPEAT +DELIVERED +PENDING +DEAD$/,
    )
    expect(out.split('\n')[1]).toMatch(/^\(none\) +3 +2 +0 +0 +1 +1 +0 +1$/)
    expect(out.split('\n')[3]).toMatch(/^\(erased\) +1 +0 +0 +0 +0 +1 +0 +0$/)
  })

  test('page and any parameter, of the leads that are chosen', async () => {
    insertLeads(store.file, fewLeads)
    expect(await json('--by', 'page', '--since', 'today')).toEqual([
      expect.objectContaining({ page: '/', received: 1 }),
      expect.objectContaining({ page: '/advertorial', received: 1 }),
    ])
    expect(await json('--by', 'utm_source', '--state', 'repeat')).toEqual([
      expect.objectContaining({ utm_source: 'news', received: 1 }),
    ])
  })

  test('shows as many groups as the limit says, and tells of the others', async () => {
    insertLeads(
      store.file,
      Array.from({ length: 60 }, (_, index) => ({ campaign: { utm_source: `s${index}` } })),
    )
    expect(await json('--by', 'utm_source')).toHaveLength(50)
    const { err } = await leads(['list', '--by', 'utm_source', '--limit', '2'], store)
    expect(err).toBe('Only the 2 largest of 60 groups: --limit shows more.\n')
  })

  test('day counts the days of the operator’s zone, those of 23 and 25 hours too', async () => {
    const env = { TIME_ZONE: 'America/New_York' }
    // Midnights of New York: clocks go back on November 1, and forward on March 8.
    const [back, next] = [Date.UTC(2026, 10, 1, 4), Date.UTC(2026, 10, 2, 5)]
    insertLeads(
      store.file,
      [back - 1, back, next - HOUR, next - 1, next].map(receivedAt => ({ receivedAt })),
    )
    const at = { ...store, env, now: next + HOUR }
    const { out } = await leads(['list', '--by', 'day', '--since', '2026-10-31', '--json'], at)
    expect(JSON.parse(out).map(({ day, received }: { day: string; received: number }) => [day, received])).toEqual([
      ['2026-11-02', 1],
      ['2026-11-01', 3],
      ['2026-10-31', 1],
    ])
    const words = (await leads(['list', '--by', 'day', '--since', '2026-10-31'], at)).out
    expect(words).toMatch(/^DAY \(America\/New_York\) +RECEIVED/)
    const spring = { ...at, now: Date.UTC(2026, 2, 9, 12) }
    const days = JSON.parse((await leads(['list', '--by', 'day', '--since', '2026-03-07', '--json'], spring)).out)
    expect(days.map(({ day }: { day: string }) => day)).toEqual(['2026-03-09', '2026-03-08', '2026-03-07'])
  })

  test('day without --since is the last 14 days', async () => {
    expect(await json('--by', 'day')).toHaveLength(14)
  })

  test('anything else is explained', async () => {
    const { code, err } = await leads(['list', '--by', 'a b'], store)
    expect([code, err]).toEqual([2, expect.stringContaining('--by is "a b"')])
  })
})
