/** Alerts sent to a real URL, with a fake clock. */
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../domain/durations.ts'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { type LeadStore, openLeadStore, seenAlert } from '../../tests/support/lead-store.ts'
import { AlertChannel } from '../../tests/support/receiver.ts'
import { MailReceiver } from '../../tests/support/smtp.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { type Alerting, type AlertStore, createAlerting } from './alerting.ts'
import type { AlertCode } from './alerts.ts'
import { alertChannels, chatChannel } from './channels.ts'

let clock: FakeClock
let channel: AlertChannel
let url: string
let logged: string[]
/** Store calls and requests in progress, except ones that never end. */
const pending = new Set<Promise<unknown>>()
const hanging = new Promise<never>(() => {})
const started: Alerting[] = []

beforeEach(async () => {
  clock = new FakeClock(Date.parse('2026-03-01T12:00:00Z'))
  channel = new AlertChannel()
  url = await channel.open()
  logged = []
  pending.clear()
  const post = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((...request) => tracked(post(...request)))
})

afterEach(async () => {
  for (const alerting of started.splice(0)) await stop(alerting)
  await channel.close()
  vi.restoreAllMocks()
})

async function stop(alerting: Alerting): Promise<void> {
  const stopped = alerting.stop(SECOND)
  await settled()
  clock.advance(10 * SECOND)
  await stopped
}

function tracked<Result>(call: Promise<Result>): Promise<Result> {
  if (call === hanging) return call
  pending.add(call)
  const settle = () => pending.delete(call)
  call.then(settle, settle)
  return call
}

function start(store: AlertStore | null, source = 'web-1'): Alerting {
  const { now, setTimer } = clock
  const log = (code: string) => logged.push(code)
  const alerting = createAlerting({
    channels: [chatChannel(url)],
    site: 'example.org',
    source,
    now,
    tick: now,
    setTimer,
    log,
  })
  if (store) {
    alerting.attach({
      refreshAlerts: argument => tracked(store.refreshAlerts(argument)),
      endUnseenAlerts: () => tracked(store.endUnseenAlerts()),
      nextAlertToSend: () => tracked(store.nextAlertToSend()),
      markAlertSent: argument => tracked(store.markAlertSent(argument)),
    })
  }
  alerting.start()
  started.push(alerting)
  return alerting
}

/** Waits until every process waits for the clock: after the last call has settled, only microtasks are left. */
async function settled(): Promise<void> {
  do {
    await Promise.allSettled(pending)
    await setImmediate()
  } while (pending.size > 0)
}

/** Raises the alerts every minute, as the checks do. */
async function advance(ms: number, raise: () => void = () => {}): Promise<void> {
  for (let passed = 0; passed < ms; passed += MINUTE) {
    raise()
    clock.advance(Math.min(MINUTE, ms - passed))
    await settled()
  }
}

const kinds = () => channel.messages.map(message => message.slice(0, message.indexOf(':')))

