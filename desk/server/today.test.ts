import { describe, expect, test } from 'vitest'
import { questions as asked } from '../../content/questions.ts'
import { campaignKey } from '../../domain/campaign.ts'
import { createCalendar } from '../../server/calendar.ts'
import type { Store } from '../../server/store/store.ts'
import { deskOver } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-scene.ts'
import { engines } from '../../tests/support/store-engines.ts'
import type { Today } from '../browser/client.ts'
import { createToday, weekBefore } from './today.ts'

/** A store without leads whose queries take time on a fake clock and are counted while concurrent. */
function slowStore() {
  const scene = { time: 0, takesMs: 0, taken: 0, atOnce: 0, maxAtOnce: 0, fails: false }
  async function answer<T>(value: T): Promise<T> {
    scene.maxAtOnce = Math.max(scene.maxAtOnce, ++scene.atOnce)
    await Promise.resolve()
    scene.atOnce--
    return value
  }
  const store: Parameters<typeof createToday>[0] = {
    storeTime: () => answer(Date.UTC(2030, 0, 15, 12)),
    count: () => answer(0),
    funnel: (async () => {
      scene.taken++
      scene.time += scene.takesMs
      if (scene.fails) throw new Error('the store is away')
      return answer({ day: [], campaign: [], page: [] })
    }) as unknown as Store['funnel'],
    questionsReached: () => answer([]),
    backlog: () => answer({ pending: 0, oldestPendingAgeMs: 0, dead: 0, held: 0, oldestHeldAgeMs: 0, aheadMs: 0 }),
    webhookTimes: () => answer([]),
    deliveryPause: () => answer(null),
  }
  const ask = createToday(store, { timeZone: 'America/New_York', webhookUrl: null }, () => scene.time)
  return { scene, ask }
}

test('requests within a second share one set of figures, taken one query at a time', async () => {
  const { scene, ask } = slowStore()
  await Promise.all([ask(), ask(), ask()])
  scene.time += 999
  expect(await ask()).toMatchObject({ ageMs: 999 })
  expect(scene.taken).toBe(1)
  scene.time += 1
  expect(await ask()).toMatchObject({ ageMs: 0 })
  expect([scene.taken, scene.maxAtOnce]).toEqual([2, 1])
  // A failure isn't shared: the next request asks again.
  scene.time += 1000
  scene.fails = true
  await expect(ask()).rejects.toThrow('away')
  scene.fails = false
  expect(await ask()).toMatchObject({ ageMs: 0 })
})

test('slow figures are refreshed less often, say how old they are, and are never older than two minutes', async () => {
  const { scene, ask } = slowStore()
  scene.takesMs = 300
  await ask()
  scene.time = 29_900
  expect(await ask()).toMatchObject({ ageMs: 29_900 })
  expect(scene.taken).toBe(1)
  scene.time = 30_100
  scene.takesMs = 5000
  expect(await ask()).toMatchObject({ ageMs: 5000 })
  scene.time = 30_100 + 120_000
  await ask()
  expect(scene.taken).toBe(3)
})

const calendar = createCalendar('America/New_York')
const at = (text: string) => Date.parse(text)

test.each([
  ['an ordinary day', '2026-11-18T15:00:00-05:00', '2026-11-11T15:00:00-05:00'],
  ['the day on which clocks go back', '2026-11-01T15:00:00-05:00', '2026-10-25T15:00:00-04:00'],
  ['a week after that day', '2026-11-08T15:00:00-05:00', '2026-11-01T15:00:00-05:00'],
  ['the day on which clocks go forward', '2026-03-08T15:00:00-04:00', '2026-03-01T15:00:00-05:00'],
  ['the last second of a longer day', '2026-11-01T23:59:59-05:00', '2026-10-25T23:59:59-04:00'],
])('%s is compared with the same weekday a week earlier, up to the same wall-clock time', (_, now, before) => {
  expect(weekBefore(calendar, at(now)).sameStretch.until).toBe(at(before))
})

describe.each(engines)('Today, on $name', engine => {
  const scene = deskPerTest(engine)

  test('figures match the lists behind them', async () => {
    await scene.capture('ada', { campaign: { utm_source: 'news' } })
    await scene.capture('bob', { campaign: { utm_source: 'news' }, page: '/advertorial' })
    for (const { leadId, leaseToken } of await scene.store.lease({ limit: 9, leaseMs: 60_000 })) {
      await scene.store.settle({ leadId, leaseToken, durationMs: 1, status: 200, result: 'delivered' })
    }
    await scene.capture('carl')
    await scene.capture('eve', { holdReason: 'a link in the name' })
    const visits = { day: new Date().toISOString().slice(0, 10), page: '/', variant: '' }
    const questions = [40, 30].map((reached, index) => ({ ...visits, question: index + 1, reached }))
    await scene.store.addPageCounts({ views: [], questions })
    // Use a zone where it is noon: the day must not end between a lead and the figures.
    const timeZone = zoneAtNoon()
    const ned = await deskOver(scene.store, { env: { TIME_ZONE: timeZone } }).signedIn('Ned Noon', 'viewer')
    const today = await bodyOf<Today>(ned.ask('/api/today'))
    expect(today).toMatchObject({
      timeZone,
      received: { today: { count: 4 }, before: 0 },
      funnel: { leads: 3, delivered: { count: 2 } },
      delivery: { waiting: { count: 1 }, dead: { count: 0 }, timeToWebhook: { of: 2 }, paused: null, webhook: false },
      waiting: { held: { count: 1 } },
    })
    expect(today.questions[0]).toEqual({ name: asked[0]?.text, reached: 40, left: 10 })
    expect(today.days).toHaveLength(30)
    expect(today.days.at(-1)).toMatchObject({ day: today.today, submitted: { count: 4 }, unfinished: true })
    const figures = [today.received.today, today.funnel.delivered, today.delivery.waiting, today.waiting.held]
    figures.push(...today.days.map(({ submitted }) => submitted))
    for (const { key, submitted: count, filter } of [...today.campaigns, ...today.pages]) {
      expect([key, filter]).toEqual([key, expect.anything()])
      figures.push({ count, filter: filter ?? {} })
    }
    for (const { count, filter } of figures) {
      const listed = await bodyOf(ned.ask('/api/leads/count', { body: { filter } }))
      expect([filter, listed]).toEqual([filter, { total: count, exact: true }])
    }
    expect(await bodyOf(ned.ask('/api/leads/choices'))).toMatchObject({
      pages: expect.arrayContaining(['/', '/advertorial']),
      campaigns: expect.arrayContaining([campaignKey({ utm_source: 'news' }), '']),
    })
  })
})

/** The sign in these zone names is inverted: Etc/GMT+5 is five hours behind. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours()
  // Etc/GMT+0 is never returned as a canonical name.
  if (ahead === 0) return 'UTC'
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
