/**
 * Checks the store once a minute for problems that might go unnoticed: leads that aren't reaching the webhook, leads on hold,
 * missing certificates, missing backups, and leads dated in the future.
 */
import { MINUTE } from '../../domain/durations.ts'
import type { DeliveryPause } from '../store/deliveries/delivery-pause.ts'
import type { Backlog } from '../store/deliveries/outbox.ts'
import type { Store } from '../store/store.ts'
import type { BackupStatus } from '../store/upkeep/upkeep.ts'
import { type Alerts, minute } from './alerts.ts'
import { backupProblem } from './backups.ts'

const MAX_PENDING_AGE = 10 * MINUTE
/** Someone may have forgotten a pause this long, so report it even if no leads are waiting. */
const MAX_PAUSE = 24 * 60 * MINUTE
const MAX_HELD_AGE = 15 * MINUTE
/** Clocks on different machines differ slightly. */
const MAX_AHEAD = MINUTE

/** How many of the latest leads to check for certificates. */
const LATEST_LEADS = 60

export interface StoreWatchOptions {
  readonly store: Pick<Store, 'backlog' | 'backupStatus' | 'deliveryPause' | 'latestCertificates' | 'unqueuedLeads'>
  /** Tries a write and raises its own alert if that fails. */
  readonly probe: () => Promise<unknown>
  readonly alerts: Alerts
  /** Whether the pages request certificates. */
  readonly expectsCertificates: boolean
  readonly expectsDeliveries: boolean
  readonly isEmbedded: boolean
  /** The operator's, for times in messages. */
  readonly timeZone?: string
}

