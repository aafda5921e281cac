/** The webhook misbehaves in every way we know of. No lead is lost, and the contract holds for each. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DeliveryScene } from './delivery-scene.ts'
import type { Behaviour } from './webhook.ts'

const SECOND = 1000
const HOUR = 3_600_000

let scene: DeliveryScene

beforeEach(async () => {
  scene = new DeliveryScene()
  await scene.open()
})

afterEach(() => scene.close())

const faults: readonly (readonly [name: string, behaviour: Behaviour, reason: string])[] = [
  ['hangs', 'hangs', 'no answer within 0.2 s'],
  ['drips its answer a byte at a time', 'drips', 'no answer within 0.2 s'],
  ['drips its headers a byte at a time', 'drips headers', 'no answer within 0.2 s'],
  ['resets the connection', 'resets', 'connection reset'],
  ['resets the connection in the middle of its answer', 'resets midway', 'connection reset'],
  ['does not speak HTTP', 'talks nonsense', 'the answer is not HTTP'],
  ['answers 500', { status: 500 }, 'answered 500'],
  ['answers 404', { status: 404 }, 'answered 404'],
  ['answers 301', { status: 301, headers: { location: '/elsewhere' } }, 'redirected (301)'],
  ['is slower than the limit', { status: 200, afterMs: 300 }, 'no answer within 0.2 s'],
]

describe('the lead is sent again after 5 s, with the same webhook-id, when the webhook', () => {
  test.each(faults)('%s', async (_, behaviour, reason) => {
    scene.webhook.behave = () => behaviour
    const worker = scene.startWorker(reason.startsWith('no answer') ? { timeoutMs: 200 } : {})
    const leadId = await scene.capture('ada')
    const [first] = await scene.attempts(1)
    expect(first).toMatchObject({ lead: leadId, outcome: 'retry', attempt: 1, reason, recorded: true })

    await worker.stop()
    scene.startWorker()
    scene.webhook.behave = () => ({ status: 200 })
    await scene.pass(5 * SECOND - 1)
    await scene.workerSleeps()
    expect(scene.webhook.deliveries).toHaveLength(1)
    await scene.pass(1)
    const [, second] = await scene.attempts(2)
    expect(second).toMatchObject({ lead: leadId, outcome: 'delivered', attempt: 2, status: 200 })

    expect(await scene.delivery(leadId)).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(scene.webhook.deliveries.map(delivery => delivery.webhookId)).toEqual([`lead_${leadId}`, `lead_${leadId}`])
    expect(scene.leads.rows('SELECT outcome FROM attempts ORDER BY at')).toEqual([
      { outcome: reason },
      { outcome: 'delivered' },
    ])
  })

  test('is down', async () => {
    scene.startWorker()
    await scene.webhook.down()
    const leadId = await scene.capture('ada')
    expect((await scene.attempts(1))[0]).toMatchObject({ outcome: 'retry', reason: 'connection refused', status: null })
    await scene.webhook.up()
    await scene.pass(5 * SECOND)
    await scene.attempts(2)
    expect(await scene.delivery(leadId)).toMatchObject({ state: 'delivered', attempts: 2 })
  })
})

test('a webhook that answers 429 with Retry-After is left in peace for as long as it asks', async () => {
  scene.webhook.behave = () => ({ status: 429, headers: { 'retry-after': '3600' } })
  scene.startWorker()
  const leadId = await scene.capture('ada')
  await scene.attempts(1)
  expect((await scene.delivery(leadId)).next_at).toBe(scene.clock.now() + HOUR)
  scene.webhook.behave = () => ({ status: 200 })
  await scene.pass(HOUR - SECOND)
  await scene.workerSleeps()
  expect(scene.webhook.deliveries).toHaveLength(1)
  await scene.pass(SECOND)
  await scene.attempts(2)
  expect(await scene.delivery(leadId)).toMatchObject({ state: 'delivered' })
})

test('a webhook that is gone (410) makes the delivery dead at once, and it is kept', async () => {
  scene.webhook.behave = () => ({ status: 410 })
  scene.startWorker()
  const leadId = await scene.capture('ada')
  expect((await scene.attempts(1))[0]).toMatchObject({ outcome: 'dead', status: 410, attempt: 1 })
  expect(await scene.delivery(leadId)).toMatchObject({ state: 'dead', attempts: 1 })
  await scene.pass(48 * HOUR)
  await scene.workerSleeps()
  expect(scene.webhook.deliveries).toHaveLength(1)
})

test('a webhook that never recovers gets ten attempts by the schedule; then the lead is dead, and can be sent again by hand', async () => {
  scene.webhook.behave = () => ({ status: 503 })
  scene.startWorker()
  const leadId = await scene.capture('ada')
  const waits: number[] = []
  for (let attempt = 1; attempt < 10; attempt++) {
    await scene.attempts(attempt)
    const wait = (await scene.delivery(leadId)).next_at - scene.clock.now()
    waits.push(wait / SECOND)
    await scene.pass(wait)
  }
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
  expect((await scene.attempts(10)).at(-1)).toMatchObject({ outcome: 'dead', attempt: 10, reason: 'answered 503' })
  expect(await scene.delivery(leadId)).toMatchObject({ state: 'dead', attempts: 10 })
  await scene.pass(240 * HOUR)
  await scene.workerSleeps()
  expect(scene.webhook.deliveries).toHaveLength(10)

  scene.webhook.behave = () => ({ status: 200 })
  expect(await scene.store.redeliver({ id: leadId, by: 'Maria' })).toBe(1)
  expect((await scene.attempts(11)).at(-1)).toMatchObject({ outcome: 'delivered', attempt: 1 })
  expect(new Set(scene.webhook.deliveries.map(delivery => delivery.webhookId)).size).toBe(1)
})

describe('deliveries that hang', () => {
  /** So many hang, at the default of four at once, until the test is over. */
  async function hang(count: number, slowMs: number): Promise<void> {
    scene.webhook.behave = ({ query }) => (query['firstName']?.startsWith('slow') ? 'hangs' : { status: 200 })
    scene.startWorker({ timeoutMs: 10_000, slowMs })
    for (let index = 0; index < count; index++) await scene.capture(`slow-${index}`)
  }

  const hanging = () => scene.webhook.deliveries.filter(({ query }) => query['firstName']?.startsWith('slow')).length

  test.each([4, 8, 12])('do not hold up the others when there are %i of them', async count => {
    await hang(count, 50)
    await scene.webhook.received(count)
    for (let index = 0; index < 20; index++) await scene.capture(`quick-${index}`)
    const told = await scene.attempts(20)
    expect(told.map(line => line['outcome'])).toEqual(Array(20).fill('delivered'))
  })

  test('keep their places while they are not slow yet: no more than four are sent at once', async () => {
    await hang(8, 5000)
    await scene.webhook.received(4)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(hanging()).toBe(4)
  })

  test('are sixteen at the most, however slow the webhook is', async () => {
    await hang(30, 5)
    await scene.webhook.received(16)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(hanging()).toBe(16)
  })
})

