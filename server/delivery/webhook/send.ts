/** One delivery: the lead in the form that the operator chose, and what its answer means for the outbox. */
import type { LeadToSend } from '../../store/delivery-records.ts'
import { type ExchangeLimits, exchange, type NoAnswer, type WebhookAnswer, type WebhookRequest } from './exchange.ts'
import { jsonRequest, type MessageType } from './json-request.ts'
import { queryRequest } from './query-request.ts'
import { signedHeaders } from './signature.ts'

export const webhookFormats = ['query', 'json'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

export interface Webhook {
  readonly url: string
  /** The spec's query string unless said. */
  readonly format?: WebhookFormat
  /** Sign deliveries, where there are any. */
  readonly secrets?: readonly string[]
}

export interface Sending extends ExchangeLimits {
  readonly webhook: Webhook
  /** The same for every attempt, so that the receiver can tell a repetition. */
  readonly webhookId: string
  readonly lead: LeadToSend
  readonly now: number
}

/** A reason is for the log and for the operator: plain words, without address or personal data. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** No attempt will ever succeed. */
  | { readonly kind: 'gone'; readonly status: number | null; readonly reason: string }
  | {
      readonly kind: 'retry'
      readonly status: number | null
      readonly reason: string
      readonly retryAfter: string | null
    }

/** Never throws: whatever goes wrong is an outcome. */
export async function send(sending: Sending): Promise<Outcome> {
  return attempt(sending).catch(() => outcomeOf({ failure: 'the request could not be made' }))
}

async function attempt(sending: Sending): Promise<Outcome> {
  const { webhook, lead } = sending
  const repeated = lead.repeatOf !== null
  if (repeated && webhook.format !== 'json') {
    // It would look like a new lead, and the person would be called twice.
    return { kind: 'gone', status: null, reason: 'a repeat can be sent as JSON only' }
  }
  const request = requestFor(sending, repeated ? 'lead.repeated' : 'lead.created')
  return outcomeOf(await exchange(request, sending))
}

export function requestFor(
  { webhook, webhookId, lead, now }: Pick<Sending, 'webhook' | 'webhookId' | 'lead' | 'now'>,
  type: MessageType,
): WebhookRequest {
  const { url, format = 'query', secrets = [] } = webhook
  const sign = (content: string) => signedHeaders({ webhookId, now, secrets }, content)
  return format === 'json' ? jsonRequest(url, lead, type, sign) : queryRequest(url, lead, sign)
}

export function outcomeOf(answer: WebhookAnswer | NoAnswer): Outcome {
  if ('failure' in answer) return { kind: 'retry', status: null, reason: answer.failure, retryAfter: null }
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 410) return { kind: 'gone', status, reason: 'the webhook is gone (410)' }
  const redirected = status >= 300 && status < 400
  return {
    kind: 'retry',
    status,
    reason: redirected ? `redirected (${status})` : `answered ${status}`,
    retryAfter,
  }
}
