/** Limits on abusive clients, and graceful shutdown, over real connections. */
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { createAlerting } from '../alerts/alerting.ts'
import type { Log } from '../process/log.ts'
import { type ConnectionLimits, createLimitedServer, type LimitedServer } from './limited-server.ts'

const PAGE = Buffer.alloc(8 * 1024 * 1024, 'x')

let running: LimitedServer
let lines: { code: string; [name: string]: unknown }[]
let requests: number
/** The server's ends of the connections. */
let accepted: Socket[]
const clients: Socket[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await running.drain(0)
})

async function start(app: RequestListener, limits: Partial<ConnectionLimits> = {}): Promise<string> {
  lines = []
  accepted = []
  requests = 0
  pagesSent = 0
  const log: Log = (code, detail) => lines.push({ code, ...detail })
  const count: RequestListener = (request, response) => {
    requests++
    app(request, response)
  }
  running = createLimitedServer(count, { alerts: createAlerting({ log }), log, ...limits })
  running.server.on('connection', socket => accepted.push(socket))
  await new Promise<void>(resolve => running.server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(running.server.address() as AddressInfo).port}`
}

/** Connects, but doesn't read until `resume` is called. */
async function open(sent = ''): Promise<Socket> {
  const client = connect((running.server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => {})
  clients.push(client)
  await new Promise<void>(resolve => client.once('connect', resolve))
  client.write(sent)
  return client
}

const isClosed = (client: Socket) =>
  new Promise<true>(resolve => {
    if (client.closed) resolve(true)
    client.resume().once('close', () => resolve(true))
  })

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
let pagesSent = 0
const sendPage: RequestListener = (_, response) => {
  response.end(PAGE)
  pagesSent++
}

/** Reads one chunk at a time, with a pause after each. Returns a function that returns the bytes read so far. */
function readSlowly(client: Socket, pauseMs: number): () => number {
  let read = 0
  client.on('data', chunk => {
    read += chunk.length
    client.pause()
    setTimeout(() => client.resume(), pauseMs)
  })
  client.resume()
  return () => read
}

test('a client that keeps sending requests without reading is cut off, and the rest of its requests are dropped', async () => {
  await start(sendPage)
  let parsed = 0
  running.server.on('request', () => parsed++)
  const client = await open(GET.repeat(1000))
  await until(() => lines.length > 0)
  expect(await isClosed(client)).toBe(true)
  expect([pagesSent, parsed]).toEqual([4, 5])
  expect(lines).toEqual([{ code: 'connections_cut_off', reason: 'sends requests without reading responses', times: 1 }])
})

test('a client has 10 s to send its headers and 30 s for the whole request', async () => {
  await start(() => {})
  expect(running.server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000 })
})

test.each(['Host: localhost\r\nExpect: x\r\n', ''])(
  'so is one whose requests Node would refuse itself: %j',
  async headers => {
    await start(sendPage)
    const client = await open(`GET / HTTP/1.1\r\n${headers}\r\n`.repeat(1000))
    await until(() => lines.length > 0)
    expect(await isClosed(client)).toBe(true)
    expect(client.bytesRead).toBeLessThan(2000)
    expect(requests).toBe(0)
  },
)

test('without exactly one Host header, requests are refused; 100-continue isn’t', async () => {
  await start((_, response) => response.end('page'))
  const answerTo = async (headers: string) => {
    const client = await open(`GET / HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)
    let text = ''
    client.on('data', chunk => {
      text += chunk
    })
    await isClosed(client)
    return text.match(/HTTP\/1.1 \d+/g)
  }
  expect(await answerTo('Host: a.example\r\nHost: b.example')).toEqual(['HTTP/1.1 400'])
  expect(await answerTo('Host: a.example\r\nHost: a.example')).toEqual(['HTTP/1.1 400'])
  expect(await answerTo('Accept: */*')).toEqual(['HTTP/1.1 400'])
  expect(requests).toBe(0)
  expect(await answerTo('Host: a.example\r\nExpect: 100-continue')).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200'])
  expect(await answerTo('Host: a.example\r\nExpect: else')).toEqual(['HTTP/1.1 417'])
})

test('a client that pipelines gets the responses in order, but has to reconnect for more', async () => {
  let served = 0
  await start((_, response) => response.end(`page ${++served}`))
  const client = await open()
  let text = ''
  client.on('data', chunk => {
    text += chunk
  })
  client.write(GET)
  client.resume()
  await until(() => text.includes('page 1'))
  client.write(GET.repeat(4))
  expect(await isClosed(client)).toBe(true)
  expect(text.match(/page \d/g)).toEqual(['page 1', 'page 2', 'page 3'])
  expect(text.match(/connection: \S+/gi)?.at(-1)).toMatch(/close/i)
})

