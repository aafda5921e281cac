/**
 * Looks at the store once a minute for what waits and nobody would notice: leads that do not reach the webhook, leads that
 * are held, certificates that have stopped coming, times that are still to come. A store that cannot be read is no reason
 * to believe that all is well: whatever stood before the look stands after it.
 */
import { createAlarm, type SetTimer, setRealTimer } from '../alarm.ts'
import type { DeliveryPause } from '../store/delivery-pause.ts'
import type { Backlog } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import type { Alerts } from './alerts.ts'
import { certificatesIn } from './certificates.ts'
import { minute } from './message.ts'

const MINUTE = 60_000
const LONGEST_QUIET_AGE = 10 * MINUTE
/** A pause so long may have been forgotten: it is told of even while no lead waits. */
const LONGEST_QUIET_PAUSE = 24 * 60 * MINUTE
const LONGEST_HELD_AGE = 15 * MINUTE
/** Clocks of several machines are never quite the same. */
const MOST_AHEAD = MINUTE

/** How many of the latest leads are looked at for their certificates. */
const LATEST_LEADS = 60

export interface StoreWatchOptions {
  readonly store: Pick<Store, 'backlog' | 'deliveryPause' | 'latestCertificates'>
  /** Tries a write. Whether leads are refused is seen by whoever tries it. */
  readonly probe: () => Promise<unknown>
  readonly alerts: Alerts
  /** Whether the pages ask for certificates. */
  readonly certified: boolean
  readonly now?: () => number
  readonly setTimer?: SetTimer
}

export interface StoreWatch {
  /** Looks if the last look is a minute old. News of a dead delivery need not wait for that, only for the last alert. */
  look(newlyDead: boolean): Promise<void>
  start(): void
  /** A delivery was given up: every one is a person whom nobody calls until somebody acts. */
  deliveryDied(): void
  stop(): void
}

interface Trouble {
  readonly dead: number
  /** How long the oldest lead has waited; zero while that is no reason to worry. */
  readonly lateMs: number
}

const none: Trouble = { dead: 0, lateMs: 0 }

