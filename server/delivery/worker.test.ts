import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { captureLead, type LeadStore, openLeadStore } from '../../tests/support/lead-store.ts'
import { type Behavior, MisbehavingWebhook } from '../../tests/support/webhook.ts'
import type { LogCode } from '../log.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { createDeliveryWorker, type DeliveryWorker, type Outbox, retryInMs, type WorkerOptions } from './worker.ts'

const SECOND = 1000
const HOUR = 3_600_000
const LEASE = 60_000

type LogLine = Readonly<Record<string, unknown>>

interface DeliveryRow {
  readonly state: string
  readonly attempts: number
  readonly next_at: number
}

/** A worker with a store, a webhook, and a log. Everything is real except the clock. */
class WorkerHarness {
  readonly clock = new FakeClock(Date.parse('2026-03-01T12:00:00Z'))
  readonly webhook = new MisbehavingWebhook()
  readonly log: LogLine[] = []
  readonly leads: LeadStore = openLeadStore(this.clock.now)
  worker: DeliveryWorker | null = null

  async open(): Promise<void> {
    await this.webhook.up()
  }

  async close(): Promise<void> {
    const stopped = this.worker?.stop(0)
    this.clock.advance(0)
    await stopped
    await this.webhook.down()
    await this.leads.remove()
  }

  get store(): Store {
    return this.leads.store
  }

  /** Without jitter. Timeouts use the real clock. */
  startWorker(options: Partial<WorkerOptions> = {}): DeliveryWorker {
    this.worker = createDeliveryWorker({
      store: this.store,
      webhook: { url: this.webhook.url },
      timeoutMs: 5000,
      leaseMs: 60_000,
      now: this.clock.now,
      setTimer: this.clock.setTimer,
      random: () => 0.5,
      log: (code, detail) => this.log.push({ code, ...detail }),
      ...options,
    })
    this.worker.start()
    return this.worker
  }

  capture(name: string): Promise<string> {
    return captureLead(this.store, { name })
  }

  /** Moves the clock once the worker is idle. */
  async pass(ms: number): Promise<void> {
    await this.workerSleeps()
    this.clock.advance(ms)
  }

  async workerSleeps(): Promise<void> {
    await expect.poll(() => this.clock.nextIn, { interval: 2 }).toBeDefined()
  }

  events(...codes: readonly LogCode[]): readonly LogLine[] {
    return this.log.filter(line => codes.some(code => line['code'] === code))
  }

  /** Waits until the worker has logged this many attempts. */
  async attempts(count: number): Promise<readonly LogLine[]> {
    await expect
      .poll(() => this.events('delivery', 'delivery_dead').length, { interval: 2 })
      .toBeGreaterThanOrEqual(count)
    return this.events('delivery', 'delivery_dead')
  }

  delivery(leadId: string): DeliveryRow {
    const [row] = this.leads.rows('SELECT state, attempts, next_at FROM deliveries WHERE lead_id = ?', leadId)
    return row as unknown as DeliveryRow
  }
}

let harness: WorkerHarness

beforeEach(async () => {
  harness = new WorkerHarness()
  await harness.open()
})

afterEach(() => harness.close())

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
  const store = openSqliteStore(harness.leads.file, { now: harness.clock.now })
  await work(store)
  await store.close()
}

