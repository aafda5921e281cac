/**
 * Checks the store once a minute for problems no one would notice: leads that don't reach the webhook, leads on hold, missing
 * certificates, and times in the future. A store that can't be read resolves nothing: open alerts stay open.
 */
import { createAlarm, type SetTimer, setRealTimer } from '../alarm.ts'
import type { DeliveryPause } from '../store/delivery-pause.ts'
import type { Backlog } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import { minute } from './alerting.ts'
import type { Alerts } from './alerts.ts'

const MINUTE = 60_000
const LONGEST_QUIET_AGE = 10 * MINUTE
/** A pause this long may have been forgotten: it is reported even while no lead waits. */
const LONGEST_QUIET_PAUSE = 24 * 60 * MINUTE
const LONGEST_HELD_AGE = 15 * MINUTE
/** Clocks of several machines differ a little. */
const MOST_AHEAD = MINUTE

/** How many of the latest leads are looked at for their certificates. */
const LATEST_LEADS = 60

export interface StoreWatchOptions {
  readonly store: Pick<Store, 'backlog' | 'deliveryPause' | 'latestCertificates'>
  /** Tries a write, and raises its own alert when that fails. */
  readonly probe: () => Promise<unknown>
  readonly alerts: Alerts
  /** Whether the pages ask for certificates. */
  readonly certified: boolean
  readonly now?: () => number
  readonly setTimer?: SetTimer
}

export type StoreWatch = ReturnType<typeof createStoreWatch>

interface Trouble {
  readonly dead: number
  /** How long the oldest lead has waited; zero while that is normal. */
  readonly lateMs: number
}

const none: Trouble = { dead: 0, lateMs: 0 }

export function createStoreWatch(options: StoreWatchOptions) {
  const { store, probe, alerts, certified, now = Date.now, setTimer = setRealTimer } = options
  const idle = createAlarm(setTimer)
  let lookedAt = Number.NEGATIVE_INFINITY
  let alertedAt = Number.NEGATIVE_INFINITY
  let known = none
  let knownHeld = 0
  let running = false
  let newlyDead = false

  /** At most once a minute. After a failed delivery, at most a minute after the last alert. */
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
      alerts.raise(
        'store_unreadable',
        `Can’t read the store (${reason}), so alerts about waiting leads are off. Run \`leads doctor\`.`,
        {
          detail: { reason },
        },
      )
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
    // What got better may get worse again, and is then news.
    known = { dead: Math.min(dead, known.dead), lateMs: Math.min(found.lateMs, known.lateMs) }
  }

  function lookAtHeld({ held, oldestHeldAgeMs }: Backlog): void {
    if (oldestHeldAgeMs <= LONGEST_HELD_AGE) {
      knownHeld = 0
      alerts.clear('held_leads_waiting', { held })
      return
    }
    const oldestHeldMinutes = Math.floor(oldestHeldAgeMs / MINUTE)
    const text = `${held === 1 ? '1 lead' : `${held} leads`} on hold for review, the oldest for ${age(oldestHeldAgeMs)}. Review them at the desk (Leads, On hold), or run \`leads list --state held\`.`
    // Otherwise a flood would be reported every minute.
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
      `The newest lead is dated ${age(aheadMs)} in the future, so the clock was probably set back. Waiting times can’t be measured until it catches up. Check the machine’s clock (timedatectl).`,
      { detail: { aheadMinutes: Math.floor(aheadMs / MINUTE) } },
    )
  }

  async function lookAtCertificates(): Promise<void> {
    const verdict = certified ? certificatesIn(await store.latestCertificates(LATEST_LEADS)) : 'come'
    if (verdict === 'come') alerts.clear('certificates_missing')
    if (verdict === 'have stopped') {
      alerts.raise(
        'certificates_missing',
        'New leads no longer have TrustedForm certificates. Check whether TrustedForm is down or its script is blocked.',
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
    start(): void {
      if (running) return
      running = true
      void run()
    },
    /** A delivery gave up: that person isn't called until someone acts. */
    deliveryDied(): void {
      newlyDead = true
      idle.ring()
    },
    stop(): void {
      running = false
      idle.ring()
    },
  }
}

/** After the clock was set back, the elapsed time is unknown: better one check too many than an hour of silence. */
function hasPassed(ms: number, since: number, at: number): boolean {
  return at < since || at - since >= ms
}

/** A backlog ages by itself: twice as old is news, which makes a handful of messages for any outage. */
function isWorse(found: Trouble, known: Trouble): boolean {
  return found.dead > known.dead || found.lateMs > 2 * known.lateMs
}

function isOver({ dead, lateMs }: Trouble): boolean {
  return dead === 0 && lateMs === 0
}

function stuckInWords({ dead, lateMs }: Trouble, pending: number): string {
  const late = lateMs > 0 ? `${pending} waiting, the oldest for ${age(lateMs)}` : ''
  return `Leads are not reaching the webhook: ${[late, givenUp(dead)].filter(Boolean).join('; ')}. Run \`leads doctor\`.`
}

/** Without the operator's reason, which may name a person. */
function pausedInWords({ since }: DeliveryPause, { dead }: Trouble, pending: number): string {
  const waiting = pending === 0 ? 'no leads waiting' : `${pending} ${pending === 1 ? 'lead' : 'leads'} waiting`
  const counts = [waiting, givenUp(dead)].filter(Boolean).join('; ')
  return `Deliveries have been paused since ${minute(since)}: ${counts}. Resume them on the desk’s Health page, or run \`leads resume\`.`
}

function givenUp(dead: number): string {
  return dead > 0 ? `${dead} failed for good (to resend: \`leads resend --dead\`)` : ''
}

function age(ms: number): string {
  const minutes = Math.floor(ms / MINUTE)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

/** This many in a row are no coincidence: if half of the leads have one, it happens once in a thousand. */
const IN_A_ROW = 10
const FEWEST_BEFORE = 10

type CertificateVerdict = 'come' | 'have stopped' | 'not known'

/** Newest first. `not known` while there are too few leads, or when certificates have been missing for all of them. */
function certificatesIn(latest: readonly boolean[]): CertificateVerdict {
  const row = latest.slice(0, IN_A_ROW)
  if (row.some(Boolean)) return 'come'
  const before = latest.slice(IN_A_ROW)
  if (row.length < IN_A_ROW || before.length < FEWEST_BEFORE) return 'not known'
  return before.filter(Boolean).length >= before.length / 2 ? 'have stopped' : 'not known'
}
