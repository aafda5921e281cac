/**
 * One delivery to the webhook: the lead in the format that the operator chose, signed after Standard Webhooks, and what
 * the answer means for the outbox. docs/webhook.md is the contract.
 */
import { createHmac } from 'node:crypto'
import { leadQuery } from '../../domain/lead.ts'
import { e164 } from '../../domain/phone.ts'
import { readQuestionnaire } from '../../domain/questions-as-asked.ts'
import type { LeadToSend } from '../store/outbox.ts'
import { keyOf } from '../webhook-secret.ts'
import { type ExchangeLimits, exchange, type NoAnswer, type WebhookAnswer, type WebhookRequest } from './exchange.ts'

export type WebhookFormat = 'query' | 'json'

export interface Webhook {
  readonly url: string
  /** The spec's query string unless set. */
  readonly format?: WebhookFormat
  /** None: nothing is signed. Two while one replaces the other: the receiver may check by either. */
  readonly secrets?: readonly string[]
}

export interface Sending extends ExchangeLimits {
  readonly webhook: Webhook
  /** The same for every attempt, so that the receiver can tell a repetition. */
  readonly webhookId: string
  readonly lead: LeadToSend
  readonly now: number
}

/** The reason is for the log and the operator: plain words, without the address or personal data. */
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

export function outcomeOf(answer: WebhookAnswer | NoAnswer): Outcome {
  if ('failure' in answer) return { kind: 'retry', status: null, reason: answer.failure, retryAfter: null }
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 410) return { kind: 'gone', status, reason: 'the webhook is gone (410)' }
  const redirected = status >= 300 && status < 400
  return { kind: 'retry', status, reason: redirected ? `redirected (${status})` : `answered ${status}`, retryAfter }
}

export type MessageType = 'lead.created' | 'lead.repeated' | 'lead.test'

export function requestFor(
  { webhook, webhookId, lead, now }: Pick<Sending, 'webhook' | 'webhookId' | 'lead' | 'now'>,
  type: MessageType,
): WebhookRequest {
  const { format = 'query', secrets = [] } = webhook
  const url = new URL(webhook.url)
  const headers = { accept: 'application/json' }
  const sign = (content: string) => signedHeaders({ webhookId, now, secrets }, content)
  if (format === 'json') {
    const body = JSON.stringify(messageOf(lead, type))
    return { method: 'POST', url, headers: { ...headers, 'content-type': 'application/json', ...sign(body) }, body }
  }
  // The spec's request. The address may have its own query, which stays in front.
  url.search = [url.search.slice(1), leadQuery(lead.contact, lead.certificate?.url)].filter(Boolean).join('&')
  return { method: 'GET', url, headers: { ...headers, ...sign(url.search.slice(1)) }, body: null }
}

/** Nothing in it depends on the attempt: every attempt sends the same bytes. */
function messageOf(lead: LeadToSend, type: MessageType) {
  const receivedAt = new Date(lead.receivedAt).toISOString()
  const { text, button } = JSON.parse(lead.consentPresented) as { readonly text: string; readonly button: string }
  return {
    type,
    timestamp: receivedAt,
    data: {
      ...(type === 'lead.test' ? { test: true } : {}),
      id: lead.leadId,
      receivedAt,
      repeatOf: lead.repeatOf,
      contact: { ...lead.contact, phoneE164: e164(lead.contact.phone) },
      page: lead.page,
      campaign: lead.campaign,
      consent: {
        version: lead.consentVersion,
        text,
        button,
        givenAt: receivedAt,
        ipAddress: lead.clientAddress,
        userAgent: lead.userAgent,
      },
      certificate: lead.certificate && { ...lead.certificate, trustedForm: lead.trustedForm },
      questionnaire:
        lead.questionnairePresented === null
          ? null
          : { version: lead.questionnaireVersion, questions: readQuestionnaire(lead.questionnairePresented).questions },
    },
  }
}

interface Signing {
  readonly webhookId: string
  readonly now: number
  readonly secrets: readonly string[]
}

/** `content` is the body, or the query string as it arrives when there is no body. */
function signedHeaders({ webhookId, now, secrets }: Signing, content: string): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const headers = { 'webhook-id': webhookId, 'webhook-timestamp': timestamp }
  if (secrets.length === 0) return headers
  const signatures = secrets.map(secret => {
    const signature = createHmac('sha256', keyOf(secret)).update(`${webhookId}.${timestamp}.${content}`)
    return `v1,${signature.digest('base64')}`
  })
  return { ...headers, 'webhook-signature': signatures.join(' ') }
}
