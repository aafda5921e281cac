/** Deliveries to a real webhook on loopback, which misbehaves on demand. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { spokenConsentAsPresented } from '../../domain/leads/as-presented.ts'
import { type Behavior, type Delivery, MisbehavingWebhook, trustTestCertificate } from '../../tests/support/webhook.ts'
import type { LeadToSend } from '../store/operations/deliveries/lease.ts'
import { type Outcome, type SendOptions, sendTo, type Webhook } from './webhook.ts'

/** Includes characters that the wrong encoding would break. */
const contact = {
  firstName: 'Zoë & Co',
  lastName: "O'Neil",
  dateOfBirth: '1965-12-10',
  email: 'zoe+ssdi@example.org',
  phone: '(555) 210-0199',
}
const questions = [
  { id: 'outOfWork', question: 'Are you out of work?', answer: 'yes' },
  { id: 'hasAttorney', question: 'Do you have an attorney?', answer: 'no' },
]
const lead: LeadToSend = {
  leadId: '0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d',
  receivedAt: Date.UTC(2026, 2, 1, 12),
  repeatOf: null,
  contact,
  language: 'en',
  page: '/advertorial',
  campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
  clientAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  certificate: null,
  trustedForm: 'off',
  consentVersion: 'c'.repeat(64),
  consentTakenBy: null,
  consentPresented: JSON.stringify({ text: 'I agree — “fully”.', button: 'Call me' }),
  questionnaireVersion: 'q'.repeat(64),
  questionnairePresented: JSON.stringify({ questions, yes: 'Yes', no: 'No' }),
}

const QUERY =
  'firstName=Zo%C3%AB+%26+Co&lastName=O%27Neil&dateOfBirth=1965-12-10&email=zoe%2Bssdi%40example.org&phone=%28555%29+210-0199'
const delivered = { kind: 'delivered', status: 200 }

let webhook: MisbehavingWebhook

beforeEach(async () => {
  webhook = new MisbehavingWebhook()
  await webhook.up()
})
afterEach(() => webhook.down())

type Changes = Partial<SendOptions> & { readonly lead?: LeadToSend; readonly webhook?: Webhook }

const defaults = { now: 1_772_366_400_999, timeoutMs: 5000 }
function deliver({
  lead: sent = lead,
  webhook: to = { url: webhook.url },
  ...changes
}: Changes = {}): Promise<Outcome> {
  const type = sent.repeatOf === null ? 'lead.created' : 'lead.repeated'
  const message = { id: sent.leadId, leadId: sent.leadId, type, createdAt: 0, lead: sent, detail: {} } as const
  return sendTo(to)(message, { ...defaults, ...changes })
}

const spoken: LeadToSend = {
  ...lead,
  consentTakenBy: 'Maria Lopez',
  consentPresented: spokenConsentAsPresented('May we call you?'),
}

describe('as a query string', () => {
  test('spoken consent, which it can’t tell from written, is sent only if the operator says so', async () => {
    const reason = 'its consent was spoken, and LEAD_WEBHOOK_SPOKEN is off'
    expect(await deliver({ lead: spoken })).toEqual({ kind: 'gone', status: null, reason })
    expect(await deliver({ lead: spoken, webhook: { url: webhook.url, spoken: true } })).toEqual(delivered)
    expect(webhook.deliveries.map(({ rawQuery }) => rawQuery)).toEqual([QUERY])
  })

  test('a delivery is a GET with the lead as its query string and a delivery ID', async () => {
    expect(await deliver()).toEqual(delivered)
    const [delivery] = webhook.deliveries
    expect(delivery).toMatchObject({ method: 'GET', path: '/hook', rawQuery: QUERY, query: contact })
    expect(delivery?.headers).toMatchObject({
      accept: 'application/json',
      'webhook-id': `lead_${lead.leadId}`,
      'webhook-timestamp': '1772366400',
    })
    expect(delivery?.headers).not.toHaveProperty('webhook-signature')
  })

  test('a delivery includes the certificate URL and keeps the webhook URL’s own query', async () => {
    const certificate = { url: 'https://cert.trustedform.com/abc123', formKnown: false }
    await deliver({ lead: { ...lead, certificate }, webhook: { url: `${webhook.url}?token=a%2Fb&x=` } })
    expect(webhook.deliveries[0]?.rawQuery).toBe(
      `token=a%2Fb&x=&${QUERY}&xxTrustedFormCertUrl=${encodeURIComponent(certificate.url)}`,
    )
  })

  test('a delivery includes the language only if the operator asks for it', async () => {
    const spanish = { ...lead, language: 'es' }
    await deliver({ lead: spanish })
    await deliver({ lead: spanish, webhook: { url: webhook.url, language: true } })
    await deliver({ webhook: { url: webhook.url, language: true } })
    expect(webhook.deliveries.map(({ rawQuery }) => rawQuery)).toEqual([
      QUERY,
      `${QUERY}&language=es`,
      `${QUERY}&language=en`,
    ])
  })

  const bytes = Buffer.from([0, 255, 1, 254, 7])
  test.each([
    ['plain secret', Buffer.from('plain secret')],
    [`whsec_${bytes.toString('base64')}`, bytes],
  ])('the secret %j signs the ID, the timestamp, and the query string as received', async (secret, key) => {
    await deliver({ webhook: { url: `${webhook.url}?token='x y'`, secrets: [secret] } })
    const { headers, rawQuery } = webhook.deliveries[0] as Delivery
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${rawQuery}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  })

  test('a repeat is never sent, because it would look like a new lead', async () => {
    const outcome = await deliver({ lead: { ...lead, repeatOf: 'the first' } })
    expect(outcome).toEqual({ kind: 'gone', status: null, reason: 'it can be sent as JSON only' })
    expect(webhook.deliveries).toEqual([])
  })
})

