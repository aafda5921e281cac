/**
 * What can be wrong with deliveries, mail, leads on hold, calls, the clock, and backups: how bad it is, and what to do. Alerts and `doctor` say it in
 * these words. Counts only: alerts leave the house.
 */
import type { CallingHours } from '../../domain/calling/hours.ts'
import { HOUR, MINUTE } from '../../domain/durations.ts'
import { pluralize } from '../../domain/text/numbers.ts'
import type { Detail } from '../process/log.ts'
import { type Config, expectsDeliveries } from '../settings/config.ts'
import type { Store } from '../store/store.ts'
import type { DeliveryPause } from '../store/tables/delivery-pause.ts'
import type { BackupStatus, NotOurs } from '../store/tables/last-backup.ts'
import type { Backlog } from '../store/views/backlog.ts'
import { type AlertCode, minute } from './alerts.ts'

export interface Problem {
  readonly code: AlertCode
  /** What's wrong, then what to do. */
  readonly text: string
  /** How many leads or messages. An alert is sent again when this doubles. */
  readonly size?: number
  readonly detail?: Detail
  /** `doctor` lists it, but it's no alert yet: someone may be at it. */
  readonly isRecent?: boolean
}

interface StoreFacts {
  readonly backlog: Backlog
  readonly pause: DeliveryPause | null
  readonly unqueued: number
  readonly backup: BackupStatus
  /** Null if the desk calls nobody. */
  readonly calls: Awaited<ReturnType<Store['callsWaiting']>> | null
  /** The most requests not to be called that one person recorded in the last hour. */
  readonly mostStops: number
}

export interface Circumstances {
  readonly expectsDeliveries: boolean
  readonly isEmbedded: boolean
  /** The operator's, for times in messages. */
  readonly timeZone: string
  /** Null if the desk calls nobody. */
  readonly callingHours: () => CallingHours | null
}

/** `closed`: the days on which nobody calls. */
export const circumstancesOf = (config: Config, closed: () => readonly string[]): Circumstances => ({
  expectsDeliveries: expectsDeliveries(config),
  isEmbedded: config.databaseUrl === null,
  timeZone: config.timeZone,
  callingHours: () => (config.callList || config.finishCalls ? { ...config.callingHours, closed: closed() } : null),
})

export type ProblemStore = Pick<
  Store,
  'backlog' | 'deliveryPause' | 'unqueuedLeads' | 'backupStatus' | 'callsWaiting' | 'mostStopsByOne'
>

export async function readStoreFacts(
  store: ProblemStore,
  { callingHours }: Pick<Circumstances, 'callingHours'>,
): Promise<StoreFacts> {
  const [backlog, pause] = [await store.backlog(), await store.deliveryPause()]
  const hours = callingHours()
  const calls = hours && (await store.callsWaiting(hours))
  const mostStops = await store.mostStopsByOne(HOUR)
  return { backlog, pause, unqueued: await store.unqueuedLeads(), backup: await store.backupStatus(), calls, mostStops }
}

export function problemsOf(facts: StoreFacts, circumstances: Circumstances): readonly Problem[] {
  const { backlog, pause, unqueued, backup, calls, mostStops } = facts
  const { expectsDeliveries, isEmbedded, timeZone } = circumstances
  const backups = backupProblem(backup, isEmbedded)
  const found = [
    expectsDeliveries ? deliveryProblem(backlog, pause, timeZone) : null,
    crmProblem(backlog, pause),
    mailProblem(backlog),
    expectsDeliveries ? unqueuedProblem(unqueued) : null,
    heldProblem(backlog),
    callProblem(calls, timeZone),
    stopsProblem(mostStops),
    clockProblem(backlog),
    backups && ({ code: 'backups_at_risk', ...backups } as const),
  ]
  return found.filter(problem => problem !== null)
}

const MAX_PENDING_AGE = 10 * MINUTE
/** Someone may have forgotten a pause this long, so report it even if no leads are waiting. */
const MAX_PAUSE = 24 * 60 * MINUTE
const MAX_HELD_AGE = 15 * MINUTE
/** Clocks on different machines differ slightly. */
const MAX_AHEAD = MINUTE

function deliveryProblem(
  { pending, oldestPendingAgeMs, dead }: Backlog,
  pause: DeliveryPause | null,
  timeZone: string,
): Problem | null {
  const lateMs = oldestPendingAgeMs > MAX_PENDING_AGE ? oldestPendingAgeMs : 0
  const isLongPause = pause !== null && (lateMs > 0 || pause.ageMs >= MAX_PAUSE)
  if (dead === 0 && lateMs === 0 && pause === null) return null
  const oldestPendingMinutes = Math.floor(oldestPendingAgeMs / MINUTE)
  return {
    code: 'deliveries_stuck',
    text:
      pause !== null && (isLongPause || dead === 0)
        ? describePaused(pause, dead, pending, timeZone)
        : describeStuck(dead, lateMs, pending),
    detail: { pending, oldestPendingMinutes, dead, ...(pause ? { paused: true } : {}) },
    size: dead + (lateMs > 0 ? pending : 0),
    isRecent: dead === 0 && lateMs === 0 && !isLongPause,
  }
}