describe('with a store', () => {
  let leads: LeadStore
  /** How far the store's clock is ahead of the process's. */
  let storeAhead = 0
  beforeEach(() => {
    storeAhead = 0
    leads = openLeadStore(() => clock.now() + storeAhead)
  })
  afterEach(() => leads.remove())

  test.each([
    ['seen by one process', 'leads_refused', 'example.org, web-1, leads_refused', 'Accepting leads again.'],
    ['seen by all', 'held_leads_waiting', 'example.org, held_leads_waiting', 'No leads overdue for review.'],
  ] as const)(
    'a problem %s is logged, stored, and sent once, and again when it’s over',
    async (_, code, context, resolution) => {
      const alerting = start(leads.store)
      const raise = () => {
        for (let time = 0; time < 100; time++) alerting.raise(code, 'Something is wrong.')
      }
      await advance(5 * MINUTE, raise)
      expect(channel.messages).toEqual([`ALERT: Something is wrong. (${context}; since 2026-03-01 12:00 UTC)`])
      const stored = { code, text: 'Something is wrong.' }
      expect(await leads.store.alertsSince(0)).toMatchObject([{ ...stored, endedAt: null }])
      await advance(4 * MINUTE)
      expect(await leads.store.alertsSince(0)).toMatchObject([{ ...stored, endedAt: expect.any(Number) }])
      expect(channel.messages.slice(1)).toEqual([
        `RESOLVED: ${resolution} (${context}; since 2026-03-01 12:00 UTC: Something is wrong.)`,
      ])
      expect(logged).toEqual([code, code === 'leads_refused' ? 'leads_taken_again' : 'held_leads_done'])
    },
  )

  test('an open alert is logged again every hour, and reminders become less and less frequent', async () => {
    const alerting = start(leads.store)
    await advance(3 * HOUR, () => alerting.raise('held_leads_waiting', 'Leads wait.', { size: 5 }))
    expect(kinds()).toEqual(['ALERT', 'REMINDER'])
    await advance(5 * MINUTE, () => alerting.raise('held_leads_waiting', 'Leads wait.', { size: 5 }))
    expect(kinds()).toEqual(['ALERT', 'REMINDER', 'REMINDER'])
    expect(logged).toEqual(Array(4).fill('held_leads_waiting'))
  })

  test('an alert is sent in its current state when the webhook recovers hours later, even if it has been resolved', async () => {
    channel.status = 500
    const alerting = start(leads.store)
    await advance(HOUR, () => alerting.raise('held_leads_waiting', 'One waits.'))
    expect(logged).toEqual(['held_leads_waiting', 'alerts_untold'])
    channel.status = 200
    await advance(2 * MINUTE, () => alerting.raise('held_leads_waiting', 'Two wait.'))
    expect(channel.messages).toEqual([expect.stringMatching('ALERT: Two wait.')])
    expect(logged).toContain('alerts_told_again')
    channel.status = 404
    await advance(5 * MINUTE)
    channel.status = 200
    await advance(2 * MINUTE)
    expect(kinds()).toEqual(['ALERT', 'RESOLVED'])
  })

  test('a problem that events reveal is over after a while without any', async () => {
    const alerting = start(leads.store)
    alerting.raise('lead_flood', 'Leads come in a flood.')
    await advance(9 * MINUTE)
    alerting.raise('lead_flood', 'Leads come in a flood.')
    await advance(9 * MINUTE)
    expect(kinds()).toEqual(['ALERT'])
    await advance(3 * MINUTE)
    expect(kinds()).toEqual(['ALERT', 'RESOLVED'])
    expect(logged).toEqual(['lead_flood', 'lead_flood_over'])
    // The next flood is another problem.
    alerting.raise('lead_flood', 'Leads come in a flood.')
    await advance(MINUTE)
    expect(channel.messages.at(-1)).toMatch(/^ALERT: .*since 2026-03-01 12:21 UTC/)
    expect(logged.slice(2)).toEqual(['lead_flood'])
  })

  test('after a start, an outage, or a jump of the store’s clock, other processes get three minutes to refresh their alerts', async () => {
    await leads.store.refreshAlerts([seenAlert({ source: 'web-2' })])
    start(leads.store)
    // To the process, an outage looks like a jump: its refreshes are far apart.
    for (const jump of [20 * MINUTE, 20 * MINUTE, -90 * MINUTE]) {
      storeAhead += jump
      await advance(2 * MINUTE)
      expect(kinds()).toEqual(['ALERT'])
    }
    await advance(2 * MINUTE)
    expect(kinds()).toEqual(['ALERT', 'RESOLVED'])
  })

  /** A store that fails until it's repaired. */
  function brokenStore(call: () => Promise<never> = () => Promise.reject(new StoreUnavailable('the disk is full.'))) {
    const broken = { refreshAlerts: call, endUnseenAlerts: call, nextAlertToSend: call, markAlertSent: call }
    let current: AlertStore = broken
    return {
      repair: () => {
        current = leads.store
      },
      breakDown: () => {
        current = broken
      },
      store: {
        refreshAlerts: argument => current.refreshAlerts(argument),
        endUnseenAlerts: () => current.endUnseenAlerts(),
        nextAlertToSend: () => current.nextAlertToSend(),
        markAlertSent: argument => current.markAlertSent(argument),
      } satisfies AlertStore,
    }
  }

  test('while the store is down, the alert about it is sent from memory, and its end once the store is back', async () => {
    const { store, repair } = brokenStore()
    const alerting = start(store)
    const raise = () => {
      alerting.raise('leads_refused', 'The disk is full.')
      alerting.raise('lead_flood', 'Leads come in a flood.')
    }
    await advance(2 * HOUR, raise)
    expect(channel.messages).toEqual([
      'ALERT: The disk is full. (example.org, web-1, leads_refused; since 2026-03-01 12:00 UTC)',
      expect.stringMatching('REMINDER: The disk is full.'),
    ])
    repair()
    await advance(2 * MINUTE)
    expect(channel.messages.slice(2)).toEqual([expect.stringMatching('ALERT: Leads come in a flood.')])
    await advance(10 * MINUTE)
    expect(kinds().slice(3)).toEqual(['RESOLVED', 'RESOLVED'])
    expect(await leads.store.alertsSince(0)).toHaveLength(2)
  })

  test('while the store is down, there are no reminders of a problem that was over before', async () => {
    const { store, repair, breakDown } = brokenStore()
    repair()
    start(store).raise('leads_refused', 'The disk was full.')
    await advance(2 * MINUTE)
    breakDown()
    await advance(2 * HOUR)
    expect(kinds()).toEqual(['ALERT'])
  })

  test('a store that hangs doesn’t keep the alert about it from being sent', async () => {
    const alerting = start(brokenStore(() => hanging).store)
    await advance(2 * MINUTE, () => alerting.raise('leads_refused', 'The disk hangs.'))
    expect(kinds()).toEqual(['ALERT'])
  })

  test('a process saves and sends its last alert before it exits', async () => {
    const alerting = createAlerting({ channels: [chatChannel(url)], log: () => {}, source: 'web-1' })
    alerting.attach(leads.store)
    alerting.raise('service_crashed', 'The server crashed.')
    await alerting.stop(10 * SECOND)
    expect(kinds()).toEqual(['ALERT'])
    expect(await leads.store.alertsSince(0)).toMatchObject([
      { code: 'service_crashed', source: 'web-1', endedAt: null },
    ])
    // The next process resolves it.
    start(leads.store)
    await advance(10 * MINUTE)
    expect(kinds()).toEqual(['ALERT', 'RESOLVED'])
  })

  test('without a store, the last alert is still sent', async () => {
    const alerting = createAlerting({ channels: [chatChannel(url)], log: () => {} })
    alerting.raise('service_crashed', 'The server crashed.')
    await alerting.stop(10 * SECOND)
    expect(kinds()).toEqual(['ALERT'])
  })

  test('two replicas, an alert that flaps, and one replica replaced: each alert is sent once and ended once', async () => {
    const [one, two] = [start(leads.store, 'web-1'), start(await leads.openAnother(), 'web-2')]
    let replicas = [one, two]
    const raise = (code: AlertCode, text: string) => {
      for (const replica of replicas) replica.raise(code, text)
    }
    for (let flap = 1; flap <= 5; flap++) {
      await advance(2 * MINUTE, () => raise('deliveries_stuck', `Flap ${flap}.`))
      await advance(5 * MINUTE)
    }
    const flaps = [1, 2, 3, 4, 5].flatMap(flap => [
      expect.stringMatching(`ALERT: Flap ${flap}\\.`),
      expect.stringMatching(`RESOLVED: .*Flap ${flap}\\.`),
    ])
    expect(channel.messages).toEqual(flaps)
    // One replica is replaced while it has an open alert, and the shared problem goes on.
    two.raise('connections_refused', 'Web 2 is full.')
    await advance(2 * MINUTE, () => raise('deliveries_stuck', 'Stuck.'))
    await stop(two)
    replicas = [one, start(await leads.openAnother(), 'web-3')]
    await advance(11 * MINUTE, () => raise('deliveries_stuck', 'Stuck.'))
    expect(channel.messages.slice(10).toSorted()).toEqual([
      expect.stringMatching('^ALERT: Stuck.'),
      expect.stringMatching('^ALERT: Web 2 is full.'),
      expect.stringMatching('^RESOLVED: .*web-2.*Web 2 is full.'),
    ])
    await advance(5 * MINUTE)
    expect(channel.messages.slice(13)).toEqual([expect.stringMatching('^RESOLVED: .*Stuck.')])
    expect((await leads.store.alertsSince(0)).filter(({ endedAt }) => endedAt === null)).toEqual([])
  })
})

