/**
 * Every hour, erases leads older than LEAD_RETENTION_DAYS, a few at a time. If the store's clock is far ahead of the newest lead,
 * the clock may be wrong, and we'd erase everything. In that case, retention stops and raises an alert.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { repeat } from '../alarm.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { CONSENT_RECORD_DAYS } from '../config.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { reasonOf } from '../store/store-errors.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const PAUSE_MS = 50

/** If no new lead arrives for this long, either traffic has stopped or the clock is wrong. */
const PLAUSIBLE_GAP_MS = 7 * DAY
/** How long the operator has to fix a wrong clock. */
const GRACE_PERIOD_MS = 7 * DAY

export interface RetentionOptions {
  readonly store: Pick<Store, 'eraseExpired' | 'newestLeadAt' | 'storeTime' | 'alertsSince'>
  readonly days: number
  /** Created on first use. */
  readonly key: () => Promise<string>
  readonly alerts: Alerts
  readonly log: Log
}

/** Does nothing if `days` is null. Returns a function that stops it; a batch in progress commits or rolls back as a whole. */
export function startRetention({
  days,
  ...options
}: Omit<RetentionOptions, 'days'> & { days: number | null }): () => void {
  if (days === null) return () => {}
  const { log } = options
  const stopped = new AbortController()
  if (days < CONSENT_RECORD_DAYS) log('retention_short', { days, lawDays: CONSENT_RECORD_DAYS })
  const stop = repeat(HOUR, async () => {
    try {
      const leads = await eraseOldLeads({ ...options, days }, stopped.signal)
      if (leads > 0) log('leads_expired', { leads, days })
    } catch (error) {
      if (!stopped.signal.aborted) log('retention_failed', { level: 'alert', reason: reasonOf(error) })
    }
  })
  return () => {
    stopped.abort()
    void stop()
  }
}

/** Makes one pass over all expired leads. Returns how many were erased. */
export async function eraseOldLeads(options: RetentionOptions, signal?: AbortSignal): Promise<number> {
  const { store, days, key } = options
  if (!(await isClockPlausible(options))) return 0
  let total = 0
  for (let after = ''; !signal?.aborted; ) {
    const { leads, last } = await store.eraseExpired({ days, after, key: await key() })
    total += leads
    if (last === null) break
    after = last
    // Give other writers a turn.
    await sleep(PAUSE_MS)
  }
  return total
}

/**
 * Erasing resumes after GRACE_PERIOD_MS: the operator was alerted, and a quiet site may have no new leads for weeks. The stored
 * alert records when erasing stopped, because a lead received while the clock is wrong makes the wrong time look plausible.
 */
async function isClockPlausible({ store, alerts, days }: RetentionOptions): Promise<boolean> {
  const [now, newest] = [await store.storeTime(), await store.newestLeadAt()]
  const openAlert = (await store.alertsSince(now)).find(
    ({ code, endedAt }) => code === 'retention_stopped' && endedAt === null,
  )
  const stoppedMs = openAlert ? now - openAlert.startedAt : 0
  const isWaiting = openAlert !== undefined && stoppedMs >= 0 && stoppedMs < GRACE_PERIOD_MS
  // If much more time than that has passed, the clock has jumped again.
  const hasWaited = openAlert !== undefined && stoppedMs >= GRACE_PERIOD_MS && stoppedMs < 2 * GRACE_PERIOD_MS
  const isGapImplausible = newest !== null && now - newest > PLAUSIBLE_GAP_MS
  if (hasWaited || !(isWaiting || isGapImplausible)) {
    alerts.clear('retention_stopped')
    return true
  }
  if (openAlert && !isWaiting) alerts.clear('retention_stopped')
  alerts.raise(
    'retention_stopped',
    `Stopped erasing old leads: the clock says ${new Date(now).toISOString()}, long after the newest lead. If the clock ` +
      `is wrong, fix it within 7 days of this alert. After that, leads more than ${days} days old by this clock will be erased.`,
  )
  return false
}