export function createStoreWatch(options: StoreWatchOptions): StoreWatch {
  const { store, probe, alerts, certified, now = Date.now, setTimer = setRealTimer } = options
  const idle = createAlarm(setTimer)
  let lookedAt = Number.NEGATIVE_INFINITY
  let alertedAt = Number.NEGATIVE_INFINITY
  let known = none
  let knownHeld = 0
  let running = false
  let newlyDead = false

  async function look(isUrgent: boolean): Promise<void> {
    const at = now()
    if (!hasPassed(MINUTE, isUrgent ? alertedAt : lookedAt, at)) return
    lookedAt = at
    await probe().catch(() => {})
    try {
      const backlog = await store.backlog()
      lookAtDeliveries(backlog, await store.deliveryPause(), at)
      lookAtHeld(backlog)
      lookAtClock(backlog)
      await lookAtCertificates()
      alerts.clear('store_unreadable')
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      alerts.raise('store_unreadable', `The store cannot be read (${reason}): what waits in it is not known.`, {
        detail: { reason },
      })
    }
  }

  function lookAtDeliveries(
    { pending, oldestPendingAgeMs, dead }: Backlog,
    pause: DeliveryPause | null,
    at: number,
  ): void {
    const found: Trouble = { dead, lateMs: oldestPendingAgeMs > LONGEST_QUIET_AGE ? oldestPendingAgeMs : 0 }
    const toldOfPause = pause && (found.lateMs > 0 || pause.ageMs >= LONGEST_QUIET_PAUSE) ? pause : null
    if (isOver(found) && !toldOfPause) alerts.clear('deliveries_stuck', { pending })
    else {
      const worse = isWorse(found, known)
      const oldestPendingMinutes = Math.floor(oldestPendingAgeMs / MINUTE)
      const text = toldOfPause ? pausedInWords(toldOfPause, found, pending) : stuckInWords(found, pending)
      alerts.raise('deliveries_stuck', text, {
        worse,
        detail: { pending, oldestPendingMinutes, dead, ...(pause ? { paused: true } : {}) },
      })
      if (worse) {
        alertedAt = at
        known = found
      }
    }
    // What has become better may become worse again, and is then news.
    known = { dead: Math.min(dead, known.dead), lateMs: Math.min(found.lateMs, known.lateMs) }
  }

  function lookAtHeld({ held, oldestHeldAgeMs }: Backlog): void {
    if (oldestHeldAgeMs <= LONGEST_HELD_AGE) {
      knownHeld = 0
      alerts.clear('held_leads_waiting', { held })
      return
    }
    const oldestHeldMinutes = Math.floor(oldestHeldAgeMs / MINUTE)
    const text = `${held === 1 ? '1 lead is' : `${held} leads are`} held for a look, the oldest for ${age(oldestHeldAgeMs)}: leads list --state held, then leads release.`
    // A flood of them would else be told every minute.
    const worse = held >= 2 * knownHeld
    alerts.raise('held_leads_waiting', text, { worse, detail: { held, oldestHeldMinutes } })
    if (worse) knownHeld = held
  }

  function lookAtClock({ aheadMs }: Backlog): void {
    if (aheadMs <= MOST_AHEAD) {
      alerts.clear('clock_set_back')
      return
    }
    alerts.raise(
      'clock_set_back',
      `The newest lead is ${age(aheadMs)} ahead of the clock, so the clock was set back. How long leads have waited cannot be told until it has caught up. Look at the machine’s time (timedatectl).`,
      { detail: { aheadMinutes: Math.floor(aheadMs / MINUTE) } },
    )
  }

  async function lookAtCertificates(): Promise<void> {
    const verdict = certified ? certificatesIn(await store.latestCertificates(LATEST_LEADS)) : 'come'
    if (verdict === 'come') alerts.clear('certificates_missing')
    if (verdict === 'have stopped') {
      alerts.raise(
        'certificates_missing',
        'The latest leads came without a TrustedForm certificate, though those before had one. Is TrustedForm down, or its script blocked?',
      )
    }
  }

  async function run(): Promise<void> {
    while (running) {
      const isUrgent = newlyDead
      newlyDead = false
      await look(isUrgent)
      await idle.sleep(MINUTE)
    }
  }

  return {
    look,
    start() {
      if (running) return
      running = true
      void run()
    },
    deliveryDied() {
      newlyDead = true
      idle.ring()
    },
    stop() {
      running = false
      idle.ring()
    },
  }
}

/** A clock that was set back says nothing about the time that has passed: better a look too many than an hour of silence. */
function hasPassed(ms: number, since: number, at: number): boolean {
  return at < since || at - since >= ms
}

/** A backlog ages by itself: that it is twice as old is news, and makes a handful of messages of an outage, however long. */
function isWorse(found: Trouble, known: Trouble): boolean {
  return found.dead > known.dead || found.lateMs > 2 * known.lateMs
}

function isOver({ dead, lateMs }: Trouble): boolean {
  return dead === 0 && lateMs === 0
}

function stuckInWords({ dead, lateMs }: Trouble, pending: number): string {
  const late = lateMs > 0 ? `${pending} wait, the oldest for ${age(lateMs)}` : ''
  return `Leads do not reach the webhook: ${[late, givenUp(dead)].filter(Boolean).join('; ')}. leads doctor says more.`
}

/** Without the operator's reason, which may name a person. */
function pausedInWords({ since }: DeliveryPause, { dead }: Trouble, pending: number): string {
  const waiting = pending === 0 ? 'no lead waits' : pending === 1 ? '1 lead waits' : `${pending} leads wait`
  const counts = [waiting, givenUp(dead)].filter(Boolean).join('; ')
  return `Deliveries have been paused since ${minute(since)}: ${counts}. Run leads resume.`
}

function givenUp(dead: number): string {
  return dead > 0 ? `${dead} ${dead === 1 ? 'was' : 'were'} given up (leads redeliver --dead)` : ''
}

function age(ms: number): string {
  const minutes = Math.floor(ms / MINUTE)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}
