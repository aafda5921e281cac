import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DeliveryScene } from '../../tests/support/delivery-scene.ts'
import { captureLead } from '../../tests/support/lead-store.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { type Outbox, retryInMs } from './worker.ts'

const HOUR = 3_600_000
const LEASE = 60_000

let scene: DeliveryScene

beforeEach(async () => {
  scene = new DeliveryScene()
  await scene.open()
})

afterEach(() => scene.close())

/** The real store, with writes that fail on demand and are counted. */
function breakable(store: Outbox) {
  const state = { broken: false, writes: 0 }
  function failing<A, R>(write: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
    return async argument => {
      state.writes += 1
      if (state.broken) throw new StoreUnavailable('the disk is full.')
      return write(argument)
    }
  }
  const broken: Outbox = {
    ...store,
    lease: failing(store.lease),
    settle: failing(store.settle),
    rescheduleAfterClockChange: failing(store.rescheduleAfterClockChange),
  }
  return { state, failing: broken }
}

/** Captures a lead as another process would, without waking the worker. */
async function elsewhere(work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = openSqliteStore(scene.leads.file, { now: scene.clock.now })
  await work(store)
  await store.close()
}

describe('an idle worker', () => {
  test('sends a lead as soon as it is captured, without waiting for any timer', async () => {
    // The fake clock doesn't move, so no timer ever fires.
    scene.startWorker()
    for (let turn = 0; turn < 3; turn++) {
      await scene.workerSleeps()
      await scene.capture(`ada-${turn}`)
      await scene.webhook.received(turn + 1)
    }
    expect(scene.webhook.deliveries).toHaveLength(3)
  })

  test('finds leads that another process added within 5 s', async () => {
    scene.startWorker()
    await scene.workerSleeps()
    await elsewhere(store => captureLead(store, { name: 'ada' }))
    expect(scene.webhook.deliveries).toHaveLength(0)
    await scene.pass(5000)
    expect(await scene.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  })

  test('does not write while polling an empty outbox', async () => {
    const { state, failing } = breakable(scene.store)
    scene.startWorker({ store: failing })
    await scene.workerSleeps()
    const atStart = state.writes
    for (let looks = 0; looks < 3; looks++) await scene.pass(5000)
    await scene.workerSleeps()
    expect(scene.clock.nextIn).toBe(5000)
    // Leasing counts as a write, even if it leases nothing.
    expect(state.writes - atStart).toBe(3)
  })
})

describe('a pause', () => {
  test('stops deliveries until it ends, and is polled no more often than an empty outbox', async () => {
    await scene.store.pauseDeliveries({ reason: '', by: 'ada@desk' })
    await scene.capture('ada')
    scene.startWorker()
    await scene.workerSleeps()
    expect(scene.clock.nextIn).toBe(5000)
    for (let looks = 0; looks < 3; looks++) await scene.pass(5000)
    await scene.workerSleeps()
    expect([scene.webhook.deliveries, scene.events('deliveries_paused').length]).toEqual([[], 1])
    // The clock doesn't move: only the store's signal can wake it.
    await scene.store.resumeDeliveries({ by: 'bob@desk' })
    expect(await scene.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
    await scene.workerSleeps()
    expect(scene.log.map(({ code }) => code)).toEqual(['deliveries_paused', 'deliveries_resumed', 'delivery'])
  })

  test('started or ended by another process is noticed within 5 s, even without leads', async () => {
    scene.startWorker()
    await scene.workerSleeps()
    await elsewhere(store => store.pauseDeliveries({ reason: '', by: 'ada@desk' }))
    await scene.pass(5000)
    await scene.workerSleeps()
    await elsewhere(store => store.resumeDeliveries({ by: 'bob@desk' }))
    await scene.pass(5000)
    await scene.workerSleeps()
    expect(scene.log.map(({ code }) => code)).toEqual(['deliveries_paused', 'deliveries_resumed'])
  })
})

test('a delivery that was sent but not recorded is sent again after the lease, with the same webhook-id', async () => {
  const { state, failing } = breakable(scene.store)
  scene.webhook.behave = () => {
    state.broken = true
    return { status: 200 }
  }
  scene.startWorker({ store: failing })
  const leadId = await scene.capture('ada')
  expect(await scene.attempts(1)).toMatchObject([
    { outcome: 'delivered', recorded: false, reason: 'the disk is full.' },
  ])
  scene.webhook.behave = () => ({ status: 200 })
  state.broken = false
  await scene.pass(60_000)
  await scene.pass(5000)
  expect((await scene.attempts(2))[1]).toMatchObject({ outcome: 'delivered', recorded: true, attempt: 1 })
  expect(scene.webhook.deliveries.map(each => each.webhookId)).toEqual([`lead_${leadId}`, `lead_${leadId}`])
})

describe('setting the clock back', () => {
  test('delays a lead by at most one lease, even one leased by a worker that died', async () => {
    const worker = scene.startWorker()
    await scene.workerSleeps()
    await elsewhere(async store => {
      await captureLead(store, { name: 'ada' })
      await store.lease({ limit: 1, leaseMs: LEASE })
    })
    scene.clock.advance(-HOUR)
    worker.wake()
    await expect.poll(() => scene.clock.nextIn).toBe(5000)
    await scene.pass(LEASE)
    expect(await scene.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  })

  test.each([
    ['no longer than it had to wait anyway', 5, 5000],
    ['no longer than a lease when set back by more than any wait of ours', 30, LEASE],
  ])('delays a retry by %s', async (_, hours, ms) => {
    scene.webhook.behave = () => ({ status: 500 })
    const worker = scene.startWorker()
    await scene.capture('ada')
    await scene.attempts(1)
    await worker.stop()
    scene.clock.advance(-hours * HOUR)
    scene.startWorker()
    await scene.pass(ms)
    expect((await scene.attempts(2))[1]).toMatchObject({ attempt: 2 })
    expect(scene.events('deliveries_brought_forward')).toMatchObject([{ minutes: hours * 60 }])
  })

  test('doesn’t resend deliveries in flight', async () => {
    scene.webhook.behave = () => 'hangs'
    const worker = scene.startWorker()
    await scene.capture('ada')
    await scene.webhook.received(1)
    for (let turn = 0; turn < 5; turn++) {
      scene.clock.advance(-HOUR)
      worker.wake()
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    expect(scene.webhook.deliveries).toHaveLength(1)
  })
})

describe('a failing store', () => {
  test('is retried with growing pauses, and leads are sent when it recovers', async () => {
    await scene.capture('ada')
    const { state, failing } = breakable(scene.store)
    state.broken = true
    const worker = scene.startWorker({ store: failing })
    const pauses: (number | undefined)[] = []
    for (let turn = 0; turn < 6; turn++) {
      await scene.workerSleeps()
      for (let ring = 0; ring < 10; ring++) worker.wake()
      await new Promise(resolve => setTimeout(resolve, 10))
      expect(state.writes).toBe(turn + 1)
      pauses.push(scene.clock.nextIn)
      if (turn === 5) state.broken = false
      await scene.pass(scene.clock.nextIn ?? 0)
    }
    expect(pauses).toEqual([1000, 2000, 4000, 4000, 4000, 4000])
    expect(scene.events('outbox_unavailable')[0]).toMatchObject({ reason: 'the disk is full.', pauseMs: 1000 })
    expect(await scene.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  })
})

describe('stopping the worker', () => {
  test('finishes deliveries in flight and leases no more', async () => {
    scene.webhook.behave = () => ({ status: 200, afterMs: 60 })
    const worker = scene.startWorker({ concurrency: 1 })
    const first = await scene.capture('ada')
    const second = await scene.capture('grace')
    await scene.webhook.received(1)
    await worker.stop()
    expect(await scene.delivery(first)).toMatchObject({ state: 'delivered' })
    expect(await scene.delivery(second)).toMatchObject({ state: 'pending', attempts: 0 })
    expect(scene.webhook.deliveries).toHaveLength(1)
    expect(scene.clock.nextIn).toBeUndefined()
  })

  test('aborts deliveries over the limit; they come due again after their lease', async () => {
    scene.webhook.behave = () => 'hangs'
    const worker = scene.startWorker({ timeoutMs: 60_000 })
    const leadId = await scene.capture('ada')
    await scene.webhook.received(1)
    await scene.workerSleeps()
    const stopped = worker.stop(3000)
    await new Promise(resolve => setTimeout(resolve, 10))
    scene.clock.advance(3000)
    await stopped
    await expect.poll(() => scene.webhook.openConnections, { interval: 2 }).toBe(0)
    expect(await scene.attempts(1)).toMatchObject([{ outcome: 'broken off' }])
    expect(await scene.delivery(leadId)).toMatchObject({ state: 'pending', attempts: 0 })
  })

  test('stops immediately while waiting for a failing store', async () => {
    const { state, failing } = breakable(scene.store)
    state.broken = true
    const worker = scene.startWorker({ store: failing })
    await scene.workerSleeps()
    await worker.stop()
    expect(state.writes).toBe(1)
  })
})

describe('the wait until the next attempt', () => {
  const wait = (attempts: number, retryAfter: string | null = null, random = 0.5) =>
    retryInMs({ attempts, now: Date.parse('2026-03-01T12:00:00Z'), retryAfter, random: () => random })

  test('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and 24 h, give or take a fifth; then delivery fails', () => {
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    expect(seconds.map((_, index) => (wait(index + 1) ?? 0) / 1000)).toEqual(seconds)
    expect([wait(2, null, 0), wait(2, null, 1)]).toEqual([240_000, 360_000])
    expect([wait(10), wait(10, '60')]).toEqual([null, null])
  })

  test.each<[string, number]>([
    ['120', 120_000],
    ['Sun, 01 Mar 2026 12:03:00 GMT', 180_000],
    ['1', 5000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 5000],
    ['99999999999999999999', 24 * HOUR],
    ['Mon, 01 Mar 2027 12:00:00 GMT', 24 * HOUR],
    ...['', 'soon', '-5', '1.5', '2027-03-01', 'Sun, 99 Foo 2026 GMT'].map((nonsense): [string, number] => [
      nonsense,
      5000,
    ]),
  ])('follows a Retry-After of %j if that is longer, up to a day: %i ms', (retryAfter, ms) => {
    expect(wait(1, retryAfter)).toBe(ms)
  })

  test('is always a whole number of milliseconds between 4 s and 28.8 h', () => {
    const retryAfter = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map(date => date.toUTCString()),
    )
    const random = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), retryAfter, random, (...given) => {
        const ms = wait(...given)
        expect(Number.isInteger(ms)).toBe(true)
        expect(ms).toBeGreaterThanOrEqual(4000)
        expect(ms).toBeLessThanOrEqual(28.8 * HOUR)
      }),
    )
  })
})
