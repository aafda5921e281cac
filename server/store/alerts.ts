/** Alerts, shared by all replicas. There's one open alert per code, and the replica that leases it sends it. */
import { insert, type SqlPort } from './sql.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const RETENTION_MS = 90 * DAY_MS
/** If the alert URL was unreachable, don't send alerts that ended longer ago than this. */
const STALE_MS = DAY_MS
const MAX_LISTED = 200

const columns = 'id, code, text, source, started_at AS "startedAt", ended_at AS "endedAt", told AS "timesSent"'

/** The text is plain English, without personal data. */
export interface AlertRecord {
  readonly id: string
  readonly code: string
  readonly text: string
  /** The process that raised it; empty for an alert about the store, which all replicas share. */
  readonly source: string
  readonly startedAt: number
  readonly endedAt: number | null
}

export type RaisedAlert = Pick<AlertRecord, 'id' | 'code' | 'text'> & {
  /** The problem got worse, so send the alert again immediately. */
  readonly worse: boolean
}

export interface LeasedAlert extends AlertRecord {
  readonly timesSent: number
  readonly leasedUntil: number
}

export function createAlerts({ read, transact, now }: SqlPort) {
  return {
    /** Raises an alert about something that all replicas share. Idempotent: one open alert per code. */
    async raiseAlert({ id, code, text, worse }: RaisedAlert) {
      await transact((sql, at) =>
        insert(
          sql,
          'alerts',
          { id, code, text, source: '', started_at: at, told: 0, tell_at: at },
          `ON CONFLICT (code) WHERE source = '' AND ended_at IS NULL
           DO UPDATE SET text = excluded.text ${worse ? ', tell_at = excluded.tell_at' : ''}`,
        ),
      )
    },
    /** Ends the open alert with that code, or every alert that a process left open when it exited. */
    async endAlert(which: { readonly code: string } | { readonly source: string }) {
      const [column, value] = 'code' in which ? ['code', which.code] : ['source', which.source]
      const open = `${column} = $1 AND ${'code' in which ? `source = '' AND ` : ''} ended_at IS NULL`
      // Called every minute, almost always with nothing to end, so avoid the write.
      if ((await read(`SELECT id FROM alerts WHERE ${open}`, [value])).length === 0) return
      await transact(async (sql, at) => {
        await sql(`UPDATE alerts SET ended_at = $2, tell_at = $2 WHERE ${open}`, [value, at])
        await sql('DELETE FROM alerts WHERE ended_at < $1', [at - RETENTION_MS])
      })
    },
    /** Leases an alert that's due. No other replica gets it until the lease expires. */
    async leaseAlert({ leaseMs }: { readonly leaseMs: number }): Promise<LeasedAlert | null> {
      const at = await now()
      const [due] = await read<{ id: string; tell_at: number }>(
        `SELECT id, tell_at FROM alerts WHERE tell_at <= $1 AND (ended_at IS NULL OR ended_at > $2) ORDER BY tell_at LIMIT 1`,
        [at, at - STALE_MS],
      )
      if (!due) return null
      const leasedUntil = at + leaseMs
      const [leased] = await transact(sql =>
        sql<Omit<LeasedAlert, 'leasedUntil'>>(
          `UPDATE alerts SET tell_at = $3 WHERE id = $1 AND tell_at = $2 RETURNING ${columns}`,
          [due.id, due.tell_at, leasedUntil],
        ),
      )
      // If there's no row, another replica got it first.
      return leased ? { ...leased, leasedUntil } : null
    },
    /** `nextInMs`: how soon to send it again; null for never. */
    async markAlertSent({ id, leasedUntil, nextInMs }: { id: string; leasedUntil: number; nextInMs: number | null }) {
      // Skip an alert that got worse or ended since it was leased: it's already due again.
      const update = 'UPDATE alerts SET told = told + 1, tell_at = $3 WHERE id = $1 AND tell_at = $2'
      await transact((sql, at) => sql(update, [id, leasedUntil, nextInMs === null ? null : at + nextInMs]))
    },
    /** Only records the alert; the caller sends it. */
    async saveAlert({ startedAt, endedAt, ...alert }: AlertRecord) {
      const row = { ...alert, started_at: startedAt, ended_at: endedAt, told: 0 }
      const then = 'ON CONFLICT (id) DO UPDATE SET text = excluded.text, ended_at = excluded.ended_at'
      await transact(sql => insert(sql, 'alerts', row, then))
    },
    /** Open alerts and those that ended at or after this time, newest first. */
    alertsSince: (time: number) =>
      read<AlertRecord>(
        `SELECT ${columns} FROM alerts WHERE ended_at IS NULL OR ended_at >= $1 ORDER BY started_at DESC LIMIT ${MAX_LISTED}`,
        [time],
      ),
  }
}
