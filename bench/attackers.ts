/**
 * Attacks nginx from one client, or views pages as many clients do: `node attackers.ts KIND ORIGIN PORT FILES CONSENT RATE NEW`, with that
 * many views a second, some of them on new connections. Prints what it did when it's stopped (SIGTERM).
 */
import { randomBytes } from 'node:crypto'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { OTHERS } from '../tests/support/nginx.ts'

const [kind = '', origin = '', port = '', list = '', consentVersion = '', rate = '', fresh = ''] = process.argv.slice(2)
const { hostname } = new URL(origin)
const files = list.split(',')
const script = files.find(file => file.endsWith('.js')) ?? '/'
const view = ['/', ...files]
const form = 'application/x-www-form-urlencoded'
/** HTTP/2 without our limits has 128 by default. */
const MAX_OPEN_STREAMS = 128
let [begun, refused, opened] = [0, 0, 0]
let clients = 0

/** Keeps this many connections open. The lone client is another one than the visitors. */
function keepOpen(
  count: number,
  protocol: string,
  use: (socket: TLSSocket) => void,
  localAddress = '127.0.0.66',
): void {
  const open = () => {
    const to = { host: '127.0.0.1', port: Number(port), servername: hostname, localAddress }
    const socket = connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: [protocol] }, () => {
      opened++
      use(socket)
    })
    socket.on('error', () => {})
    // nginx ends an HTTP/2 connection after 1,000 requests.
    socket.once('close', () => setTimeout(open, protocol === 'h2' ? 20 : 1000))
  }
  for (let index = 0; index < count; index++) setTimeout(open, index)
}

interface Stream {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly end?: 'reset' | 'never'
}

/** Begins this many streams a second in all, on a few connections, but no more than the server allows. */
function overHttp2(connections: number, perSecond: number, next: () => Stream, localAddress?: string): void {
  const sessions = new Map<ClientHttp2Session, number>()
  const open = (socket: TLSSocket) => {
    const session = connectHttp2(origin, { createConnection: () => socket })
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
    session.once('goaway', () => session.destroy())
    sessions.set(session, 0)
  }
  keepOpen(connections, 'h2', open, localAddress)
  let [due, last, turn] = [0, performance.now(), 0]
  setInterval(() => {
    const now = performance.now()
    due = Math.min(due + ((now - last) * perSecond) / 1000, perSecond / 10)
    last = now
    const ready = [...sessions.keys()].filter(session => !session.closed && !session.destroyed)
    for (let tries = 0; due >= 1 && tries < perSecond && ready.length > 0; tries++) {
      const session = ready[turn++ % ready.length] as ClientHttp2Session
      if ((sessions.get(session) ?? 0) < Math.min(MAX_OPEN_STREAMS, session.remoteSettings.maxConcurrentStreams ?? 1)) {
        begin(session, next())
        due--
      }
    }
  }, 10)
  function begin(session: ClientHttp2Session, { headers, body, end }: Stream): void {
    begun++
    const endStream = body === undefined && end !== 'never'
    const stream = session.request({ ':path': '/', 'accept-encoding': 'br', ...headers }, { endStream })
    sessions.set(session, (sessions.get(session) ?? 0) + 1)
    stream.once('close', () => sessions.set(session, (sessions.get(session) ?? 1) - 1))
    stream.on('error', () => {})
    stream.once('response', headers => {
      if (headers[':status'] === 429) refused++
    })
    if (body !== undefined) stream.end(body)
    if (end === 'reset') stream.close(constants.NGHTTP2_CANCEL)
    stream.resume()
  }
}

/** Over HTTP/1.1, each connection sends `first`, and then `more` every so often. */
function send(connections: number, first: string, { ms = 0, more = '', reads = true } = {}): void {
  keepOpen(connections, 'http/1.1', socket => {
    socket[reads ? 'resume' : 'pause']()
    const write = (text: string) => {
      begun += text.split(' HTTP/1.1\r\n').length - 1
      return socket.write(text)
    }
    write(first)
    if (ms > 0) {
      const timer = setInterval(() => socket.writableLength === 0 && write(more), ms)
      socket.once('close', () => clearInterval(timer))
    }
  })
}

