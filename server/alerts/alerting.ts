/**
 * Operator alerts. Raise them as often as you like, for as long as the problem lasts: `raise` neither waits nor fails. Each alert
 * is logged and saved in the store, which decides when it's sent to the channels: when it's new, gets worse, or is resolved,
 * with reminders in between. While the store can't be reached, only alerts about that are sent, from memory.
 */

import { HOUR, MINUTE } from '../../domain/durations.ts'
import type { Log } from '../process/log.ts'
import { createSleep, type SetTimer, setRealTimer, within } from '../process/timers.ts'
import type { Store } from '../store/store.ts'
import { reasonOf } from '../store/store-errors.ts'
import { reminderInMs } from '../store/tables/alerts.ts'
import { type AlertCode, type Alerts, kindOf, messageOf, type Notice, resolvedCode } from './alerts.ts'
import type { AlertChannel } from './channels.ts'

export type AlertStore = Pick<Store, 'refreshAlerts' | 'endUnseenAlerts' | 'nextAlertToSend' | 'markAlertSent'>

export interface AlertingOptions {
  readonly log: Log
  /** Without any, alerts go only to the log and the store. */
  readonly channels?: readonly AlertChannel[]
  /** Included in messages, because one channel may receive alerts from multiple sites. */
  readonly site?: string
  /** The operator's, for times in messages. */
  readonly timeZone?: string
  /** This process's name. */
  readonly source?: string
  readonly now?: () => number
  /** A monotonic clock. */
  readonly tick?: () => number
  readonly setTimer?: SetTimer
}

/** Times are on the monotonic clock. */
interface RaisedAlert {
  readonly text: string
  readonly size: number
  readonly startedAt: number
  readonly raisedAt: number
  readonly loggedAt: number
  readonly isSaved: boolean
  /** How often it was sent from memory since it was last saved, and when that's due again. */
  readonly timesSent: number
  readonly sendAt: number
}

/** Log an open alert again after this long: operators often look only at the end of the log. */
const LOG_AGAIN_MS = HOUR
const POLL_MS = 10_000
const REFRESH_MS = MINUTE
/** If refreshes are farther apart, the store was down or its clock jumped, and other processes may not have refreshed yet. */
const MAX_GAP_MS = 90_000
/** How long refreshes must have been regular before we end alerts. */
const SETTLE_MS = 3 * MINUTE
/** A store that hasn't responded after this long counts as down. */
const STORE_TIMEOUT_MS = 10_000

export type Alerting = ReturnType<typeof createAlerting>

