import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Delivery, MisbehavingWebhook } from '../../../tests/faults/webhook.ts'
import { createStore, rowsOf } from '../../../tests/support/lead-fixtures.ts'
import { leads } from '../../../tests/support/leads-command.ts'

const SECRET = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`

let store: Awaited<ReturnType<typeof createStore>>
let webhook: MisbehavingWebhook
beforeEach(async () => {
  store = await createStore()
  webhook = new MisbehavingWebhook()
  await webhook.up()
})
afterEach(async () => {
  await webhook.down()
  store.remove()
})

const testWebhook = (env: Readonly<Record<string, string>> = {}) =>
  leads(['webhook'], { ...store, env: { LEAD_WEBHOOK_URL: `${webhook.url}/secret-path`, ...env } })

test('as JSON one signed message is sent whose type and data say that it is a test', async () => {
  const env = { LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_SECRET: SECRET }
  const { code, out, err } = await testWebhook(env)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^Sent to 127\.0\.0\.1:\d+: a POST, signed, with a made-up lead of “Test Lead”\.\nIt answered 200 after \d+ ms: a lead would count as delivered\.\nIts words: \{\}\n$/,
  )
  expect(webhook.deliveries).toHaveLength(1)
  const { body, headers } = webhook.deliveries[0] as Delivery
  // The commands' clock stands still in tests, years ahead: only the signature is looked at.
  const signed = new StandardWebhook(SECRET).sign(
    `${headers['webhook-id']}`,
    new Date(Number(headers['webhook-timestamp']) * 1000),
    body,
  )
  expect(headers['webhook-signature']).toBe(signed)
  expect(JSON.parse(body)).toMatchObject({
    type: 'lead.test',
    data: { test: true, contact: { firstName: 'Test', lastName: 'Lead', phoneE164: '+15555550100' } },
  })
  expect(`${headers['webhook-id']}`).toMatch(/^test_/)
})

test('as a query string the made-up person is sent as any other, and nothing is stored', async () => {
  const { code, out } = await testWebhook()
  expect(code).toBe(0)
  expect(out).toContain('a GET, not signed')
  expect(webhook.deliveries).toMatchObject([
    { method: 'GET', query: { firstName: 'Test', lastName: 'Lead', email: 'test@example.com' } },
  ])
  expect(rowsOf(store.file, 'SELECT id FROM leads')).toEqual([])
})

test.each([
  [500, 'It answered 500', 'a lead would be tried again later'],
  [302, 'It answered 302', 'a lead would be tried again later'],
  [410, 'It answered 410', 'a lead would be given up'],
])('an answer of %i is told as what it is, and fails', async (status, answered, verdict) => {
  webhook.behave = () => ({ status })
  const { code, out } = await testWebhook()
  expect(code).toBe(1)
  expect(out).toContain(answered)
  expect(out).toContain(verdict)
})

test('no answer is told as what it is, and the path stays secret', async () => {
  await webhook.down()
  const { code, out, err } = await testWebhook()
  expect(code).toBe(1)
  expect(out).toContain('It did not answer: connection refused. A lead would be tried again later.')
  expect(out + err).not.toContain('secret-path')
})

test('without a webhook there is nothing to test', async () => {
  const { code, err } = await leads(['webhook'], store)
  expect({ code, err }).toEqual({ code: 1, err: 'LEAD_WEBHOOK_URL is not set: there is no webhook to test.\n' })
})
