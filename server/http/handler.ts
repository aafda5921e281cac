/** What every part of the server gets and gives: a request and its answer as plain data. */
import type { Readable } from 'node:stream'

export interface HttpRequest {
  readonly method: string
  /** The address without its query. */
  readonly path: string
  /** What follows the question mark. */
  readonly query: string
  /** By its name in small letters. */
  readonly header: (name: string) => string | undefined
  readonly socketAddress: string | undefined
  readonly body: Readable
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The same object answers many requests: what is sent of it need not be put together for each. */
  readonly isReused?: boolean
}

export type Handler = (request: HttpRequest) => Answer | Promise<Answer>

type Headers = Answer['headers']

export function json(status: number, value: unknown, headers?: Headers): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

export function html(status: number, body: string, headers?: Headers): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body }
}

export function text(status: number, body: string, headers?: Headers): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body }
}

export function redirect(status: 303 | 308, location: string): Answer {
  return { status, headers: { location }, body: '' }
}

const READING = ['GET', 'HEAD']

/** For what can be read, and nothing else. */
export function forReading(handle: Handler): Handler {
  return request =>
    READING.includes(request.method)
      ? handle(request)
      : text(405, 'Only GET and HEAD are answered here.\n', { allow: READING.join(', ') })
}
