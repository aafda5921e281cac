/**
 * The rows of the call list, a second outbox: what's planned for each lead. A lead is on the list while its row is open, it's
 * accepted, and its contacts aren't on the do-not-call list. So a lead that is put on hold, rejected, or erased leaves the list,
 * and no other module has to remove it. Rows are kept even if the list is turned off, so it's complete when someone turns it on.
 */
import type { CallKind } from '../../../domain/calling/list.ts'
import { NOT_REACHED } from '../../../domain/calling/outcomes.ts'
import { phoneMark, phoneMarkOfKey } from '../repeats.ts'
import { type Dialect, insert, insertAll, type Sql } from '../sql.ts'

export type CallRow = Readonly<{
  kind: CallKind
  due_at: number
  tries: number
  callback_at: number | null
  callback_place: string | null
  callback_for: string | null
  skipped_by: string | null
  skipped_until: number | null
  ended_at: number | null
  ended: string | null
}>

/** What's planned for a lead. */
export interface QueuedCall {
  readonly kind: CallKind
  readonly dueAt: number
  /** Calls since the person last submitted or was reached. */
  readonly tries: number
  readonly callback: { readonly at: number; readonly place: string | null } | null
  /** How the calling ended; null while the lead is on the list. */
  readonly ended: string | null
}

export const NO_PROMISE = { callback_at: null, callback_place: null, callback_for: null }

export const newCall = (at: number): CallRow => ({
  kind: 'new',
  due_at: at,
  tries: 0,
  ...NO_PROMISE,
  skipped_by: null,
  skipped_until: null,
  ended_at: null,
  ended: null,
})

const columns = Object.keys(newCall(0))

/** Puts new leads on the list. */
export function queueCalls(
  sql: Sql,
  dialect: Dialect,
  leads: readonly { readonly id: string; readonly receivedAt: number }[],
): Promise<void> {
  const rows = leads.map(({ id, receivedAt }) => ({ lead_id: id, ...newCall(receivedAt) }))
  return insertAll(sql, dialect, 'calls', rows)
}

/** Back to the top: the lead was approved, or its person submitted again. A callback that someone promised still stands. */
export async function requeueCall(sql: Sql, leadId: string, at: number): Promise<void> {
  const update = `ON CONFLICT (lead_id) DO UPDATE SET kind = 'new', due_at = excluded.due_at, tries = 0, skipped_by = NULL,
    skipped_until = NULL, ended_at = NULL, ended = NULL`
  await insert(sql, 'calls', { lead_id: leadId, ...newCall(at) }, update)
}

export async function callOf(sql: Sql, leadId: string): Promise<CallRow | null> {
  return (await sql<CallRow>(`SELECT ${columns.join()} FROM calls WHERE lead_id = $1`, [leadId]))[0] ?? null
}

export async function saveRow(sql: Sql, leadId: string, row: CallRow): Promise<void> {
  const update = `ON CONFLICT (lead_id) DO UPDATE SET ${columns.map(name => `${name} = excluded.${name}`).join()}`
  await insert(sql, 'calls', { lead_id: leadId, ...row }, update)
}

export function queuedCall({ kind, due_at, tries, callback_at, callback_place, ended }: CallRow): QueuedCall {
  const callback = callback_at === null ? null : { at: callback_at, place: callback_place }
  return { kind, dueAt: due_at, tries, callback, ended }
}

/** After an unanswered call. `next`: when to try again; null after the last try. A promised callback still stands. */
export function retried(row: CallRow, next: number | null, at: number): CallRow {
  const tries = row.tries + 1
  if (row.callback_at !== null && row.callback_at > at) {
    return { ...row, kind: 'callback', due_at: row.callback_at, tries, ended_at: null, ended: null }
  }
  if (next === null) return { ...row, tries, ended_at: at, ended: NOT_REACHED }
  return { ...newCall(next), kind: 'retry', tries }
}

/**
 * Keeps the attempts, without the person. Call after the lead's own columns were erased: the place stays as long as another lead
 * has the number, or that person would be called at the wrong hours.
 */
export async function eraseCalls(sql: Sql, leadId: string, phone: string): Promise<void> {
  await sql('DELETE FROM call_claims WHERE lead_id = $1', [leadId])
  await sql(
    `DELETE FROM call_places WHERE phone = $1
       AND NOT EXISTS (SELECT 1 FROM leads WHERE ${phoneMarkOfKey} = $2 AND leads.phone = $1)`,
    [phone, phoneMark(phone)],
  )
  for (const table of ['call_starts', 'call_attempts']) {
    await sql(`UPDATE ${table} SET phone = NULL, override_reason = NULL WHERE lead_id = $1`, [leadId])
  }
}
