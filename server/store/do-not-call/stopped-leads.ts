/** What a stop does to the outbox, and what taking it back does: closed leads aren't sent, and the CRM hears about those it may have. */

import {
  canceled,
  inLane,
  MAY_BE_SENT,
  queueEvents,
  type UnfinishedDelivery,
  unfinishedColumns,
} from '../deliveries/messages.ts'
import { addHistory, eventField, isEvent } from '../leads/history.ts'
import type { Dialect, Tx } from '../sql.ts'
import { type ContactKind, isClosedByList, stopsOf } from './stops.ts'

/** What a stop did to the outbox. */
export interface StoppedLeads {
  /** Leads that were waiting or had failed, and won't be sent. */
  readonly stopped: readonly string[]
  /** Of those: being sent right now, or perhaps sent before a worker was killed. */
  readonly inFlight: readonly string[]
  readonly interrupted: readonly string[]
  /** Leads that the CRM has or may have: it will be told. */
  readonly told: readonly string[]
}

interface StopOrder {
  readonly ids: readonly string[]
  readonly contact: ContactKind
  readonly by?: string
  /** A lead whose stop came from the CRM itself. */
  readonly except?: string | undefined
}

/**
 * Takes closed leads out of the outbox, and tells the CRM about those it has or may have, unless it was told about an earlier stop that
 * still stands.
 */
export async function stopLeads(sql: Tx, { ids, contact, by = 'system', except }: StopOrder): Promise<StoppedLeads> {
  const { dialect, at } = sql
  const among = dialect.valuesOf('$1')
  const chosen = JSON.stringify(ids)
  if (ids.length === 0) return { stopped: [], inFlight: [], interrupted: [], told: [] }
  const rows = await sql<UnfinishedDelivery & { id: string }>(
    `UPDATE outbox SET state = 'stopped' WHERE id IN ${among} AND lane = 'leads' AND state IN ('pending', 'dead')
     RETURNING id, ${unfinishedColumns}`,
    [chosen],
  )
  for (const row of rows) {
    const event = { kind: 'delivery stopped', cancelledDelivery: canceled(row, at), by } as const
    await addHistory(sql, { leadId: row.id, at, event })
  }
  const sent = await sql<{ id: string }>(
    `SELECT DISTINCT sent.lead_id AS id FROM (
       SELECT lead_id FROM outbox WHERE id IN ${among} AND lane = 'leads' AND ${MAY_BE_SENT}
       UNION ALL SELECT lead_id FROM attempts WHERE lead_id IN ${among}
     ) AS sent
     WHERE sent.lead_id <> $2 AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.lead_id = sent.lead_id AND ${inLane('stops')})
     ORDER BY 1`,
    [chosen, except ?? ''],
  )
  const known = await toldOfStop(sql, sent)
  const told = sent.map(({ id }) => id).filter(id => !known.has(id))
  const events = told.map(leadId => ({ leadId, type: 'lead.do_not_call' as const, detail: { contact } }))
  await queueEvents(sql, dialect, at, events)
  const those = (what: string) => rows.filter(row => canceled(row, at) === what).map(({ id }) => id)
  return { stopped: rows.map(({ id }) => id), inFlight: those('under way'), interrupted: those('interrupted'), told }
}

/** SQL: the CRM heard of a stop. */
const heardOfStop = (dialect: Dialect) =>
  `${isEvent('event delivered', 'event dismissed')} AND ${eventField(dialect, 'event delivered', 'type')} = 'lead.do_not_call'`

/** Which of these leads the CRM knows about: it was told about a stop that still stands. */
async function toldOfStop(sql: Tx, leads: readonly { readonly id: string }[]): Promise<ReadonlySet<string>> {
  const { dialect } = sql
  const rows = await sql<{ id: string; at: number; phone: string | null }>(
    `SELECT history.lead_id AS id, MAX(history.at) AS at, MAX(leads.phone) AS phone FROM history JOIN leads ON leads.id = history.lead_id
     WHERE history.lead_id IN ${dialect.valuesOf('$1')} AND ${heardOfStop(dialect)} GROUP BY history.lead_id`,
    [JSON.stringify(leads.map(({ id }) => id))],
  )
  const told = new Set<string>()
  for (const { id, at, phone } of rows) {
    const stops = phone === null ? [] : await stopsOf(sql, phone)
    if (phone === null || at >= Math.min(...stops.map(stop => stop.at))) told.add(id)
  }
  return told
}

/** After an entry was removed: brings the outbox back as it was, except for leads that another entry stops. */
export async function resumeLeads(
  sql: Tx,
  { ids, since }: { readonly ids: readonly string[]; readonly since: number },
): Promise<{ readonly told: boolean }> {
  const { dialect, at } = sql
  if (ids.length === 0) return { told: false }
  const open = await sql<{ id: string }>(
    `SELECT id FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND NOT ${isClosedByList}`,
    [JSON.stringify(ids)],
  )
  const chosen = JSON.stringify(open.map(({ id }) => id))
  const among = dialect.valuesOf('$1')
  await sql(
    `UPDATE outbox SET state = CASE WHEN finished_at IS NULL THEN 'pending' ELSE 'dead' END
     WHERE id IN ${among} AND lane = 'leads' AND state = 'stopped'
       -- One that the visitor replaced stays stopped.
       AND NOT EXISTS (SELECT 1 FROM history WHERE history.lead_id = outbox.id AND ${isEvent('replaced')})`,
    [chosen],
  )
  const unsent = await sql<{ isSent: number }>(
    `DELETE FROM outbox WHERE lead_id IN ${among} AND ${inLane('stops')} AND (lease_token IS NULL OR next_at <= $2)
     RETURNING CASE WHEN ${MAY_BE_SENT} THEN 1 ELSE 0 END AS "isSent"`,
    [chosen, at],
  )
  const heard = await sql(
    `SELECT 1 FROM outbox WHERE lead_id IN ${among} AND ${inLane('stops')}
     UNION ALL SELECT 1 FROM history WHERE lead_id IN ${among} AND at >= $2 AND ${heardOfStop(dialect)} LIMIT 1`,
    [chosen, since],
  )
  return { told: heard.length > 0 || unsent.some(({ isSent }) => isSent === 1) }
}
