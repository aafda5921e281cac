/**
 * Every hour, erases leads older than LEAD_RETENTION_DAYS, a few at a time. If the store's clock is far ahead of the last pass,
 * the clock may be wrong, and we'd erase everything. In that case, retention stops and raises an alert.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY, HOUR } from '../../domain/durations.ts'
import { type Alerts, minute } from '../alerts/alerts.ts'
import type { Log } from '../process/log.ts'
import { type OnFailure, repeat } from '../process/timers.ts'
import { CONSENT_RECORD_DAYS } from '../settings/config.ts'
import type { Store } from '../store/store.ts'

const PAUSE_MS = 50

/** If more time than this has passed since the last pass, either the server was off or the clock is wrong. */
const PLAUSIBLE_GAP_MS = 7 * DAY
/** How long the operator has to fix a wrong clock. */
const GRACE_PERIOD_MS = 7 * DAY

export interface RetentionOptions {
  readonly store: Store
  readonly days: number
  /** Created on first use. */
  readonly key: () => Promise<string>
  /** Keep leads that are waiting to be delivered. Without a webhook, all leads wait, forever. */
  readonly expectsDeliveries: boolean
  readonly alerts: Alerts
  /** The operator's, for times in messages. */
  readonly timeZone?: string
  readonly log: Log
}

/** Does nothing if `days` is null. Returns a function that stops it; a batch in progress commits or rolls back as a whole. */
export function startRetention({
  days,
  onFailure,
  ...options
}: Omit<RetentionOptions, 'days'> & { days: number | null; onFailure: OnFailure }): () => void {
  if (days === null) return () => {}
  const { log } = options
  const stopped = new AbortController()
  if (days < CONSENT_RECORD_DAYS) log('retention_short', { days, lawDays: CONSENT_RECORD_DAYS })
  const erase = async () => {
    const leads = await eraseOldLeads({ ...options, days }, stopped.signal)
    if (leads > 0) log('leads_expired', { leads, days })
  }
  const stop = repeat(HOUR, erase, (error, inARow) => {
    if (!stopped.signal.aborted) onFailure(error, inARow)
  })
  return () => {
    stopped.abort()
    void stop()
  }
}

/** Makes one pass over all expired leads. Returns how many were erased. */
export async function eraseOldLeads(options: RetentionOptions, signal?: AbortSignal): Promise<number> {
  const { store, days, key, expectsDeliveries: keepPending } = options
  const now = await plausibleTime(options)
  if (now === null) return 0
  let total = 0
  for (let after = ''; !signal?.aborted; ) {
    // The clock may jump during a pass, so don't read it again.
    const { leads, last } = await store.eraseExpired({ before: now - days * DAY, after, keepPending, key: await key() })
    total += leads
    if (last === null) break
    after = last
    // Give other writers a turn.
    await sleep(PAUSE_MS)
  }
  return total
}

/**
 * The store's time, or null if it's implausible. Newer leads can't vouch for it: if the clock is wrong, so are their times.
 * Erasing resumes after GRACE_PERIOD_MS: the operator was alerted, and the server may just have been off.
 */
async function plausibleTime({ store, alerts, days, timeZone = 'UTC' }: RetentionOptions): Promise<number | null> {
  const [now, { lastPassAt, stoppedAt }] = [await store.storeTime(), await store.retentionTimes()]
  const last = lastPassAt ?? (await store.newestLeadAt()) ?? now
  // Later leads must not replace the one that we compare the first pass with.
  if (lastPassAt === null) await store.recordRetention(last)
  const stoppedMs = stoppedAt === null ? 0 : now - stoppedAt
  // The clock has jumped again, or the server was off: the grace period starts over.
  const isStopStale = stoppedMs < 0 || stoppedMs >= 2 * GRACE_PERIOD_MS
  if (now - last <= PLAUSIBLE_GAP_MS || (stoppedMs >= GRACE_PERIOD_MS && !isStopStale)) {
    await store.recordRetention(now)
    return now
  }
  if (stoppedAt === null || isStopStale) await store.recordRetentionStop(now)
  alerts.raise(
    'retention_stopped',
    `Stopped erasing old leads: the clock says ${minute(now, timeZone)}, but the last plausible time was ${minute(last, timeZone)}. If the clock is ` +
      `wrong, fix it within 7 days of this alert. After that, leads more than ${days} days old by this clock will be erased.`,
  )
  return null
}