export function createAlerting(options: AlertingOptions) {
  const { channels = [], site = '', timeZone = 'UTC', source = '', log } = options
  const { now = Date.now, tick = () => performance.now(), setTimer = setRealTimer } = options
  const idle = createSleep(setTimer)
  const raised = new Map<AlertCode, RaisedAlert>()
  let store: AlertStore | null = null
  let storeWork: Promise<void> | null = null
  let isReachable = false
  let refreshAt = 0
  /** The store's time at the last refresh, and since when, on our clock, refreshes have been regular. */
  let refreshedAt = Number.NEGATIVE_INFINITY
  let regularSince = 0
  let running = false
  let loop = Promise.resolve()
  /** Channels that failed the last time. */
  const down = new Set<AlertChannel>()

  const raise: Alerts['raise'] = (code, text, { detail = {}, size = 0 } = {}) => {
    const at = tick()
    const known = raised.get(code)
    const isOver = known?.isSaved && at - known.raisedAt > kindOf(code).lastsMs
    const before = isOver ? undefined : known
    const isLogged = before !== undefined && at - before.loggedAt < LOG_AGAIN_MS
    if (!isLogged) log(code, { level: 'alert', ...detail })
    const { startedAt = at, timesSent = 0, sendAt = at } = before ?? {}
    const loggedAt = isLogged ? before.loggedAt : at
    raised.set(code, { text, size, startedAt, raisedAt: at, loggedAt, isSaved: false, timesSent, sendAt })
    if (before) return
    refreshAt = at
    idle.wake()
  }

  async function run(): Promise<void> {
    while (running) {
      await round()
      await idle.sleep(POLL_MS)
    }
  }

  async function round(): Promise<void> {
    storeWork ??= syncWithStore().finally(() => {
      storeWork = null
    })
    // A store that hangs must not block the alert about it.
    await within(STORE_TIMEOUT_MS, storeWork, setTimer)
    if (!isReachable) await sendFromMemory()
  }

  async function syncWithStore(): Promise<void> {
    try {
      if (tick() >= refreshAt) {
        isReachable = false
        if (store === null) return
        await refresh(store)
        isReachable = true
      }
      if (store !== null && channels.length > 0) await sendFromStore(store)
    } catch {
      // The store is unavailable. Keep everything until it's back.
      isReachable = false
    }
  }

  async function refresh(to: AlertStore): Promise<void> {
    const unsaved = [...raised].filter(([, alert]) => !alert.isSaved)
    const seen = unsaved.map(([code, { text, size, startedAt, raisedAt, timesSent }]) => ({
      code,
      text,
      source: kindOf(code).shared ? '' : source,
      startedAgoMs: tick() - startedAt,
      seenAgoMs: tick() - raisedAt,
      lastsMs: kindOf(code).lastsMs,
      size,
      timesSent,
    }))
    const at = await to.refreshAlerts(seen)
    if (at < refreshedAt || at - refreshedAt > MAX_GAP_MS) regularSince = tick()
    refreshedAt = at
    refreshAt = tick() + REFRESH_MS
    for (const [code, alert] of unsaved) {
      const latest = raised.get(code)
      // From now on, the store knows when it's due.
      const saved = { isSaved: latest === alert, timesSent: 0, sendAt: tick() + HOUR }
      if (latest) raised.set(code, { ...latest, ...saved })
    }
    if (tick() - regularSince < SETTLE_MS) return
    for (const code of await to.endUnseenAlerts()) {
      const resolved = resolvedCode(code)
      if (resolved) log(resolved)
    }
  }

  async function sendFromStore(from: AlertStore): Promise<void> {
    for (;;) {
      const due = await from.nextAlertToSend()
      if (!due || !(await tell(due))) return
      await from.markAlertSent(due)
    }
  }

  async function sendFromMemory(): Promise<void> {
    for (const [code, alert] of raised) {
      if (channels.length === 0 || !kindOf(code).storeDown || alert.isSaved || tick() < alert.sendAt) continue
      const { text, timesSent, startedAt } = alert
      const notice = { code, text, source, timesSent, startedAt: now() - (tick() - startedAt), endedAt: null }
      // If sending fails, the next round tries again.
      if (!(await tell(notice))) return
      const latest = raised.get(code) ?? alert
      raised.set(code, { ...latest, timesSent: timesSent + 1, sendAt: tick() + reminderInMs(timesSent) })
    }
  }

  /** True once someone can read it: a channel that's down doesn't hold up the other one. */
  async function tell(notice: Notice): Promise<boolean> {
    const id = ['alert', notice.code, notice.source, notice.startedAt, notice.timesSent, notice.endedAt ?? 'open']
    const name = id.join('-').replace(/[^\w.-]+/g, '_')
    const text = messageOf(notice, site, timeZone)
    const told = await Promise.all(
      channels.map(async channel => {
        const reason = await channel.tell(text, name).catch(reasonOf)
        if (reason === null && down.delete(channel)) log('alerts_told_again', { channel: channel.name })
        if (reason !== null && !down.has(channel)) log('alerts_untold', { channel: channel.name, reason })
        if (reason !== null) down.add(channel)
        return reason === null
      }),
    )
    return told.some(Boolean)
  }

  return {
    raise,
    /** From now on, saves alerts to this store and sends the ones that are due there. */
    attach(opened: AlertStore): void {
      store = opened
      refreshAt = tick()
      idle.wake()
    },
    start(): void {
      if (running) return
      running = true
      loop = run()
    },
    /** Sends the remaining alerts, up to the time limit. */
    async stop(limitMs: number): Promise<void> {
      running = false
      idle.wake()
      await within(limitMs, loop.then(round), setTimer)
    },
  }
}
