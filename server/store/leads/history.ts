/** A lead's history. It survives an erasure, so its details never contain personal data. */
import { type Dialect, insert, insertAll, type Sql, type SqlPort, type Value } from '../sql.ts'

export interface HistoryEntry {
  readonly leadId: string
  readonly at: number
  readonly event: string
  readonly detail: Readonly<Record<string, Value>>
}

/** The visitor sent the lead again with another number. Its detail has the lead before. */
export const CORRECTS = 'corrects the number'
/** Another lead took its place. Its detail has that one. */
export const REPLACED = 'replaced'

const rowOf = ({ leadId, at, event, detail }: HistoryEntry) => ({
  lead_id: leadId,
  at,
  event,
  detail: JSON.stringify(detail),
})

export async function addHistory(sql: Sql, entry: HistoryEntry): Promise<void> {
  await insert(sql, 'history', rowOf(entry))
}

export function addHistoryLines(sql: Sql, dialect: Dialect, entries: readonly HistoryEntry[]): Promise<void> {
  return insertAll(sql, dialect, 'history', entries.map(rowOf))
}

/**
 * How many rows the mark covers. On PostgreSQL, a transaction can commit after one with a higher rowid. Its row then pushes the
 * oldest one out of this window, so the mark still changes.
 */
const NEWEST = 200

export function createHistory({ read }: SqlPort) {
  return {
    /**
     * The desk polls this mark. It changes when a lead or a delivery changes, or when deliveries are paused or resumed, but not
     * on page views, health checks, sign-ins, or lead views. `calls` changes when someone opens, finishes, or undoes a call: only
     * pages that show calls watch it, so ten callers don't make every desk reload its lists.
     */
    async pulse() {
      const [row] = await read<{ changes: string; paused: string | null; calls: string }>(
        `SELECT COALESCE(max(id), 0) || '-' || COALESCE(min(id), 0) || '-' || count(*) AS changes,
           (SELECT CAST(paused_at AS TEXT) FROM delivery_pause) AS paused,
           (SELECT count(*) || '-' || COALESCE(max(since), 0) || '-' || COALESCE(sum(dialed), 0) FROM call_claims) || '-' ||
             COALESCE((SELECT max(at) FROM story_events WHERE kind IN ('dialed', 'said', 'corrected')), 0) AS calls
         FROM (
           SELECT rowid AS id FROM history WHERE event NOT IN ('looked', 'exported', 'call note added', 'call skipped') ORDER BY rowid DESC LIMIT ${NEWEST}
         ) AS newest`,
      )
      const paused = (row?.paused ?? null) !== null
      return { mark: `${row?.changes} ${row?.paused ?? ''}`, calls: row?.calls ?? '', paused }
    },
  }
}
