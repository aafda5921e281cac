import { Webhook as StandardWebhook } from 'standardwebhooks'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { rowsOf } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { AlertChannel } from '../../tests/support/receiver.ts'
import { MailReceiver } from '../../tests/support/smtp.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'
import { type Delivery, MisbehavingWebhook } from '../../tests/support/webhook.ts'

const store = storePerTest()
let webhook: MisbehavingWebhook
beforeEach(async () => {
  webhook = new MisbehavingWebhook()
  await webhook.up()
  onTestFinished(() => webhook.down())
})

const testWebhook = (env: Readonly<Record<string, string>> = {}) =>
  leads(['webhook'], { ...store, env: { LEAD_WEBHOOK_URL: `${webhook.url}/secret-path`, ...env } })

test('sends one signed JSON message, marked as a test in its type and data', async () => {
  const secret = `whsec_${Buffer.alloc(24, 'x').toString('base64')}`
  const { code, out, err } = await testWebhook({ LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_SECRET: secret })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^Sent the fictional lead “Test Lead” to 127\.0\.0\.1:\d+ \(POST, signed\)\.\nResponse: \{\}\nResponded with status 200 after \d+ ms: a real lead would count as delivered\.\n$/,
  )
  expect(webhook.deliveries).toHaveLength(1)
  const { body, headers } = webhook.deliveries[0] as Delivery
  const id = `${headers['webhook-id']}`
  // The test clock is frozen years ahead, so `verify` would reject the timestamp; compare signatures only.
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  expect(headers['webhook-signature']).toBe(new StandardWebhook(secret).sign(id, at, body))
  expect(id).toMatch(/^test_/)
  expect(JSON.parse(body)).toMatchObject({
    type: 'lead.test',
    data: {
      test: true,
      contact: { firstName: 'Test', lastName: 'Lead', phoneE164: '+15555550100' },
      questionnaire: { questions: [{ question: 'Is this a test?', answer: 'yes' }] },
    },
  })
})

test('sends the fictional lead as a query string, and stores nothing', async () => {
  const { code, out } = await testWebhook()
  expect(code).toBe(0)
  expect(out).toContain('(GET, not signed)')
  expect(webhook.deliveries).toMatchObject([
    { method: 'GET', query: { firstName: 'Test', lastName: 'Lead', email: 'test@example.com' } },
  ])
  expect(rowsOf(store.file, 'SELECT id FROM leads')).toEqual([])
})

test.each([
  [302, /Responded with status 302.*a real lead would be retried later/],
  [410, /Responded with status 410.*a real lead would not be retried/],
  [null, /Failed: connection refused\. A real lead would be retried later\./],
])('a response with status %s fails, and the path stays secret', async (status, verdict) => {
  if (status) webhook.behave = () => ({ status })
  else await webhook.down()
  const { code, out, err } = await testWebhook()
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(verdict) })
  expect(out + err).not.toContain('secret-path')
})

test('each command fails if what it tests isn’t set up', async () => {
  const none = 'LEAD_WEBHOOK_URL is not set: there is no webhook to test.\n'
  expect(await leads(['webhook'], store)).toEqual({ code: 1, out: '', err: none })
  const log = 'Neither ALERT_WEBHOOK_URL nor MAIL_TO is set: alerts only go to the log.\n'
  expect(await leads(['alert'])).toEqual({ code: 1, out: '', err: log })
  const mail = 'SMTP_URL is not set: there is no mail server to test.\n'
  expect(await leads(['mail'])).toEqual({ code: 1, out: '', err: mail })
})

test('a test alert is marked as a test and names the site; an error doesn’t show the path', async () => {
  const channel = new AlertChannel()
  const env = { ALERT_WEBHOOK_URL: await channel.open(), SITE_URL: 'https://www.example.org' }
  onTestFinished(() => channel.close())
  const { code, out, err } = await leads(['alert'], { env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^127\.0\.0\.1:\d+ accepted the message\. Check that it shows up\.\n$/)
  expect(channel.messages).toEqual([expect.stringMatching(/^TEST: .*www\.example\.org.*Nothing is wrong/)])
  channel.status = 404
  const refused = await leads(['alert'], { env })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toMatch(/did not accept the message: it responded with status 404/)
  expect(refused.err).not.toContain('secret')
})

test('a test letter goes to everyone in MAIL_TO, or says in plain words what’s wrong', async () => {
  const receiver = new MailReceiver()
  const env = {
    SMTP_URL: await receiver.open(),
    MAIL_FROM: 'us@example.org',
    MAIL_TO: 'ann@example.org, bob@example.org',
  }
  onTestFinished(() => receiver.close())
  expect(await leads(['mail'], { env })).toMatchObject({ code: 0, err: '' })
  const source = expect.stringContaining('Subject: TEST')
  expect(receiver.mails).toEqual([
    { to: ['ann@example.org'], source },
    { to: ['bob@example.org'], source },
  ])
  receiver.refuses = { recipient: 550, only: 'ann@example.org' }
  const one = await leads(['mail'], { env })
  expect(one).toMatchObject({ code: 1, out: expect.stringContaining('took the letter to bob@example.org.') })
  expect(one.err).toMatch(/did not take the letter to ann@example\.org: the mail server refused the recipient \(550\)/)
  receiver.refuses = { sender: 550 }
  const refused = await leads(['mail'], { env })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toMatch(
    /did not take the letter to ann@example\.org: the mail server refused the sender in MAIL_FROM \(550\)/,
  )
})
