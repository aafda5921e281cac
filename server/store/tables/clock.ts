import { insert, type Sql } from '../sql.ts'

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