test('a channel that’s down doesn’t hold up the other one, and an alert nobody got is tried again', async () => {
  const mail = new MailReceiver()
  onTestFinished(() => mail.close())
  const settings = { smtpUrl: await mail.open(), mailFrom: 'site@harborlight.test', mailTo: ['it@harborlight.test'] }
  const channels = alertChannels({ ...settings, alertUrl: url })
  const failures: unknown[] = []
  const alerting = createAlerting({ channels, log: (code, detail) => failures.push([code, detail]), source: 'web-1' })
  channel.status = 404
  mail.refuses = { message: 554 }
  alerting.raise('service_crashed', 'The server crashed.')
  await alerting.stop(10 * SECOND)
  expect([channel.messages, mail.mails]).toEqual([[], []])
  mail.refuses = {}
  await alerting.stop(10 * SECOND)
  expect(mail.mails).toMatchObject([{ to: ['it@harborlight.test'] }])
  expect(mail.mails[0]?.source).toMatch(/^Subject: ALERT: The server crashed\. \(web-1,/m)
  await alerting.stop(10 * SECOND)
  expect([channel.attempts, mail.mails.length]).toEqual([2, 1])
  expect(JSON.stringify(failures)).not.toContain('secret')
})

test('a message that is refused, is redirected, or times out counts as unsent, and no error contains the URL', async () => {
  const postAlert = (to: string, text: string, timeoutMs?: number) => chatChannel(to, timeoutMs).tell(text, 'id')
  for (const status of [404, 302]) {
    channel.status = status
    expect(await postAlert(url, 'text')).toBe(`it responded with status ${status}`)
  }
  channel.hangs = true
  expect(await postAlert(url, 'text', 50)).toBe('no response within 0.05 s')
  expect(await postAlert('http://127.0.0.1:1/hooks/secret', 'text')).not.toContain('secret')
})
