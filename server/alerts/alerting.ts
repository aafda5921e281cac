/**
 * Brings alerts to the alert address: at once, again when they get worse, as a reminder now and then, and when they are over.
 * What cannot be told is told later, as it stands by then. What is found in the store goes through the store, so that of
 * several replicas one tells it; what a process met with itself is told from memory, and kept in the store for the record.
 */
import { createAlarm, type SetTimer, setRealTimer } from '../alarm.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { type AlertCode, kindOf } from './alert-kinds.ts'
import { type Alert, type Alerts, createAlerts } from './alerts.ts'
import { messageOf, type Notice } from './message.ts'
import { postAlert } from './post-alert.ts'

export type AlertStore = Pick<Store, 'raiseAlert' | 'endAlert' | 'leaseAlert' | 'alertTold' | 'keepAlert'>

export interface AlertingOptions {
  /** Where alerts go; null for the log and the store alone. */
  readonly url: string | null
  /** The public address, since one channel may hear of several sites. */
  readonly site: string
  /** Which of several processes this is. */
  readonly source: string
  readonly log: Log
  readonly now?: () => number
  /** Of a clock that never goes back. */
  readonly tick?: () => number
  readonly setTimer?: SetTimer
}

export interface Alerting extends Alerts {
  /** From now on what is found in the store is told, and everything is kept there. */
  attach(store: AlertStore): void
  start(): void
  /** Tells what there is to tell, for so long at most. */
  stop(limitMs: number): Promise<void>
}

interface Untold extends Notice {
  readonly id: string
  /** When to tell it next, by the clock that never goes back. */
  readonly tellAt: number
  readonly kept: boolean
}

const HOUR = 60 * 60_000
const LOOK_MS = 10_000
/** Longer than a message may take. */
const LEASE_MS = 60_000
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** Of one process, in memory: there are fewer kinds of alerts than that. */
const MOST_KEPT = 100

export function createAlerting(options: AlertingOptions): Alerting {
  const { url, site, source, log, now = Date.now, tick = () => performance.now(), setTimer = setRealTimer } = options
  const idle = createAlarm(setTimer)
  /** What this process met with, by id. */
  const own = new Map<string, Untold>()
  /** What the store is to be told: how each kind stands, by the last word of it. */
  const forStore = new Map<AlertCode, { readonly alert: Alert | null; readonly worse: boolean }>()
  const alerts = createAlerts({ log, now, tick, listener: { changed, fine } })
  let store: AlertStore | null = null
  let storeWork: Promise<void> | null = null
  /** What a process of this name left behind when it ended is over: what still stands is met with again. */
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
    const untold = { told: 0, tellAt: tick(), ...known, ...alert, source }
    own.set(id, isNews ? { ...untold, tellAt: tick(), kept: false } : { ...untold, kept: known.kept })
    if (own.size > MOST_KEPT) own.delete(own.keys().next().value as string)
    // A stranger may raise an alert thousands of times a second.
    if (isNews) idle.ring()
  }

  function fine(code: AlertCode): void {
    if (kindOf(code).seenIn === 'store') forStore.set(code, { alert: null, worse: false })
  }

  async function run(): Promise<void> {
    while (running) {
      await round()
      await idle.sleep(LOOK_MS)
    }
  }

  async function round(): Promise<void> {
    alerts.endWhatIsQuiet()
    // Not waited for: a store that stands still must not keep us from telling so.
    storeWork ??= throughStore().finally(() => {
      storeWork = null
    })
    await tellOwn()
  }

  async function throughStore(): Promise<void> {
    if (store === null) return
    try {
      await keepIn(store)
      await tellOf(store)
    } catch {
      // The store is away: what it is to be told stays here until it is back.
    }
  }

  async function keepIn(store: AlertStore): Promise<void> {
    if (!isTidy) await store.endAlert({ source })
    isTidy = true
    for (const [code, wanted] of forStore) {
      const { alert, worse } = wanted
      if (alert) await store.raiseAlert({ id: alert.id, code, text: alert.text, worse })
      else await store.endAlert({ code })
      // Unless somebody said otherwise meanwhile.
      if (forStore.get(code) === wanted) forStore.delete(code)
    }
    for (const untold of own.values()) {
      if (untold.kept) continue
      const { id, code, text, startedAt, endedAt } = untold
      await store.keepAlert({ id, code, text, source, startedAt, endedAt })
      if (own.get(id) === untold) settle({ ...untold, kept: true })
    }
  }

  async function tellOwn(): Promise<void> {
    for (const { id, tellAt } of [...own.values()]) {
      const untold = own.get(id)
      if (!untold || tick() < tellAt) continue
      if (!(await post(untold))) return
      const latest = own.get(id) ?? untold
      const isLatest = latest.tellAt === tellAt
      settle({ ...latest, told: latest.told + 1, tellAt: isLatest ? tick() + nextInMs(untold) : latest.tellAt })
    }
  }

  async function tellOf(store: AlertStore): Promise<void> {
    while (isListening()) {
      const leased = await store.leaseAlert({ leaseMs: LEASE_MS })
      if (!leased || !(await post(leased))) return
      await store.alertTold({ ...leased, nextInMs: leased.endedAt === null ? nextInMs(leased) : null })
    }
  }

  /** What is over, told and kept is done with. */
  function settle(untold: Untold): void {
    const isTold = url === null || untold.tellAt > tick()
    if (untold.endedAt !== null && isTold && untold.kept) own.delete(untold.id)
    else own.set(untold.id, untold)
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
    attach(opened) {
      store = opened
      idle.ring()
    },
    start() {
      if (running) return
      running = true
      loop = run()
    },
    async stop(limitMs) {
      running = false
      idle.ring()
      let cancelLimit = () => {}
      const limit = new Promise<void>(resolve => {
        cancelLimit = setTimer(resolve, limitMs)
      })
      await Promise.race([loop.then(round).then(() => storeWork), limit])
      cancelLimit()
    },
  }
}

/** After an hour, then two, four and so on, and once a day in the end. What is over is told once. */
function nextInMs({ told, endedAt }: Pick<Notice, 'told' | 'endedAt'>): number {
  return endedAt === null ? HOUR * Math.min(2 ** told, 24) : Number.POSITIVE_INFINITY
}
