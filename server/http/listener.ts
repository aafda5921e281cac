/** Between Node's HTTP server and our handlers: reads the request, writes the answer, and logs one line about both. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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
    write(outgoing, answer, headers)
    log('request', {
      method: request.method,
      path: isKnownPath(request.path) ? request.path : '(unknown)',
      status: answer.status,
      durationMs: Math.round(performance.now() - started),
    })
  }
}

function readRequest(incoming: IncomingMessage): HttpRequest {
  const { method = '', url: target = '' } = incoming
  // A proxy may send the whole address; the part before the path says nothing that we do not know.
  const address = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/')
  const mark = address.indexOf('?')
  return {
    method,
    path: mark < 0 ? address : address.slice(0, mark),
    query: mark < 0 ? '' : address.slice(mark + 1),
    header: name => incoming.headers[name] as string | undefined,
    socketAddress: incoming.socket.remoteAddress,
    body: incoming,
  }
}

function write(outgoing: ServerResponse, { status, headers, body }: Answer, common: Answer['headers']): void {
  const length = status === 304 ? undefined : { 'content-length': Buffer.byteLength(body) }
  outgoing.writeHead(status, { ...common, ...headers, ...length })
  outgoing.end(body)
}
