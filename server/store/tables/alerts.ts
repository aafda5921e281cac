/**
 * Alerts: one open row per problem and source. Processes refresh `seen_at` while a problem lasts. Any process resolves what is no
 * longer refreshed, and sends what is due.
 */
import { randomUUID } from 'node:crypto'
import { DAY, HOUR, MINUTE } from '../../../domain/durations.ts'
import { insert, type SqlPort, type Tx } from '../sql.ts'

const RETENTION_MS = 90 * DAY
/** If the alert URL was unreachable, don't send alerts that ended longer ago than this. */
const STALE_MS = DAY
/** If a process dies before it has sent an alert, or sending fails, any process can try again after this long. */
const RETRY_MS = MINUTE
const MAX_LISTED = 200

const columns = 'id, code, text, source, started_at, ended_at, times_sent'

/** The text is plain English, without personal data. */
export interface AlertRecord {
  readonly id: string
  readonly code: string
  readonly text: string
  /** The process that sees the problem; empty if all processes do. */
  readonly source: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly timesSent: number
}

export interface SeenAlert extends Pick<AlertRecord, 'code' | 'text' | 'source'> {
  /** How long ago the problem started and was last seen. */
  readonly startedAgoMs: number
  readonly seenAgoMs: number
  /** The alert is resolved once the problem hasn't been seen for this long. */
  readonly lastsMs: number
  /** Sent again as soon as this doubles; 0 if the problem has no size. */
  readonly size: number
  /** How often the process has sent it since it was last saved, because it couldn't reach the store. */
  readonly timesSent: number
}

export interface DueAlert extends AlertRecord {
  readonly retryAt: number
}

export function createAlerts({ read, transact, now }: SqlPort) {
  return {
    /** Call this every minute. Returns the store's time. */
    refreshAlerts: (seen: readonly SeenAlert[]) =>
      transact(async tx => {
        // In the same order in every process; otherwise, two could deadlock.
        for (const alert of seen.toSorted((a, b) => (a.code < b.code ? -1 : 1))) await saveSeen(tx, alert)
        return tx.at
      }),
    /** Ends the alerts that no process sees anymore, and returns their codes. */
    endUnseenAlerts: () =>
      transact(async tx => {
        // A time in the future is from before the clock was set back.
        const ended = await tx<{ code: string }>(
          `UPDATE alerts SET ended_at = $1, send_at = $1
           WHERE ended_at IS NULL AND (seen_at < $1 - lasts_ms OR seen_at > $1 + lasts_ms) RETURNING code`,
          [tx.at],
        )
        await tx('DELETE FROM alerts WHERE ended_at < $1', [tx.at - RETENTION_MS])
        return ended.map(({ code }) => code)
      }),
    /** An alert to send now. No other process gets it for a minute; call `markAlertSent` before then. */
    async nextAlertToSend(): Promise<DueAlert | null> {
      const at = await now()
      const [due] = await read<{ id: string; sendAt: number }>(
        `SELECT id, send_at FROM alerts WHERE send_at <= $1 AND (ended_at IS NULL OR ended_at > $2) ORDER BY send_at LIMIT 1`,
        [at, at - STALE_MS],
      )
      if (!due) return null
      const retryAt = at + RETRY_MS
      const [alert] = await transact(sql =>
        sql<Omit<DueAlert, 'retryAt'>>(
          `UPDATE alerts SET send_at = $3 WHERE id = $1 AND send_at = $2 RETURNING ${columns}`,
          [due.id, due.sendAt, retryAt],
        ),
      )
      // If there's no row, another process got it first.
      return alert ? { ...alert, retryAt } : null
    },
    async markAlertSent({ id, endedAt, timesSent, retryAt }: DueAlert) {
      // If it got worse or ended in the meantime, it's already due again.
      const update = `UPDATE alerts SET times_sent = times_sent + 1, send_at = CASE WHEN send_at = $2 THEN $3 ELSE send_at END
        WHERE id = $1`
      await transact(tx => tx(update, [id, retryAt, endedAt === null ? tx.at + reminderInMs(timesSent) : null]))
    },
    /** Open alerts and those that ended at or after this time, newest first. */
    alertsSince: (time: number) =>
      read<AlertRecord>(
        `SELECT ${columns} FROM alerts WHERE ended_at IS NULL OR ended_at >= $1 ORDER BY started_at DESC LIMIT ${MAX_LISTED}`,
        [time],
      ),
  }
}

/** Keeps a person's decision among the alerts that ended, where colleagues look for what happened. */
export async function recordDecision(
  tx: Tx,
  { startedAt = tx.at, ...what }: Pick<AlertRecord, 'code' | 'text' | 'source'> & { readonly startedAt?: number },
): Promise<void> {
  const times = { startedAt, seenAt: tx.at, lastsMs: 0, endedAt: tx.at }
  await insert(tx, 'alerts', { id: randomUUID(), ...what, size: 0, ...times, timesSent: 0 })
}

/** After the clock was set back. */
export const bringAlertsForward = (tx: Tx, ms: number) =>
  tx('UPDATE alerts SET send_at = send_at - $1 WHERE send_at > $2', [ms, tx.at])

/** The size stays what it was when the alert was last sent, unless it has shrunk since. */
async function saveSeen(tx: Tx, alert: SeenAlert): Promise<void> {
  const { startedAgoMs, seenAgoMs, lastsMs, timesSent, ...what } = alert
  const times = {
    startedAt: tx.at - Math.round(startedAgoMs),
    seenAt: tx.at - Math.round(seenAgoMs),
    lastsMs,
  }
  const sending = { timesSent, sendAt: tx.at + (timesSent > 0 ? reminderInMs(timesSent - 1) : 0) }
  const isWorse = 'excluded.size > 0 AND excluded.size >= 2 * alerts.size'
  await insert(
    tx,
    'alerts',
    { id: randomUUID(), ...what, ...times, ...sending },
    `ON CONFLICT (code, source) WHERE ended_at IS NULL DO UPDATE SET text = excluded.text, seen_at = excluded.seen_at, lasts_ms = excluded.lasts_ms,
       size = CASE WHEN ${isWorse} OR excluded.size < alerts.size THEN excluded.size ELSE alerts.size END,
       times_sent = alerts.times_sent + excluded.times_sent,
       send_at = CASE WHEN excluded.times_sent > 0 OR (${isWorse}) THEN excluded.send_at ELSE alerts.send_at END`,
  )
}

/** Reminders are sent after 1, 2, 4, 8, and 16 hours, then daily. */
export function reminderInMs(timesSentBefore: number): number {
  return HOUR * Math.min(2 ** timesSentBefore, 24)
}
