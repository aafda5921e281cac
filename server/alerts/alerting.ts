/**
 * Operator alerts. Raise and clear them as often as you like: duplicates are merged here, and neither call waits or fails. Each
 * alert is logged, saved in the store, and sent to ALERT_WEBHOOK_URL when it's raised, gets worse, or is resolved, with
 * reminders in between. Alerts about the store go through the store, so only one replica sends them. Alerts about a process are
 * sent from its memory.
 */
import { randomUUID } from 'node:crypto'
import { createAlarm, type SetTimer, setRealTimer, within } from '../alarm.ts'
import type { Detail, Log } from '../log.ts'
import type { AlertRecord } from '../store/alerts.ts'
import type { Store } from '../store/store.ts'
import { type AlertCode, type Alerts, kindOf, messageOf, type Notice, postAlert } from './alerts.ts'

export type AlertStore = Pick<Store, 'raiseAlert' | 'endAlert' | 'leaseAlert' | 'markAlertSent' | 'saveAlert'>

export interface AlertingOptions {
  readonly log: Log
  /** If null, alerts go only to the log and the store. */
  readonly url?: string | null
  /** Included in messages, because one channel may receive alerts from multiple sites. */
  readonly site?: string
  /** This process's name. */
  readonly source?: string
  readonly now?: () => number
  /** A monotonic clock. */
  readonly tick?: () => number
  readonly setTimer?: SetTimer
}

interface Alert extends Omit<AlertRecord, 'source'> {
  readonly code: AlertCode
}

interface OpenAlert extends Alert {
  /** On the monotonic clock. */
  readonly raisedAt: number
  readonly loggedAt: number
  readonly sizes: readonly number[]
}

interface Unsent extends AlertRecord, Notice {
  /** When to send it next, on the monotonic clock. */
  readonly sendAt: number
}

const HOUR = 60 * 60_000
/** Log an open alert again after this long: operators often look only at the end of the log. */
const LOG_AGAIN_MS = HOUR
const POLL_MS = 10_000
/** Must be longer than it takes to send a message. */
const LEASE_MS = 60_000
/** How long to wait after a failed send. */
const RETRY_MS = 30_000
/** How many unsent alerts to keep in memory. */
const MAX_UNSENT = 100

export type Alerting = ReturnType<typeof createAlerting>

