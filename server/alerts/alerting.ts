/**
 * Sends alerts to ALERT_WEBHOOK_URL when they are raised, get worse, or are resolved, with reminders in between. An alert that
 * can't be sent is sent later, in its current state. Alerts about the store go through the store, so that one replica sends
 * them; alerts about a process are sent from its memory, and kept in the store as well.
 */
import { createAlarm, type SetTimer, setRealTimer, within } from '../alarm.ts'
import { type Log, logEvents } from '../log.ts'
import type { Store } from '../store/store.ts'
import { type Alert, type AlertCode, alertKinds, createAlerts, kindOf } from './alerts.ts'

export type AlertStore = Pick<Store, 'raiseAlert' | 'endAlert' | 'leaseAlert' | 'markAlertSent' | 'saveAlert'>

export interface AlertingOptions {
  /** Null: alerts go only to the log and the store. */
  readonly url: string | null
  /** One channel may get alerts from several sites. */
  readonly site: string
  /** Names this process among several. */
  readonly source: string
  readonly log: Log
  readonly now?: () => number
  /** A monotonic clock. */
  readonly tick?: () => number
  readonly setTimer?: SetTimer
}

export type Alerting = ReturnType<typeof createAlerting>

interface Unsent extends Notice {
  readonly id: string
  /** When to send it next, by the monotonic clock. */
  readonly sendAt: number
  readonly kept: boolean
}

const HOUR = 60 * 60_000
const POLL_MS = 10_000
/** Longer than sending takes. */
const LEASE_MS = 60_000
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** In memory, while nothing can be sent. */
const MAX_KEPT = 100

export function createAlerting(options: AlertingOptions) {
  const { url, site, source, log, now = Date.now, tick = () => performance.now(), setTimer = setRealTimer } = options
  const idle = createAlarm(setTimer)
  /** This process's own alerts, by id. */
  const own = new Map<string, Unsent>()
  /** To be written to the store: the latest state of each kind. */
  const forStore = new Map<AlertCode, { readonly alert: Alert | null; readonly worse: boolean }>()
  const alerts = createAlerts({ log, now, tick, listener: { changed, fine } })
  let store: AlertStore | null = null
  let storeWork: Promise<void> | null = null
  /** Alerts left open by an earlier process of this name are closed first; ongoing problems are raised again. */
  let isTidy = false
  let running = false
  let loop = Promise.resolve()
  let failures = 0
  let silentUntil = Number.NEGATIVE_INFINITY

  function changed(alert: Alert, worse: boolean): void {
    const { code, id, endedAt } = alert
    if (kindOf(code).seenIn === 'store') {
      forStore.set(code, {
        alert: endedAt === null ? alert : null,
        worse: worse || (forStore.get(code)?.worse ?? false),
      })
      idle.ring()
      return
    }
    const known = own.get(id)
    const isNews = !known || worse || endedAt !== null
    const unsent = { timesSent: 0, sendAt: tick(), ...known, ...alert, source }
    own.set(id, isNews ? { ...unsent, sendAt: tick(), kept: false } : { ...unsent, kept: known.kept })
    if (own.size > MAX_KEPT) own.delete(own.keys().next().value as string)
    // Visitors can raise an alert thousands of times a second.
    if (isNews) idle.ring()
  }

  function fine(code: AlertCode): void {
    if (kindOf(code).seenIn === 'store') forStore.set(code, { alert: null, worse: false })
  }

  async function run(): Promise<void> {
    while (running) {
      await round()
      await idle.sleep(POLL_MS)
    }
  }

  async function round(): Promise<void> {
    alerts.resolveQuiet()
    // Not awaited: a store that hangs must not block the alert about it.
    storeWork ??= throughStore().finally(() => {
      storeWork = null
    })
    await sendOwn()
  }

  async function throughStore(): Promise<void> {
    if (store === null) return
    try {
      await keepIn(store)
      await sendFrom(store)
    } catch {
      // The store is unavailable: keep everything until it is back.
    }
  }

  async function keepIn(store: AlertStore): Promise<void> {
    if (!isTidy) await store.endAlert({ source })
    isTidy = true
    for (const [code, wanted] of forStore) {
      const { alert, worse } = wanted
      if (alert) await store.raiseAlert({ id: alert.id, code, text: alert.text, worse })
      else await store.endAlert({ code })
      // Unless it changed while we waited.
      if (forStore.get(code) === wanted) forStore.delete(code)
    }
    for (const unsent of own.values()) {
      if (unsent.kept) continue
      const { id, code, text, startedAt, endedAt } = unsent
      await store.saveAlert({ id, code, text, source, startedAt, endedAt })
      if (own.get(id) === unsent) settle({ ...unsent, kept: true })
    }
  }

  async function sendOwn(): Promise<void> {
    for (const { id, sendAt } of [...own.values()]) {
      const unsent = own.get(id)
      if (!unsent || tick() < sendAt) continue
      if (!(await post(unsent))) return
      const latest = own.get(id) ?? unsent
      const isLatest = latest.sendAt === sendAt
      settle({
        ...latest,
        timesSent: latest.timesSent + 1,
        sendAt: isLatest ? tick() + nextInMs(unsent) : latest.sendAt,
      })
    }
  }

  async function sendFrom(store: AlertStore): Promise<void> {
    while (isListening()) {
      const leased = await store.leaseAlert({ leaseMs: LEASE_MS })
      if (!leased || !(await post(leased))) return
      await store.markAlertSent({ ...leased, nextInMs: leased.endedAt === null ? nextInMs(leased) : null })
    }
  }

  /** A resolved alert that was sent and kept is forgotten. */
  function settle(unsent: Unsent): void {
    const isSent = url === null || unsent.sendAt > tick()
    if (unsent.endedAt !== null && isSent && unsent.kept) own.delete(unsent.id)
    else own.set(unsent.id, unsent)
  }

  function isListening(): boolean {
    return url !== null && tick() >= silentUntil
  }

  async function post(notice: Notice): Promise<boolean> {
    if (url === null || !isListening()) return false
    const failure = await postAlert(url, messageOf(notice, site))
    if (failure === null) {
      if (failures > 0) log('alerts_told_again')
      failures = 0
      return true
    }
    silentUntil = tick() + Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    if (failures === 0) log('alerts_untold', { reason: failure })
    failures++
    return false
  }

  return {
    raise: alerts.raise,
    clear: alerts.clear,
    /** Starts sending alerts from the store and keeping all alerts there. */
    attach(opened: AlertStore): void {
      store = opened
      idle.ring()
    },
    start(): void {
      if (running) return
      running = true
      loop = run()
    },
    /** Sends the remaining alerts, up to the time limit. */
    async stop(limitMs: number): Promise<void> {
      running = false
      idle.ring()
      const lastRound = loop.then(round).then(() => storeWork)
      await within(limitMs, lastRound, setTimer)
    },
  }
}

