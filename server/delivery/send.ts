/** One delivery: a signed GET with the lead's query string, over a connection of its own, within one limit of time. */
import { createHmac } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Contact, leadQuery } from '../../domain/lead.ts'

/** The webhook's answer is only counted, never kept: what exceeds this is not waited for. */
const MOST_BODY_BYTES = 64 * 1024

export interface Webhook {
  readonly url: string
  /** Signs deliveries, where there is one. */
  readonly secret?: string | null
}

export interface Sending {
  readonly webhook: Webhook
  /** The same for every attempt, so that the receiver can tell a repetition. */
  readonly webhookId: string
  readonly contact: Contact
  readonly certificate: { readonly url: string } | null
  readonly now: number
  /** Holds for all of it: finding the address, connecting, the headers and the last byte of the body. */
  readonly timeoutMs: number
  /** Breaks the delivery off, as when the server must stop. */
  readonly signal?: AbortSignal
}

/** A reason is for the log and for the operator: plain words, without address or personal data. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'gone'; readonly status: number; readonly reason: string }
  | {
      readonly kind: 'retry'
      readonly status: number | null
      readonly reason: string
      readonly retryAfter: string | null
    }

/** Never throws: whatever goes wrong is an outcome. */
export async function send(sending: Sending): Promise<Outcome> {
  return exchange(sending).catch(error => failed(describeFailure(error)))
}

async function exchange(sending: Sending): Promise<Outcome> {
  const { webhook, timeoutMs, signal } = sending
  const url = new URL(webhook.url)
  url.search = [url.search.slice(1), queryOf(sending)].filter(Boolean).join('&')
  return new Promise(resolve => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      // A connection of its own: one that the webhook has closed in the meantime can then not fail a delivery.
      agent: false,
      headers: headersOf(sending, url.search.slice(1)),
    })
    // An idle time-out would start again with every byte that drips in; this one does not.
    const limit = setTimeout(() => end(failed(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
    const breakOff = () => end(failed('broken off'))

    function end(outcome: Outcome): void {
      clearTimeout(limit)
      signal?.removeEventListener('abort', breakOff)
      resolve(outcome)
      request.destroy()
    }

    signal?.addEventListener('abort', breakOff)
    if (signal?.aborted) return breakOff()
    request.on('error', error => end(failed(describeFailure(error))))
    request.on('close', () => end(failed('connection closed')))
    request.on('response', response => {
      readToEnd(response).then(
        () => end(judge(response)),
        error => end(failed(describeFailure(error))),
      )
    })
    request.end()
  })
}

function queryOf({ contact, certificate }: Sending): string {
  return leadQuery(contact, certificate?.url)
}

/** The names and the signature follow the Standard Webhooks convention; the query string stands in for the body. */
function headersOf({ webhook, webhookId, now }: Sending, query: string): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const headers = { accept: 'application/json', 'webhook-id': webhookId, 'webhook-timestamp': timestamp }
  if (!webhook.secret) return headers
  const signature = createHmac('sha256', keyOf(webhook.secret)).update(`${webhookId}.${timestamp}.${query}`)
  return { ...headers, 'webhook-signature': `v1,${signature.digest('base64')}` }
}

function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
}

/** An answer counts once it is complete: until then the webhook may still fail. */
async function readToEnd(response: IncomingMessage): Promise<void> {
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    if (bytes > MOST_BODY_BYTES) return
  }
}

function judge(response: IncomingMessage): Outcome {
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 410) return { kind: 'gone', status, reason: 'the webhook is gone (410)' }
  const redirected = status >= 300 && status < 400
  const reason = redirected ? `redirected (${status})` : `answered ${status}`
  return { kind: 'retry', status, reason, retryAfter: response.headers['retry-after'] ?? null }
}

function failed(reason: string): Outcome {
  return { kind: 'retry', status: null, reason, retryAfter: null }
}

/** By the error's code alone: its message may quote the address. */
function describeFailure(error: unknown): string {
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