function describeStuck(dead: number, lateMs: number, pending: number): string {
  // The CRM may take all others.
  if (lateMs === 0)
    return `${pluralize(dead, 'lead')} didn’t reach your CRM, even with the last retry.${resending(dead)}`
  const late = `${pending} waiting, the oldest for ${age(lateMs)}`
  const counts = [late, describeFailed(dead)].filter(Boolean).join('; ')
  return `Leads don’t reach your CRM: ${counts}. Open Health in the desk and send a test lead.${resending(dead)}`
}

/** Leaves out the operator's reason, which may name a person. */
function describePaused({ since }: DeliveryPause, dead: number, pending: number, timeZone: string): string {
  const waiting = pending === 0 ? 'no leads waiting' : `${pluralize(pending, 'lead')} waiting`
  const counts = [waiting, describeFailed(dead)].filter(Boolean).join('; ')
  return `Deliveries have been paused since ${minute(since, timeZone)}: ${counts}. Open Health in the desk to resume them.${resending(dead)}`
}

const describeFailed = (dead: number) => (dead > 0 ? `${dead} failed after the last retry` : '')
const resending = (dead: number) => (dead > 0 ? ' Resend the failed ones: in the desk, Leads, Delivery failed.' : '')

/** Requests not to be called, and results of calls, that the CRM hasn't heard of. Without a webhook, someone has to tell it. */
function crmProblem({ events }: Backlog, pause: DeliveryPause | null): Problem | null {
  const { deadStops, deadCalls, pending, oldestPendingAgeMs } = events
  const isLate = oldestPendingAgeMs > MAX_PENDING_AGE && pause === null
  if (deadStops + deadCalls === 0 && !isLate) return null
  const counts = [
    deadStops > 0 && `${pluralize(deadStops, 'request')} not to be called failed`,
    deadCalls > 0 && `${pluralize(deadCalls, 'result')} of calls failed`,
    isLate && `${pending} waiting, the oldest for ${age(oldestPendingAgeMs)}`,
  ]
  return {
    code: 'crm_not_told',
    text: `Your CRM doesn’t know everything yet: ${counts.filter(Boolean).join('; ')}. Open Health in the desk: send them again, or tell your CRM yourself.`,
    size: deadStops + deadCalls + (isLate ? pending : 0),
    detail: { deadStops, deadCalls, pending },
  }
}

function mailProblem({ letters: { pending, oldestPendingAgeMs, dead } }: Backlog): Problem | null {
  const isLate = oldestPendingAgeMs > MAX_PENDING_AGE
  if (dead === 0 && !isLate) return null
  const counts = [isLate && `${pending} waiting, the oldest for ${age(oldestPendingAgeMs)}`, describeFailed(dead)]
  const resending = dead > 0 ? ' Then send failed letters again, or dismiss them, on Health in the desk.' : ''
  return {
    code: 'mail_not_sent',
    text: `Letters to your team or to visitors aren’t going out: ${counts.filter(Boolean).join('; ')}. Find out why with \`leads check mail\`.${resending}`,
    size: dead + (isLate ? pending : 0),
    detail: { pending, dead },
  }
}

function unqueuedProblem(leads: number): Problem | null {
  if (leads === 0) return null
  const text = `${pluralize(leads, 'lead')} came in while there was no webhook and ${leads === 1 ? 'wasn’t' : 'weren’t'} sent. Open Health in the desk and decide whether to send ${leads === 1 ? 'it' : 'them'}.`
  return { code: 'leads_not_queued', text, size: leads, detail: { leads } }
}

function heldProblem({ held, oldestHeldAgeMs }: Backlog): Problem | null {
  if (held === 0) return null
  return {
    code: 'held_leads_waiting',
    text: `${pluralize(held, 'lead')} on hold for review, the oldest for ${age(oldestHeldAgeMs)}. Review them: in the desk, Leads, On hold.`,
    size: held,
    detail: { held, oldestHeldMinutes: Math.floor(oldestHeldAgeMs / MINUTE) },
    isRecent: oldestHeldAgeMs <= MAX_HELD_AGE,
  }
}

/** Only calling hours count, so nobody is late at night. */
function callProblem(calls: StoreFacts['calls'], timeZone: string): Problem | null {
  if (calls === null || calls.long + calls.missedCallbacks === 0) return null
  const { long, longest, missedCallbacks, lastCallAt } = calls
  const people = long === 1 ? '1 person has' : `${long} people have`
  const counts = [
    long > 0 && `${people} waited for a first call for more than 30 min, the longest for ${age(longest[0]?.ms ?? 0)}`,
    missedCallbacks > 0 && `${pluralize(missedCallbacks, 'promised callback')} missed`,
    lastCallAt === null ? 'nobody was ever called' : `last call ${minute(lastCallAt, timeZone)}`,
  ]
  return {
    code: 'people_waiting',
    text: `${counts.filter(Boolean).join('; ')}. Open Calls in the desk.`,
    size: long + missedCallbacks,
    detail: { long, missedCallbacks },
  }
}