export function createAlerting(options: AlertingOptions) {
  const { url = null, site = '', source = '', log } = options
  const { now = Date.now, tick = () => performance.now(), setTimer = setRealTimer } = options
  const idle = createAlarm(setTimer)
  const open = new Map<AlertCode, OpenAlert>()
  /** This process's own alerts, keyed by ID, until they're resolved and sent. */
  const own = new Map<string, Unsent>()
  /** The latest state of each alert that has to be written to the store, keyed by code or ID. */
  const forStore = new Map<string, { readonly write: (to: AlertStore) => Promise<void>; readonly worse: boolean }>()
  let store: AlertStore | null = null
  let storeWork: Promise<void> | null = null
  /** Whether we've closed the alerts left open by an earlier process with this name. Ongoing problems are raised again. */
  let closedOldAlerts = false
  let running = false
  let loop = Promise.resolve()
  /** When the last message failed, on the monotonic clock. Null if it succeeded. */
  let failedAt: number | null = null

  const raise: Alerts['raise'] = (code, text, { detail = {}, sizes = [] } = {}) => {
    const known = open.get(code)
    const before = known?.sizes ?? sizes
    const worse = sizes.some((size, index) => size > 0 && size >= 2 * (before[index] ?? 0))
    const isLogged = known && !worse && tick() - known.loggedAt < LOG_AGAIN_MS
    if (!isLogged) log(code, { level: 'alert', ...detail })
    const alert = { id: known?.id ?? randomUUID(), code, text, startedAt: known?.startedAt ?? now(), endedAt: null }
    open.set(code, {
      ...alert,
      raisedAt: tick(),
      loggedAt: isLogged ? known.loggedAt : tick(),
      // Record improvements, so we notice if the problem gets worse again.
      sizes: worse ? sizes : sizes.map((size, index) => Math.min(size, before[index] ?? 0)),
    })
    enqueue(alert, worse)
  }

  function clear(code: AlertCode, detail: Detail = {}): void {
    const alert = open.get(code)
    open.delete(code)
    if (alert) {
      log(kindOf(code).resolved, detail)
      enqueue({ ...alert, endedAt: now() }, false)
    } else if (kindOf(code).scope === 'store') {
      // Another process may have raised it.
      forStore.set(code, { write: to => to.endAlert({ code }), worse: false })
    }
  }

  function enqueue({ code, id, text, startedAt, endedAt }: Alert, gotWorse: boolean): void {
    if (kindOf(code).scope === 'store') {
      const worse = gotWorse || forStore.get(code)?.worse === true
      const write = (to: AlertStore) =>
        endedAt === null ? to.raiseAlert({ id, code, text, worse }) : to.endAlert({ code })
      forStore.set(code, { write, worse })
      idle.ring()
      return
    }
    const known = own.get(id)
    const isDue = !known || gotWorse || endedAt !== null
    const alert = { id, code, text, source, startedAt, endedAt }
    own.set(id, { ...alert, timesSent: known?.timesSent ?? 0, sendAt: isDue ? tick() : known.sendAt })
    if (own.size > MAX_UNSENT) own.delete(own.keys().next().value as string)
    // Visitors can raise an alert thousands of times a second.
    if (!isDue) return
    forStore.set(id, { write: to => to.saveAlert(alert), worse: false })
    idle.ring()
  }

  async function run(): Promise<void> {
    while (running) {
      await round()
      await idle.sleep(POLL_MS)
    }
  }

  async function round(): Promise<void> {
    for (const { code, raisedAt } of open.values()) {
      const { resolvesAfterMs = Number.POSITIVE_INFINITY } = kindOf(code)
      if (tick() - raisedAt >= resolvesAfterMs) clear(code)
    }
    // Not awaited, so a store that hangs doesn't block the alert about it.
    storeWork ??= syncStore().finally(() => {
      storeWork = null
    })
    await sendOwn()
  }

  async function syncStore(): Promise<void> {
    if (store === null) return
    try {
      if (!closedOldAlerts) await store.endAlert({ source })
      closedOldAlerts = true
      for (const [key, latest] of forStore) {
        await latest.write(store)
        // Keep the entry if it changed during the write.
        if (forStore.get(key) === latest) forStore.delete(key)
      }
      while (canSend()) {
        const leased = await store.leaseAlert({ leaseMs: LEASE_MS })
        if (!leased || !(await post(leased))) return
        await store.markAlertSent({ ...leased, nextInMs: leased.endedAt === null ? reminderInMs(leased) : null })
      }
    } catch {
      // The store is unavailable. Keep everything until it's back.
    }
  }

  async function sendOwn(): Promise<void> {
    for (const { id, sendAt } of [...own.values()]) {
      const unsent = own.get(id)
      if (!unsent || tick() < sendAt) continue
      if (!(await post(unsent))) return
      const latest = own.get(id) ?? unsent
      const isLatest = latest.sendAt === sendAt && latest.endedAt === unsent.endedAt
      const nextAt = isLatest ? tick() + reminderInMs(unsent) : latest.sendAt
      if (isLatest && latest.endedAt !== null) own.delete(id)
      else own.set(id, { ...latest, timesSent: latest.timesSent + 1, sendAt: nextAt })
    }
  }

  function canSend(): boolean {
    return url !== null && (failedAt === null || tick() - failedAt >= RETRY_MS)
  }

  async function post(notice: Notice): Promise<boolean> {
    if (url === null) return true
    if (!canSend()) return false
    const failure = await postAlert(url, messageOf(notice, site))
    if (failure === null && failedAt !== null) log('alerts_told_again')
    if (failure !== null && failedAt === null) log('alerts_untold', { reason: failure })
    failedAt = failure === null ? null : tick()
    return failure === null
  }

  return {
    raise,
    clear,
    /** From now on, saves all alerts to this store and sends the ones stored there. */
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

/** Reminders are sent after 1, 2, 4, 8, and 16 hours, then daily. */
function reminderInMs({ timesSent }: Notice): number {
  return HOUR * Math.min(2 ** timesSent, 24)
}
