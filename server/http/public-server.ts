/**
 * The HTTP server that visitors reach: Node's own, with bounds on what one connection, and all of them, can hold on to, and
 * a way to stop that lets every answer under way be finished.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Alerts } from '../alerts/alerts.ts'
import { type Log, logOnceAMinute } from '../log.ts'

export interface ConnectionLimits {
  /** Beyond this many, new connections are closed at once. */
  readonly connections: number
  /** Unfinished answers of one connection. Browsers and proxies ask one by one; each answer takes some KB of memory. */
  readonly unanswered: number
  /** How long a client may read nothing of an answer, or send nothing of a request. */
  readonly stalledMs: number
  /** How long an answer may take from its request to its last byte, however it trickles. */
  readonly answerMs: number
}

export interface PublicServer {
  readonly server: Server
  /** Takes no more requests, and waits for those under way. True when none of them was cut off. */
  drain(limitMs: number): Promise<boolean>
}

const serverOptions: ServerOptions = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  // Node looks after the time-outs above only so often.
  connectionsCheckingInterval: 2000,
  // Nearly every request is a GET, which has no body to wait for.
  optimizeEmptyRequests: true,
}

/** Files that are no visitor's: the store, its thread, the log, deliveries, a pool of database connections. */
const OTHER_FILES = 64

/** The largest file is some 240 KB: whoever reads less than 1 KB a second has long given up on the page. */
const limits = { unanswered: 4, stalledMs: 30_000, answerMs: 300_000 }

const MOST_CONNECTIONS = 5000
const LEAST_CONNECTIONS = 16

interface Connection {
  unanswered: number
  /** When the oldest unfinished answer became the next to be sent. */
  waitingSince: number
  /** Of the socket, when nothing was under way: more than that is a request that has arrived in part. */
  bytesReadAtRest: number
}

export function createPublicServer(
  app: RequestListener,
  { alerts, log, ...changed }: { readonly alerts: Alerts; readonly log: Log } & Partial<ConnectionLimits>,
): PublicServer {
  const { unanswered, stalledMs, answerMs } = { ...limits, ...changed }
  const mostConnections = changed.connections ?? mostConnectionsHere()
  const rarely = logOnceAMinute(log)
  const connections = new Map<Socket, Connection>()
  let draining = false

  const server = createServer(serverOptions, (request, response) => {
    const { socket } = request
    const connection = connections.get(socket)
    // Requests that came in the same packet are still handed over after the connection was cut.
    if (!connection || socket.destroyed) return
    if (connection.unanswered === 0) connection.waitingSince = performance.now()
    connection.unanswered++
    // Where the parser could not be asked before.
    if (connection.unanswered > unanswered) return cutOff(socket, 'asks without reading')
    if (draining) response.setHeader('connection', 'close')
    response.once('close', () => {
      connection.unanswered--
      connection.waitingSince = performance.now()
      connection.bytesReadAtRest = socket.bytesRead
      if (draining) closeIfIdle(socket, connection)
    })
    app(request, response)
  })

  function cutOff(socket: Socket, reason: string): void {
    rarely('connections_cut_off', { reason })
    // With a reset: the system would else keep what the client does not read for minutes.
    socket.resetAndDestroy()
  }

  function closeIfIdle(socket: Socket, { unanswered: underWay, bytesReadAtRest }: Connection): void {
    if (underWay === 0 && socket.bytesRead === bytesReadAtRest) socket.destroySoon()
  }

  server.maxConnections = mostConnections
  const refusal = `Visitors are turned away: ${mostConnections} connections are open, which is all that the server allows itself. Look at who is connected (ss -tn), and let the proxy limit connections per address.`
  server.on('drop', () => alerts.raise('connections_refused', refusal, { detail: { limit: mostConnections } }))
  server.on('connection', socket => {
    const connection = { unanswered: 0, waitingSince: 0, bytesReadAtRest: 0 }
    connections.set(socket, connection)
    beforeRequest(socket, () => {
      if (connection.unanswered < unanswered) return true
      cutOff(socket, 'asks without reading')
      return false
    })
    socket.once('close', () => connections.delete(socket))
  })
  // Node's time-out takes a write that moves for activity, so that a slow line is not a stalled one.
  server.setTimeout(stalledMs, socket => {
    if (connections.get(socket)?.unanswered) cutOff(socket, 'reads nothing')
    else socket.destroy()
  })
  const sweep = setInterval(() => {
    const latest = performance.now() - answerMs
    for (const [socket, { unanswered: underWay, waitingSince }] of connections) {
      if (underWay > 0 && waitingSince < latest) cutOff(socket, 'reads too slowly')
    }
  }, answerMs / 20).unref()
  server.on('close', () => clearInterval(sweep))

  return {
    server,
    async drain(limitMs) {
      draining = true
      // Not the HTTP server's own close: it takes an answer for finished as soon as it is written, and cuts slow readers off.
      const closed = new Promise<true>(resolve => NetServer.prototype.close.call(server, () => resolve(true)))
      for (const [socket, connection] of connections) closeIfIdle(socket, connection)
      const drained = await Promise.race([closed, sleep(limitMs, false, { ref: false })])
      server.closeAllConnections()
      return drained
    },
  }
}

interface Parser {
  onIncoming(request: IncomingMessage, shouldKeepAlive: boolean): number
}

/** What Node's parser does after a request to another protocol: it leaves the rest alone. */
const READ_NO_FURTHER = 2

/**
 * Asks before each request of a connection whether it may be taken; when not, nothing more is read of what came with it.
 * Node reads 64 KB at a time, and hands over each of the 1,800 requests in that even after the connection was cut: 20 ms of
 * every visitor's time. There is no public way to stop it; where a later Node has no such parser, it costs that time again.
 */
function beforeRequest(socket: Socket, mayGoOn: () => boolean): void {
  const { parser } = socket as Socket & { readonly parser?: Partial<Parser> }
  const take = parser?.onIncoming
  if (!parser || !take) return
  parser.onIncoming = (request, shouldKeepAlive) =>
    mayGoOn() ? take.call(parser, request, shouldKeepAlive) : READ_NO_FURTHER
}

/**
 * Below what the system allows, where it would close new connections without a word. Node has raised the soft limit to
 * the hard one by now.
 */
function mostConnectionsHere(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const openFiles = Number(userLimits?.open_files?.soft) || Number.POSITIVE_INFINITY
  return Math.max(LEAST_CONNECTIONS, Math.min(MOST_CONNECTIONS, openFiles - OTHER_FILES))
}