/** Views by people who have just arrived. */
function visits(perSecond: number): void {
  let [due, last] = [0, performance.now()]
  setInterval(() => {
    const now = performance.now()
    due += ((now - last) * perSecond) / 1000
    last = now
    for (; due >= 1; due--) {
      begun++
      const to = { host: '127.0.0.1', port: Number(port), servername: hostname, localAddress: OTHERS }
      const socket = connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }, () => {
        opened++
        const headers = `Host: ${hostname}\r\nX-Real-IP: ${anyone()['x-real-ip']}\r\nAccept-Encoding: br`
        socket.end(`GET / HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)
      })
      socket.on('error', () => {}).resume()
    }
  }, 10)
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
const post = (length: number) =>
  `POST /api/leads HTTP/1.1\r\nHost: ${hostname}\r\nOrigin: ${origin}\r\nContent-Type: ${form}\r\nContent-Length: ${length}\r\n\r\n`
const posted = (to: string, type = form) => ({ ':method': 'POST', ':path': to, origin, 'content-type': type })
const parameters = (count: number) => Array.from({ length: count }, (_, index) => `utm_${index}=x`).join('&')
const hiddenFields = `consentVersion=${consentVersion}&campaign=${encodeURIComponent(parameters(800))}&asked=${'%3C'.repeat(1000)}`
const longPhone = `consentVersion=${consentVersion}&phone=1${'+'.repeat(15_000)}y`
const unreadable = `consentVersion=${consentVersion}&firstName=${'%3C'.repeat(5000)}`
/** nginx takes clients' addresses from this header, as from a load balancer's. */
const anyone = () => ({ 'x-real-ip': `10.${(++clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` })
const someoneInOneNetwork = () => ({ 'x-real-ip': `2001:db8:1:${(clients++ % 65_536).toString(16)}::1` })

const kinds: Readonly<Record<string, () => void>> = {
  carrier: () =>
    overHttp2(300, 300 * view.length, () => ({ headers: { ':path': view[clients++ % view.length] ?? '/' } })),
  views: () => {
    overHttp2(10, Number(rate) - Number(fresh), () => ({ headers: anyone() }), OTHERS)
    visits(Number(fresh))
  },
  resets: () => overHttp2(3, 30_000, () => ({ end: 'reset' })),
  unfinishedLeads: () => overHttp2(300, 20_000, () => ({ headers: { ':path': '/api/leads?a=b' }, end: 'never' })),
  pages: () => overHttp2(10, 3000, () => ({})),
  wrongLeads: () => overHttp2(10, 3000, () => ({ headers: { ':path': '/api/leads?firstName=a' } })),
  stops: () => overHttp2(10, 3000, () => ({ headers: posted('/stop'), body: 'phone=2125550187' })),
  wrongForms: () => overHttp2(10, 1000, () => ({ headers: posted('/api/leads'), body: hiddenFields })),
  longFields: () => overHttp2(10, 100, () => ({ headers: posted('/api/leads'), body: longPhone })),
  networkForms: () =>
    overHttp2(
      10,
      100,
      () => ({ headers: { ...posted('/api/leads'), ...someoneInOneNetwork() }, body: hiddenFields }),
      OTHERS,
    ),
  campaigns: () => overHttp2(10, 300, () => ({ headers: { ':path': `/?${parameters(200)}` } })),
  queryBombs: () => overHttp2(8, 100, () => ({ headers: { ':path': `/?${'%41&'.repeat(1800)}` } })),
  pipelining: () => send(100, get('/').repeat(100), { ms: 50, more: get('/').repeat(100), reads: false }),
  wrongRequests: () =>
    send(100, '', { ms: 50, more: 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\nGET / HTTP/1.1\r\n\r\n' }),
  slowReaders: () => send(1500, get(script).repeat(4), { reads: false }),
  slowHeaders: () => send(1500, `GET / HTTP/1.1\r\nHost: ${hostname}\r\n`, { ms: 3000, more: 'X-Patience: none\r\n' }),
  slowForms: () => send(1500, post(10_000), { ms: 8000, more: 'x' }),
  unreadForms: () => send(1500, `${post(unreadable.length)}${unreadable}`, { reads: false }),
  cookies: () =>
    overHttp2(10, 3000, () => ({
      headers: { ':path': '/api/pulse', cookie: `__Host-desk=${randomBytes(32).toString('base64url')}` },
    })),
  files: () => overHttp2(10, 3000, () => ({ headers: { ':path': script } })),
  challenges: () =>
    overHttp2(
      10,
      1000,
      () => ({
        headers: { ...posted('/api/session/sign-in/options', 'application/json'), ...someoneInOneNetwork() },
        body: '{}',
      }),
      OTHERS,
    ),
}

kinds[kind]?.()
process.on('SIGTERM', () => {
  console.log(JSON.stringify({ begun, refused, opened }))
  process.exit()
})
