/** Requests and responses as plain data, and the listener that connects them to Node's HTTP server and logs them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { describeError, type Log, logOnceAMinute } from '../process/log.ts'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  /** Truncated to 2 KB. */
  readonly query: string
  readonly isQueryTruncated?: boolean
  /** Takes a lowercase name. Values are truncated to 2 KB. */
  readonly header: (name: string) => string | undefined
  readonly socketAddress: string | undefined
  readonly body: Readable
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The body is shared by many responses, so it takes up no extra memory. */
  readonly isReused?: boolean
}

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

type Headers = HttpResponse['headers']

export function json(status: number, value: unknown, headers?: Headers): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

export function html(status: number, body: string, headers?: Headers): HttpResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body }
}

export function text(status: number, body: string, headers?: Headers): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body }
}

export function redirect(status: 303 | 307 | 308, location: string): HttpResponse {
  return { status, headers: { location }, body: '' }
}

export const withQuery = (path: string, { query }: Pick<HttpRequest, 'query'>) =>
  query === '' ? path : `${path}?${query}`

const READ_METHODS = ['GET', 'HEAD']

export function readOnly(handle: Handler): Handler {
  return request =>
    READ_METHODS.includes(request.method)
      ? handle(request)
      : text(405, 'Method not allowed. Use GET or HEAD.\n', { allow: READ_METHODS.join(', ') })
}

/**
 * Node accepts 16 KB of headers. A query or header that long and full of separators takes milliseconds to parse, so a few dozen
 * a second would slow the site down for everyone. Our pages and leads need less than 2 KB.
 */
export const TEXT_LIMIT = 2048

/**
 * Dynamic responses, such as a form with errors, stay in memory until the client reads them. If they exceed this in total,
 * some clients aren't reading; visitors on slow connections don't add up to this much.
 */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

export interface ListenerOptions {
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Responds when a handler throws. */
  readonly failed: Handler
  /** Other paths aren't logged: visitors can put anything in them. */
  readonly isKnownPath: (path: string) => boolean
  readonly log: Log
  readonly maxUnreadBytes?: number
}

export function createListener(handle: Handler, options: ListenerOptions): RequestListener {
  const { headers, failed, isKnownPath, log, maxUnreadBytes = MAX_UNREAD_BYTES } = options
  const countUnread = createUnreadBudget(maxUnreadBytes, log)
  return async (incoming, outgoing) => {
    const started = performance.now()
    const request = readRequest(incoming)
    let response: HttpResponse
    try {
      response = await handle(request)
    } catch (error) {
      log('request_failed', describeError(error))
      response = await failed(request)
    }
    const { status, body } = response
    const length = status === 304 ? undefined : { 'content-length': String(Buffer.byteLength(body)) }
    outgoing.writeHead(status, { ...headers, ...response.headers, ...length })
    outgoing.end(body)
    if (!response.isReused && outgoing.writableLength > 0) countUnread(outgoing, body.length)
    log('request', {
      method: request.method,
      path: isKnownPath(request.path) ? request.path : '(unknown)',
      status,
      durationMs: Math.round(performance.now() - started),
    })
  }
}

/** When over budget, disconnects the clients that have gone longest without reading. */
function createUnreadBudget(max: number, log: Log): (response: ServerResponse, bytes: number) => void {
  const logRarely = logOnceAMinute(log)
  // Oldest first.
  const unread = new Map<ServerResponse, number>()
  let total = 0

  function remove(response: ServerResponse): void {
    total -= unread.get(response) ?? 0
    unread.delete(response)
  }

  return (response, bytes) => {
    unread.set(response, bytes)
    total += bytes
    response.once('close', () => remove(response))
    for (const oldest of unread.keys()) {
      if (total <= max) return
      remove(oldest)
      logRarely('connections_cut_off', { reason: 'too many unread responses' })
      oldest.req.socket.resetAndDestroy()
    }
  }
}

function readRequest(incoming: IncomingMessage): HttpRequest {
  const { method = '', url: target = '', headers } = incoming
  // A proxy can send an absolute URL; only its path and query matter.
  const address = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/')
  const mark = address.indexOf('?')
  const query = mark < 0 ? '' : address.slice(mark + 1)
  return {
    method,
    path: mark < 0 ? address : address.slice(0, mark),
    query: query.slice(0, TEXT_LIMIT),
    isQueryTruncated: query.length > TEXT_LIMIT,
    header: name => truncate(name, headers[name] as string | undefined),
    socketAddress: incoming.socket.remoteAddress,
    body: incoming,
  }
}

function truncate(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value.length <= TEXT_LIMIT) return value
  // Proxies append, so the end is the part we can trust.
  return name === 'x-forwarded-for' ? value.slice(-TEXT_LIMIT) : value.slice(0, TEXT_LIMIT)
}
