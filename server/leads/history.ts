/** What happened to a lead, a line an event, kept as long as the lead. */
import type { Sql, Value } from './database.ts'

/** The detail is for the operator, never with personal data. */
export async function addHistory(
  sql: Sql,
  leadId: string,
  at: number,
  event: string,
  detail: Readonly<Record<string, Value>>,
): Promise<void> {
  await sql('INSERT INTO history (lead_id, at, event, detail) VALUES ($1, $2, $3, $4)', [
    leadId,
    at,
    event,
    JSON.stringify(detail),
  ])
}
