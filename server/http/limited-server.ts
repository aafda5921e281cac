/** Node's HTTP server with connection limits and a graceful shutdown, for the public site and the desk. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Alerts } from '../alerts/alerts.ts'
import { createFailureReports } from '../alerts/job-failures.ts'
import { type Log, logOnceAMinute } from '../process/log.ts'
import { repeat } from '../process/timers.ts'

export type LimitedServer = ReturnType<typeof createLimitedServer>

const serverOptions: ServerOptions = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  // How often Node enforces the timeouts above.
  connectionsCheckingInterval: 2000,
  // Node would answer these itself, and the limits below would never see them.
  requireHostHeader: false,
  // Nearly every request is a GET, which has no body to wait for.
  optimizeEmptyRequests: true,
}

/** Open files reserved for the store, the log, deliveries, and database connections. */
const RESERVED_FILES = 64
const MAX_CONNECTIONS = 5000
const MIN_CONNECTIONS = 16

/** How long a client can go without reading its response or sending its request. */
const STALLED_MS = 30_000

const limits = {
  /** At this limit, a new connection closes the one that has been idle longest. */
  connections: connectionLimit(),
  /** Unfinished responses per connection. Browsers and proxies send one request at a time; others have to reconnect. */
  unanswered: 4,
  /**
   * From a request to the last byte of its response. The largest file is about 240 KB: at less than 1 KB a second, no one is
   * still waiting for the page.
   */
  responseMs: 300_000,
}

export type ConnectionLimits = typeof limits

interface Connection {
  unanswered: number
  /** When the oldest unfinished request arrived or became next in line. */
  waitingSince: number
  /** The socket's bytesRead when it became idle. If it has grown since then, a request has started to arrive. */
  bytesReadWhenIdle: number
}

export function createLimitedServer(
  app: RequestListener,
  { alerts, log, ...changed }: { readonly alerts: Alerts; readonly log: Log } & Partial<ConnectionLimits>,
) {
  const { connections: maxConnections, unanswered, responseMs } = { ...limits, ...changed }
  const logRarely = logOnceAMinute(log)
  const connections = new Map<Socket, Connection>()
  /** Connections that are waiting for the client: for a request, or for the rest of one. Longest idle first. */
  const idle = new Set<Socket>()
  let draining = false

  function handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const { socket } = request
    const connection = connections.get(socket)
    // Requests from the same packet still get here after the connection is cut off.
    if (!connection || socket.destroyed) return
    if (connection.unanswered === 0) connection.waitingSince = performance.now()
    connection.unanswered++
    if (connection.unanswered > unanswered) {
      cutOff(socket, 'sends requests without reading responses')
      return
    }
    // Otherwise, a client that sends its next request early would never be idle, and never make room for others.
    if (draining || connection.unanswered > 1) response.setHeader('connection', 'close')
    setIdle(socket)
    // While the body is still arriving, we're waiting for the client. The rest of it may arrive after the response.
    const startWork = () => void (response.closed || idle.delete(socket))
    if (hasBody(request)) request.once('end', startWork)
    else startWork()
    response.once('close', () => {
      connection.unanswered--
      connection.waitingSince = performance.now()
      connection.bytesReadWhenIdle = socket.bytesRead
      if (connection.unanswered === 0) setIdle(socket)
      if (draining) closeIfIdle(socket, connection)
    })
    if (hasOneHost(request)) listener(request, response)
    else refuse(400, response)
  }

  const server = createServer(serverOptions, (request, response) => handle(request, response, app))
  // As with requireHostHeader.
  server.on('checkExpectation', (request, response) => handle(request, response, () => refuse(417, response)))

  /** Moves the connection to the end of the line. */
  function setIdle(socket: Socket): void {
    idle.delete(socket)
    if (!socket.destroyed) idle.add(socket)
  }

  function cutOff(socket: Socket, reason: string): void {
    logRarely('connections_cut_off', { reason })
    forget(socket)
    // Reset it; otherwise, the kernel keeps unread data for minutes.
    socket.resetAndDestroy()
    stopParsing(socket)
  }

  function forget(socket: Socket): void {
    connections.delete(socket)
    idle.delete(socket)
  }

  function closeIfIdle(socket: Socket, { unanswered: inFlight, bytesReadWhenIdle }: Connection): void {
    if (inFlight === 0 && socket.bytesRead === bytesReadWhenIdle) socket.destroySoon()
  }

  const refusal = `Visitors are being turned away: all ${maxConnections} connections are in use. Check who is connected (ss -tn) and limit connections per address at the proxy.`
  server.on('connection', socket => {
    const isFull = connections.size >= maxConnections
    const [longestIdle] = idle
    if (isFull && longestIdle) cutOff(longestIdle, 'idle at the connection limit')
    else if (isFull) {
      alerts.raise('connections_refused', refusal, { detail: { limit: maxConnections } })
      socket.destroy()
      return
    }
    connections.set(socket, { unanswered: 0, waitingSince: 0, bytesReadWhenIdle: 0 })
    idle.add(socket)
    socket.once('close', () => forget(socket))
  })
  // Node's timeout counts any progress as activity, so slow connections aren't treated as stalled.
  server.setTimeout(STALLED_MS, socket => {
    if (connections.get(socket)?.unanswered) cutOff(socket, 'stopped reading')
    else socket.destroy()
  })
  async function cutOffSlow(): Promise<void> {
    const latest = performance.now() - responseMs
    for (const [socket, { unanswered: inFlight, waitingSince }] of connections) {
      if (inFlight > 0 && waitingSince < latest) cutOff(socket, 'reading too slowly')
    }
  }
  const stopSweep = repeat(responseMs / 20, cutOffSlow, createFailureReports(alerts, log)('connections_unchecked'))
  server.on('close', stopSweep)

  return {
    server,
    /** Stops accepting requests and waits for those in flight. Returns true if none were cut off. */
    async drain(limitMs: number): Promise<boolean> {
      draining = true
      // Don't use the HTTP server's own close: it treats a response as finished once it's written and cuts off slow readers.
      const closed = new Promise<true>(resolve => NetServer.prototype.close.call(server, () => resolve(true)))
      for (const [socket, connection] of connections) closeIfIdle(socket, connection)
      const drained = await Promise.race([closed, sleep(limitMs, false, { ref: false })])
      server.closeAllConnections()
      return drained
    },
  }
}