test('a webhook with all faults by turns gets every lead in the end', async () => {
  const behaviours = [...faults.map(([, behaviour]) => behaviour), { status: 429 }]
  scene.webhook.behave = ({ webhookId }) => {
    const earlier = scene.webhook.deliveries.filter(delivery => delivery.webhookId === webhookId).length - 1
    const turn = [...webhookId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
    return earlier < 2 ? (behaviours[(turn + earlier) % behaviours.length] as Behaviour) : { status: 200 }
  }
  scene.startWorker({ concurrency: 16, timeoutMs: 150 })
  const leads = await Promise.all(Array.from({ length: 30 }, (_, index) => scene.capture(`lead-${index}`)))
  for (const wait of [5 * SECOND, 300 * SECOND, 0.5 * HOUR, 2 * HOUR]) {
    await everyOneWasTried()
    await scene.pass(wait)
  }
  for (const lead of leads) {
    await expect.poll(() => scene.delivery(lead)).toMatchObject({ state: 'delivered' })
    expect(scene.webhook.deliveries.filter(({ webhookId }) => webhookId === `lead_${lead}`).length).toBeGreaterThan(2)
  }

  async function everyOneWasTried(): Promise<void> {
    const due = `SELECT lead_id FROM deliveries WHERE state = 'pending' AND next_at <= ?`
    await expect.poll(() => scene.leads.rows(due, scene.clock.now())).toEqual([])
    await expect.poll(() => scene.webhook.openConnections).toBe(0)
  }
})

test('no log line tells anything about the person or the webhook’s address', async () => {
  const webhook = { url: `${scene.webhook.url}?token=sesame`, secrets: ['whsec_c2VzYW1l'] }
  scene.startWorker({ webhook, timeoutMs: 200 })
  for (const [turn, behaviour] of ([{ status: 200 }, { status: 500 }, 'resets', 'hangs'] as const).entries()) {
    scene.webhook.behave = () => behaviour
    await scene.capture(`Augusta-${turn}`)
    await scene.attempts(turn + 1)
  }
  const told = JSON.stringify(scene.log)
  // None of these can stand in an id, a time or a port by chance.
  for (const word of [
    ...['Augusta', 'Lovelace', '1965-12-10', '@', '210-0199', '5552100199', 'firstName'],
    ...['sesame', '127.0.0.1', 'whsec', 'c2VzYW1l'],
  ]) {
    expect(told, word).not.toContain(word)
  }
})
