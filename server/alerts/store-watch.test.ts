import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { captureLead, type LeadStore, openLeadStore, submissionOf } from '../../tests/support/lead-store.ts'
import type { Log } from '../log.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { createAlerting } from './alerting.ts'
import { createStoreWatch } from './store-watch.ts'

const MINUTE = 60_000
const ALERT = 'deliveries_stuck'
const OVER = 'deliveries_flow'

let clock: FakeClock
let leads: LeadStore
let watch: () => Promise<void>
let log: Readonly<Record<string, unknown>>[]
let texts: string[]
let unreadable: Error | null

beforeEach(() => {
  clock = new FakeClock(Date.parse('2026-03-01T12:00:00Z'))
  leads = openLeadStore(clock.now)
  log = []
  texts = []
  unreadable = null
  watch = newWatch()
})

afterEach(() => leads.remove())

/** A new watch, as after a server start. */
function newWatch(certified = false) {
  const logLine: Log = (code, detail) => log.push({ code, ...detail })
  const { raise, clear } = createAlerting({ now: clock.now, tick: clock.now, log: logLine })
  return createStoreWatch({
    store: { ...leads.store, backlog: async () => (unreadable ? Promise.reject(unreadable) : leads.store.backlog()) },
    probe: leads.store.probe,
    certified,
    alerts: {
      clear,
      raise: (code, text, more) => {
        texts.push(text)
        raise(code, text, more)
      },
    },
  })
}

const capture = (name: string) => captureLead(leads.store, { name })

async function lease() {
  const [delivery] = await leads.store.lease({ limit: 1, leaseMs: MINUTE })
  if (!delivery) throw new Error('nothing is due')
  return delivery
}

/** Captures a lead whose delivery fails on the last retry. */
async function dies(name: string): Promise<void> {
  await capture(name)
  await leads.store.settle({ ...(await lease()), durationMs: 0, status: 410, result: 'dead', reason: 'gone' })
}

async function deliver(): Promise<void> {
  await leads.store.settle({ ...(await lease()), durationMs: 0, status: 200, result: 'delivered' })
}

/** Resends this many failed deliveries successfully. */
async function sendAgain(count: number): Promise<void> {
  const dead = leads.rows(`SELECT lead_id FROM deliveries WHERE state = 'dead' LIMIT ?`, count)
  for (const { lead_id: id } of dead) {
    await leads.store.redeliver({ ids: [String(id)], again: true, by: 'Maria' })
    await deliver()
  }
}

/** Checks every minute. Returns the log events, each with its minute. */
async function pass(minutes: number): Promise<readonly (readonly [minute: number, code: unknown, dead: unknown])[]> {
  const said: [number, unknown, unknown][] = []
  for (let minute = 1; minute <= minutes; minute++) {
    clock.advance(MINUTE)
    const before = log.length
    await watch()
    for (const { code, dead } of log.slice(before)) said.push([minute, code, dead])
  }
  return said
}

test('a waiting lead raises an alert after ten minutes, when its age doubles, and otherwise hourly, until it is delivered', async () => {
  await capture('ada')
  await watch()
  expect((await pass(240)).map(([minute]) => minute)).toEqual([11, 22, 44, 88, 148, 176, 236])
  expect(log[0]).toEqual({ code: ALERT, level: 'alert', pending: 1, oldestPendingMinutes: 11, dead: 0 })
  log = []
  await deliver()
  await pass(120)
  expect(log).toEqual([{ code: OVER, pending: 0 }])
})

test('a waiting lead is reported though an older delivery is dead, and again after it got better', async () => {
  await dies('ada')
  await watch()
  for (const name of ['grace', 'mary']) {
    await capture(name)
    expect((await pass(12)).map(([, code]) => code)).toEqual([ALERT])
    await deliver()
    await pass(1)
  }
})

test('a pause is blamed for waiting leads, without the operator’s reason', async () => {
  await dies('ada')
  await leads.store.pauseDeliveries({ reason: 'Ada has called', by: 'ada@desk' })
  await capture('grace')
  const [failed, paused] = [
    '1 failed after the last retry (to resend: `leads resend --failed`)',
    'Deliveries have been paused since 2026-03-01 12:00 UTC',
  ]
  await pass(10)
  expect(texts.at(-1)).toBe(`Leads are not reaching the webhook: ${failed}. Run \`leads doctor\`.`)
  await pass(1)
  const action = 'Resume them on the desk’s Health page, or run `leads resume`.'
  expect(texts.at(-1)).toBe(`${paused}: 1 lead waiting; ${failed}. ${action}`)
  await leads.store.resumeDeliveries({ by: 'bob@desk' })
  await pass(1)
  expect(texts.at(-1)).toBe(
    `Leads are not reaching the webhook: 1 waiting, the oldest for 12 min; ${failed}. Run \`leads doctor\`.`,
  )
})

