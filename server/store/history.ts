/** What happened to a lead. Kept when the lead is erased, so the detail never has personal data in it. */
import type { Dialect, Sql, SqlPort, Value } from './sql.ts'

export interface HistoryStore {
  /**
   * What the desk polls: a mark that moves when something happened to a lead or a delivery, or when deliveries are paused or
   * resumed. Page views, health checks, sign-ins, and people who merely view a lead don't move it.
   */
  pulse(): Promise<Pulse>
}

export interface Pulse {
  readonly mark: string
  readonly paused: boolean
}

export interface HistoryEntry {
  readonly leadId: string
  readonly at: number
  readonly event: string
  readonly detail: Readonly<Record<string, Value>>
}

export async function addHistory(sql: Sql, { leadId, at, event, detail }: HistoryEntry): Promise<void> {
  await sql('INSERT INTO history (lead_id, at, event, detail) VALUES ($1, $2, $3, $4)', [
    leadId,
    at,
    event,
    JSON.stringify(detail),
  ])
}

export async function addHistoryLines(sql: Sql, { rowsOf }: Dialect, entries: readonly HistoryEntry[]): Promise<void> {
  const lines = entries.map(({ leadId, detail, ...rest }) => ({
    ...rest,
    lead_id: leadId,
    detail: JSON.stringify(detail),
  }))
  await sql(
    `INSERT INTO history (lead_id, at, event, detail)
     SELECT lead_id, at, event, detail FROM ${rowsOf('$1', ['lead_id', 'event', 'detail'], ['at'])} AS line`,
    [JSON.stringify(lines)],
  )
}

/**
 * On PostgreSQL a transaction may commit after one with a higher rowid. It then pushes the oldest of the newest rows out,
 * which moves the mark as well.
 */
const NEWEST = 200

export function createHistory({ read }: SqlPort): HistoryStore {
  return {
    async pulse() {
      const [row] = await read<{ changes: string; paused: string | null }>(
        `SELECT COALESCE(max(id), 0) || '-' || COALESCE(min(id), 0) || '-' || count(*) AS changes,
           (SELECT CAST(paused_at AS TEXT) FROM delivery_pause) AS paused
         FROM (
           SELECT rowid AS id FROM history WHERE event NOT IN ('looked', 'exported') ORDER BY rowid DESC LIMIT ${NEWEST}
         ) AS newest`,
      )
      return { mark: `${row?.changes} ${row?.paused ?? ''}`, paused: (row?.paused ?? null) !== null }
    },
  }
}