/** Returns a function that runs the checks. */
export function createStoreWatch(options: StoreWatchOptions) {
  const { store, probe, alerts, expectsCertificates, expectsDeliveries, isEmbedded, timeZone = 'UTC' } = options
  async function check(): Promise<void> {
    await probe().catch(() => {})
    try {
      const backlog = await store.backlog()
      const pause = await store.deliveryPause()
      if (expectsDeliveries) checkDeliveries(backlog, pause)
      checkEvents(backlog, pause)
      if (expectsDeliveries) checkUnqueued(await store.unqueuedLeads())
      checkHeld(backlog)
      checkClock(backlog)
      checkBackups(await store.backupStatus())
      await checkCertificates()
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      const text = `Can’t read the database (${reason}), so alerts about waiting leads are off. Run \`leads doctor\`.`
      alerts.raise('store_unreadable', text, { detail: { reason } })
    }
  }

  function checkDeliveries({ pending, oldestPendingAgeMs, dead }: Backlog, pause: DeliveryPause | null): void {
    const lateMs = oldestPendingAgeMs > MAX_PENDING_AGE ? oldestPendingAgeMs : 0
    const longPause = pause && (lateMs > 0 || pause.ageMs >= MAX_PAUSE) ? pause : null
    if (dead === 0 && lateMs === 0 && !longPause) return
    const oldestPendingMinutes = Math.floor(oldestPendingAgeMs / MINUTE)
    alerts.raise(
      'deliveries_stuck',
      longPause ? describePaused(longPause, dead, pending, timeZone) : describeStuck(dead, lateMs, pending),
      {
        detail: { pending, oldestPendingMinutes, dead, ...(pause ? { paused: true } : {}) },
        size: dead + (lateMs > 0 ? pending : 0),
      },
    )
  }

  /** Requests not to be called, and results of calls, that the CRM hasn't heard of. Without a webhook, someone has to tell it. */
  function checkEvents({ events }: Backlog, pause: DeliveryPause | null): void {
    const { deadStops, deadCalls, pending } = events
    const isLate = events.oldestPendingAgeMs > MAX_PENDING_AGE && pause === null
    if (deadStops + deadCalls === 0 && !isLate) return
    const counts = [
      deadStops > 0 && `${deadStops} ${deadStops === 1 ? 'request' : 'requests'} not to be called failed`,
      deadCalls > 0 && `${deadCalls} ${deadCalls === 1 ? 'result' : 'results'} of calls failed`,
      isLate && `${pending} waiting, the oldest for ${age(events.oldestPendingAgeMs)}`,
    ]
    const text = `Your CRM doesn’t know everything yet: ${counts.filter(Boolean).join('; ')}. Open Health in the desk: send them again, or tell your CRM yourself.`
    const size = deadStops + deadCalls + (isLate ? pending : 0)
    alerts.raise('crm_not_told', text, { size, detail: { deadStops, deadCalls, pending } })
  }

  function checkUnqueued(leads: number): void {
    if (leads === 0) return
    const text = `${leads === 1 ? '1 lead' : `${leads} leads`} came in while there was no webhook and ${leads === 1 ? 'wasn’t' : 'weren’t'} sent. An editor can decide on the desk’s Health page whether to send ${leads === 1 ? 'it' : 'them'}.`
    alerts.raise('leads_not_queued', text, { size: leads, detail: { leads } })
  }

  function checkHeld({ held, oldestHeldAgeMs }: Backlog): void {
    if (oldestHeldAgeMs <= MAX_HELD_AGE) return
    const oldestHeldMinutes = Math.floor(oldestHeldAgeMs / MINUTE)
    const text = `${held === 1 ? '1 lead' : `${held} leads`} on hold for review, the oldest for ${age(oldestHeldAgeMs)}. Review them in the desk (Leads > On hold), or run \`leads list --state held\`.`
    alerts.raise('held_leads_waiting', text, { size: held, detail: { held, oldestHeldMinutes } })
  }

  function checkClock({ aheadMs }: Backlog): void {
    if (aheadMs <= MAX_AHEAD) return
    alerts.raise(
      'clock_set_back',
      `The newest lead is dated ${age(aheadMs)} in the future, so the clock was probably set back. Waiting times can’t be measured until it catches up. Check the machine’s clock (timedatectl).`,
      { detail: { aheadMinutes: Math.floor(aheadMs / MINUTE) } },
    )
  }

  function checkBackups(status: BackupStatus): void {
    const problem = backupProblem(status, isEmbedded)
    if (problem) alerts.raise('backups_at_risk', problem)
  }

  async function checkCertificates(): Promise<void> {
    if (!expectsCertificates || !hasStopped(await store.latestCertificates(LATEST_LEADS))) return
    alerts.raise(
      'certificates_missing',
      'New leads no longer have TrustedForm certificates. Check whether TrustedForm is down or its script is blocked.',
    )
  }

  return check
}

function describeStuck(dead: number, lateMs: number, pending: number): string {
  const late = lateMs > 0 ? `${pending} waiting, the oldest for ${age(lateMs)}` : ''
  return `Leads are not reaching the webhook: ${[late, describeFailed(dead)].filter(Boolean).join('; ')}. Run \`leads doctor\`.`
}

/** Leaves out the operator's reason, which may name a person. */
function describePaused({ since }: DeliveryPause, dead: number, pending: number, timeZone: string): string {
  const waiting = pending === 0 ? 'no leads waiting' : `${pending} ${pending === 1 ? 'lead' : 'leads'} waiting`
  const counts = [waiting, describeFailed(dead)].filter(Boolean).join('; ')
  return `Deliveries have been paused since ${minute(since, timeZone)}: ${counts}. Resume them on the desk’s Health page, or run \`leads resume\`.`
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

/** `latest` is newest first. False if there are too few leads, or if most earlier ones had no certificate either. */
function hasStopped(latest: readonly boolean[]): boolean {
  const first = latest.indexOf(true)
  const [inARow, earlier] = first === -1 ? [latest.length, []] : [first, latest.slice(first)]
  // So many without one can't be chance, even if few of the earlier ones are left to compare with.
  if (inARow > LATEST_LEADS - MIN_EARLIER) return true
  const usual = earlier.filter(Boolean).length / earlier.length
  return inARow >= IN_A_ROW && earlier.length >= MIN_EARLIER && usual >= 0.5
}
