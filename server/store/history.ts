/** What happened to a lead. Kept when the lead is erased, so the detail never has personal data in it. */
import type { Dialect, Sql, Value } from './sql.ts'

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
