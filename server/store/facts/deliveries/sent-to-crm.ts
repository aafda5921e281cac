/** Whether the operator's CRM has a lead, whatever the settings are now. */
import type { Sql, Tx } from '../../sql.ts'
import { isClosedByList } from '../do-not-call/stops.ts'
import { eventField, isEvent } from '../leads/events.ts'
import type { DeliveryAttempt } from '../leads/lead-records.ts'
import { isMessage, isUnfinished, type SentToCrm } from '../leads/states.ts'

/** SQL: an attempt was started and has no result: it's being sent right now, or its worker was stopped. */
export const isUnsettled = (row = 'outbox') => `(${row}.lease_token IS NOT NULL OR ${row}.interrupted = 1)`

/** SQL: the webhook has this message, or may have it. */
export const mayHaveArrived = (row = 'outbox') =>
  `(${isMessage('delivered', row)} OR ${row}.attempts > 0 OR ${isUnsettled(row)})`

/** Leaves out leads that it can't have. */
export async function sentToCrm(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, SentToCrm>> {
  const rows = await sql<{ id: string; confirmed: number }>(
    `SELECT lead_id AS id, MAX(CASE WHEN outcome = 'delivered' THEN 1 ELSE 0 END) AS confirmed FROM attempts
       WHERE lead_id = ANY($1) GROUP BY lead_id
     UNION SELECT id, 0 FROM outbox WHERE id = ANY($1) AND lane = 'leads' AND ${mayHaveArrived()}
     UNION SELECT lead_id, 0 FROM history WHERE lead_id = ANY($1) AND ${isEvent('held', 'erased', 'replaced')}
       AND ${eventField(sql.dialect, 'erased', 'cancelledDelivery')} IN ('under way', 'interrupted')
     ORDER BY confirmed`,
    [ids],
  )
  return new Map(rows.map(({ id, confirmed }) => [id, confirmed === 1 ? 'yes' : 'maybe']))
}

/** Nobody starts sending these leads until the transaction ends. A separate statement: the next one must see a lease committed before it. */
export async function lockDeliveries(tx: Tx, ids: readonly string[]): Promise<void> {
  const { lockDeliveries: lock } = tx.dialect
  await tx(`SELECT id FROM outbox WHERE id = ANY($1) AND lane = 'leads' ORDER BY id ${lock}`, [ids])
}

/** Whether it has the lead, or may have it. */
export async function mayHaveLead(tx: Tx, leadId: string): Promise<boolean> {
  await lockDeliveries(tx, [leadId])
  return (await sentToCrm(tx, [leadId])).has(leadId)
}

/** Of these leads, those that the CRM has, may have, or is still to get. About others, there's nothing to tell. */
export async function leadsForCrm(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const toBeSent = await tx<{ id: string }>(
    `SELECT outbox.id FROM outbox JOIN leads ON leads.id = outbox.id
     WHERE outbox.id = ANY($1) AND ${isUnfinished} AND NOT ${isClosedByList}`,
    [ids],
  )
  return new Set([...(await sentToCrm(tx, ids)).keys(), ...toBeSent.map(({ id }) => id)])
}

export const deliveryAttemptsOf = (sql: Sql, id: string) =>
  sql<DeliveryAttempt>('SELECT at, duration_ms, outcome, status FROM attempts WHERE lead_id = $1 ORDER BY at', [id])
