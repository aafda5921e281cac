/** Malformed requests, which our pages never send, must not cause an error or crash the receiver. */
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eligibleAnswers } from '../../tests/support/answers.ts'
import { anyCharacter } from '../../tests/support/any-character.ts'
import { ada, type Intake, startIntake } from '../../tests/support/intake.ts'
import { requestRaw } from '../../tests/support/receiver.ts'

let intake: Intake
beforeAll(async () => {
  intake = await startIntake()
})
afterAll(() => intake.close())

const oneOf = (spaceSeparated: string) => fc.constantFrom(...spaceSeparated.split(' '))

const field = oneOf(`${Object.keys(ada).join(' ')} xxTrustedFormCertUrl page campaign question-1 __proto__ constructor`)
const encoded = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }).map(encodeURIComponent),
  oneOf("% %zz %ff%fe %00 %ed%a0%80 + %E2%82 %252e ..%2f '-- [] {{7*7}} %0d%0aset-cookie:a 1965-02-30 yes no"),
  fc.nat(7000).map(length => 'x'.repeat(length)),
)
const pairs = fc.array(
  fc.tuple(field, encoded).map(([name, value]) => `${name}=${value}`),
  { maxLength: 3 },
)
/** Mostly valid, so many pass the first checks. */
const fields = fc.oneof(
  pairs.map(more => [new URLSearchParams(ada), ...more].join('&')),
  pairs.map(more => [...more, new URLSearchParams(ada)].join('&')),
  fc.constantFrom('&&&', '=', '?', '%', '='.repeat(5000), 'b'.repeat(40_000)),
)

const latin1 = fc.integer({ min: 0x20, max: 0xff }).map(code => String.fromCharCode(code === 0x7f ? 0x20 : code))
const headerValue = fc.oneof(
  fc.string({ unit: latin1, maxLength: 60 }),
  oneOf('same-origin cross-site none null prefetch * http:// http://[ ::1 99999999999999999999 ,,'),
)
const headerName = oneOf(
  'sec-fetch-site sec-purpose origin referer x-forwarded-for user-agent content-type x-consent-version host range',
)

/** `versions`: whether the form includes our consent and questionnaire versions. */
const malformed = fc.record({
  method: oneOf('GET GET GET POST POST POST PUT'),
  fields,
  versions: fc.boolean(),
  headers: fc.dictionary(headerName, headerValue, { maxKeys: 2 }),
})

test('1,000 malformed requests cause no 5xx', async () => {
  const { consentVersion, questionnaireVersion } = intake
  const own = {
    'x-consent-version': consentVersion,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const form = new URLSearchParams({ consentVersion, questionnaireVersion, ...eligibleAnswers })
  const statuses = new Set<number>()
  for (const { method, fields, versions, headers } of fc.sample(malformed, { numRuns: 1000, seed: 20_260_101 })) {
    const { status } = await requestRaw(intake.url, {
      method,
      path: `/api/leads?${fields}`.slice(0, method === 'GET' ? 14_000 : 20),
      headers: { ...own, ...headers },
      chunks: method === 'POST' ? [versions ? `${form}&${fields}` : fields] : [],
    })
    expect(status, JSON.stringify({ method, fields, headers }).slice(0, 2000)).toBeLessThan(500)
    statuses.add(status)
  }
  expect(intake.linesWith('request_failed')).toEqual([])
  // The sample must cover every kind of response.
  expect([...statuses].sort()).toEqual([202, 303, 400, 403, 405, 413, 414, 415, 422, 429])
})

/** Writes to the socket directly, because no HTTP library would send these bytes. Resolves to the response status. */
function sendBytes(bytes: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(intake.url)
    let response = ''
    const socket = connect(Number(port), hostname, () => socket.end(Buffer.from(bytes, 'latin1')))
    socket.on('data', chunk => {
      response += chunk.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0)))
  })
}

test('malformed URLs and truncated bodies cause no 5xx', async () => {
  const { host } = new URL(intake.url)
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin'
  for (const bytes of [
    'GET http://[::1/api/leads HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    `POST /api/leads HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nContent-Length: 100\r\n\r\nfirstName=cut off`,
    `POST /api/leads HTTP/1.1\r\nHost: ${host}\r\n${form}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nnonsense\r\n`,
  ]) {
    expect(await sendBytes(bytes), JSON.stringify(bytes.slice(0, 100))).toBeLessThan(500)
  }
  expect(intake.linesWith('request_failed')).toEqual([])
})