/** Reminders after one hour, two, four, and so on up to a day. A resolved alert is sent once. */
function nextInMs({ timesSent, endedAt }: Pick<Notice, 'timesSent' | 'endedAt'>): number {
  return endedAt === null ? HOUR * Math.min(2 ** timesSent, 24) : Number.POSITIVE_INFINITY
}

interface Notice {
  readonly code: string
  readonly text: string
  /** The process it is about; empty for the store. */
  readonly source: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** How many times it was sent. */
  readonly timesSent: number
}

function messageOf({ code, text, source, startedAt, endedAt, timesSent }: Notice, site: string): string {
  const place = [site, source, code].filter(Boolean).join(', ')
  if (endedAt !== null) return `RESOLVED: ${overWords(code)} (${place}; ${span(startedAt, endedAt)}: ${text})`
  return `${timesSent === 0 ? 'ALERT' : 'REMINDER'}: ${text} (${place}; since ${minute(startedAt)})`
}

/** "from 2026-01-05 14:00 to 14:20 UTC"; the second date only if it differs. */
function span(from: number, to: number): string {
  const [start, end] = [minute(from), minute(to)]
  const day = start.slice(0, 11)
  return `from ${start.replace(' UTC', '')} to ${end.replace(day, '')}`
}

/** A store may hold codes from a newer version. */
function overWords(code: string): string {
  const kind = Object.hasOwn(alertKinds, code) ? alertKinds[code as AlertCode] : undefined
  const words = kind ? logEvents[kind.over] : 'the problem is gone'
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** In UTC: readers may be in several time zones. */
export function minute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const POST_TIMEOUT_MS = 10_000

/**
 * One message, in the format of Slack and Mattermost. Never throws. Returns null if accepted, or else the reason, without the
 * address: its path is often its only secret.
 */
export async function postAlert(url: string, text: string, timeoutMs = POST_TIMEOUT_MS): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // A redirect would turn the POST into a GET: status 200, message lost.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `it responded with status ${response.status}`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    return `it can’t be reached (${code ?? 'no connection'})`
  }
}
