/** The outbox: which deliveries are due, who sends them, and what became of them. */
import type { Contact } from '../../domain/lead.ts'
import type { Database, Row } from '../leads/database.ts'
import { addHistory } from '../leads/history.ts'
import { LONGEST_WAIT } from './backoff.ts'

/** A delivery that is ours to send until the lease ends; after that it comes due again by itself. */
export interface LeasedDelivery {
  readonly leadId: string
  readonly webhookId: string
  /** Made before this one. */
  readonly attempts: number
  readonly leasedUntil: number
  readonly contact: Contact
  readonly certificateId: string | null
}

export interface Attempt {
  readonly at: number
  readonly durationMs: number
  /** The HTTP status, if there was an answer. */
  readonly status: number | null
}

export interface FailedAttempt extends Attempt {
  /** In plain words, without personal data. */
  readonly reason: string
}

export interface Backlog {
  readonly pending: number
  readonly oldestPendingAgeMs: number
  readonly dead: number
}

/** An erased lead has nothing left to send: it must neither be leased nor wake the worker for ever. */
const pending = `deliveries.state = 'pending'
  AND EXISTS (SELECT 1 FROM leads WHERE leads.id = deliveries.lead_id AND leads.state <> 'erased')`

/** Takes what is due by pushing it past the lease, so that nobody else takes it, and nobody must give it back. */
export function leaseDue(
  database: Database,
  now: number,
  leaseMs: number,
  limit: number,
): Promise<readonly LeasedDelivery[]> {
  const leasedUntil = now + leaseMs
  // MATERIALIZED: PostgreSQL may otherwise run the inner query more than once, and lease more than the limit.
  const lease = `
    WITH due AS MATERIALIZED (
      SELECT lead_id FROM deliveries WHERE next_at <= $1 AND ${pending} ORDER BY next_at LIMIT $2 ${database.lockRows}
    )
    UPDATE deliveries SET next_at = $3 WHERE lead_id IN (SELECT lead_id FROM due)
    RETURNING lead_id, webhook_id, attempts`
  return database.write(async sql => {
    const leased: LeasedDelivery[] = []
    for (const delivery of await sql(lease, [now, limit, leasedUntil])) {
      const [lead] = await sql(
        'SELECT first_name, last_name, date_of_birth, email, phone, certificate_id FROM leads WHERE id = $1',
        [delivery['lead_id'] ?? null],
      )
      if (lead) leased.push(leasedDelivery(delivery, lead, leasedUntil))
    }
    return leased
  })
}

function leasedDelivery(delivery: Row, lead: Row, leasedUntil: number): LeasedDelivery {
  return {
    leadId: String(delivery['lead_id']),
    webhookId: String(delivery['webhook_id']),
    attempts: Number(delivery['attempts']),
    leasedUntil,
    contact: {
      firstName: String(lead['first_name']),
      lastName: String(lead['last_name']),
      dateOfBirth: String(lead['date_of_birth']),
      email: String(lead['email']),
      phone: String(lead['phone']),
    },
    certificateId: lead['certificate_id'] === null ? null : String(lead['certificate_id']),
  }
}

/** These three say whether they were kept: false when the delivery has meanwhile been settled or erased by somebody else. */
export function recordDelivered(database: Database, delivery: LeasedDelivery, attempt: Attempt): Promise<boolean> {
  return record(database, delivery, { ...attempt, reason: 'delivered' }, 'delivered', delivery.leasedUntil)
}

export function recordRetry(
  database: Database,
  delivery: LeasedDelivery,
  attempt: FailedAttempt,
  nextAt: number,
): Promise<boolean> {
  return record(database, delivery, attempt, 'pending', nextAt)
}

export function recordDead(database: Database, delivery: LeasedDelivery, attempt: FailedAttempt): Promise<boolean> {
  return record(database, delivery, attempt, 'dead', delivery.leasedUntil)
}

const eventOf = { delivered: 'delivered', pending: 'delivery failed', dead: 'delivery dead' } as const

function record(
  database: Database,
  { leadId, leasedUntil }: LeasedDelivery,
  { at, durationMs, status, reason }: FailedAttempt,
  state: keyof typeof eventOf,
  nextAt: number,
): Promise<boolean> {
  const endedAt = at + durationMs
  return database.write(async sql => {
    // A success counts even when it came after the lease. A failure does not: by then somebody else may have sent the
    // lead, or the operator may have asked for it anew, and neither must be undone.
    const [delivery] = await sql(
      `UPDATE deliveries SET state = $2, attempts = attempts + 1, next_at = $3, finished_at = $4
       WHERE lead_id = $1 AND ${pending} AND ($2 = 'delivered' OR next_at = $5)
       RETURNING attempts`,
      [leadId, state, nextAt, state === 'pending' ? null : endedAt, leasedUntil],
    )
    if (!delivery) return false
    await sql('INSERT INTO attempts (lead_id, at, duration_ms, outcome, status) VALUES ($1, $2, $3, $4, $5)', [
      leadId,
      at,
      durationMs,
      reason,
      status,
    ])
    const detail = {
      attempt: Number(delivery['attempts']),
      outcome: reason,
      ...(state === 'pending' ? { nextAt } : {}),
    }
    await addHistory(sql, leadId, endedAt, eventOf[state], detail)
    return true
  })
}

/**
 * After the clock was set back by an hour, what is due now would have to wait for an hour. Brings forward what no rule of
 * ours puts off for so long: a first attempt past a lease, and a later one past the longest wait. To the end of a lease
 * from now, since a worker may be sending it.
 */
export function bringForward(database: Database, now: number, leaseMs: number): Promise<void> {
  return database.write(async sql => {
    await sql(
      `UPDATE deliveries SET next_at = $1 WHERE state = 'pending' AND next_at > $1 AND (attempts = 0 OR next_at > $2)`,
      [now + leaseMs, now + LONGEST_WAIT],
    )
  })
}

/** When the next delivery comes due, a leased one included; null when nothing is waiting. */
export function nextDueAt(database: Database): Promise<number | null> {
  return database.read(async sql => {
    const [next] = await sql(`SELECT next_at FROM deliveries WHERE ${pending} ORDER BY next_at LIMIT 1`)
    return next ? Number(next['next_at']) : null
  })
}

/** Reads nothing but the index of what is pending, however much that is: it is called while leads come in. */
export function backlog(database: Database, now: number): Promise<Backlog> {
  return database.read(async sql => {
    const [waiting] = await sql(
      `SELECT COUNT(*) AS pending, MIN(created_at) AS oldest FROM deliveries WHERE state = 'pending'`,
    )
    const [given] = await sql(`SELECT COUNT(*) AS dead FROM deliveries WHERE state = 'dead'`)
    return {
      pending: Number(waiting?.['pending']),
      oldestPendingAgeMs: Math.max(0, now - Number(waiting?.['oldest'] ?? now)),
      dead: Number(given?.['dead']),
    }
  })
}