describe('an idle worker', () => {
  test('sends a lead as soon as it is captured, without waiting for any timer', async () => {
    // The fake clock doesn't move, so no timer ever fires.
    harness.startWorker()
    for (let turn = 0; turn < 3; turn++) {
      await harness.workerSleeps()
      await harness.capture(`ada-${turn}`)
      await harness.webhook.received(turn + 1)
    }
    expect(harness.webhook.deliveries).toHaveLength(3)
  })

  test('finds leads that another process added within 5 s', async () => {
    harness.startWorker()
    await harness.workerSleeps()
    await elsewhere(store => captureLead(store, { name: 'ada' }))
    expect(harness.webhook.deliveries).toHaveLength(0)
    await harness.pass(5000)
    expect(await harness.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  })

  test('does not write while polling an empty outbox', async () => {
    const { state, failing } = breakable(harness.store)
    harness.startWorker({ store: failing })
    await harness.workerSleeps()
    const atStart = state.writes
    for (let looks = 0; looks < 3; looks++) await harness.pass(5000)
    await harness.workerSleeps()
    expect(harness.clock.nextIn).toBe(5000)
    // Leasing counts as a write, even if it leases nothing.
    expect(state.writes - atStart).toBe(3)
  })
})

describe('a pause', () => {
  test('stops deliveries until it ends, and is polled no more often than an empty outbox', async () => {
    await harness.store.pauseDeliveries({ reason: '', by: 'ada@desk' })
    await harness.capture('ada')
    harness.startWorker()
    await harness.workerSleeps()
    expect(harness.clock.nextIn).toBe(5000)
    for (let looks = 0; looks < 3; looks++) await harness.pass(5000)
    await harness.workerSleeps()
    expect([harness.webhook.deliveries, harness.events('deliveries_paused').length]).toEqual([[], 1])
    // The clock doesn't move: only the store's signal can wake it.
    await harness.store.resumeDeliveries({ by: 'bob@desk' })
    expect(await harness.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
    await harness.workerSleeps()
    expect(harness.log.map(({ code }) => code)).toEqual(['deliveries_paused', 'deliveries_resumed', 'delivery'])
  })

  test('started or ended by another process is noticed within 5 s, even without leads', async () => {
    harness.startWorker()
    await harness.workerSleeps()
    await elsewhere(store => store.pauseDeliveries({ reason: '', by: 'ada@desk' }))
    await harness.pass(5000)
    await harness.workerSleeps()
    await elsewhere(store => store.resumeDeliveries({ by: 'bob@desk' }))
    await harness.pass(5000)
    await harness.workerSleeps()
    expect(harness.log.map(({ code }) => code)).toEqual(['deliveries_paused', 'deliveries_resumed'])
  })
})

test('a delivery that was sent but not recorded is sent again after the lease, with the same webhook-id', async () => {
  const { state, failing } = breakable(harness.store)
  harness.webhook.behave = () => {
    state.broken = true
    return { status: 200 }
  }
  harness.startWorker({ store: failing })
  const leadId = await harness.capture('ada')
  expect(await harness.attempts(1)).toMatchObject([
    { outcome: 'delivered', recorded: false, reason: 'the disk is full.' },
  ])
  harness.webhook.behave = () => ({ status: 200 })
  state.broken = false
  await harness.pass(60_000)
  await harness.pass(5000)
  expect((await harness.attempts(2))[1]).toMatchObject({ outcome: 'delivered', recorded: true, attempt: 1 })
  expect(harness.webhook.deliveries.map(each => each.webhookId)).toEqual([`lead_${leadId}`, `lead_${leadId}`])
})

describe('setting the clock back', () => {
  test('delays a lead by at most one lease, even one leased by a worker that died', async () => {
    const worker = harness.startWorker()
    await harness.workerSleeps()
    await elsewhere(async store => {
      await captureLead(store, { name: 'ada' })
      await store.lease({ limit: 1, leaseMs: LEASE })
    })
    harness.clock.advance(-HOUR)
    worker.wake()
    await expect.poll(() => harness.clock.nextIn).toBe(5000)
    await harness.pass(LEASE)
    expect(await harness.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  })

  test.each([
    ['no longer than it had to wait anyway', 5, 5000],
    ['no longer than a lease when set back by more than any wait of ours', 30, LEASE],
  ])('delays a retry by %s', async (_, hours, ms) => {
    harness.webhook.behave = () => ({ status: 500 })
    const worker = harness.startWorker()
    await harness.capture('ada')
    await harness.attempts(1)
    await worker.stop()
    harness.clock.advance(-hours * HOUR)
    harness.startWorker()
    await harness.pass(ms)
    expect((await harness.attempts(2))[1]).toMatchObject({ attempt: 2 })
    expect(harness.events('deliveries_brought_forward')).toMatchObject([{ minutes: hours * 60 }])
  })

  test('doesn’t resend deliveries in flight', async () => {
    harness.webhook.behave = () => 'hangs'
    const worker = harness.startWorker()
    await harness.capture('ada')
    await harness.webhook.received(1)
    for (let turn = 0; turn < 5; turn++) {
      harness.clock.advance(-HOUR)
      worker.wake()
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    expect(harness.webhook.deliveries).toHaveLength(1)
  })
})

describe('a failing store', () => {
  test('is retried with growing pauses, and leads are sent when it recovers', async () => {
    await harness.capture('ada')
    const { state, failing } = breakable(harness.store)
    state.broken = true
    const worker = harness.startWorker({ store: failing })
    const pauses: (number | undefined)[] = []
    for (let turn = 0; turn < 6; turn++) {
      await harness.workerSleeps()
      for (let ring = 0; ring < 10; ring++) worker.wake()
      await new Promise(resolve => setTimeout(resolve, 10))
      expect(state.writes).toBe(turn + 1)
      pauses.push(harness.clock.nextIn)
      if (turn === 5) state.broken = false
      await harness.pass(harness.clock.nextIn ?? 0)
    }
    expect(pauses).toEqual([1000, 2000, 4000, 4000, 4000, 4000])
    expect(harness.events('outbox_unavailable')[0]).toMatchObject({ reason: 'the disk is full.', pauseMs: 1000 })
    expect(await harness.attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  })
})

describe('a failing webhook', () => {
  test.each<[Behavior, string]>([
    [{ status: 500 }, 'answered 500'],
    ['resets', 'connection reset'],
  ])('(%j) gets the lead again 5 s later, with the same webhook-id', async (behavior, reason) => {
    harness.webhook.behave = () => behavior
    harness.startWorker()
    const leadId = await harness.capture('ada')
    expect(await harness.attempts(1)).toMatchObject([{ outcome: 'retry', attempt: 1, reason, recorded: true }])
    harness.webhook.behave = () => ({ status: 200 })
    await harness.pass(5 * SECOND - 1)
    await harness.workerSleeps()
    expect(harness.webhook.deliveries).toHaveLength(1)
    await harness.pass(1)
    await harness.attempts(2)
    expect(harness.delivery(leadId)).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(harness.webhook.deliveries.map(({ webhookId }) => webhookId)).toEqual(Array(2).fill(`lead_${leadId}`))
    expect(harness.leads.rows('SELECT outcome FROM attempts ORDER BY at')).toEqual([
      { outcome: reason },
      { outcome: 'delivered' },
    ])
  })

  test('that returns 429 gets no requests until Retry-After has passed', async () => {
    harness.webhook.behave = () => ({ status: 429, headers: { 'retry-after': '3600' } })
    harness.startWorker()
    const leadId = await harness.capture('ada')
    await harness.attempts(1)
    expect(harness.delivery(leadId).next_at).toBe(harness.clock.now() + HOUR)
  })

  test('that never recovers gets ten attempts; then the delivery is dead and can be resent manually', async () => {
    harness.webhook.behave = () => ({ status: 503 })
    harness.startWorker()
    const leadId = await harness.capture('ada')
    for (let attempt = 1; attempt < 10; attempt++) {
      await harness.attempts(attempt)
      await harness.pass(harness.delivery(leadId).next_at - harness.clock.now())
    }
    expect((await harness.attempts(10)).at(-1)).toMatchObject({ outcome: 'dead', attempt: 10, reason: 'answered 503' })
    expect(harness.delivery(leadId)).toMatchObject({ state: 'dead', attempts: 10 })
    await harness.pass(240 * HOUR)
    await harness.workerSleeps()
    expect(harness.webhook.deliveries).toHaveLength(10)

    harness.webhook.behave = () => ({ status: 200 })
    expect(await harness.store.redeliver({ ids: [leadId], again: true, by: 'Maria' })).toBe(1)
    expect((await harness.attempts(11)).at(-1)).toMatchObject({ outcome: 'delivered', attempt: 1 })
  })

  test('holds up other leads only when all eight slots are taken', async () => {
    harness.webhook.behave = ({ query }) => (query['firstName']?.startsWith('slow') ? 'hangs' : { status: 200 })
    const captureSlow = async (count: number) => {
      for (let index = 0; index < count; index++) await harness.capture(`slow-${count}-${index}`)
    }
    harness.startWorker({ timeoutMs: 60_000 })
    await captureSlow(7)
    await harness.webhook.received(7)
    for (let index = 0; index < 3; index++) await harness.capture(`quick-${index}`)
    expect(await harness.attempts(3)).toMatchObject(Array(3).fill({ outcome: 'delivered' }))
    await captureSlow(4)
    await harness.webhook.received(11)
    await harness.workerSleeps()
    expect(
      harness.leads.rows("SELECT 1 FROM deliveries WHERE state = 'pending' AND next_at > ?", harness.clock.now()),
    ).toHaveLength(8)
  })
})

describe('stopping the worker', () => {
  test('finishes deliveries in flight and leases no more', async () => {
    harness.webhook.behave = () => ({ status: 200, afterMs: 60 })
    const worker = harness.startWorker({ concurrency: 1 })
    const first = await harness.capture('ada')
    const second = await harness.capture('grace')
    await harness.webhook.received(1)
    await worker.stop()
    expect(harness.delivery(first)).toMatchObject({ state: 'delivered' })
    expect(harness.delivery(second)).toMatchObject({ state: 'pending', attempts: 0 })
    expect(harness.webhook.deliveries).toHaveLength(1)
    expect(harness.clock.nextIn).toBeUndefined()
  })

  test('aborts deliveries over the limit; they come due again after their lease', async () => {
    harness.webhook.behave = () => 'hangs'
    const worker = harness.startWorker({ timeoutMs: 60_000 })
    const leadId = await harness.capture('ada')
    await harness.webhook.received(1)
    await harness.workerSleeps()
    const stopped = worker.stop(3000)
    await new Promise(resolve => setTimeout(resolve, 10))
    harness.clock.advance(3000)
    await stopped
    await expect.poll(() => harness.webhook.openConnections, { interval: 2 }).toBe(0)
    expect(await harness.attempts(1)).toMatchObject([{ outcome: 'broken off' }])
    expect(harness.delivery(leadId)).toMatchObject({ state: 'pending', attempts: 0 })
  })

  test('stops immediately while waiting for a failing store', async () => {
    const { state, failing } = breakable(harness.store)
    state.broken = true
    const worker = harness.startWorker({ store: failing })
    await harness.workerSleeps()
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
