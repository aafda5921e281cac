import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR, SECOND } from '../../domain/durations.ts'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { contactOf, type LeadStore, openLeadStore, submissionOf } from '../../tests/support/lead-store.ts'
import { type Behavior, MisbehavingWebhook } from '../../tests/support/webhook.ts'
import { webhookLanes } from '../store/facts/deliveries/messages.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { sendTo, type Webhook } from './webhook.ts'
import { createDeliveryWorker, type DeliveryWorker, type Outbox, retryInMs, type WorkerOptions } from './worker.ts'

const LEASE = 60_000

type LogLine = Readonly<Record<string, unknown>>

let clock: FakeClock
let webhook: MisbehavingWebhook
let leads: LeadStore
let log: LogLine[]
let worker: DeliveryWorker | null

/** Everything is real except the worker's clock. */
beforeEach(async () => {
  clock = new FakeClock(Date.parse('2026-03-01T12:00:00Z'))
  webhook = new MisbehavingWebhook()
  leads = openLeadStore(clock.now)
  log = []
  worker = null
  await webhook.up()
})

afterEach(async () => {
  const stopped = worker?.stop(0)
  clock.advance(0)
  await stopped
  await webhook.down()
  await leads.remove()
})

/** Without jitter. Timeouts use the real clock. */
function startWorker({
  webhook: to = { url: webhook.url },
  ...options
}: Partial<WorkerOptions> & { webhook?: Webhook } = {}): DeliveryWorker {
  worker = createDeliveryWorker({
    store: leads.store,
    send: sendTo(to),
    timeoutMs: 5000,
    now: clock.now,
    setTimer: clock.setTimer,
    random: () => 0.5,
    log: (code, detail) => log.push({ code, ...detail }),
    ...options,
  })
  worker.start()
  return worker
}

let captured = 0
/** Each lead has its own phone number, so a stop concerns one lead. */
async function capture(name: string, into: Store = leads.store): Promise<string> {
  const consent = await into.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
  const contact = { ...contactOf(name), phone: `(555) 010-${1000 + ++captured}` }
  return (await into.capture({ ...submissionOf(name, consent), contact })).id
}
const codes = () => log.map(({ code }) => code)
const waitForIdle = () => expect.poll(() => clock.nextIn, { interval: 2 }).toBeDefined()

/** Advances the clock once the worker is idle. */
async function advanceClock(ms: number): Promise<void> {
  await waitForIdle()
  clock.advance(ms)
}

/** Waits until the worker has logged this many attempts. */
async function attempts(count: number): Promise<readonly LogLine[]> {
  const logged = () => log.filter(({ code }) => code === 'delivery' || code === 'delivery_dead')
  await expect.poll(() => logged().length, { interval: 2 }).toBeGreaterThanOrEqual(count)
  return logged()
}

const delivery = (leadId: string) => leads.rows('SELECT state, attempts, next_at FROM outbox WHERE id = ?', leadId)[0]

/** The real store, but its writes are counted and can be made to fail. */
function breakable(store: Outbox) {
  const state = { broken: false, writes: 0 }
  const failing = <A extends unknown[], R>(write: (...argument: A) => Promise<R>) => {
    return async (...argument: A): Promise<R> => {
      state.writes += 1
      if (state.broken) throw new StoreUnavailable('the disk is full.')
      return write(...argument)
    }
  }
  const { lease, settle, rescheduleAfterClockChange: reschedule } = store
  const writes = { lease: failing(lease), settle: failing(settle), rescheduleAfterClockChange: failing(reschedule) }
  return { state, failing: { ...store, ...writes } }
}

/** Uses the store as another process would, without waking the worker. */
async function inAnotherProcess(work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = openSqliteStore(leads.file, { now: clock.now })
  await work(store)
  await store.close()
}

test('an empty outbox is polled every 5 s, lane by lane, and leads from other processes are found', async () => {
  const { state, failing } = breakable(leads.store)
  startWorker({ store: failing })
  await waitForIdle()
  const atStart = state.writes
  for (let polls = 0; polls < 3; polls++) await advanceClock(5000)
  await waitForIdle()
  expect([clock.nextIn, state.writes - atStart]).toEqual([5000, 3 * webhookLanes.length])
  await inAnotherProcess(store => capture('ada', store))
  await advanceClock(5000)
  expect(await attempts(1)).toMatchObject([{ outcome: 'delivered' }])
})