test('a pause of a day raises an alert, even if no lead waits', async () => {
  await leads.store.pauseDeliveries({ reason: '', by: 'ada@desk' })
  clock.advance(24 * 60 * MINUTE - 1)
  await watch()
  expect(log).toEqual([])
  clock.advance(1)
  await watch()
  expect(log).toEqual([{ code: ALERT, level: 'alert', pending: 0, oldestPendingMinutes: 0, dead: 0, paused: true }])
  expect(texts).toEqual([expect.stringContaining(': no leads waiting. Resume')])
  await leads.store.resumeDeliveries({ by: 'bob@desk' })
  expect((await pass(10)).map(([, code]) => code)).toEqual([OVER])
})

test('a dead delivery raises one alert, an hourly reminder, and another alert when there are more', async () => {
  for (const name of ['ada', 'grace']) await dies(name)
  expect(await pass(130)).toEqual([1, 61, 121].map(minute => [minute, ALERT, 2]))
  await sendAgain(1)
  expect(await pass(5)).toEqual([])
  await dies('mary')
  expect(await pass(5)).toEqual([[1, ALERT, 2]])
})

describe('a held lead', () => {
  const hold = async (name: string) => {
    const consentVersion = await leads.store.saveConsentText('I agree')
    return leads.store.capture({ ...submissionOf(name, consentVersion), holdReason: 'a link in the name' })
  }

  test('raises an alert after fifteen minutes, without a webhook or visitors, until it is approved', async () => {
    const { id } = await hold('ada')
    expect(await pass(15)).toEqual([])
    await pass(2)
    expect(log).toEqual([{ code: 'held_leads_waiting', level: 'alert', held: 1, oldestHeldMinutes: 16 }])
    await leads.store.release({ ids: [id], by: 'Maria' })
    await deliver()
    await pass(2)
    expect(log.slice(1)).toEqual([{ code: 'held_leads_done', held: 0 }])
  })

  test('raises another alert when there are twice as many, not with every one', async () => {
    for (const name of ['ada', 'grace', 'mary', 'joan']) {
      await hold(name)
      await pass(17)
    }
    expect(log.map(({ held }) => held)).toEqual([1, 2, 4])
  })
})

describe('the certificate alert', () => {
  let names = 0
  const take = async (count: number, certificateId?: string) => {
    for (let lead = 0; lead < count; lead++) {
      clock.advance(1000)
      await captureLead(leads.store, { name: `person-${names++}`, ...(certificateId && { certificateId }) })
      await deliver()
    }
    await pass(2)
  }
  const ID = 'c'.repeat(40)

  test('is raised when certificates stop coming, and cleared when one arrives', async () => {
    watch = newWatch(true)
    await take(10, ID)
    await take(9)
    expect(log).toEqual([])
    await take(1)
    expect(log).toEqual([{ code: 'certificates_missing', level: 'alert' }])
    // Push the leads with certificates out of the latest ones: the alert stays open.
    await take(60)
    expect(log).toHaveLength(1)
    await take(1, ID)
    expect(log.slice(1)).toEqual([{ code: 'certificates_back' }])
  })

  test('isn’t raised if certificates were never requested or never sent', async () => {
    await take(10, ID)
    await take(10)
    watch = newWatch(true)
    await take(30)
    expect(log).toEqual([])
  })
})

test('a clock that was set back raises an alert until it has caught up', async () => {
  await capture('ada')
  await deliver()
  clock.advance(-30 * MINUTE)
  await pass(2)
  expect(log).toEqual([{ code: 'clock_set_back', level: 'alert', aheadMinutes: expect.any(Number) }])
  await pass(30)
  expect(log.slice(1)).toEqual([{ code: 'clock_caught_up' }])
})

test('a store that can’t be read clears no alerts', async () => {
  await dies('ada')
  await watch()
  await sendAgain(1)
  unreadable = new StoreUnavailable('the disk has a read or write error.')
  log = []
  await pass(10)
  expect(log).toEqual([{ code: 'store_unreadable', level: 'alert', reason: 'StoreUnavailable' }])
  unreadable = null
  await pass(2)
  expect(log.slice(1).map(({ code }) => code)).toEqual([OVER, 'store_readable'])
})