test('a client that neither reads nor sends anything for 30 s is cut off', async () => {
  await start(sendPage)
  expect(running.server.timeout).toBe(30_000)
  const client = await open(GET)
  await until(() => pagesSent > 0)
  accepted[0]?.emit('timeout')
  expect(await isClosed(client)).toBe(true)
  expect(lines).toEqual([{ code: 'connections_cut_off', reason: 'stopped reading', times: 1 }])
  const idle = await open()
  await until(() => accepted.length === 2)
  accepted[1]?.emit('timeout')
  expect(await isClosed(idle)).toBe(true)
  expect(lines).toHaveLength(1)
})

test('a client that takes too long to read its response is cut off', async () => {
  await start(sendPage, { responseMs: 200 })
  const client = await open(GET)
  readSlowly(client, 100)
  await until(() => lines.length > 0)
  expect(await isClosed(client)).toBe(true)
  expect(lines[0]).toMatchObject({ reason: 'reading too slowly' })
})

test('when all connections are in use, the one that has been idle longest is closed to make room for a new visitor', async () => {
  const url = await start((_, response) => response.end('page'), { connections: 2 })
  const [first, second] = [await open(), await open()]
  // Now the second has been idle longer.
  first?.resume().write(GET)
  await new Promise(resolve => first?.once('data', resolve))
  expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(200)
  expect(await isClosed(second as Socket)).toBe(true)
  expect(first?.closed).toBe(false)
  expect(lines).toEqual([{ code: 'connections_cut_off', reason: 'idle at the connection limit', times: 1 }])
})

const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n'

test('a request whose body is still arriving makes room for a new visitor; a complete one doesn’t', async () => {
  const finish: (() => void)[] = []
  const url = await start(
    (request, response) => {
      if (request.method === 'GET') return void response.end('page')
      request.resume().on('end', () => finish.push(() => response.end('stored')))
    },
    { connections: 3 },
  )
  const complete = await open(`${POST}body`)
  await until(() => finish.length > 0)
  const first = await open(`${POST}b`)
  await until(() => requests === 2)
  const second = await open(`${POST}b`)
  await until(() => requests === 3)
  expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(200)
  expect(await isClosed(first)).toBe(true)
  expect(second.closed).toBe(false)
  expect(complete.closed).toBe(false)
  expect(lines).toEqual([{ code: 'connections_cut_off', reason: 'idle at the connection limit', times: 1 }])
  // The rest of the body arrives.
  second.write('ody')
  await until(() => finish.length > 1)
  for (const respond of finish) respond()
  const response = await new Promise(resolve => second.resume().once('data', resolve))
  expect(String(response)).toContain('200 OK')
})

test('a connection whose body was completed after the response makes room for a new visitor', async () => {
  let bodies = 0
  const url = await start(
    (request, response) => {
      request.on('end', () => bodies++)
      response.end('page')
    },
    { connections: 1 },
  )
  const client = await open(`${POST}bod`)
  await new Promise(resolve => client.resume().once('data', resolve))
  client.write('y')
  await until(() => bodies > 0)
  expect((await fetch(url)).status).toBe(200)
  expect(await isClosed(client)).toBe(true)
})

test('when every connection has a request in flight, a new one is refused, and an alert is raised', async () => {
  const url = await start(() => {}, { connections: 2 })
  for (let inFlight = 0; inFlight < 2; inFlight++) await open(GET)
  await until(() => requests === 2)
  await expect(fetch(url)).rejects.toThrow()
  await expect(fetch(url)).rejects.toThrow()
  expect(lines).toEqual([{ level: 'alert', code: 'connections_refused', limit: 2 }])
})

test('a slow reader still gets the complete response while the server is stopping', async () => {
  await start(sendPage)
  const client = await open(GET)
  await until(() => pagesSent > 0)
  const drained = running.drain(60_000)
  const read = readSlowly(client, 2)
  await new Promise(resolve => client.once('close', resolve))
  expect(read()).toBeGreaterThan(PAGE.length)
  expect(await drained).toBe(true)
})

test('a response that isn’t finished at the time limit is cut off, and drain returns false', async () => {
  await start(sendPage)
  await open(GET)
  await until(() => pagesSent > 0)
  expect(await running.drain(100)).toBe(false)
})

test('idle connections don’t delay shutdown; active ones get connection: close', async () => {
  let finish = () => {}
  await start((_, response) => {
    finish = () => response.end('page')
  })
  const [idle, busy] = [await open(), await open(GET.slice(0, 20))]
  await until(() => accepted.length === 2 && accepted.some(({ bytesRead }) => bytesRead === 20))
  const drained = running.drain(60_000)
  expect(await isClosed(idle)).toBe(true)
  busy.write(GET.slice(20))
  let response = ''
  busy.on('data', chunk => {
    response += chunk
  })
  await until(() => requests === 1)
  finish()
  expect(await isClosed(busy)).toBe(true)
  expect(response).toMatch(/^HTTP\/1.1 200 OK\r\nconnection: close/i)
  expect(await drained).toBe(true)
})
