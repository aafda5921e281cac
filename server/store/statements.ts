/** Statements that captures, settlements and the operator's changes of every engine have in common. */
import type { Dialect, Sql, Value } from './sql.ts'

export type Statement = readonly [text: string, parameters: readonly Value[]]

/** What happened to a lead, kept as long as the lead. The detail is for the operator, never with personal data. */
export function addHistory(
  leadId: string,
  at: number,
  event: string,
  detail: Readonly<Record<string, Value>>,
): Statement {
  return [
    'INSERT INTO history (lead_id, at, event, detail) VALUES ($1, $2, $3, $4)',
    [leadId, at, event, JSON.stringify(detail)],
  ]
}

export interface HistoryEntry {
  readonly leadId: string
  readonly at: number
  readonly event: string
  readonly detail: Readonly<Record<string, Value>>
}

export async function addHistoryLines(sql: Sql, { rowsOf }: Dialect, entries: readonly HistoryEntry[]): Promise<void> {
  const lines = entries.map(({ leadId, at, event, detail }) => ({
    lead_id: leadId,
    at,
    event,
    detail: JSON.stringify(detail),
  }))
  await sql(
    `INSERT INTO history (lead_id, at, event, detail)
     SELECT lead_id, at, event, detail FROM ${rowsOf('$1', { text: ['lead_id', 'event', 'detail'], bigint: ['at'] })} AS line`,
    [JSON.stringify(lines)],
  )
}

export function putIntoOutbox(leadId: string, now: number): Statement {
  return [
    `INSERT INTO deliveries (lead_id, webhook_id, state, attempts, next_at, created_at)
     VALUES ($1, $2, 'pending', 0, $3, $3)`,
    [leadId, `lead_${leadId}`, now],
  ]
}

/** A delivery that was given up, due now with all attempts before it. Answers with the lead if it was still given up. */
export function reopenDelivery(leadId: string, now: number): Statement {
  return [
    `UPDATE deliveries SET state = 'pending', attempts = 0, next_at = $2, created_at = $2, finished_at = NULL,
       lease_token = NULL
     WHERE lead_id = $1 AND state = 'dead' RETURNING lead_id`,
    [leadId, now],
  ]
}

/** For a lead whose delivery was taken from the outbox while it was being made: that it arrived is part of the proof. */
export function keepAsDelivered(leadId: string, now: number): Statement {
  return [
    `INSERT INTO deliveries (lead_id, webhook_id, state, attempts, next_at, created_at, finished_at)
     VALUES ($1, $2, 'delivered', 1, $3, $3, $3) ON CONFLICT (lead_id) DO NOTHING`,
    [leadId, `lead_${leadId}`, now],
  ]
}
