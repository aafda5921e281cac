/**
 * Checks the store once a minute for problems that might go unnoticed: leads that aren't reaching the webhook, leads on hold,
 * missing certificates, and leads dated in the future. If the store can't be read, open alerts stay open.
 */
import type { DeliveryPause } from '../store/delivery-pause.ts'
import type { Backlog } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import { type Alerts, minute } from './alerts.ts'

const MINUTE = 60_000
const MAX_PENDING_AGE = 10 * MINUTE
/** Someone may have forgotten a pause this long, so report it even if no leads are waiting. */
const MAX_PAUSE = 24 * 60 * MINUTE
const MAX_HELD_AGE = 15 * MINUTE
/** Clocks on different machines differ slightly. */
const MAX_AHEAD = MINUTE

/** How many of the latest leads to check for certificates. */
const LATEST_LEADS = 60

export interface StoreWatchOptions {
  readonly store: Pick<Store, 'backlog' | 'deliveryPause' | 'latestCertificates'>
  /** Tries a write and raises its own alert if that fails. */
  readonly probe: () => Promise<unknown>
  readonly alerts: Alerts
  /** Whether the pages request certificates. */
  readonly expectsCertificates: boolean
}

/** Returns a function that runs the checks. */
export function createStoreWatch({ store, probe, alerts, expectsCertificates }: StoreWatchOptions) {
  async function check(): Promise<void> {
    await probe().catch(() => {})
    try {
      const backlog = await store.backlog()
      checkDeliveries(backlog, await store.deliveryPause())
      checkHeld(backlog)
      checkClock(backlog)
      await checkCertificates()
      alerts.clear('store_unreadable')
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      const text = `Can’t read the database (${reason}), so alerts about waiting leads are off. Run \`leads doctor\`.`
      alerts.raise('store_unreadable', text, { detail: { reason } })
    }
  }

  function checkDeliveries({ pending, oldestPendingAgeMs, dead }: Backlog, pause: DeliveryPause | null): void {
    const lateMs = oldestPendingAgeMs > MAX_PENDING_AGE ? oldestPendingAgeMs : 0
    const longPause = pause && (lateMs > 0 || pause.ageMs >= MAX_PAUSE) ? pause : null
    if (dead === 0 && lateMs === 0 && !longPause) {
      alerts.clear('deliveries_stuck', { pending })
      return
    }
    const oldestPendingMinutes = Math.floor(oldestPendingAgeMs / MINUTE)
    alerts.raise(
      'deliveries_stuck',
      longPause ? describePaused(longPause, dead, pending) : describeStuck(dead, lateMs, pending),
      {
        detail: { pending, oldestPendingMinutes, dead, ...(pause ? { paused: true } : {}) },
        sizes: [dead, lateMs],
      },
    )
  }

  function checkHeld({ held, oldestHeldAgeMs }: Backlog): void {
    if (oldestHeldAgeMs <= MAX_HELD_AGE) {
      alerts.clear('held_leads_waiting', { held })
      return
    }
    const oldestHeldMinutes = Math.floor(oldestHeldAgeMs / MINUTE)
    const text = `${held === 1 ? '1 lead' : `${held} leads`} on hold for review, the oldest for ${age(oldestHeldAgeMs)}. Review them in the desk (Leads > On hold), or run \`leads list --state held\`.`
    alerts.raise('held_leads_waiting', text, { sizes: [held], detail: { held, oldestHeldMinutes } })
  }

  function checkClock({ aheadMs }: Backlog): void {
    if (aheadMs <= MAX_AHEAD) {
      alerts.clear('clock_set_back')
      return
    }
    alerts.raise(
      'clock_set_back',
      `The newest lead is dated ${age(aheadMs)} in the future, so the clock was probably set back. Waiting times can’t be measured until it catches up. Check the machine’s clock (timedatectl).`,
      { detail: { aheadMinutes: Math.floor(aheadMs / MINUTE) } },
    )
  }

  async function checkCertificates(): Promise<void> {
    const trend = expectsCertificates ? certificateTrend(await store.latestCertificates(LATEST_LEADS)) : 'arriving'
    if (trend === 'arriving') alerts.clear('certificates_missing')
    if (trend === 'stopped') {
      alerts.raise(
        'certificates_missing',
        'New leads no longer have TrustedForm certificates. Check whether TrustedForm is down or its script is blocked.',
      )
    }
  }

  return check
}

function describeStuck(dead: number, lateMs: number, pending: number): string {
  const late = lateMs > 0 ? `${pending} waiting, the oldest for ${age(lateMs)}` : ''
  return `Leads are not reaching the webhook: ${[late, describeFailed(dead)].filter(Boolean).join('; ')}. Run \`leads doctor\`.`
}

/** Leaves out the operator's reason, which may name a person. */
function describePaused({ since }: DeliveryPause, dead: number, pending: number): string {
  const waiting = pending === 0 ? 'no leads waiting' : `${pending} ${pending === 1 ? 'lead' : 'leads'} waiting`
  const counts = [waiting, describeFailed(dead)].filter(Boolean).join('; ')
  return `Deliveries have been paused since ${minute(since)}: ${counts}. Resume them on the desk’s Health page, or run \`leads resume\`.`
}

function describeFailed(dead: number): string {
  return dead > 0 ? `${dead} failed after the last retry (to resend: \`leads resend --failed\`)` : ''
}

function age(ms: number): string {
  const minutes = Math.floor(ms / MINUTE)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

/** If half of all leads have a certificate, the odds of this many in a row without one are one in a thousand. */
const IN_A_ROW = 10
const MIN_EARLIER = 10

/** `latest` is newest first. Returns `unknown` if there are too few leads, or if most earlier ones had no certificate either. */
function certificateTrend(latest: readonly boolean[]): 'arriving' | 'stopped' | 'unknown' {
  const row = latest.slice(0, IN_A_ROW)
  if (row.some(Boolean)) return 'arriving'
  const before = latest.slice(IN_A_ROW)
  if (before.length < MIN_EARLIER) return 'unknown'
  return before.filter(Boolean).length >= before.length / 2 ? 'stopped' : 'unknown'
}
