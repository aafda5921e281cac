/** Between Node's HTTP server and our handlers: reads the request, writes the answer, and logs one line about both. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { describeError, type Log } from '../log.ts'
import type { Answer, Handler, HttpRequest } from './handler.ts'

export interface ListenerOptions {
  /** Stand on every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer when a handler fails. */
  readonly failed: Handler
  /** Other paths are made up by visitors, and may hold anything: they are not logged. */
  readonly isKnownPath: (path: string) => boolean
  readonly log: Log
}

export function createListener(
  handle: Handler,
  { headers, failed, isKnownPath, log }: ListenerOptions,
): RequestListener {
  const headersOf = createHeadersOf(headers)
  return async (incoming, outgoing) => {
    const started = performance.now()
    const request = readRequest(incoming)
    let answer: Answer
    try {
      answer = await handle(request)
    } catch (error) {
      log('request_failed', describeError(error))
      answer = await failed(request)
    }
    outgoing.writeHead(answer.status, headersOf(answer))
    outgoing.end(answer.body)
    log('request', {
      method: request.method,
      path: isKnownPath(request.path) ? request.path : '(unknown)',
      status: answer.status,
      durationMs: Math.round(performance.now() - started),
    })
  }
}

function readRequest(incoming: IncomingMessage): HttpRequest {
  // Taken out of the message, so that whoever keeps a header does not keep all of it.
  const { method = '', url: target = '', headers } = incoming
  // A proxy may send the whole address; the part before the path says nothing that we do not know.
  const address = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/')
  const mark = address.indexOf('?')
  return {
    method,
    path: mark < 0 ? address : address.slice(0, mark),
    query: mark < 0 ? '' : address.slice(mark + 1),
    header: name => headers[name] as string | undefined,
    socketAddress: incoming.socket.remoteAddress,
    body: incoming,
  }
}

/** Names and values by turns, which Node sends without looking at an object's keys. */
type HeaderList = string[]

/** All headers of an answer: put together for each would take longer than to count a view. */
function createHeadersOf(common: Answer['headers']): (answer: Answer) => HeaderList {
  const known = new WeakMap<Answer, HeaderList>()
  return answer => {
    const ready = answer.isReused ? known.get(answer) : undefined
    if (ready) return ready
    const { status, headers, body } = answer
    const length = status === 304 ? undefined : { 'content-length': String(Buffer.byteLength(body)) }
    const list = Object.entries({ ...common, ...headers, ...length }).flat()
    if (answer.isReused) known.set(answer, list)
    return list
  }
}
