/** The outbox in PostgreSQL: each operation one statement, by the database's clock, right beside any number of workers. */
import { NOT_PAUSED } from '../delivery-pause.ts'
import type { Backlog, LeasedDelivery, LeaseOrder, Settlement } from '../delivery-records.ts'
import { leasedDeliveryColumns, leasedDeliveryJoins, number, numberOrNull, readLeasedDelivery } from '../rows.ts'
import type { Sql } from '../sql.ts'

/** In milliseconds. The clock of the database, since no two replicas' clocks agree. */
export const NOW = `floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

/** An erased lead has nothing left to send: it must neither be leased nor wake the worker for ever. */
const pending = `deliveries.state = 'pending'
  AND EXISTS (SELECT 1 FROM leads WHERE leads.id = deliveries.lead_id AND leads.state <> 'erased')`

export async function clock(sql: Sql): Promise<number> {
  const [row] = await sql(`SELECT ${NOW} AS now`)
  return number(row, 'now')
}

/** What another worker is just taking is passed over, not waited for. */
export async function lease(
  sql: Sql,
  token: string,
  { limit, leaseMs }: LeaseOrder,
): Promise<readonly LeasedDelivery[]> {
  // MATERIALIZED: the inner query might otherwise run more than once, and lease more than the limit.
  const leased = await sql(
    `WITH due AS MATERIALIZED (
       SELECT lead_id FROM deliveries WHERE next_at <= ${NOW} AND ${pending} AND ${NOT_PAUSED}
       ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE deliveries SET next_at = ${NOW} + $2, lease_token = $3 FROM due WHERE deliveries.lead_id = due.lead_id
       RETURNING deliveries.lead_id, webhook_id, lease_token, attempts, created_at
     )
     SELECT ${leasedDeliveryColumns} FROM taken ${leasedDeliveryJoins} ORDER BY created_at`,
    [limit, leaseMs, token],
  )
  return leased.map(readLeasedDelivery)
}

const outcomes = {
  delivered: { state: 'delivered', event: 'delivered' },
  retry: { state: 'pending', event: 'delivery failed' },
  dead: { state: 'dead', event: 'delivery dead' },
} as const

export async function settle(sql: Sql, settlement: Settlement): Promise<boolean> {
  const { leadId, leaseToken, durationMs, status, result } = settlement
  const { state, event } = outcomes[result]
  // A success counts even when it came after the lease. A failure does not: by then somebody else may have sent the
  // lead, or the operator may have asked for it anew, and neither must be undone.
  const settled = await sql(
    `WITH clock AS MATERIALIZED (SELECT ${NOW} AS now), settled AS (
       UPDATE deliveries SET state = $2, attempts = attempts + 1, lease_token = NULL,
         next_at = COALESCE(clock.now + $3::bigint, next_at), finished_at = CASE WHEN $3::bigint IS NULL THEN clock.now END
       FROM clock
       WHERE lead_id = $1 AND ${pending} AND ($2 = 'delivered' OR lease_token = $4)
       RETURNING lead_id, attempts, next_at, clock.now
     ), attempt AS (
       INSERT INTO attempts (lead_id, at, duration_ms, outcome, status)
       SELECT lead_id, now - $5::bigint, $5::bigint, $6::text, $7::integer FROM settled
     ), line AS (
       INSERT INTO history (lead_id, at, event, detail)
       SELECT lead_id, now, $8::text, json_strip_nulls(json_build_object('attempt', attempts, 'outcome', $6::text,
         'nextAt', CASE WHEN $3::bigint IS NOT NULL THEN next_at END))::text FROM settled
     )
     SELECT lead_id FROM settled`,
    [
      leadId,
      state,
      result === 'retry' ? Math.round(settlement.retryInMs) : null,
      leaseToken,
      Math.round(durationMs),
      result === 'delivered' ? 'delivered' : settlement.reason,
      status,
      event,
    ],
  )
  return settled.length > 0 || settleCancelled(sql, settlement)
}

/**
 * The delivery was under way when its lead was erased, or held because its person asked not to be called, and is recorded as
 * what it was: a lead that has arrived is held no longer.
 */
async function settleCancelled(sql: Sql, settlement: Settlement): Promise<boolean> {
  const { leadId, durationMs, status, result } = settlement
  const recorded = await sql(
    `WITH lead AS MATERIALIZED (
       SELECT id, state, ${NOW} AS now FROM leads WHERE id = $1 AND state <> 'accepted'
         AND NOT EXISTS (SELECT 1 FROM deliveries WHERE lead_id = leads.id)
     ), attempt AS (
       INSERT INTO attempts (lead_id, at, duration_ms, outcome, status)
       SELECT id, now - $2::bigint, $2::bigint, $3::text, $4::integer FROM lead
     ), line AS (
       INSERT INTO history (lead_id, at, event, detail)
       SELECT id, now, $5::text, json_build_object('outcome', $3::text,
         CASE state WHEN 'erased' THEN 'afterErasure' ELSE 'afterHold' END, 'true')::text FROM lead
     ), kept AS (
       INSERT INTO deliveries (lead_id, webhook_id, state, attempts, next_at, created_at, finished_at)
       SELECT id, 'lead_' || id, 'delivered', 1, now, now, now FROM lead WHERE $3 = 'delivered'
       ON CONFLICT (lead_id) DO NOTHING
     ), arrived AS (
       UPDATE leads SET state = 'accepted', held_reason = NULL FROM lead
       WHERE leads.id = lead.id AND leads.state = 'held' AND $3 = 'delivered'
     )
     SELECT id FROM lead`,
    [
      leadId,
      Math.round(durationMs),
      result === 'delivered' ? 'delivered' : settlement.reason,
      status,
      outcomes[result].event,
    ],
  )
  return recorded.length > 0
}

export async function nextDue(sql: Sql): Promise<number | null> {
  const [next] = await sql(
    `SELECT next_at - ${NOW} AS wait FROM deliveries WHERE ${pending} AND ${NOT_PAUSED} ORDER BY next_at LIMIT 1`,
  )
  return next ? number(next, 'wait') : null
}

export async function backlog(sql: Sql): Promise<Backlog> {
  const [row] = await sql(
    `SELECT COUNT(*) AS pending, ${NOW} - MIN(created_at) AS age,
       (SELECT COUNT(*) FROM deliveries WHERE state = 'dead') AS dead,
       (SELECT COUNT(*) FROM leads WHERE state = 'held') AS held,
       (SELECT ${NOW} - received_at FROM leads WHERE state = 'held' ORDER BY id LIMIT 1) AS held_age,
       (SELECT received_at - ${NOW} FROM leads ORDER BY id DESC LIMIT 1) AS ahead
     FROM deliveries WHERE state = 'pending'`,
  )
  return {
    pending: number(row, 'pending'),
    oldestPendingAgeMs: Math.max(0, numberOrNull(row, 'age') ?? 0),
    dead: number(row, 'dead'),
    held: number(row, 'held'),
    oldestHeldAgeMs: Math.max(0, numberOrNull(row, 'held_age') ?? 0),
    aheadMs: Math.max(0, numberOrNull(row, 'ahead') ?? 0),
  }
}
