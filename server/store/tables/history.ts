/** A lead's history. It survives an erasure, so its details never contain personal data. */
import type { NewLeadEvent } from '../../../domain/events/lead-events.ts'
import { insertAll, type Tx } from '../sql.ts'

export interface HistoryEntry {
  readonly leadId: string
  /** By default, when the transaction began. */
  readonly at?: number
  readonly event: NewLeadEvent
}

export function addHistory(tx: Tx, ...entries: readonly HistoryEntry[]): Promise<void> {
  const rows = entries.map(({ leadId, at = tx.at, event: { kind, ...fields } }) => {
    return { leadId, at, event: kind, detail: JSON.stringify(fields) }
  })
  return insertAll(tx, 'history', rows)
}
