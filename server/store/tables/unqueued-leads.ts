/** Accepted leads that were never queued, because there was no webhook, and what an editor decided about them. */
import { insert, insertAll, type Tx } from '../sql.ts'

export const markUnqueued = (tx: Tx, leads: readonly { readonly id: string }[]) =>
  insertAll(
    tx,
    'unqueued_leads',
    leads.map(({ id }) => ({ leadId: id })),
  )

export const removeUnqueued = (tx: Tx, ids: readonly string[]) =>
  tx('DELETE FROM unqueued_leads WHERE lead_id = ANY($1)', [ids])

export const saveDecision = (tx: Tx, choice: string, by: string) =>
  insert(
    tx,
    'unqueued_decision',
    { id: 1, choice, decidedBy: by, decidedAt: tx.at, done: 0 },
    `ON CONFLICT (id) DO UPDATE SET choice = excluded.choice, decided_by = excluded.decided_by,
       decided_at = excluded.decided_at, done = 0`,
  )

export const finishDecision = (tx: Tx) => tx('UPDATE unqueued_decision SET done = 1')
