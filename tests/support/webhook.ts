/** A fake webhook that can misbehave, either on its own port or as part of another server. It records every request. */
import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'

export const testCertificateFile = join(import.meta.dirname, 'for-tests-only.pem')
/** A key and certificate for localhost. Not a secret: only tests trust them. */
export const testCertificate = readFileSync(testCertificateFile, 'utf8')

/** Makes this process trust the test certificate until the returned function is called. */
export function trustTestCertificate(): () => void {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, testCertificate])
  return () => setDefaultCACertificates(trusted)
}

export interface Delivery {
  readonly method: string
  readonly path: string
  /** As received, without the question mark. */
  readonly rawQuery: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly webhookId: string
  /** The hostname that the sender requested with SNI, if any (https only). */
  readonly serverName: string | null
}

export type Behavior =
  | 'hangs'
  | 'drips headers'
  /** Responds with a 200 immediately, then sends an endless body, a byte at a time. */
  | 'drips body'
  /** Responds with 101 and keeps the connection. */
  | 'switches protocols'
  | 'resets'
  /** Responds with a 200 and cuts the connection in the middle of the body. */
  | 'resets midway'
  | 'not HTTP'
  | 'endless body'
  | 'endless 1xx'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly afterMs?: number }

export class MisbehavingWebhook {
  readonly deliveries: Delivery[] = []
  behave: (delivery: Delivery) => Behavior | Promise<Behavior> = () => ({ status: 200 })
  readonly handle = (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response)
  readonly #scheme: 'http' | 'https'
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  #port = 0
  #arrivals: (() => void)[] = []

  /** Over https, it uses the test certificate, which clients don't trust by default. */
  constructor(scheme: 'http' | 'https' = 'http') {
    this.#scheme = scheme
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.#port}/hook`
  }

  get port(): number {
    return this.#port
  }

  get openConnections(): number {
    return this.#sockets.size
  }

  /** Listens on any free port the first time, then always on that one. */
  async up(): Promise<void> {
    const server: Server =
      this.#scheme === 'https'
        ? createSecureServer({ key: testCertificate, cert: testCertificate }, this.handle)
        : createServer(this.handle)
    server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve)
    })
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  /** From now on, connections are refused. */
  async down(): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = null
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }

  /** Holds responses back until the returned function is called. */
  hold(): (status: number) => void {
    const { promise, resolve } = Promise.withResolvers<Behavior>()
    this.behave = () => promise
    return status => resolve({ status })
  }

  reset(): void {
    this.deliveries.length = 0
    this.behave = () => ({ status: 200 })
  }

  /** Resolves once this many deliveries have arrived in total. */
  async received(count: number): Promise<void> {
    while (this.deliveries.length < count) await new Promise<void>(resolve => this.#arrivals.push(resolve))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const delivery: Delivery = {
      method: request.method ?? '',
      path: url.pathname,
      rawQuery: (request.url ?? '').split('?').slice(1).join('?'),
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body,
      webhookId: String(request.headers['webhook-id']),
      serverName: (request.socket as Partial<TLSSocket>).servername || null,
    }
    this.deliveries.push(delivery)
    for (const resolve of this.#arrivals.splice(0)) resolve()
    void respond(await this.behave(delivery), request.socket, response)
  }
}

async function respond(behavior: Behavior, socket: Socket, response: ServerResponse): Promise<void> {
  if (behavior === 'hangs') return
  if (behavior === 'resets') socket.resetAndDestroy()
  else if (behavior === 'not HTTP') socket.end('220 mail.example.org ESMTP\r\n\r\n')
  else if (behavior === 'drips headers') await drip(socket, 'HTTP/1.1 200 OK\r\nx-slow: ')
  else if (behavior === 'drips body') await drip(socket, 'HTTP/1.1 200 OK\r\n\r\n')
  else if (behavior === 'switches protocols')
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  else if (behavior === 'resets midway') {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half of it', () => socket.resetAndDestroy())
  } else if (behavior === 'endless 1xx') {
    while (!socket.destroyed) if (!socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))) await wait(1)
  } else if (behavior === 'endless body') {
    response.writeHead(200)
    while (!socket.destroyed) if (!response.write('x'.repeat(16_384))) await wait(1)
  } else {
    if (behavior.afterMs) await wait(behavior.afterMs)
    response.writeHead(behavior.status, { 'content-type': 'application/json', ...behavior.headers })
    // As our own receiver does, which it stands in for in journeys.
    response.end(behavior.status === 202 ? '{"status":"accepted"}' : '{}')
  }
}

async function drip(socket: Socket, opening: string): Promise<void> {
  socket.write(opening)
  while (!socket.destroyed) {
    socket.write('a')
    await wait(20)
  }
}