test('pausing stops deliveries until they’re resumed', async () => {
  await leads.store.pauseDeliveries({ reason: '', by: 'ada@desk' })
  await capture('ada')
  startWorker()
  for (let polls = 0; polls < 3; polls++) await advanceClock(5000)
  await waitForIdle()
  expect([clock.nextIn, webhook.deliveries, codes()]).toEqual([5000, [], ['deliveries_paused']])
  // The clock doesn't move: only the store's signal can wake the worker.
  await leads.store.resumeDeliveries({ by: 'bob@desk' })
  expect(await attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  await waitForIdle()
  expect(codes()).toEqual(['deliveries_paused', 'deliveries_resumed', 'delivery'])
})

test('a delivery that was sent but not recorded is sent again after the lease, with the same webhook-id', async () => {
  const { state, failing } = breakable(leads.store)
  webhook.behave = () => {
    state.broken = true
    return { status: 200 }
  }
  startWorker({ store: failing })
  const leadId = await capture('ada')
  expect(await attempts(1)).toMatchObject([{ outcome: 'delivered', recorded: false, reason: 'the disk is full.' }])
  webhook.behave = () => ({ status: 200 })
  state.broken = false
  await advanceClock(60_000)
  await advanceClock(5000)
  expect((await attempts(2))[1]).toMatchObject({ outcome: 'delivered', recorded: true, attempt: 1 })
  expect(webhook.deliveries.map(each => each.webhookId)).toEqual([`lead_${leadId}`, `lead_${leadId}`])
})

test('setting the clock back delays a lead by at most one lease, even if a dead worker leased it', async () => {
  startWorker()
  await waitForIdle()
  await inAnotherProcess(async store => {
    await capture('ada', store)
    await store.lease({ limit: 1, leaseMs: LEASE })
  })
  clock.advance(-HOUR)
  worker?.wake()
  await expect.poll(() => clock.nextIn).toBe(5000)
  await advanceClock(LEASE)
  expect(await attempts(1)).toMatchObject([{ outcome: 'delivered' }])
  expect(log).toContainEqual({ code: 'deliveries_brought_forward', minutes: 60 })
})

test('a failing store is retried with longer and longer pauses, and leads are sent when it recovers', async () => {
  await capture('ada')
  const { state, failing } = breakable(leads.store)
  state.broken = true
  startWorker({ store: failing })
  for (const [turn, pauseMs] of [1000, 2000, 4000, 4000].entries()) {
    await waitForIdle()
    // New leads don't end the pause.
    for (let ring = 0; ring < 10; ring++) worker?.wake()
    expect([clock.nextIn, state.writes]).toEqual([pauseMs, turn + 1])
    if (turn === 3) state.broken = false
    await advanceClock(pauseMs)
  }
  expect(log[0]).toEqual({ code: 'outbox_unavailable', reason: 'the disk is full.', pauseMs: 1000 })
  expect(await attempts(1)).toMatchObject([{ outcome: 'delivered' }])
})

describe('a failing webhook', () => {
  test.each<[Behavior, string, number]>([
    [{ status: 500 }, 'answered 500', 5 * SECOND],
    ['resets', 'connection reset', 5 * SECOND],
    [{ status: 429, headers: { 'retry-after': '3600' } }, 'answered 429', HOUR],
  ])('(%j) gets the lead again later, with the same webhook-id', async (behavior, reason, ms) => {
    webhook.behave = () => behavior
    startWorker({ webhook: { url: `${webhook.url}?token=sesame`, secrets: ['whsec_c2VzYW1l'] } })
    const leadId = await capture('Augusta')
    expect(await attempts(1)).toMatchObject([{ outcome: 'retry', attempt: 1, reason, recorded: true }])
    webhook.behave = () => ({ status: 200 })
    await advanceClock(ms - 1)
    await waitForIdle()
    expect(webhook.deliveries).toHaveLength(1)
    await advanceClock(50)
    await attempts(2)
    expect(delivery(leadId)).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(webhook.deliveries.map(({ webhookId }) => webhookId)).toEqual(Array(2).fill(`lead_${leadId}`))
    expect(leads.rows('SELECT outcome FROM attempts ORDER BY at')).toEqual([
      { outcome: reason },
      { outcome: 'delivered' },
    ])
    // The log contains neither the person's data nor the webhook's address or secret.
    expect(JSON.stringify(log)).not.toMatch(
      /Augusta|Lovelace|-12-10|@|555\D*010|firstName|sesame|127\.0\.0\.1|whsec|c2Vz/,
    )
  })

  test('that never recovers gets ten attempts; after that, the delivery has failed and can be resent manually', async () => {
    webhook.behave = () => ({ status: 503 })
    startWorker()
    const leadId = await capture('ada')
    for (let attempt = 1; attempt < 10; attempt++) {
      await attempts(attempt)
      await advanceClock(Number(delivery(leadId)?.['next_at']) - clock.now())
    }
    expect((await attempts(10)).at(-1)).toMatchObject({ outcome: 'dead', attempt: 10, reason: 'answered 503' })
    expect(delivery(leadId)).toMatchObject({ state: 'dead', attempts: 10 })
    await advanceClock(240 * HOUR)
    await waitForIdle()
    expect(webhook.deliveries).toHaveLength(10)

    webhook.behave = () => ({ status: 200 })
    expect(await leads.store.resend({ ids: [leadId], again: true, by: 'Maria' })).toBe(1)
    expect((await attempts(11)).at(-1)).toMatchObject({ outcome: 'delivered', attempt: 1 })
  })

  test('delays new leads only when it ties up all eight slots', async () => {
    webhook.behave = ({ query }) => (query['firstName']?.startsWith('slow') ? 'hangs' : { status: 200 })
    const captureSlow = async (count: number) => {
      for (let index = 0; index < count; index++) await capture(`slow-${count}-${index}`)
    }
    startWorker({ timeoutMs: 60_000 })
    await captureSlow(7)
    await webhook.received(7)
    // The clock doesn't move: only a new lead can wake the worker.
    for (let index = 0; index < 3; index++) await capture(`quick-${index}`)
    expect(await attempts(3)).toMatchObject(Array(3).fill({ outcome: 'delivered' }))
    await captureSlow(4)
    await webhook.received(11)
    await waitForIdle()
    expect(leads.rows("SELECT 1 FROM outbox WHERE state = 'pending' AND next_at > ?", clock.now())).toHaveLength(8)
  })
})

describe('stopping the worker', () => {
  test('finishes deliveries in flight and leases no more', async () => {
    const respond = webhook.hold()
    startWorker({ slots: { leads: 1, stops: 1, calls: 1 } })
    const first = await capture('ada')
    const second = await capture('grace')
    await webhook.received(1)
    const stopped = worker?.stop()
    respond(200)
    await stopped
    expect(delivery(first)).toMatchObject({ state: 'delivered' })
    expect(delivery(second)).toMatchObject({ state: 'pending', attempts: 0 })
    expect(webhook.deliveries).toHaveLength(1)
    expect(clock.nextIn).toBeUndefined()
  })

  test('aborts deliveries at the time limit; they become due again after their lease', async () => {
    webhook.behave = () => 'hangs'
    startWorker({ timeoutMs: 60_000 })
    const leadId = await capture('ada')
    await webhook.received(1)
    await waitForIdle()
    const stopped = worker?.stop(3000)
    await expect.poll(() => clock.nextIn, { interval: 2 }).toBe(3000)
    clock.advance(3000)
    await stopped
    await expect.poll(() => webhook.openConnections, { interval: 2 }).toBe(0)
    expect(await attempts(1)).toMatchObject([{ outcome: 'broken off' }])
    expect(delivery(leadId)).toMatchObject({ state: 'pending', attempts: 0 })
  })
})

describe('the wait until the next attempt', () => {
  const wait = (attempts: number, retryAfter: string | null = null, random = 0.5) =>
    retryInMs(attempts, retryAfter, Date.parse('2026-03-01T12:00:00Z'), random)

  test('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and 24 h, give or take 20%; then the delivery fails', () => {
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    expect(seconds.map((_, index) => (wait(index + 1) ?? 0) / 1000)).toEqual(seconds)
    expect([wait(2, null, 0), wait(2, null, 0.123_456_789), wait(2, null, 1)]).toEqual([240_000, 254_815, 360_000])
    expect([wait(10), wait(10, '60')]).toEqual([null, null])
  })

  test.each([
    [120_000, ['120']],
    [180_000, ['Sun, 01 Mar 2026 12:03:00 GMT']],
    [24 * HOUR, ['99999999999999999999', 'Mon, 01 Mar 2027 12:00:00 GMT']],
    [5000, ['1', 'Sun, 01 Mar 2026 11:00:00 GMT']],
    [5000, ['', 'soon', '-5', '1.5', '2027-03-01', 'Sun, 99 Foo 2026 GMT']],
  ])('is %i ms with a Retry-After of %j, which is honored if it’s longer, up to a day', (ms, values) => {
    expect(values.map(retryAfter => wait(1, retryAfter))).toEqual(values.map(() => ms))
  })
})

describe('events about a lead the webhook already has', () => {
  const json = () => ({ webhook: { url: webhook.url, format: 'json' as const } })
  const bodies = () => webhook.deliveries.map(({ body }) => JSON.parse(body || '{}') as { type: string; data: object })
  const stopCalls = async (leadId: string) => {
    const email = (await leads.store.find(leadId))?.email ?? ''
    await leads.store.addToDoNotCall({ contacts: [{ email }], by: 'Maria', leadId })
  }

  test('a request not to be called is sent once, and again until it arrives', async () => {
    startWorker(json())
    const id = await capture('Ada')
    await expect.poll(() => webhook.deliveries.length).toBe(1)
    await expect.poll(async () => (await leads.store.find(id))?.delivery?.state).toBe('delivered')
    webhook.behave = () => ({ status: 500 })
    await stopCalls(id)
    worker?.wake()
    await expect.poll(() => webhook.deliveries.length).toBe(2)
    webhook.behave = () => ({ status: 204 })
    await expect.poll(() => codes().filter(code => code === 'webhook_event')).toHaveLength(1)
    clock.advance(10 * SECOND)
    worker?.wake()
    await expect.poll(() => webhook.deliveries.length).toBe(3)
    expect(bodies().slice(1)).toEqual([
      { type: 'lead.do_not_call', timestamp: expect.any(String), data: { id, contact: 'email' } },
      { type: 'lead.do_not_call', timestamp: expect.any(String), data: { id, contact: 'email' } },
    ])
    const [first, second] = webhook.deliveries.slice(1).map(({ headers }) => headers['webhook-id'])
    expect(first).toBe(second)
    await expect.poll(waiting).toEqual([])
  })

  const waiting = () => leads.rows("SELECT id FROM outbox WHERE lane <> 'leads' AND state <> 'told'")

  test('all that piled up while the webhook was down is sent; stopping waits for those in flight, but sends no more', async () => {
    startWorker(json())
    for (let index = 0; index < 9; index++) await capture(`Ada${index}`)
    await expect.poll(() => leads.rows("SELECT id FROM outbox WHERE state = 'delivered'")).toHaveLength(9)
    await waitForIdle()
    await leads.change(
      `INSERT INTO outbox (id, lead_id, lane, type, detail, state, attempts, next_at, created_at)
       SELECT 'event ' || id, id, 'calls', 'lead.called', '{}', 'pending', 0, ${clock.now()}, ${clock.now()} FROM leads`,
    )
    const respond = webhook.hold()
    worker?.wake()
    await webhook.received(13)
    const stopped = worker?.stop()
    respond(200)
    await stopped
    expect([webhook.deliveries.length, waiting().length]).toEqual([13, 5])
    startWorker(json())
    await expect.poll(waiting).toEqual([])
    expect(webhook.deliveries).toHaveLength(18)
  })

  test('a request not to be called doesn’t wait for leads that hang', async () => {
    startWorker({ ...json(), timeoutMs: 60_000 })
    const id = await capture('Ada')
    await expect.poll(async () => (await leads.store.find(id))?.delivery?.state).toBe('delivered')
    webhook.behave = ({ body }) => (body.includes('lead.do_not_call') ? { status: 200 } : 'hangs')
    for (let index = 0; index < 8; index++) await capture(`slow${index}`)
    await webhook.received(9)
    await stopCalls(id)
    await expect.poll(waiting).toEqual([])
  })

  test('nothing is sent about a lead the webhook never got; in a query string, a person has to tell', async () => {
    const id = await capture('Ada')
    await stopCalls(id)
    expect(waiting()).toEqual([])
    startWorker()
    await leads.store.removeFromDoNotCall({ contacts: [{ email: 'Ada@example.org' }], by: 'Maria', request: null })
    const other = await capture('Bea')
    await expect.poll(async () => (await leads.store.find(other))?.delivery?.state).toBe('delivered')
    await leads.store.addToDoNotCall({ contacts: [{ email: 'Bea@example.org' }], by: 'Maria', leadId: other })
    const events = () => leads.store.queuedEvents({ lane: 'stops', limit: 9 })
    await expect.poll(events).toMatchObject([{ leadId: other, state: 'dead' }])
    expect(webhook.deliveries.every(({ method }) => method === 'GET')).toBe(true)
  })
})
