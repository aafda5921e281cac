/** Alerts sent to a real URL, with a fake clock. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { type LeadStore, openLeadStore } from '../../tests/support/lead-store.ts'
import { AlertChannel } from '../../tests/support/receiver.ts'
import { type Alerting, type AlertStore, createAlerting } from './alerting.ts'
import { postAlert } from './alerts.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let clock: FakeClock
let channel: AlertChannel
let url: string
let leads: LeadStore
let logged: string[]
const started: Alerting[] = []

beforeEach(async () => {
  clock = new FakeClock(Date.parse('2026-03-01T12:00:00Z'))
  channel = new AlertChannel()
  url = await channel.open()
  leads = openLeadStore(clock.now)
  logged = []
})

afterEach(async () => {
  for (const alerting of started.splice(0)) {
    const stopped = alerting.stop(SECOND)
    await settled()
    clock.advance(SECOND)
    await stopped
  }
  await channel.close()
  await leads.remove()
})

function start(source = 'web-1', store: AlertStore | null = leads.store): Alerting {
  const { now, setTimer } = clock
  const log = (code: string) => logged.push(code)
  const alerting = createAlerting({ url, site: 'example.org', source, now, tick: now, setTimer, log })
  if (store) alerting.attach(store)
  alerting.start()
  started.push(alerting)
  return alerting
}

/** Waits until nothing has been sent or stored for a moment. */
async function settled(): Promise<void> {
  for (let quiet = 0, before = ''; quiet < 3; ) {
    await sleep(10)
    const now = [channel.attempts, channel.messages.length, clock.nextIn, leads.rows('SELECT * FROM alerts')]
    quiet = JSON.stringify(now) === before ? quiet + 1 : 0
    before = JSON.stringify(now)
  }
}

async function advance(ms: number): Promise<void> {
  const step = Math.min(ms, 30 * MINUTE)
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(step)
    await settled()
  }
}

const kinds = () => channel.messages.map(message => message.slice(0, message.indexOf(':')))

describe.each([
  ['an alert about one process', 'leads_refused', 'example.org, web-1, leads_refused', 'Accepting leads again.'],
  ['an alert about the store', 'held_leads_waiting', 'example.org, held_leads_waiting', 'No leads overdue for review.'],
] as const)('%s', (_, code, context, resolution) => {
  test('is stored and sent once, no matter how often it’s raised, and sent again when it’s resolved', async () => {
    const alerting = start()
    for (let time = 0; time < 100; time++) alerting.raise(code, 'Something is wrong.')
    await settled()
    for (let time = 0; time < 5; time++) {
      alerting.raise(code, 'Something is wrong.')
      await advance(MINUTE)
    }
    expect(channel.messages).toEqual([`ALERT: Something is wrong. (${context}; since 2026-03-01 12:00 UTC)`])
    const stored = { code, text: 'Something is wrong.' }
    expect(await leads.store.alertsSince(0)).toMatchObject([{ ...stored, endedAt: null }])
    alerting.clear(code)
    alerting.clear(code)
    await settled()
    expect(await leads.store.alertsSince(0)).toMatchObject([{ ...stored, endedAt: clock.now() }])
    expect(channel.messages.slice(1)).toEqual([
      `RESOLVED: ${resolution} (${context}; since 2026-03-01 12:00 UTC: Something is wrong.)`,
    ])
  })

  test('is sent again when it gets worse, and reminders become less and less frequent', async () => {
    const alerting = start()
    alerting.raise(code, 'One waits.', { sizes: [5, 1] })
    await settled()
    alerting.raise(code, 'One waits.', { sizes: [9, 1] })
    await settled()
    expect(kinds()).toEqual(['ALERT'])
    alerting.raise(code, 'Nine wait.', { sizes: [5, 2] })
    await settled()
    expect(kinds()).toEqual(['ALERT', 'REMINDER'])
    for (let hour = 1; hour <= 8; hour++) {
      alerting.raise(code, 'Nine wait.', { sizes: [5, 2] })
      await advance(HOUR)
    }
    // Reminders: two hours after the second message, four hours after the third.
    expect(kinds()).toEqual(['ALERT', 'REMINDER', 'REMINDER', 'REMINDER'])
    expect(channel.messages.at(-1)).toContain('Nine wait.')
  })

  test('is sent in its current state when the webhook recovers hours later, even if it has been resolved since', async () => {
    channel.status = 500
    const alerting = start()
    alerting.raise(code, 'One waits.')
    await settled()
    expect(logged).toEqual([code, 'alerts_untold'])
    await advance(20 * SECOND)
    expect(channel.attempts).toBe(1)
    await advance(6 * HOUR)
    alerting.raise(code, 'Two wait.')
    channel.status = 200
    await advance(20 * MINUTE)
    expect(channel.messages).toEqual([`ALERT: Two wait. (${context}; since 2026-03-01 12:00 UTC)`])
    expect(logged.filter(line => line !== code)).toEqual(['alerts_untold', 'alerts_told_again'])
    alerting.clear(code)
    await settled()
    channel.status = 404
    alerting.raise(code, 'Three wait.')
    await advance(MINUTE)
    alerting.clear(code)
    channel.status = 200
    await advance(20 * MINUTE)
    expect(kinds()).toEqual(['ALERT', 'RESOLVED', 'RESOLVED'])
    expect(channel.messages[2]).toContain('Three wait.')
  })
})

