/** Ten thousand requests that no page of ours would send: none may fail the receiver, crash it or fill its memory. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LeadReceiver, startLeadReceiver } from '../../tests/support/lead-receiver.ts'
import { type Malformed, malformed } from '../../tests/support/malformed-requests.ts'

const REQUESTS = 10_000
const AT_ONCE = 16
const SEED = 20_260_101

let receiver: LeadReceiver
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
beforeAll(async () => {
  receiver = await startLeadReceiver({ rateLimit: { softLimit: 20, hardLimit: 500 } })
})
afterAll(async () => {
  agent.destroy()
  await receiver.close()
})

function send({ method, target, headers, body, chunked }: Malformed): Promise<number> {
  const own = (text: string) =>
    text.replace('OWN', receiver.consentVersion).replace('QUESTIONS', receiver.questionnaireVersion)
  const { hostname, port } = new URL(receiver.endpoint)
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE'
  const length = String(Buffer.byteLength(own(body)))
  const framing: Record<string, string> = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      hostname,
      port,
      method,
      path: target,
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, own(value)])),
        ...(hasBody && framing),
      },
    })
    outgoing.on('response', incoming => incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0)))
    outgoing.on('error', reject)
    outgoing.end(hasBody ? own(body) : undefined)
  })
}

/** What no HTTP library sends: the bytes are written to the socket as they are. */
function sendBytes(bytes: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(receiver.endpoint)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.end(Buffer.from(bytes, 'latin1')))
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)))
  })
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

test('ten thousand malformed requests give no 5xx, no crash and no growth of memory', async () => {
  const statuses = new Map<number, number>()
  const sendAll = async (requests: readonly Malformed[]) => {
    const waiting = requests.values()
    const sender = async () => {
      for (const each of waiting) {
        const status = await send(each)
        if (status >= 500) throw new Error(`${status} for ${JSON.stringify(each).slice(0, 2000)}`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
  }
  const heaps: number[] = []
  for (let part = 0; part < 4; part++) {
    await sendAll(fc.sample(malformed, { numRuns: REQUESTS / 4, seed: SEED + part }))
    heaps.push(heapAfterCollection())
  }
  expect(receiver.failures).toEqual([])
  // The first part warms up; from then on the heap may breathe, not grow.
  const [, second = 0, , last = 0] = heaps
  expect(last - second).toBeLessThan(8 * 1024 * 1024)
  // Every kind of answer was met: what is not reached is not tested.
  for (const status of [202, 303, 403, 405, 413, 414, 415, 422, 429]) {
    expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0)
  }
})

test('bytes that are not HTTP, or hardly, are refused without harm', async () => {
  const { host } = new URL(receiver.endpoint)
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin'
  for (const bytes of [
    '\x00\xff\xfe',
    'GET /api/leads',
    'GET /api/leads?%00\x01 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /api/leads HTTP/1.1\r\n\r\n',
    'GET /api/leads HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    'GET http://[::1/api/leads HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api\\leads HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    `GET /api/leads?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `POST /api/leads HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nContent-Length: -1\r\n\r\n`,
    `POST /api/leads HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nContent-Length: 100\r\n\r\nfirstName=cut off`,
    `POST /api/leads HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nnonsense\r\n`,
    `POST /api/leads HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  ]) {
    expect(await sendBytes(bytes), JSON.stringify(bytes.slice(0, 100))).toBeLessThan(500)
  }
  expect(receiver.failures).toEqual([])
})