/**
 * A connection that's cut off may have sent thousands of requests in one packet, and Node would parse them all, for 20 ms. Node has no
 * function for this: 2 is its parser's answer for a connection that leaves HTTP, so it stops there.
 */
function stopParsing(socket: Socket & { readonly parser?: { onIncoming: unknown } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2
}

function refuse(status: 400 | 417, response: ServerResponse): void {
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).end()
}

/** With two, a proxy and we could each mean another one. HTTP/1.0 doesn't need one. */
function hasOneHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const hosts = headersDistinct['host']?.length ?? 0
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

/**
 * How many connections can wait to be accepted. A sudden crowd would fill Node's default of 511, and everyone after that would
 * wait seconds for their system to retry.
 */
const BACKLOG = 4096

export interface Address {
  readonly host: string
  readonly port: number
}

/** Resolves to the port, which the system picks if `port` is 0. Rejects with a CannotListen that names the setting. */
export function listen(server: Server, { host, port }: Address, setting: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(new CannotListen(explain(error, { host, port }, setting)))
    server.once('error', onError)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', onError)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** The message says what the operator should do. */
export class CannotListen extends Error {
  override name = 'CannotListen'
}

function explain({ code, name }: NodeJS.ErrnoException, { host, port }: Address, setting: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the program that uses it, or set ${setting} to another number.`
  if (code === 'EACCES')
    return `This user isn’t allowed to use port ${port} on ${host}. Set ${setting} to a number above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST is ${JSON.stringify(host)}, which is not an address of this machine.`
  }
  return `Can’t listen on ${host}:${port} (${code ?? name}).`
}

/** Stays below the limit on open files, where new connections would fail silently. */
function connectionLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const openFiles = Number(userLimits?.open_files?.soft) || Number.POSITIVE_INFINITY
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, openFiles - RESERVED_FILES))
}
