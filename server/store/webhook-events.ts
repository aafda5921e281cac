/**
 * What the webhook is told about a lead it already has, such as a request not to be called. Recorded in the same transaction as the
 * change, and sent by the server. An event has no personal data: the receiver knows the lead by its ID.
 */
import { randomUUID } from 'node:crypto'
import { NOT_PAUSED } from './delivery-pause.ts'
import { insert, type Sql, type SqlPort } from './sql.ts'

export interface WebhookEvent {
  readonly id: string
  readonly leadId: string
  readonly type: 'lead.do_not_call' | 'lead.called'
  readonly createdAt: number
  readonly detail: Readonly<Record<string, unknown>>
}

export interface LeasedEvent extends WebhookEvent {
  /** Attempts before this one. */
  readonly attempts: number
}

/** Older events are deleted unsent: the CRM has no use for them anymore. */
const KEPT_MS = 7 * 24 * 3_600_000

/**
 * Does nothing if the lead isn't sent to the webhook. A request not to be called also stops a delivery that is waiting, so then there's
 * nothing to tell. A call doesn't, so that event may arrive before its lead.
 */
export async function addWebhookEvent(
  sql: Sql,
  { leadId, type, at, detail }: Pick<WebhookEvent, 'leadId' | 'type' | 'detail'> & { readonly at: number },
): Promise<void> {
  const isSent = `state = 'delivered' OR interrupted = 1 OR attempts > 0 OR lease_token IS NOT NULL`
  const sent = await sql(
    `SELECT 1 FROM deliveries WHERE lead_id = $1 AND (${type === 'lead.called' ? 'true' : isSent})
     UNION ALL SELECT 1 FROM attempts WHERE lead_id = $1 LIMIT 1`,
    [leadId],
  )
  if (sent.length === 0) return
  const row = { id: randomUUID(), lead_id: leadId, type, detail: JSON.stringify(detail), created_at: at, next_at: at }
  await insert(sql, 'webhook_events', { ...row, attempts: 0 })
}

export function createWebhookEvents({ read, transact, now, dialect }: SqlPort) {
  return {
    /** Oldest first. No other server gets them until the lease ends. */
    async leaseEvents({ limit, leaseMs }: { readonly limit: number; readonly leaseMs: number }) {
      // There's almost never one, so read first to avoid a write.
      const due = await read(`SELECT 1 FROM webhook_events WHERE next_at <= $1 AND ${NOT_PAUSED} LIMIT 1`, [
        await now(),
      ])
      if (due.length === 0) return []
      return transact(async (sql, at): Promise<readonly LeasedEvent[]> => {
        await sql('DELETE FROM webhook_events WHERE created_at < $1', [at - KEPT_MS])
        const rows = await sql<Omit<LeasedEvent, 'detail'> & { detail: string }>(
          `SELECT id, lead_id AS "leadId", type, detail, created_at AS "createdAt", attempts FROM webhook_events
           WHERE next_at <= $1 AND ${NOT_PAUSED} ORDER BY next_at, id LIMIT $2 ${dialect.skipLockedDeliveries}`,
          [at, limit],
        )
        for (const { id } of rows) await sql('UPDATE webhook_events SET next_at = $2 WHERE id = $1', [id, at + leaseMs])
        return rows.map(({ detail, ...event }) => ({ ...event, detail: JSON.parse(detail) }))
      })
    },
    /** Null: it was delivered, or we gave up. */
    async settleEvent({ id, retryInMs }: { readonly id: string; readonly retryInMs: number | null }) {
      await transact(async (sql, at) => {
        if (retryInMs === null) await sql('DELETE FROM webhook_events WHERE id = $1', [id])
        else {
          const retry = 'UPDATE webhook_events SET attempts = attempts + 1, next_at = $2 WHERE id = $1'
          await sql(retry, [id, at + Math.round(retryInMs)])
        }
      })
    },
  }
}
