/** The outbox: deliveries, their leases, and the result of each attempt. */
import { randomUUID } from 'node:crypto'
import type { Contact } from '../../domain/lead.ts'
import { NOT_PAUSED } from './delivery-pause.ts'
import { NOT_CLOSED, withoutDoNotCall } from './do-not-call.ts'
import { addHistory } from './history.ts'
import { firstIdAt } from './lead-id.ts'
import type { LeadDetails } from './lead-records.ts'
import { type CertificateColumns, leadColumns, presentedColumns, presentedJoins, readCertificate } from './leads.ts'
import { type Dialect, insert, insertAll, type Sql, type SqlPort } from './sql.ts'

/** The lead data sent to the webhook. */
export interface LeadToSend
  extends Pick<
      LeadDetails,
      'receivedAt' | 'repeatOf' | 'page' | 'language' | 'campaign' | 'certificate' | 'trustedForm'
    >,
    Pick<LeadDetails, 'consentVersion' | 'consentPresented' | 'questionnaireVersion' | 'questionnairePresented'> {
  readonly leadId: string
  readonly contact: Contact
  readonly clientAddress: string
  readonly userAgent: string
}

/** Until the lease ends, only its holder sends the lead. After that, it's due again. */
export interface LeasedDelivery extends LeadToSend {
  /** A new random value for every lease. */
  readonly leaseToken: string
  /** Attempts before this one. */
  readonly attempts: number
}

/** `reason` is plain English, without personal data. */
export type Settlement = Pick<LeasedDelivery, 'leadId' | 'leaseToken'> & {
  /** How long the attempt took; it ended just now. */
  readonly durationMs: number
  /** The HTTP status, if there was a response. */
  readonly status: number | null
} & (
    | { readonly result: 'delivered' }
    | { readonly result: 'retry'; readonly reason: string; readonly retryInMs: number }
    | { readonly result: 'dead'; readonly reason: string }
  )

export interface Backlog {
  readonly pending: number
  readonly oldestPendingAgeMs: number
  readonly dead: number
  readonly held: number
  readonly oldestHeldAgeMs: number
  /** How far ahead of the clock the newest lead is. Zero unless the clock was set back. */
  readonly aheadMs: number
}

/** While the webhook is down, a hundred thousand deliveries may be waiting, so don't scan them all on every request. */
const SCAN_FACTOR = 10
/** A lead that wasn't on hold enters the outbox when it's received, give or take clock skew with the database. */
const MAX_SKEW_MS = 60_000

