/**
 * One keep-alive connection that sends one request after the other, with as little work of its own as possible: an HTTP
 * client that costs as much as the server would halve what a computer with few processors can show.
 */
import { connect } from 'node:net'

/** A request as it goes over the wire. */
export type RawRequest = string

type Headers = Readonly<Record<string, string>>

export function rawGet(url: URL, headers: Headers): RawRequest {
  return `GET ${headOf(url, headers)}`
}

/** `body`: of plain letters, each of which is a byte. */
export function rawPost(url: URL, headers: Headers, body: string): RawRequest {
  return `POST ${headOf(url, { ...headers, 'Content-Length': String(body.length) })}${body}`
}

function headOf({ pathname, search, host }: URL, headers: Headers): string {
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export interface RawConnection {
  /** Resolves with the status once the whole answer is here. */
  send(request: RawRequest): Promise<number>
  close(): void
}

export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  let answer = ''
  let settle: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    // Into one buffer, without the events of a stream.
    onread: {
      buffer: Buffer.alloc(16 * 1024),
      callback(length, buffer) {
        answer += (buffer as Buffer).toString('latin1', 0, length)
        if (!isWhole(answer)) return true
        const status = Number(answer.slice(9, 12))
        answer = ''
        settle?.resolve(status)
        return true
      },
    },
  })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', error => settle?.reject(error))
  socket.on('close', () => settle?.reject(new Error('The server closed the connection.')))
  return {
    send: request =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('The connection is closed.'))
        settle = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    close: () => {
      settle = null
      socket.destroy()
    },
  }
}

/** Answers of one kind have one length, which need not be looked for in each. */
let usualLength = 0
let usualStart = ''

function isWhole(answer: string): boolean {
  if (answer.length === usualLength && answer.startsWith(usualStart)) return true
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0)
  if (answer.length < headEnd + 4 + length) return false
  usualLength = answer.length
  usualStart = answer.slice(0, 15)
  return true
}
