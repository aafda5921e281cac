/**
 * One request to a webhook and its answer, over its own connection, within one time limit. Not fetch: that follows endless
 * 1xx answers without telling us, and a webhook that sends them would take a core for the whole time limit.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** Beyond this, the rest of the body is not waited for. */
const MOST_BODY_BYTES = 64 * 1024
const EXCERPT_BYTES = 1024
/** 100 Continue, 102 Processing, 103 Early Hints: a server in its right mind sends one or two. */
const MOST_INTERIM_ANSWERS = 20

export interface WebhookRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: string | null
}

export interface WebhookAnswer {
  readonly status: number
  readonly retryAfter: string | null
  /** How its body begins, for a person to look at. It may quote what was sent, so it is never stored. */
  readonly excerpt: string
}

export interface ExchangeLimits {
  /** For all of it: finding the address, connecting, the headers, and the last byte of the body. */
  readonly timeoutMs: number
  /** Cancels it when the server must stop. */
  readonly signal?: AbortSignal
}

/** Why there was no answer: plain words, without address or personal data. */
export interface NoAnswer {
  readonly failure: string
}

/** Never throws: whatever goes wrong is a failure in words. */
export async function exchange(request: WebhookRequest, limits: ExchangeLimits): Promise<WebhookAnswer | NoAnswer> {
  return converse(request, limits).catch(error => ({ failure: describeFailure(error) }))
}

async function converse(
  { method, url, headers, body }: WebhookRequest,
  { timeoutMs, signal }: ExchangeLimits,
): Promise<WebhookAnswer | NoAnswer> {
  return new Promise(resolve => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      // A new connection each time: a kept one that the webhook has just closed would fail the delivery.
      agent: false,
      headers: body === null ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    })
    // An idle timeout would start again with every byte that drips in; this one doesn't.
    const limit = setTimeout(() => end({ failure: `no answer within ${timeoutMs / 1000} s` }), timeoutMs)
    const cancel = () => end({ failure: 'broken off' })

    function end(outcome: WebhookAnswer | NoAnswer): void {
      clearTimeout(limit)
      signal?.removeEventListener('abort', cancel)
      resolve(outcome)
      request.destroy()
    }

    signal?.addEventListener('abort', cancel)
    if (signal?.aborted) return cancel()
    let interimAnswers = 0
    request.on('information', () => {
      if (++interimAnswers > MOST_INTERIM_ANSWERS) end({ failure: 'too many interim (1xx) answers' })
    })
    request.on('error', error => end({ failure: describeFailure(error) }))
    request.on('close', () => end({ failure: 'connection closed' }))
    request.on('response', response => {
      readToEnd(response).then(
        excerpt => {
          const { statusCode = 0, headers: answered } = response
          end({ status: statusCode, retryAfter: answered['retry-after'] ?? null, excerpt })
        },
        error => end({ failure: describeFailure(error) }),
      )
    })
    request.end(body ?? undefined)
  })
}

/** An answer counts once it is complete: until then the webhook may still fail. */
async function readToEnd(response: IncomingMessage): Promise<string> {
  const beginning: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    if (bytes < EXCERPT_BYTES) beginning.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > MOST_BODY_BYTES) break
  }
  return Buffer.concat(beginning).subarray(0, EXCERPT_BYTES).toString()
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