/** Nobody hears that often in an hour. Stops are never refused: someone's session may be in the wrong hands. */
const MAX_STOPS = 50

function stopsProblem(stops: number): Problem | null {
  if (stops <= MAX_STOPS) return null
  const text = `One person recorded ${stops} requests not to be called within an hour. The do-not-call list in the desk shows who. If it wasn’t them, sign them out under People, then take their work back together.`
  return { code: 'stops_by_one_person', text, size: stops, detail: { stops } }
}

function clockProblem({ aheadMs }: Backlog): Problem | null {
  if (aheadMs <= MAX_AHEAD) return null
  return {
    code: 'clock_set_back',
    text: `The newest lead is dated ${age(aheadMs)} in the future, so the clock was probably set back. Waiting times can’t be measured until it catches up. Check the machine’s clock (timedatectl).`,
    detail: { aheadMinutes: Math.floor(aheadMs / MINUTE) },
  }
}

/** Backups are nightly. */
const MAX_LATEST_AGE = HOUR
const MAX_BACKUP_AGE = 26 * HOUR

/**
 * What's wrong with the backups; null if nothing is. A new installation has a day to make its first one, and to mount a disk for it.
 * A PostgreSQL database may have its own backups, so it isn't expected to have ours until someone has tried to make one.
 */
export function backupProblem(status: BackupStatus, isEmbedded: boolean): Pick<Problem, 'text' | 'isRecent'> | null {
  const { ageMs, isTimeWrong, latestAgeMs, wasTried, sameDisk, oldestLeadAgeMs } = status
  const { notReplaced, notCopied, nearlyFull, ofAnotherStore } = status
  if (notReplaced !== null) return { text: describeNotReplaced(notReplaced) }
  if (latestAgeMs !== null && latestAgeMs > MAX_LATEST_AGE && oldestLeadAgeMs > MAX_LATEST_AGE) {
    const since = latestAgeMs > 48 * HOUR ? 'days' : `${Math.floor(latestAgeMs / MINUTE)} min`
    return {
      text: `The copy of the store that’s made every 15 minutes has failed for ${since}. If the store’s disk dies, newer leads are lost. Check \`systemctl status ssdi-advocate-copy\`.`,
    }
  }
  const isExpected = oldestLeadAgeMs > MAX_BACKUP_AGE && (isEmbedded || wasTried)
  const check =
    'Check the nightly backup (`systemctl status ssdi-advocate-backup`; in containers, the log of `backup`), or run `leads backup FILE`.'
  if (isTimeWrong) {
    return {
      text: `The time of the last backup is still to come: the clock was wrong, then or now. Make another one. ${check}`,
    }
  }
  if (isExpected && ageMs === null) return { text: `The leads have never been backed up. ${check}` }
  if (isExpected && ageMs !== null && ageMs > MAX_BACKUP_AGE) {
    return { text: `The last backup is ${Math.floor(ageMs / HOUR)} h old. ${check}` }
  }
  if (nearlyFull !== null) {
    return {
      text: `The disk with the backups (${nearlyFull}) had less than 10% or 2 GB free after the last one. When it’s full, there are no more backups. Make room: \`du -xh --max-depth=1 ${nearlyFull}\` shows what’s large.`,
    }
  }
  if (notCopied !== null) {
    return {
      text: `${notCopied} can’t be copied to the backups, so a new machine wouldn’t have your texts. Check that the user ssdi-advocate can read it, that it has less than 250 MB, and the last lines of \`journalctl -u ssdi-advocate-backup -u ssdi-advocate-copy\`.`,
    }
  }
  if (ofAnotherStore !== null) {
    return {
      text: `${ofAnotherStore} is a backup of another store, so it isn’t deleted after 30 days. If a machine or a database was lost, restore it (docs/backup.md). Otherwise, move it away or delete it.`,
    }
  }
  if (!sameDisk) return null
  return {
    text: 'Backups are on the same disk as the store, so one failure would destroy both. Mount another disk or a network share at the backup folder. If something copies the folder to another machine, add --copied to `leads backup`.',
    isRecent: !isExpected,
  }
}

const reasons: Readonly<Record<NotOurs, string>> = {
  'another store': 'is a copy of another store',
  'has more': 'has leads, calls, or stops that this store doesn’t have',
  unreadable: 'can’t be read',
}

function describeNotReplaced({ file, because }: NonNullable<BackupStatus['notReplaced']>): string {
  return `${file} ${reasons[because]}, so it isn’t replaced: this store’s copies go to a second file beside it. If a machine was lost, or an older backup was restored, restore ${file} (docs/backup.md). If this store is the right one: \`sudo leads backup --latest ${file} --accept\`.`
}

function age(ms: number): string {
  const minutes = Math.floor(ms / MINUTE)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}
