import { describe, expect, test } from 'vitest'
import { campaignKey } from '../../domain/campaigns/campaign.ts'
import { DAY, HOUR } from '../../domain/durations.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { passTime } from '../../tests/support/pass-time.ts'
import { deliverAll, engines } from '../../tests/support/store-engines.ts'
import { zoneAtNoon } from '../../tests/support/zone-at-noon.ts'
import type { Today, TodayCalls } from '../browser/client.ts'
import { sameTimeBefore, shared } from './today.ts'

const calendar = createCalendar('America/New_York')
const at = (text: string) => Date.parse(text)

test.each([
  ['an ordinary day', '2026-11-18T15:00:00-05:00', '2026-11-11T15:00:00-05:00'],
  ['the day clocks go back', '2026-11-01T15:00:00-05:00', '2026-10-25T15:00:00-04:00'],
  ['a week after clocks go back', '2026-11-08T15:00:00-05:00', '2026-11-01T15:00:00-05:00'],
  ['the day clocks go forward', '2026-03-08T15:00:00-04:00', '2026-03-01T15:00:00-05:00'],
  ['the last second of a 25-hour day', '2026-11-01T23:59:59-05:00', '2026-10-25T23:59:59-04:00'],
])('%s is compared with the same weekday a week earlier, up to the same wall-clock time', (_, now, before) => {
  expect(sameTimeBefore(calendar, at(now), 7).untilSameTime.until).toBe(at(before))
})

test('a page that asks during a load gets one that began later, together with all others that ask', async () => {
  const loads: PromiseWithResolvers<number>[] = []
  const ask = shared(() => {
    const load = Promise.withResolvers<number>()
    loads.push(load)
    return load.promise
  })
  const asked = [ask(), ask(), ask()]
  loads[0]?.resolve(1)
  expect(await asked[0]).toBe(1)
  expect(loads).toHaveLength(2)
  const later = ask()
  loads[1]?.reject(new Error('down'))
  await expect(Promise.all(asked)).rejects.toThrow('down')
  await expect(asked[2]).rejects.toThrow('down')
  loads[2]?.resolve(3)
  expect(await later).toBe(3)
})

describe.each(engines)('Today, on $name', engine => {
  const harness = deskPerTest(engine)

  test('counts the day, and what needs attention', async () => {
    await harness.capture('ada', { campaign: { utm_source: 'news' } })
    await harness.capture('bob', { campaign: { utm_source: 'news' }, page: '/advertorial' })
    await deliverAll(harness.store)
    await harness.capture('carl')
    await harness.capture('eve', { holdReason: 'a link in the name' })
    // Use a zone where it's noon, so the day doesn't end between a capture and its count.
    const timeZone = zoneAtNoon()
    const ned = await createTestDesk(harness.store, { env: { TIME_ZONE: timeZone } }).signedIn('Ned Noon', 'viewer')
    const today = await bodyOf<Today>(ned.fetch('/api/today'))
    expect(today).toMatchObject({
      received: { today: { count: 4 }, before: 0 },
      funnel: { leads: { count: 3 }, delivered: { count: 2 } },
      waiting: { held: { count: 1 }, dead: { count: 0 } },
    })
    expect(today.days).toHaveLength(30)
    expect(today.days.at(-1)).toMatchObject({ day: today.today, received: { count: 4 }, unfinished: true })
    expect(await bodyOf(ned.fetch('/api/leads/choices'))).toMatchObject({
      pages: expect.arrayContaining(['/', '/advertorial']),
      campaigns: expect.arrayContaining([campaignKey({ utm_source: 'news' }), '']),
    })
  })

  test('calls are counted by period, person, and campaign, and compared with the days before', async () => {
    const env = { TIME_ZONE: zoneAtNoon() }
    const maria = await createTestDesk(harness.store, { env }).signedIn('Maria Noon', 'editor')
    const campaign = { utm_source: 'radio' }
    const ada = await harness.capture('ada', { campaign })
    await harness.capture('bob', { campaign, contact: { ...contactOf('bob'), phone: '(212) 555-0103' } })
    await harness.capture('carl', { contact: { ...contactOf('carl'), phone: '(212) 555-0104' } })
    await bodyOf(maria.fetch(`/api/calls/${ada}/start`, { body: { overrideReason: 'asked by email' } }))
    await bodyOf(
      maria.fetch(`/api/calls/${ada}/outcome`, { body: { outcomes: [{ outcome: 'going ahead', leads: [ada] }] } }),
    )
    const calls = (period: string) => bodyOf<TodayCalls>(maria.fetch(`/api/today/calls?period=${period}`))
    const calendar = createCalendar(env.TIME_ZONE)
    const today = calendar.dateOf(await harness.store.storeTime())
    const days = { today: 0, '7d': 6, '30d': 29 }
    for (const [period, before] of Object.entries(days)) {
      const figures = await calls(period)
      expect(figures.received.filter).toEqual({ from: calendar.daysAfter(today, -before), to: today, cameIn: 'form' })
      expect(figures).toMatchObject({
        period,
        calls: 1,
        people: { count: 1 },
        received: { count: 3 },
        waiting: { people: { count: 2 } },
        agents: [{ name: 'Maria Noon', calls: 1, people: { count: 1 }, goingAhead: { count: 1 } }],
        campaigns: [
          { key: campaignKey(campaign), leads: { count: 2 }, called: { count: 1 }, neverCall: { count: 0 } },
          { key: '', leads: { count: 1 }, called: { count: 0 } },
        ],
        // Nobody was there before.
        before: null,
      })
    }
    await passTime(harness, 7 * DAY, ada)
    expect(await calls('7d')).toMatchObject({
      people: { count: 0 },
      before: { received: 0, calls: 1, people: 1, goingAhead: 1 },
    })
    // The week before is counted up to the same time, because today isn't over yet.
    await passTime(harness, -HOUR, ada)
    expect(await calls('7d')).toMatchObject({ people: { count: 0 }, before: null })
    await passTime(harness, HOUR, ada)
    expect(await calls('yesterday')).toMatchObject({ calls: 0, received: { count: 0 }, agents: [], campaigns: [] })
    expect((await maria.fetch('/api/today/calls?period=year')).status).toBe(400)
    // There are none if the CRM owns the calls.
    const crm = { LEAD_WEBHOOK_URL: 'https://crm.example.org/leads', CALL_LIST: 'off' }
    const ned = await createTestDesk(harness.store, { env: crm }).signedIn('Ned Noon', 'viewer')
    expect((await ned.fetch('/api/today/calls?period=today')).status).toBe(404)
    expect((await ned.fetch('/api/today')).status).toBe(200)
  })
})