export function createOutbox(port: SqlPort) {
  const { read, transact, now, dialect } = port
  return {
    /**
     * Leases due deliveries, oldest first. No other worker gets them until the lease expires. Leads from people on the do-not-call
     * list are put on hold instead.
     */
    async lease({ limit, leaseMs }: { readonly limit: number; readonly leaseMs: number }) {
      const leased = await transact(async (sql, at): Promise<readonly LeasedDelivery[]> => {
        const due = await sql<{ id: string }>(
          `SELECT lead_id AS id FROM deliveries WHERE next_at <= $1 AND ${pending} AND ${NOT_PAUSED} ORDER BY next_at LIMIT $2
           ${dialect.skipLockedDeliveries}`,
          [at, limit],
        )
        if (due.length === 0) return []
        const ids = JSON.stringify(due.map(({ id }) => id))
        // Move the due time to the end of the lease, so no other worker leases the delivery before then.
        // A token that is still there belongs to a worker that was killed, perhaps after it had sent the lead.
        const leasing = `UPDATE deliveries SET next_at = $2, lease_token = $3,
            interrupted = CASE WHEN lease_token IS NULL THEN interrupted ELSE 1 END
          WHERE lead_id IN ${dialect.valuesOf('$1')}`
        await sql(leasing, [ids, at + leaseMs, randomUUID()])
        const leased = await sql<LeasedRow>(
          `SELECT lead_id AS "leadId", lease_token AS "leaseToken", attempts, ${leadColumns}, ${presentedColumns}
           FROM deliveries JOIN leads ON leads.id = deliveries.lead_id ${presentedJoins}
           WHERE lead_id IN ${dialect.valuesOf('$1')} ORDER BY created_at`,
          [ids],
        )
        return leased.map(({ certificate_id, certificate_other, contact, campaign, ...rest }) => ({
          ...rest,
          contact: JSON.parse(contact),
          campaign: JSON.parse(campaign),
          certificate: readCertificate({ certificate_id, certificate_other }),
        }))
      })
      return withoutDoNotCall(port, leased)
    },
    /**
     * Records the result of an attempt, even if the lead has been erased since. Returns false if nothing was recorded:
     * another worker settled it, or the attempt failed after its lease went to another worker. A late success still counts.
     */
    settle: (settlement: Settlement) =>
      transact(async (sql, at) => {
        const { leadId, leaseToken, status, result } = settlement
        const durationMs = Math.round(settlement.durationMs)
        const { state, event } = outcomes[result]
        const nextAt = result === 'retry' ? at + Math.round(settlement.retryInMs) : null
        // A success counts even after the lease has ended. A late failure doesn't, because another worker or an operator may have
        // resent the lead.
        const [delivery] = await sql<{ attempts: number }>(
          `UPDATE deliveries SET state = $2, attempts = attempts + 1, next_at = COALESCE($3, next_at), finished_at = $4,
             lease_token = NULL
           WHERE lead_id = $1 AND ${pending} AND ($2 = 'delivered' OR lease_token = $5)
           RETURNING attempts`,
          [leadId, state, nextAt, result === 'retry' ? null : at, leaseToken],
        )
        const canceled = delivery ? null : await canceledLead(sql, dialect.lockLeads, leadId)
        if (!delivery && !canceled) return false
        const outcome = result === 'delivered' ? 'delivered' : settlement.reason
        await insert(sql, 'attempts', {
          lead_id: leadId,
          at: at - durationMs,
          duration_ms: durationMs,
          outcome,
          status,
        })
        if (canceled && result === 'delivered') await keepAsDelivered(sql, leadId, at)
        const detail = delivery
          ? { attempt: delivery.attempts, outcome, ...(nextAt === null ? {} : { nextAt }) }
          : { outcome, [canceled === 'erased' ? 'afterErasure' : 'afterHold']: 'true' }
        await addHistory(sql, { leadId, at, event, detail })
        return true
      }),
    /** Milliseconds until the next delivery is due, including leased ones. Zero or less if one is due now; null if there are none. */
    async nextDue() {
      const at = await now()
      const [next] = await read<{ at: number }>(
        `SELECT next_at AS at FROM deliveries WHERE ${pending} AND ${NOT_PAUSED} ORDER BY next_at LIMIT 1`,
      )
      return next ? next.at - at : null
    },
    /** Must be fast for a backlog of any size, because it's called every minute while leads come in. */
    backlog: async () => backlog(read, await now()),
    /**
     * Milliseconds from receipt to the webhook's 2xx response, for the latest delivered leads received after `since`, excluding
     * leads that were on hold or resent. Reads at most ten times `limit` deliveries.
     */
    async webhookTimes({ since, limit }: { readonly since: number; readonly limit: number }) {
      // Start from the outbox and limit its IDs directly, so the planner doesn't scan all leads.
      const rows = await read<{ took: number }>(
        `SELECT latest.finished_at - leads.received_at AS took FROM (
           SELECT lead_id, state, created_at, finished_at FROM deliveries WHERE lead_id >= $1 ORDER BY lead_id DESC LIMIT $3
         ) AS latest JOIN leads ON leads.id = latest.lead_id
         WHERE latest.state = 'delivered' AND latest.created_at - leads.received_at < ${MAX_SKEW_MS} ORDER BY latest.lead_id DESC LIMIT $2`,
        [firstIdAt(since), limit, limit * SCAN_FACTOR],
      )
      return rows.map(({ took }) => Math.max(0, took))
    },
  }
}

/** An erased lead has nothing left to send, so don't lease it or wake the worker for it. */
const pending = `deliveries.state = 'pending'
  AND EXISTS (SELECT 1 FROM leads WHERE leads.id = deliveries.lead_id AND leads.state <> 'erased')`

