import { beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { createAlerting } from './alerting.ts'
import { createStoreWatch } from './store-watch.ts'

const MINUTE = 60_000
const quiet = { pending: 0, oldestPendingAgeMs: 0, dead: 0, held: 0, oldestHeldAgeMs: 0, aheadMs: 0 }
const SINCE = Date.parse('2026-03-01T12:00:00Z')

let clock: FakeClock
let backlog: typeof quiet | Error
let pause: { since: number; ageMs: number; reason: string; by: string } | null
/** Whether each of the latest leads has a certificate, newest first. */
let certificates: boolean[]
let probes: number
let log: Readonly<Record<string, unknown>>[]
let texts: string[]
let watch: () => Promise<void>

beforeEach(() => {
  clock = new FakeClock(SINCE)
  backlog = quiet
  pause = null
  certificates = []
  probes = 0
  log = []
  texts = []
  watch = newWatch(true)
})

function newWatch(expectsCertificates: boolean) {
  const { now } = clock
  const { raise, clear } = createAlerting({ now, tick: now, log: (code, detail) => log.push({ code, ...detail }) })
  return createStoreWatch({
    store: {
      backlog: async () => (backlog instanceof Error ? Promise.reject(backlog) : backlog),
      deliveryPause: async () => pause,
      latestCertificates: async limit => certificates.slice(0, limit),
    },
    probe: async () => Promise.reject(new Error(`probe ${++probes} failed`)),
    expectsCertificates,
    alerts: {
      clear,
      raise: (code, text, more) => {
        texts.push(text)
        raise(code, text, more)
      },
    },
  })
}

/** Runs a check with this backlog. Returns what it logs. */
async function check(changed: Partial<typeof quiet> = {}) {
  backlog = { ...quiet, ...changed }
  log = []
  await watch()
  return log
}

test('an undelivered lead raises an alert after ten minutes, when its age doubles, and at least hourly, until it’s delivered', async () => {
  const loggedAt: number[] = []
  for (let minute = 1; minute <= 240; minute++) {
    clock.advance(MINUTE)
    if ((await check({ pending: 1, oldestPendingAgeMs: minute * MINUTE })).length > 0) loggedAt.push(minute)
  }
  expect(loggedAt).toEqual([11, 22, 44, 88, 148, 176, 236])
  expect(texts[0]).toBe('Leads are not reaching the webhook: 1 waiting, the oldest for 11 min. Run `leads doctor`.')
  expect(texts.at(-1)).toContain('the oldest for 4 h')
  expect([await check(), await check()]).toEqual([[{ code: 'deliveries_flow', pending: 0 }], []])
})

test('dead deliveries raise an alert, and another when their number doubles or leads back up, even after an improvement', async () => {
  const stuck = { code: 'deliveries_stuck', level: 'alert', pending: 0, oldestPendingMinutes: 0 }
  expect(await check({ dead: 3 })).toEqual([{ ...stuck, dead: 3 }])
  expect(await check({ dead: 5 })).toEqual([])
  expect(await check({ dead: 6 })).toEqual([{ ...stuck, dead: 6 }])
  const waiting = { dead: 6, pending: 1, oldestPendingAgeMs: 11 * MINUTE }
  for (let turn = 0; turn < 2; turn++) {
    expect(await check(waiting)).toEqual([{ ...stuck, dead: 6, pending: 1, oldestPendingMinutes: 11 }])
    expect(await check({ dead: 6 })).toEqual([])
  }
})

test('the alert about waiting leads mentions a pause but not its reason; a day-long pause raises an alert even if no leads are waiting', async () => {
  pause = { since: SINCE, ageMs: 24 * 60 * MINUTE - 1, reason: 'Ada has called', by: 'ada@desk' }
  const failed = '1 failed after the last retry (to resend: `leads resend --failed`)'
  const paused = 'Deliveries have been paused since 2026-03-01 12:00 UTC'
  const action = 'Resume them on the desk’s Health page, or run `leads resume`.'
  expect(await check()).toEqual([])
  await check({ dead: 1 })
  expect(texts.at(-1)).toBe(`Leads are not reaching the webhook: ${failed}. Run \`leads doctor\`.`)
  await check({ dead: 1, pending: 2, oldestPendingAgeMs: 11 * MINUTE })
  expect(texts.at(-1)).toBe(`${paused}: 2 leads waiting; ${failed}. ${action}`)
  expect(log).toMatchObject([{ code: 'deliveries_stuck', paused: true }])
  await check()
  pause = { ...pause, ageMs: 24 * 60 * MINUTE }
  await check()
  expect(texts.at(-1)).toBe(`${paused}: no leads waiting. ${action}`)
})

test('held leads raise an alert after fifteen minutes, and again when their number doubles, until none are left', async () => {
  const held = (count: number, ms: number) => check({ held: count, oldestHeldAgeMs: ms })
  expect(await held(1, 15 * MINUTE)).toEqual([])
  const alert = { code: 'held_leads_waiting', level: 'alert', oldestHeldMinutes: 16 }
  expect(await held(1, 16 * MINUTE)).toEqual([{ ...alert, held: 1 }])
  const counts = [2, 3, 4]
  for (const count of counts) {
    expect(await held(count, 16 * MINUTE)).toEqual(count === 3 ? [] : [{ ...alert, held: count }])
  }
  expect(await check()).toEqual([{ code: 'held_leads_done', held: 0 }])
})

test('if pages request certificates but leads arrive without any, an alert stays open until one arrives', async () => {
  const latest = (without: number, before: boolean[]) => {
    certificates = [...Array(without).fill(false), ...before]
    return check()
  }
  const half = [true, false, true, false, true, false, true, false, true, false]
  const missing = [{ code: 'certificates_missing', level: 'alert' }]
  expect(await latest(9, half)).toEqual([])
  expect(await latest(10, half.slice(1))).toEqual([])
  expect(await latest(10, [...half, false])).toEqual([])
  expect(await latest(10, half)).toEqual(missing)
  // The alert stays open even when the leads with certificates are no longer among the latest.
  expect(await latest(60, half)).toEqual([])
  expect(await latest(0, half)).toEqual([{ code: 'certificates_back' }])
  watch = newWatch(false)
  expect(await latest(10, half)).toEqual([])
})

test('a clock that was set back keeps an alert open until it catches up', async () => {
  expect(await check({ aheadMs: MINUTE })).toEqual([])
  expect(await check({ aheadMs: 30 * MINUTE })).toEqual([{ code: 'clock_set_back', level: 'alert', aheadMinutes: 30 }])
  expect(await check({ aheadMs: MINUTE })).toEqual([{ code: 'clock_caught_up' }])
})

test('if the store can’t be read, no alerts are cleared; every check also tries a write', async () => {
  await check({ dead: 1 })
  backlog = new StoreUnavailable('the disk has a read or write error.')
  log = []
  await watch()
  expect(log).toEqual([{ code: 'store_unreadable', level: 'alert', reason: 'StoreUnavailable' }])
  expect((await check()).map(({ code }) => code)).toEqual(['deliveries_flow', 'store_readable'])
  expect(probes).toBe(3)
})
