/** A webhook that misbehaves in every way we know of: no lead is lost, and retries keep to the schedule. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DeliveryScene } from '../support/delivery-scene.ts'
import type { Behavior } from '../support/webhook.ts'

const SECOND = 1000
const HOUR = 3_600_000

let scene: DeliveryScene

beforeEach(async () => {
  scene = new DeliveryScene()
  await scene.open()
})

afterEach(() => scene.close())

const faults: Readonly<Record<string, readonly [behavior: Behavior, reason: string]>> = {
  hangs: ['hangs', 'no answer within 1 s'],
  drips: ['drips', 'no answer within 1 s'],
  dripsHeaders: ['drips headers', 'no answer within 1 s'],
  resets: ['resets', 'connection reset'],
  resetsMidway: ['resets midway', 'connection reset'],
  talksNonsense: ['talks nonsense', 'the answer is not HTTP'],
  answers500: [{ status: 500 }, 'answered 500'],
  answers404: [{ status: 404 }, 'answered 404'],
  answers301: [{ status: 301, headers: { location: '/elsewhere' } }, 'redirected (301)'],
}

test('after any fault, the lead is sent again 5 s later with the same webhook-id', async () => {
  const names = Object.keys(faults)
  scene.webhook.behave = ({ query }) => faults[query['firstName'] ?? '']?.[0] ?? { status: 200 }
  const worker = scene.startWorker({ concurrency: names.length, timeoutMs: 1000 })
  const ids = new Map<string, string>()
  for (const name of names) ids.set(name, await scene.capture(name))
  const firstTries = await scene.attempts(names.length)
  for (const [name, [, reason]] of Object.entries(faults)) {
    const lead = ids.get(name)
    expect(
      firstTries.find(line => line['lead'] === lead),
      name,
    ).toMatchObject({ outcome: 'retry', attempt: 1, reason, recorded: true })
  }

  await worker.stop()
  scene.startWorker()
  scene.webhook.behave = () => ({ status: 200 })
  await scene.pass(5 * SECOND - 1)
  await scene.workerSleeps()
  expect(scene.webhook.deliveries).toHaveLength(names.length)
  await scene.pass(1)
  await scene.attempts(2 * names.length)
  for (const [name, lead] of ids) {
    expect(await scene.delivery(lead), name).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(scene.webhook.deliveries.filter(({ webhookId }) => webhookId === `lead_${lead}`)).toHaveLength(2)
    expect(scene.leads.rows('SELECT outcome FROM attempts WHERE lead_id = ? ORDER BY at', lead)).toEqual([
      { outcome: faults[name]?.[1] },
      { outcome: 'delivered' },
    ])
  }
})

test('a webhook that returns 429 gets no requests until Retry-After has passed', async () => {
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

test('a webhook that never recovers gets ten scheduled attempts; then the delivery is dead and can be resent manually', async () => {
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
  expect(await scene.store.redeliver({ ids: [leadId], again: true, by: 'Maria' })).toBe(1)
  expect((await scene.attempts(11)).at(-1)).toMatchObject({ outcome: 'delivered', attempt: 1 })
  expect(new Set(scene.webhook.deliveries.map(delivery => delivery.webhookId)).size).toBe(1)
})

test('hanging deliveries hold up the others only when all eight slots are taken', async () => {
  scene.webhook.behave = ({ query }) => (query['firstName']?.startsWith('slow') ? 'hangs' : { status: 200 })
  const captureSlow = async (count: number) => {
    for (let index = 0; index < count; index++) await scene.capture(`slow-${count}-${index}`)
  }
  scene.startWorker({ timeoutMs: 60_000 })
  await captureSlow(7)
  await scene.webhook.received(7)
  for (let index = 0; index < 3; index++) await scene.capture(`quick-${index}`)
  expect(await scene.attempts(3)).toMatchObject(Array(3).fill({ outcome: 'delivered' }))
  await captureSlow(4)
  await scene.webhook.received(11)
  await scene.workerSleeps()
  expect(
    scene.leads.rows("SELECT 1 FROM deliveries WHERE state = 'pending' AND next_at > ?", scene.clock.now()),
  ).toHaveLength(8)
})

test('no log line reveals the person or the webhook URL', async () => {
  const webhook = { url: `${scene.webhook.url}?token=sesame`, secrets: ['whsec_c2VzYW1l'] }
  scene.startWorker({ webhook, timeoutMs: 1000 })
  for (const [turn, behavior] of ([{ status: 200 }, { status: 500 }, 'resets', 'hangs'] as const).entries()) {
    scene.webhook.behave = () => behavior
    await scene.capture(`Augusta-${turn}`)
    await scene.attempts(turn + 1)
  }
  const logged = JSON.stringify(scene.log)
  // None of these can be part of an ID, a time, or a port.
  for (const word of [
    ...['Augusta', 'Lovelace', '1965-12-10', '@', '210-0199', '5552100199', 'firstName'],
    ...['sesame', '127.0.0.1', 'whsec', 'c2VzYW1l'],
  ]) {
    expect(logged, word).not.toContain(word)
  }
})