describe('a delivery', () => {
  const retry = (reason: string, status: number | null = null) => ({ kind: 'retry', status, reason, retryAfter: null })
  const location = 'http://127.0.0.1:1/elsewhere'

  test.each<[Behavior, object, number?]>([
    ...[200, 204, 299].map((status): [Behavior, object] => [{ status }, { kind: 'delivered', status }]),
    ...[400, 404, 500, 503].map((status): [Behavior, object] => [{ status }, retry(`answered ${status}`, status)]),
    ...[301, 303, 308].map((status): [Behavior, object] => [
      { status, headers: { location } },
      retry(`redirected (${status})`, status),
    ]),
    [{ status: 410 }, { kind: 'gone', status: 410, reason: 'the webhook is gone (410)' }],
    [
      { status: 429, headers: { 'retry-after': '120' } },
      { ...retry('answered 429', 429), retryAfter: '120' },
    ],
    ['endless body', delivered],
    ['endless 1xx', retry('too many 1xx responses')],
    ['resets', retry('connection reset')],
    ['resets midway', retry('connection reset')],
    ['not HTTP', retry('the answer is not HTTP')],
    ['hangs', retry('no answer within 0.5 s'), 500],
    ['drips headers', retry('no answer within 0.5 s'), 500],
    ['drips body', retry('no answer within 0.5 s'), 500],
    ['switches protocols', retry('switched protocols (101)')],
  ])('with the response %j results in %j, after one request', async (behavior, outcome, timeoutMs = 5000) => {
    webhook.behave = () => behavior
    expect(await deliver({ timeoutMs })).toEqual(outcome)
    expect(webhook.deliveries).toHaveLength(1)
    await expect.poll(() => webhook.openConnections, { interval: 5 }).toBe(0)
  })

  test('to a webhook that is down or doesn’t support TLS is retried', async () => {
    const named = `http://localhost:${webhook.port}`
    expect(await deliver({ webhook: { url: named } })).toEqual(delivered)
    expect(await deliver({ webhook: { url: webhook.url.replace('http:', 'https:') } })).toEqual(
      retry('no secure connection'),
    )
    await webhook.down()
    for (const url of [webhook.url, named])
      expect(await deliver({ webhook: { url } })).toEqual(retry('connection refused'))
    expect(await deliver({ webhook: { url: 'http://webhook.invalid/' } })).toMatchObject({
      kind: 'retry',
      status: null,
    })
  })
})

test('over https, a delivery names the host (SNI); with an untrusted certificate, it sends nothing and is retried', async () => {
  await webhook.down()
  webhook = new MisbehavingWebhook('https')
  await webhook.up()
  const urls = [webhook.url, `https://localhost:${webhook.port}/hook`]
  for (const url of urls) {
    expect(await deliver({ webhook: { url } })).toMatchObject({ kind: 'retry', reason: 'certificate not trusted' })
  }
  expect(webhook.deliveries).toEqual([])
  onTestFinished(trustTestCertificate())
  for (const url of urls) expect(await deliver({ webhook: { url } })).toEqual(delivered)
  const [byAddress, byName] = webhook.deliveries
  expect(byAddress).toMatchObject({ method: 'GET', path: '/hook', rawQuery: QUERY, serverName: null })
  expect([byName?.serverName, byName?.headers.host]).toEqual(['localhost', `localhost:${webhook.port}`])
})

