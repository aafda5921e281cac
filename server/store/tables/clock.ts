/** The times that the store has to remember. */
import { insert, type Sql, type Tx } from '../sql.ts'

/** The rows of the `clock` table, one for each time that the store has to remember. */
export const clockRows = {
  /** The latest time that a delivery worker saw, to detect a clock that was set back. */
  worker: 1,
  /** The last time that retention found plausible. */
  retention: 2,
  /** Since when retention has been stopped, because the clock is implausible. */
  retentionStop: 3,
  /** When someone was last erased. Deleted once SQLite's log, which still has their data, is empty. */
  erasure: 4,
  /** When the store was last restored from a backup, and until when that backup knows leads and calls. */
  restored: 5,
  knownUntil: 6,
  /** When the team's last letter about new leads was sent. */
  teamLetter: 7,
} as const

export async function setClock(sql: Sql, id: number, at: number): Promise<void> {
  await insert(sql, 'clock', { id, latestAt: at }, 'ON CONFLICT (id) DO UPDATE SET latest_at = excluded.latest_at')
}

/** Null for a time that isn't known. */
export async function clockTimes(read: Sql): Promise<(row: keyof typeof clockRows) => number | null> {
  const rows = await read<{ id: number; at: number }>('SELECT id, latest_at AS at FROM clock')
  return name => rows.find(({ id }) => id === clockRows[name])?.at ?? null
}

/** If several replicas notice that the clock was set back, only the first one gets true: by then, the others' `before` has changed. */
export async function moveWorkerClock(tx: Tx, before: number | null): Promise<boolean> {
  const update = 'UPDATE clock SET latest_at = $2 WHERE id = $1 AND latest_at = $3 RETURNING id'
  const row = { id: clockRows.worker, latestAt: tx.at }
  const [ours] =
    before === null
      ? await insert(tx, 'clock', row, 'ON CONFLICT (id) DO NOTHING RETURNING id')
      : await tx(update, [clockRows.worker, tx.at, before])
  return ours !== undefined
}

/** Vouches for the clock: see retention.ts. */
export async function markRetentionTime(sql: Sql, at: number): Promise<void> {
  await setClock(sql, clockRows.retention, at)
  await sql('DELETE FROM clock WHERE id = $1', [clockRows.retentionStop])
}

/** Always a later time, so an erasure that commits while the log is emptied keeps the row. */
const LATER = `ON CONFLICT (id) DO UPDATE SET
  latest_at = CASE WHEN excluded.latest_at > clock.latest_at THEN excluded.latest_at ELSE clock.latest_at + 1 END`

export async function markErasure(tx: Tx): Promise<void> {
  await insert(tx, 'clock', { id: clockRows.erasure, latestAt: tx.at }, LATER)
}

export const forgetErasure = (tx: Tx, at: number) =>
  tx('DELETE FROM clock WHERE id = $1 AND latest_at = $2', [clockRows.erasure, at])
