/**
 * Erases leads older than LEAD_RETENTION_DAYS, a few at a time, hourly. When the store's clock is far beyond the newest lead,
 * the clock may be wrong and everything would be erased: retention stops and raises an alert instead.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Alerts } from '../alerts/alerts.ts'
import { CONSENT_RECORD_DAYS } from '../config.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable, StoreUnusable } from '../store/store-errors.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const PAUSE_MS = 50

/** Without a new lead for this long, either traffic stopped or the clock is wrong. */
const PLAUSIBLE_GAP_MS = 7 * DAY
/** How long the operator has to set a wrong clock right. */
const STOPPED_MS = 7 * DAY

export interface RetentionOptions {
  readonly store: Pick<Store, 'eraseExpired' | 'newestLeadAt' | 'storeTime' | 'alertsSince'>
  readonly days: number
  /** Made at first use. */
  readonly key: () => Promise<string>
  readonly alerts: Alerts
  readonly log: Log
  /** Lets others have the store between two batches. */
  readonly pause?: () => Promise<unknown>
}

/** Without a number of days, nothing is erased. Returns the way to stop it: a batch is erased completely or not at all. */
export function startRetention({
  days,
  ...others
}: Omit<RetentionOptions, 'days'> & { days: number | null }): () => void {
  if (days === null) return () => {}
  const { log } = others
  const stopped = new AbortController()
  if (days < CONSENT_RECORD_DAYS) log('retention_short', { days, lawDays: CONSENT_RECORD_DAYS })
  const run = async () => {
    while (!stopped.signal.aborted) {
      try {
        const leads = await eraseOldLeads({ ...others, days }, stopped.signal)
        if (leads > 0) log('leads_expired', { leads, days })
      } catch (error) {
        if (stopped.signal.aborted) return
        log('retention_failed', { level: 'alert', reason: reasonOf(error) })
      }
      await sleep(HOUR, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
    }
  }
  void run()
  return () => stopped.abort()
}

/** Goes once through everything that is too old. Returns how many leads were erased. */
export async function eraseOldLeads(options: RetentionOptions, signal?: AbortSignal): Promise<number> {
  const { store, days, key, pause = () => sleep(PAUSE_MS) } = options
  if (!(await isClockPlausible(options))) return 0
  let total = 0
  for (let after = ''; !signal?.aborted; ) {
    const { leads, last } = await store.eraseExpired({ days, after, key: await key() })
    total += leads
    if (last === null) break
    after = last
    await pause()
  }
  return total
}

/**
 * After STOPPED_MS it continues: the operator was alerted, and a quiet site may have no new leads for weeks. The alert in the store
 * remembers since when, because a lead received while the clock is wrong makes the wrong time look plausible.
 */
async function isClockPlausible({ store, alerts, days }: RetentionOptions): Promise<boolean> {
  const [now, newest] = [await store.storeTime(), await store.newestLeadAt()]
  const standing = (await store.alertsSince(now)).find(
    ({ code, endedAt }) => code === 'retention_stopped' && endedAt === null,
  )
  const stoppedMs = standing ? now - standing.startedAt : 0
  const isWaiting = standing !== undefined && stoppedMs >= 0 && stoppedMs < STOPPED_MS
  // Much later than that, the clock has jumped once more.
  const hasWaited = standing !== undefined && stoppedMs >= STOPPED_MS && stoppedMs < 2 * STOPPED_MS
  const isFar = newest !== null && now - newest > PLAUSIBLE_GAP_MS
  if (hasWaited || !(isWaiting || isFar)) {
    alerts.clear('retention_stopped')
    return true
  }
  if (standing && !isWaiting) alerts.clear('retention_stopped')
  alerts.raise(
    'retention_stopped',
    `Stopped erasing old leads: the clock says ${new Date(now).toISOString()}, long after the newest lead. If the clock ` +
      `is wrong, fix it now; otherwise leads that are more than ${days} days old by this clock will be erased 7 days after this alert.`,
  )
  return false
}

function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return error.message
  // The message is left out: it may quote what the store holds.
  return error instanceof Error ? error.name : 'unknown'
}
