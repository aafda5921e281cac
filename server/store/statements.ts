/** Deprecated: use `history.ts`. */
import type { Value } from './sql.ts'

export type Statement = readonly [text: string, parameters: readonly Value[]]

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
