import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rowsOf } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { AlertChannel } from '../../tests/support/receiver.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'
import { type Delivery, MisbehavingWebhook } from '../../tests/support/webhook.ts'

const SECRET = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`

const store = storePerTest()
let webhook: MisbehavingWebhook
beforeEach(async () => {
  webhook = new MisbehavingWebhook()
  await webhook.up()
})
afterEach(() => webhook.down())

const testWebhook = (env: Readonly<Record<string, string>> = {}) =>
  leads(['webhook'], { ...store, env: { LEAD_WEBHOOK_URL: `${webhook.url}/secret-path`, ...env } })

test('sends one signed JSON message whose type and data say that it is a test', async () => {
  const env = { LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_SECRET: SECRET }
  const { code, out, err } = await testWebhook(env)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^Sent the fictional lead “Test Lead” to 127\.0\.0\.1:\d+ \(POST, signed\)\.\nResponse: \{\}\nResponded with status 200 after \d+ ms: a real lead would count as delivered\.\n$/,
  )
  expect(webhook.deliveries).toHaveLength(1)
  const { body, headers } = webhook.deliveries[0] as Delivery
  // The test clock is frozen years ahead, so `verify` would reject the timestamp; compare signatures only.
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

test('sends the fake person as a query string, and stores nothing', async () => {
  const { code, out } = await testWebhook()
  expect(code).toBe(0)
  expect(out).toContain('(GET, not signed)')
  expect(webhook.deliveries).toMatchObject([
    { method: 'GET', query: { firstName: 'Test', lastName: 'Lead', email: 'test@example.com' } },
  ])
  expect(rowsOf(store.file, 'SELECT id FROM leads')).toEqual([])
})

test.each([
  [500, 'Responded with status 500', 'a real lead would be retried later'],
  [302, 'Responded with status 302', 'a real lead would be retried later'],
  [410, 'Responded with status 410', 'a real lead would not be retried'],
])('a response with status %i fails', async (status, response, verdict) => {
  webhook.behave = () => ({ status })
  const { code, err } = await testWebhook()
  expect(code).toBe(1)
  expect(err).toContain(response)
  expect(err).toContain(verdict)
})

test('no response fails, and the path stays secret', async () => {
  await webhook.down()
  const { code, out, err } = await testWebhook()
  expect(code).toBe(1)
  expect(err).toContain('Failed: connection refused. A real lead would be retried later.')
  expect(out + err).not.toContain('secret-path')
})

test('fails without a webhook', async () => {
  const { code, err } = await leads(['webhook'], store)
  expect({ code, err }).toEqual({ code: 1, err: 'LEAD_WEBHOOK_URL is not set: there is no webhook to test.\n' })
})

describe('check alert', () => {
  let channel: AlertChannel
  let url: string
  beforeEach(async () => {
    channel = new AlertChannel()
    url = await channel.open()
  })
  afterEach(() => channel.close())

  const testAlert = () => leads(['alert'], { env: { ALERT_WEBHOOK_URL: url, SITE_URL: 'https://www.example.org' } })

  test('sends one message that says it is a test, and from which site', async () => {
    const { code, out, err } = await testAlert()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^127\.0\.0\.1:\d+ accepted the message\. Check that it shows up in the channel\.\n$/)
    expect(channel.messages).toEqual([expect.stringMatching(/^TEST: .*www\.example\.org.*Nothing is wrong/)])
  })

  test('an address that rejects it or doesn’t respond fails without showing its path', async () => {
    channel.status = 404
    const { code, out, err } = await testAlert()
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('did not accept the message: it responded with status 404')
    expect(err).not.toContain('secret')
    await channel.close()
    expect((await testAlert()).err).toContain('ECONNREFUSED')
    expect((await leads(['alert'])).err).toBe('ALERT_WEBHOOK_URL is not set: alerts only go to the log.\n')
  })
})
