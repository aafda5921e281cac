/** Sends events about leads the webhook already has, in JSON only: a query string has no room for them. */
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { reasonOf } from '../store/store-errors.ts'
import type { LeasedEvent } from '../store/webhook-events.ts'
import { exchange, jsonRequest, outcomeOf, type Webhook } from './webhook.ts'

export type EventOutbox = Pick<Store, 'leaseEvents' | 'settleEvent'>

export interface EventOptions {
  readonly store: EventOutbox
  readonly webhook: Webhook
  readonly timeoutMs: number
  readonly leaseMs: number
  readonly now: () => number
  /** How long to wait after this many attempts; null means give up. */
  readonly retryInMs: (attempts: number, retryAfter: string | null) => number | null
  readonly signal: AbortSignal
  /** False once the server is stopping: send what was leased, but no more. */
  readonly isRunning: () => boolean
  readonly log: Log
}

const AT_ONCE = 4

/** Sends what is due. If a result can't be recorded, the event is sent again after the lease, with the same webhook-id. */
export async function sendEvents({ store, webhook, leaseMs, ...options }: EventOptions): Promise<void> {
  if (webhook.format !== 'json') return
  // Until nothing is due. An event that failed isn't, so this ends even if the webhook is down.
  while (options.isRunning()) {
    const leased = await store.leaseEvents({ limit: AT_ONCE, leaseMs })
    if (leased.length === 0) return
    await Promise.all(leased.map(event => sendEvent(event, { store, webhook, leaseMs, ...options })))
  }
}

async function sendEvent(event: LeasedEvent, options: EventOptions): Promise<void> {
  const { store, webhook, timeoutMs, now, retryInMs, signal, log } = options
  const message = { webhook, webhookId: `event_${event.id}`, now: now() }
  const outcome = outcomeOf(await exchange(jsonRequest(message, bodyOf(event)), { timeoutMs, signal }))
  const line = { lead: event.leadId, type: event.type, status: outcome.status, attempt: event.attempts + 1 }
  if (signal.aborted) return
  const wait = outcome.kind === 'retry' ? retryInMs(event.attempts + 1, outcome.retryAfter) : null
  try {
    await store.settleEvent({ id: event.id, retryInMs: wait })
    log('webhook_event', { ...line, outcome: outcome.kind, ...('reason' in outcome && { reason: outcome.reason }) })
  } catch (error) {
    log('webhook_event', { ...line, outcome: outcome.kind, recorded: false, reason: reasonOf(error) })
  }
}

const bodyOf = ({ type, createdAt, leadId, detail }: LeasedEvent) => ({
  type,
  timestamp: new Date(createdAt).toISOString(),
  data: { id: leadId, ...detail },
})
