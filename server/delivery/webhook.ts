/** Makes one delivery to the webhook, signed per Standard Webhooks, and interprets the response. Contract: docs/webhook.md. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { e164 } from '../../domain/contact/phone.ts'
import { consentKind, readConsent, readQuestionnaire } from '../../domain/leads/as-presented.ts'
import { leadQuery } from '../../domain/leads/lead.ts'
import { directionOfYes } from '../../domain/leads/phone-lead.ts'
import type { LeadToSend, LeasedMessage } from '../store/operations/deliveries/lease.ts'
import { signatureOf } from './webhook-signature.ts'

export interface Webhook {
  readonly url: string
  /** `query` by default. */
  readonly format?: 'query' | 'json'
  /** Adds `language=es` to `query`. `json` always has it. */
  readonly language?: boolean
  /** Whether `query` also gets people with spoken consent. `json` always does. */
  readonly spoken?: boolean
  /** Two during rotation, so the receiver can check either signature. With none, deliveries are unsigned. */
  readonly secrets?: readonly string[]
}

export const TIMEOUT_MS = 15_000

type Message = Pick<LeasedMessage, 'id' | 'leadId' | 'type' | 'createdAt' | 'lead' | 'detail'>

export interface SendOptions {
  readonly now: number
  /** From the DNS lookup to the last byte of the response. */
  readonly timeoutMs: number
  /** Aborts when the server is stopping. */
  readonly signal?: AbortSignal
}

interface Envelope {
  readonly webhook: Webhook
  /** The same for every attempt, so the receiver can drop duplicates. */
  readonly webhookId: string
  readonly now: number
}

interface LeadMessage extends Envelope {
  readonly lead: LeadToSend
}

/** Reasons are logged and shown to the operator, so they contain no URLs or personal data. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | (Failure & {
      /** Of a letter: its address is wrong, or doesn't take mail. */
      readonly isAddressRefused?: true
    })

type Failure =
  /** No attempt will ever succeed. Without a status, nothing was sent: the format can't carry it. */
  | { readonly kind: 'gone'; readonly status: number | null; readonly reason: string }
  | {
      readonly kind: 'retry'
      readonly status: number | null
      readonly reason: string
      readonly retryAfter: string | null
    }

/** Never throws: every failure is an outcome. */
export const sendTo =
  (webhook: Webhook) =>
  async (message: Message, options: SendOptions): Promise<Outcome> => {
    const { id, type, lead } = message
    // As a query string, a repeat would look like a new lead, and an event has no form at all.
    if (type !== 'lead.created' && webhook.format !== 'json') {
      return { kind: 'gone', status: null, reason: NEEDS_JSON }
    }
    if (lead && lead.consentTakenBy !== null && !takesSpokenConsent(webhook)) {
      return { kind: 'gone', status: null, reason: IS_SPOKEN }
    }
    const isLead = type === 'lead.created' || type === 'lead.repeated'
    const envelope = { webhook, webhookId: `${isLead ? 'lead' : 'event'}_${id}`, now: options.now }
    try {
      const request =
        isLead && lead ? requestFor({ ...envelope, lead }, type) : jsonRequest(envelope, eventBody(message))
      return outcomeOf(await exchange(request, options))
    } catch {
      return outcomeOf({ failure: 'the request could not be made' })
    }
  }

export const NEEDS_JSON = 'it can be sent as JSON only'
const IS_SPOKEN = 'its consent was spoken, and LEAD_WEBHOOK_SPOKEN is off'

/** A query string can't tell spoken consent from written, so the operator decides. */
export const takesSpokenConsent = ({ format, spoken }: Pick<Webhook, 'format' | 'spoken'>): boolean =>
  format === 'json' || spoken === true

/** A correction has the values as of now, which aren't in the outbox. */
const eventBody = ({ type, createdAt, leadId, detail, lead }: Message) => ({
  type,
  timestamp: new Date(createdAt).toISOString(),
  data: { id: leadId, ...detail, ...(lead && detail['replacedBy'] === null ? currentContact(lead) : {}) },
})

const currentContact = (lead: LeadToSend) => ({ contact: contactOf(lead), consent: consentOf(lead) })

export function outcomeOf(response: WebhookResponse | NoResponse): Outcome {
  if ('failure' in response) return { kind: 'retry', status: null, reason: response.failure, retryAfter: null }
  const { status, retryAfter } = response
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 410) return { kind: 'gone', status, reason: 'the webhook is gone (410)' }
  const redirected = status >= 300 && status < 400
  return { kind: 'retry', status, reason: redirected ? `redirected (${status})` : `answered ${status}`, retryAfter }
}

interface WebhookRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: string
}

type LeadMessageType = 'lead.created' | 'lead.repeated' | 'lead.test'

export function requestFor(message: LeadMessage, type: LeadMessageType): WebhookRequest {
  const { webhook, lead } = message
  const url = new URL(webhook.url)
  const headers = { accept: 'application/json' }
  if (webhook.format === 'json') return jsonRequest(message, bodyOf(lead, type))
  // The URL can have its own query. Put that first.
  const language = webhook.language ? `language=${lead.language}` : ''
  url.search = [url.search.slice(1), leadQuery(lead.contact, lead.certificate?.url), language].filter(Boolean).join('&')
  return { method: 'GET', url, headers: { ...headers, ...signedHeaders(message, url.search.slice(1)) }, body: '' }
}

