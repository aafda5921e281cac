/** The outbox of the embedded store: which deliveries are due, under which lease, and what became of them. */
import { NOT_PAUSED } from '../delivery-pause.ts'
import type { Backlog, LeasedDelivery, LeaseOrder, Settlement } from '../delivery-records.ts'
import { leasedDeliveryColumns, leasedDeliveryJoins, number, numberOrNull, readLeasedDelivery, text } from '../rows.ts'
import { addHistory, keepAsDelivered } from '../statements.ts'
import type { Run } from './connection.ts'

/** An erased lead has nothing left to send: it must neither be leased nor wake the worker for ever. */
const pending = `deliveries.state = 'pending'
  AND EXISTS (SELECT 1 FROM leads WHERE leads.id = deliveries.lead_id AND leads.state <> 'erased')`

/** Takes what is due by pushing it past the lease, so that nobody else takes it, and nobody must give it back. */
export function lease(run: Run, now: number, token: string, { limit, leaseMs }: LeaseOrder): readonly LeasedDelivery[] {
  const taken = run(
    `UPDATE deliveries SET next_at = $3, lease_token = $4
     WHERE lead_id IN (
       SELECT lead_id FROM deliveries WHERE next_at <= $1 AND ${pending} AND ${NOT_PAUSED} ORDER BY next_at LIMIT $2
     )
     RETURNING lead_id`,
    [now, limit, now + leaseMs, token],
  )
  // Most looks find nothing.
  if (taken.length === 0) return []
  const leased = run(
    `SELECT ${leasedDeliveryColumns} FROM deliveries ${leasedDeliveryJoins}
     WHERE deliveries.state = 'pending' AND next_at = $1 AND lease_token = $2 ORDER BY created_at`,
    [now + leaseMs, token],
  )
  return leased.map(readLeasedDelivery)
}

const outcomes = {
  delivered: { state: 'delivered', event: 'delivered' },
  retry: { state: 'pending', event: 'delivery failed' },
  dead: { state: 'dead', event: 'delivery dead' },
} as const

export function settle(run: Run, now: number, settlement: Settlement): boolean {
  const { leadId, leaseToken, durationMs, status, result } = settlement
  const { state, event } = outcomes[result]
  const nextAt = result === 'retry' ? now + settlement.retryInMs : null
  // A success counts even when it came after the lease. A failure does not: by then somebody else may have sent the
  // lead, or the operator may have asked for it anew, and neither must be undone.
  const [delivery] = run(
    `UPDATE deliveries SET state = $2, attempts = attempts + 1, next_at = COALESCE($3, next_at), finished_at = $4,
       lease_token = NULL
     WHERE lead_id = $1 AND ${pending} AND ($2 = 'delivered' OR lease_token = $5)
     RETURNING attempts`,
    [leadId, state, nextAt, result === 'retry' ? null : now, leaseToken],
  )
  const cancelled = delivery ? null : cancelledMeanwhile(run, leadId)
  if (!delivery && !cancelled) return false
  const outcome = result === 'delivered' ? 'delivered' : settlement.reason
  run('INSERT INTO attempts (lead_id, at, duration_ms, outcome, status) VALUES ($1, $2, $3, $4, $5)', [
    leadId,
    now - durationMs,
    durationMs,
    outcome,
    status,
  ])
  if (!delivery) {
    if (result === 'delivered') {
      run(...keepAsDelivered(leadId, now))
      run(`UPDATE leads SET state = 'accepted', held_reason = NULL WHERE id = $1 AND state = 'held'`, [leadId])
    }
    run(...addHistory(leadId, now, event, { outcome, [cancelled === 'erased' ? 'afterErasure' : 'afterHold']: 'true' }))
    return true
  }
  const detail = { attempt: number(delivery, 'attempts'), outcome, ...(nextAt === null ? {} : { nextAt }) }
  run(...addHistory(leadId, now, event, detail))
  return true
}

/**
 * Its delivery was under way when the lead was erased, or held because its person asked not to be called, and is recorded as
 * what it was: a lead that has arrived is held no longer. Answers with the lead's state.
 */
function cancelledMeanwhile(run: Run, leadId: string): string | null {
  const [lead] = run(
    `SELECT state FROM leads WHERE id = $1 AND state <> 'accepted'
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE lead_id = leads.id)`,
    [leadId],
  )
  return lead ? text(lead, 'state') : null
}

export function nextDue(run: Run, now: number): number | null {
  const [next] = run(`SELECT next_at FROM deliveries WHERE ${pending} AND ${NOT_PAUSED} ORDER BY next_at LIMIT 1`)
  return next ? number(next, 'next_at') - now : null
}

/** Reads nothing but the index of what is pending, however much that is: it is called while leads come in. */
export function backlog(run: Run, now: number): Backlog {
  const [waiting] = run(`SELECT COUNT(*) AS pending, MIN(created_at) AS oldest FROM deliveries WHERE state = 'pending'`)
  const [given] = run(`SELECT COUNT(*) AS dead FROM deliveries WHERE state = 'dead'`)
  const [aside] = run(`SELECT COUNT(*) AS held FROM leads WHERE state = 'held'`)
  // Ids begin with the time of receipt.
  const [longestHeld] = run(`SELECT received_at FROM leads WHERE state = 'held' ORDER BY id LIMIT 1`)
  const [newest] = run('SELECT received_at FROM leads ORDER BY id DESC LIMIT 1')
  return {
    pending: number(waiting, 'pending'),
    oldestPendingAgeMs: Math.max(0, now - (numberOrNull(waiting, 'oldest') ?? now)),
    dead: number(given, 'dead'),
    held: number(aside, 'held'),
    oldestHeldAgeMs: Math.max(0, now - (numberOrNull(longestHeld, 'received_at') ?? now)),
    aheadMs: Math.max(0, (numberOrNull(newest, 'received_at') ?? now) - now),
  }
}