type LeasedRow = Omit<LeasedDelivery, 'contact' | 'campaign' | 'certificate'> &
  CertificateColumns &
  Readonly<Record<'contact' | 'campaign', string>>

const outcomes = {
  delivered: { state: 'delivered', event: 'delivered' },
  retry: { state: 'pending', event: 'delivery failed' },
  dead: { state: 'dead', event: 'delivery dead' },
} as const

/**
 * The lead's state if its delivery was removed from the outbox while in flight, because the lead was erased or the person asked
 * not to be called.
 */
async function canceledLead(sql: Sql, lockLeads: string, leadId: string): Promise<string | null> {
  const [lead] = await sql<{ state: string }>(
    `SELECT state FROM leads WHERE id = $1 AND state <> 'accepted'
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE lead_id = leads.id) ${lockLeads}`,
    [leadId],
  )
  return lead?.state ?? null
}

/** The delivery is part of the proof, and a delivered lead is no longer on hold, or rejected since. */
async function keepAsDelivered(sql: Sql, leadId: string, at: number): Promise<void> {
  const row = { ...deliveryOf(leadId, at), state: 'delivered', attempts: 1, finished_at: at }
  await insert(sql, 'deliveries', row, 'ON CONFLICT (lead_id) DO NOTHING')
  const accept = `UPDATE leads SET state = 'accepted', held_reason = NULL, rejected_reason = NULL
    WHERE id = $1 AND state IN ('held', 'rejected')`
  await sql(accept, [leadId])
}

/** Reads only indexes and leads on hold, which are few. IDs start with the time of receipt. */
async function backlog(sql: Sql, at: number): Promise<Backlog> {
  const [row] = await sql<
    Record<'pending' | 'dead' | 'held', number> & Record<'oldest' | 'oldest_held' | 'newest', number | null>
  >(
    `SELECT COUNT(*) AS pending, MIN(created_at) AS oldest,
       (SELECT COUNT(*) FROM deliveries WHERE state = 'dead') AS dead,
       (SELECT COUNT(*) FROM leads WHERE state = 'held' AND ${NOT_CLOSED}) AS held,
       (SELECT MIN(held_at) FROM leads WHERE state = 'held' AND ${NOT_CLOSED}) AS oldest_held,
       (SELECT received_at FROM leads ORDER BY id DESC LIMIT 1) AS newest
     FROM deliveries WHERE state = 'pending'`,
  )
  return {
    pending: row?.pending ?? 0,
    oldestPendingAgeMs: Math.max(0, at - (row?.oldest ?? at)),
    dead: row?.dead ?? 0,
    held: row?.held ?? 0,
    oldestHeldAgeMs: Math.max(0, at - (row?.oldest_held ?? at)),
    aheadMs: Math.max(0, (row?.newest ?? at) - at),
  }
}

const deliveryOf = (leadId: string, at: number) => ({
  lead_id: leadId,
  state: 'pending',
  attempts: 0,
  next_at: at,
  created_at: at,
})

/** The delivery is due at `now` or, by default, when the lead was received. */
export function putIntoOutbox(
  sql: Sql,
  dialect: Dialect,
  leads: readonly { readonly id: string; readonly receivedAt: number }[],
  now?: number,
): Promise<void> {
  const rows = leads.map(({ id, receivedAt }) => deliveryOf(id, now ?? receivedAt))
  return insertAll(sql, dialect, 'deliveries', rows)
}

/** Makes the delivery due now, with its attempt count reset and no lease. False if it has changed since the caller read it. */
export async function reopenDelivery(
  sql: Sql,
  leadId: string,
  at: number,
  seen: { readonly state: string; readonly nextAt?: number },
): Promise<boolean> {
  const reopened = await sql(
    `UPDATE deliveries SET state = 'pending', attempts = 0, next_at = $2, created_at = $2, finished_at = NULL,
       interrupted = CASE WHEN lease_token IS NULL THEN interrupted ELSE 1 END, lease_token = NULL
     WHERE lead_id = $1 AND state = $3 AND next_at = COALESCE($4, next_at) RETURNING lead_id`,
    [leadId, at, seen.state, seen.nextAt ?? null],
  )
  return reopened.length > 0
}