describe('as JSON', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`
  const other = `whsec_${Buffer.from('another secret of 24 byte').toString('base64')}`
  const json = (secrets: readonly string[] = [secret], address = webhook.url) => ({
    webhook: { url: address, format: 'json', secrets } as const,
    // Standard Webhooks libraries reject messages older than five minutes.
    now: Date.now(),
  })
  /** Verifies with the Standard Webhooks library, as a receiver would. */
  const verified = (key: string, { body, headers } = webhook.deliveries[0] as Delivery) =>
    new StandardWebhook(key).verify(body, headers as Record<string, string>)

  test('spoken consent is marked as such', async () => {
    await deliver({ ...json(), lead: spoken })
    expect(JSON.parse(webhook.deliveries[0]?.body ?? '').data.consent).toMatchObject({
      kind: 'spoken',
      takenBy: 'Maria Lopez',
      limits: 'no automated calls, texts, or AI voice',
      text: 'May we call you?',
      button: null,
      ipAddress: null,
      userAgent: null,
    })
  })

  test('a delivery is a POST with everything we know about the lead, and only the fields listed in docs/webhook.md', async () => {
    const certificate = { url: 'https://cert.trustedform.com/v5/abc', formKnown: false }
    expect(await deliver({ ...json([]), lead: { ...lead, certificate } })).toEqual(delivered)
    const { method, path, rawQuery, headers, body } = webhook.deliveries[0] as Delivery
    expect({ method, path, rawQuery }).toEqual({ method: 'POST', path: '/hook', rawQuery: '' })
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `lead_${lead.leadId}` })
    expect(headers).not.toHaveProperty('webhook-signature')
    expect(JSON.parse(body)).toEqual({
      type: 'lead.created',
      timestamp: '2026-03-01T12:00:00.000Z',
      data: {
        id: lead.leadId,
        receivedAt: '2026-03-01T12:00:00.000Z',
        repeatOf: null,
        contact: { ...contact, phoneE164: '+15552100199' },
        language: 'en',
        page: '/advertorial',
        campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
        consent: {
          version: 'c'.repeat(64),
          kind: 'written',
          takenBy: null,
          limits: null,
          direction: null,
          text: 'I agree — “fully”.',
          button: 'Call me',
          givenAt: '2026-03-01T12:00:00.000Z',
          ipAddress: '203.0.113.7',
          userAgent: 'Mozilla/5.0',
        },
        certificate: { ...certificate, trustedForm: 'off' },
        questionnaire: { version: 'q'.repeat(64), questions },
      },
    })
    const documented = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/webhook.md', 'utf8'))?.[1] ?? ''
    expect(fieldsOf(JSON.parse(body))).toEqual(fieldsOf(JSON.parse(documented)))
  })

  test('fields that an older lead doesn’t have are null; a repeat names the lead it repeats', async () => {
    const older = { ...lead, questionnaireVersion: null, questionnairePresented: null, trustedForm: null }
    await deliver({ ...json(), lead: { ...older, repeatOf: 'the first' } })
    const data = { id: lead.leadId, repeatOf: 'the first', certificate: null, questionnaire: null }
    expect(verified(secret)).toMatchObject({ type: 'lead.repeated', data })
  })

  test('the URL keeps its query, and every attempt sends the same lead', async () => {
    for (const now of [0, 60_000]) await deliver({ ...json([secret], `${webhook.url}?token=a%2Fb`), now })
    expect(webhook.deliveries.map(({ rawQuery }) => rawQuery)).toEqual(['token=a%2Fb', 'token=a%2Fb'])
    expect(webhook.deliveries[0]?.body).toBe(webhook.deliveries[1]?.body)
  })

  test('the Standard Webhooks library accepts either secret’s signature and rejects a changed body', async () => {
    await deliver(json([other, secret]))
    const [delivery] = webhook.deliveries as [Delivery]
    expect(delivery.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    for (const each of [other, secret]) expect(verified(each)).toEqual(JSON.parse(delivery.body))
    expect(() => verified(`whsec_${Buffer.alloc(24).toString('base64')}`)).toThrow('No matching signature found')
    const forged = { ...delivery, body: delivery.body.replace('Zo', 'Bo') }
    expect(() => verified(secret, forged)).toThrow('No matching signature found')
  })

  /** The paths of all fields, except those inside a campaign. */
  function fieldsOf(value: unknown, path = ''): readonly string[] {
    if (value === null || typeof value !== 'object' || path.endsWith('.campaign')) return [path]
    const inside = Array.isArray(value) ? value.slice(0, 1).map(each => ['[]', each] as const) : Object.entries(value)
    return inside.flatMap(([name, each]) => fieldsOf(each, `${path}.${name}`))
  }
})

test('a correction has the contact as of now, or the lead that replaces it, and is an event', async () => {
  const message = { id: 'e1', leadId: lead.leadId, type: 'lead.corrected', createdAt: 0, lead } as const
  const correct = (detail: Readonly<Record<string, unknown>>, format: 'json' | 'query' = 'json') =>
    sendTo({ url: webhook.url, format })({ ...message, detail }, defaults)
  await correct({ by: 'Maria', fields: ['phone'], replacedBy: null })
  await correct({ by: 'visitor', fields: ['phone'], replacedBy: 'other' })
  const [desk, visitor] = webhook.deliveries.map(({ body }) => JSON.parse(body).data)
  expect(desk).toMatchObject({ id: lead.leadId, by: 'Maria', contact, consent: { kind: 'written' } })
  expect(visitor).toEqual({ id: lead.leadId, by: 'visitor', fields: ['phone'], replacedBy: 'other' })
  expect(webhook.deliveries[0]?.headers['webhook-id']).toBe('event_e1')
  expect(await correct({}, 'query')).toMatchObject({ kind: 'gone' })
})