test('one of three replicas sends a store alert, and another sends the resolution', async () => {
  const replicas = ['web-1', 'web-2', 'web-3'].map(source => start(source))
  for (const replica of replicas) replica.raise('deliveries_stuck', 'Leads wait.')
  await advance(MINUTE)
  expect(kinds()).toEqual(['ALERT'])
  await replicas[0]?.stop(0)
  for (const replica of replicas.slice(1)) replica.clear('deliveries_stuck')
  await advance(MINUTE)
  expect(kinds()).toEqual(['ALERT', 'RESOLVED'])
})

test('a store that hangs doesn’t keep alerts from being sent', async () => {
  const never = () => new Promise<never>(() => {})
  const hangingStore = { raiseAlert: never, endAlert: never, leaseAlert: never, markAlertSent: never, saveAlert: never }
  const alerting = start('web-1', hangingStore)
  alerting.raise('leads_refused', 'The disk hangs.')
  await settled()
  expect(kinds()).toEqual(['ALERT'])
})

test('alerts left open by a dead process are resolved when it restarts, and a message says so', async () => {
  start('web-1').raise('leads_refused', 'The disk is full.')
  start('web-2').raise('leads_refused', 'The disk is full.')
  await settled()
  start('web-1')
  await advance(MINUTE)
  expect(kinds()).toEqual(['ALERT', 'ALERT', 'RESOLVED'])
  expect(channel.messages[2]).toContain('web-1')
})

test('an alert that is never cleared is resolved if it isn’t raised again for a while', async () => {
  const alerting = start()
  alerting.raise('lead_flood', 'Leads come in a flood.')
  await advance(9 * MINUTE)
  alerting.raise('lead_flood', 'Leads come in a flood.')
  await advance(9 * MINUTE)
  expect(kinds()).toEqual(['ALERT'])
  await advance(2 * MINUTE)
  expect(kinds()).toEqual(['ALERT', 'RESOLVED'])
  expect(logged).toEqual(['lead_flood', 'lead_flood_over'])
})

test('a process sends its last alert before it exits', async () => {
  const alerting = start()
  await settled()
  alerting.raise('service_crashed', 'The lead service crashed.')
  await alerting.stop(SECOND)
  expect(kinds()).toEqual(['ALERT'])
})

test('a message that is refused, is redirected, or times out counts as unsent, and no error contains the URL', async () => {
  for (const status of [404, 302]) {
    channel.status = status
    expect(await postAlert(url, 'text')).toBe(`it responded with status ${status}`)
  }
  channel.hangs = true
  expect(await postAlert(url, 'text', 50)).toBe('no response within 0.05 s')
  expect(await postAlert('http://127.0.0.1:1/hooks/secret', 'text')).not.toContain('secret')
})
