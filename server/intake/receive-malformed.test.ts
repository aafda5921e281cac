/** Requests that none of our pages would send: none of them should cause an error, crash the receiver, or fill its memory. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eligibleAnswers } from '../../tests/support/answers.ts'
import { ada, type LeadReceiver, startLeadReceiver } from '../../tests/support/lead-receiver.ts'

/** `OWN` and `QUESTIONS` are placeholders for the current versions of consent and questionnaire. */
interface Malformed {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly chunked: boolean
}

const oneOf = (spaced: string) => fc.constantFrom(...spaced.split(' '))

const field = fc.oneof(
  fc.constantFrom(...Object.keys(ada), ''),
  oneOf('xxTrustedFormCertUrl consentVersion questionnaireVersion page campaign question-1 __proto__ constructor'),
)

const encoded = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map(text => encodeURIComponent(text.toWellFormed())),
  oneOf(
    "% %zz %ff%fe %00 %ed%a0%80 + %E2%82 %252e ..%2f '-- [] {{7*7}} %0d%0aset-cookie:a 1965-02-30 0000-00-00 yes no",
  ),
  fc.constantFrom(...Object.values(ada)).map(encodeURIComponent),
  fc.nat(7000).map(length => 'x'.repeat(length)),
  fc.constant(`https://cert.trustedform.com/${'a'.repeat(40)}`).map(encodeURIComponent),
)

const pair = fc.tuple(field, encoded).map(([name, value]) => `${name}=${value}`)

/** Mostly valid, so that many pass the first checks. */
const fields = fc.oneof(
  fc.array(pair, { maxLength: 12 }).map(pairs => pairs.join('&')),
  fc.array(pair, { maxLength: 2 }).map(pairs => [new URLSearchParams(ada).toString(), ...pairs].join('&')),
  fc.array(pair, { maxLength: 2 }).map(pairs => [...pairs, new URLSearchParams(ada).toString()].join('&')),
  fc.constantFrom('&&&', '=', '?', '%', '='.repeat(5000)),
)

const latin1 = fc.integer({ min: 0x20, max: 0xff }).map(code => String.fromCharCode(code === 0x7f ? 0x20 : code))
const headerValue = fc.oneof(
  fc.string({ unit: latin1, maxLength: 60 }),
  oneOf('same-origin cross-site none null prefetch * http:// http://[ ::1 99999999999999999999'),
  fc.constantFrom('https://www.example.org/?utm_source=%ff&utm_a=%00', '1.2.3.4, x', ', ,'),
)

const headerName = fc.oneof(
  oneOf('sec-fetch-site sec-purpose purpose origin referer x-forwarded-for user-agent'),
  oneOf('accept content-type x-consent-version host cookie if-none-match range'),
)

const malformed: fc.Arbitrary<Malformed> = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: oneOf('GET POST') },
    { weight: 1, arbitrary: oneOf('HEAD PUT DELETE OPTIONS PATCH TRACE PROPFIND QUERY') },
  ),
  target: fields.map(query => `/api/leads?${query}`.slice(0, 14_000)),
  headers: fc.tuple(fc.boolean(), fc.dictionary(headerName, headerValue, { maxKeys: 3 })).map(([own, headers]) => ({
    ...(own && {
      'x-consent-version': 'OWN',
      'x-questionnaire-version': 'QUESTIONS',
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    }),
    ...headers,
  })),
  body: fc.oneof(
    fields,
    fields.map(text => `consentVersion=OWN&${text}`),
    fields.map(
      text => `consentVersion=OWN&questionnaireVersion=QUESTIONS&${new URLSearchParams(eligibleAnswers)}&${text}`,
    ),
    fc.nat(40_000).map(length => 'b'.repeat(length)),
  ),
  chunked: fc.boolean(),
})

const REQUESTS = 2000
const AT_ONCE = 16
const SEED = 20_260_101

let receiver: LeadReceiver
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
beforeAll(async () => {
  receiver = await startLeadReceiver({ rateLimit: { softLimit: 20, hardLimit: 100 } })
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

/** Bytes that no HTTP library sends, written straight to the socket. */
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

test('2,000 malformed requests cause no 5xx, no crash, and no memory growth', async () => {
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
  // The first part warms up. After that, the heap can fluctuate but not grow.
  const [, second = 0, , last = 0] = heaps
  expect(last - second).toBeLessThan(8 * 1024 * 1024)
  // Every kind of response must occur, or it isn't tested.
  for (const status of [202, 303, 403, 405, 413, 414, 415, 422, 429]) {
    expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0)
  }
})

test('bytes that aren’t valid HTTP are refused without harm', async () => {
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