export function jsonRequest(message: Envelope, content: object): WebhookRequest {
  const body = JSON.stringify(content)
  const json = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  const headers = { accept: 'application/json', ...json, ...signedHeaders(message, body) }
  return { method: 'POST', url: new URL(message.webhook.url), headers, body }
}

/** The same lead on every attempt, but perhaps corrected since the one before. */
function bodyOf(lead: LeadToSend, type: LeadMessageType) {
  const receivedAt = new Date(lead.receivedAt).toISOString()
  return {
    type,
    timestamp: receivedAt,
    data: {
      ...(type === 'lead.test' ? { test: true } : {}),
      id: lead.leadId,
      receivedAt,
      repeatOf: lead.repeatOf,
      contact: contactOf(lead),
      page: lead.page,
      language: lead.language,
      campaign: lead.campaign,
      consent: consentOf(lead),
      certificate: lead.certificate && { ...lead.certificate, trustedForm: lead.trustedForm },
      questionnaire:
        lead.questionnairePresented === null
          ? null
          : { version: lead.questionnaireVersion, questions: readQuestionnaire(lead.questionnairePresented).questions },
    },
  }
}

const contactOf = ({ contact }: LeadToSend) => ({ ...contact, phoneE164: e164(contact.phone) })

function consentOf(lead: LeadToSend) {
  const { text, button } = readConsent(lead.consentPresented)
  const how = consentKind(lead.consentTakenBy)
  return {
    version: lead.consentVersion,
    ...how,
    direction: how.kind === 'spoken' ? directionOfYes(lead.page) : null,
    text,
    button: button ?? null,
    givenAt: new Date(lead.receivedAt).toISOString(),
    ipAddress: how.kind === 'spoken' ? null : lead.clientAddress,
    userAgent: how.kind === 'spoken' ? null : lead.userAgent,
  }
}

/** `content`: the body or, for a GET, the query string as sent. */
function signedHeaders({ webhook, webhookId, now }: Envelope, content: string): Record<string, string> {
  const { secrets = [] } = webhook
  const timestamp = String(Math.floor(now / 1000))
  const headers = { 'webhook-id': webhookId, 'webhook-timestamp': timestamp }
  if (secrets.length === 0) return headers
  const signatures = secrets.map(
    secret => `v1,${signatureOf(secret, `${webhookId}.${timestamp}.${content}`).toString('base64')}`,
  )
  return { ...headers, 'webhook-signature': signatures.join(' ') }
}

export interface WebhookResponse {
  readonly status: number
  readonly retryAfter: string | null
  /** The start of the body, to show to the operator. It may quote the lead, so it's never stored. */
  readonly excerpt: string
}

export interface NoResponse {
  readonly failure: string
}

/** Doesn't use fetch, which reuses connections, adds browser headers, and decompresses the response. */
export async function exchange(
  { method, url, headers, body }: WebhookRequest,
  { timeoutMs, signal }: Pick<SendOptions, 'timeoutMs' | 'signal'>,
): Promise<WebhookResponse | NoResponse> {
  const limit = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([limit, signal]) : limit
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    // Use a new connection each time: the webhook might be closing a kept-alive one.
    agent: false,
    headers,
    signal: stop,
  })
  // Without a limit, endless 1xx responses would use a whole core until the timeout.
  let interim = 0
  request.on('information', () => {
    if (++interim > MAX_INTERIM_RESPONSES) request.destroy(new TooManyInterimResponses())
  })
  try {
    request.end(body)
    const response = await responseTo(request)
    const excerpt = await readToEnd(response)
    // A body without a length ends with the connection, so one that we cut off looks complete.
    stop.throwIfAborted()
    return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null, excerpt }
  } catch (error) {
    if (signal?.aborted) return { failure: 'broken off' }
    if (limit.aborted) return { failure: `no answer within ${timeoutMs / 1000} s` }
    return { failure: describeFailure(error) }
  } finally {
    request.destroy()
  }
}

/** Settles for every response: Node closes the connection after some strange ones without a 'response' or an 'error' event. */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve)
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new SwitchedProtocols())
    })
    request.on('error', reject)
    request.on('close', () => reject(new ClosedWithoutResponse()))
  })
}

class SwitchedProtocols extends Error {}

class ClosedWithoutResponse extends Error {}

/** Anything beyond this is ignored. */
const MAX_BODY_BYTES = 64 * 1024
const EXCERPT_BYTES = 1024

/** A response counts only once it's complete: until then, the webhook can still fail. */
async function readToEnd(response: IncomingMessage): Promise<string> {
  const beginning: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    if (bytes < EXCERPT_BYTES) beginning.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BODY_BYTES) break
  }
  return Buffer.concat(beginning).subarray(0, EXCERPT_BYTES).toString()
}

/** A webhook may say “100 Continue” or “103 Early Hints” once or twice. */
const MAX_INTERIM_RESPONSES = 20

class TooManyInterimResponses extends Error {}

/** Uses only the error's code, because its message may quote the URL. */
export function describeFailure(error: unknown): string {
  if (error instanceof TooManyInterimResponses) return 'too many 1xx responses'
  if (error instanceof SwitchedProtocols) return 'switched protocols (101)'
  if (error instanceof ClosedWithoutResponse) return 'connection reset'
  const code = String((error as NodeJS.ErrnoException).code ?? '')
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE') return 'connection reset'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host name not found'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT') return 'host not reachable'
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  if (code.includes('CERT') || code.includes('SIGNATURE')) return 'certificate not trusted'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'no secure connection'
  return 'connection failed'
}
