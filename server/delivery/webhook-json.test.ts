/** A lead as JSON, as a receiver gets and verifies it. */
import { readFileSync } from 'node:fs'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Delivery, MisbehavingWebhook } from '../../tests/faults/webhook.ts'
import { contactToSend as contact, leadToSend as lead } from '../../tests/support/lead-to-send.ts'
import { type Sending, send } from './webhook.ts'

let webhook: MisbehavingWebhook
beforeEach(async () => {
  webhook = new MisbehavingWebhook()
  await webhook.up()
})
afterEach(() => webhook.down())

const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`
const other = `whsec_${Buffer.from('another secret of 24 byte').toString('base64')}`
const json = (secrets: readonly string[] = [secret], address = webhook.url) => ({
  webhook: { url: address, format: 'json', secrets } as const,
  // The libraries refuse what is older than five minutes.
  now: Date.now(),
})
const deliver = (sending: Pick<Sending, 'webhook' | 'now'> & Partial<Sending>) =>
  send({ webhookId: 'msg_1', lead, timeoutMs: 5000, ...sending })
/** By the library of Standard Webhooks itself, as a receiver does. */
const verified = (key: string, { body, headers } = webhook.deliveries[0] as Delivery) =>
  new StandardWebhook(key).verify(body, headers as Record<string, string>)

test('it is a POST with everything that is known of the lead', async () => {
  const certificate = { url: 'https://cert.trustedform.com/v5/abc', formKnown: false }
  expect(await deliver({ ...json([]), lead: { ...lead, certificate } })).toEqual({ kind: 'delivered', status: 200 })
  const { method, path, rawQuery, headers, body } = webhook.deliveries[0] as Delivery
  expect({ method, path, rawQuery }).toEqual({ method: 'POST', path: '/hook', rawQuery: '' })
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'msg_1' })
  expect(headers).not.toHaveProperty('webhook-signature')
  expect(JSON.parse(body)).toEqual({
    type: 'lead.created',
    timestamp: '2026-03-01T12:00:00.000Z',
    data: {
      id: lead.leadId,
      receivedAt: '2026-03-01T12:00:00.000Z',
      repeatOf: null,
      contact: { ...contact, phoneE164: '+15552100199' },
      page: '/advertorial',
      campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
      consent: {
        version: 'c'.repeat(64),
        text: 'I agree — “fully”.',
        button: 'Call me',
        givenAt: '2026-03-01T12:00:00.000Z',
        ipAddress: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
      },
      certificate: { ...certificate, trustedForm: 'off' },
      questionnaire: {
        version: 'q'.repeat(64),
        questions: [
          { id: 'outOfWork', question: 'Are you out of work?', answer: 'yes' },
          { id: 'hasAttorney', question: 'Have you got an attorney?', answer: 'no' },
        ],
      },
    },
  })
})

test('it has the fields that docs/webhook.md shows, and no others', async () => {
  const documented = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/webhook.md', 'utf8'))?.[1] ?? ''
  await deliver({
    ...json(),
    lead: { ...lead, certificate: { url: 'https://cert.trustedform.com/', formKnown: false } },
  })
  expect(fieldsOf(verified(secret))).toEqual(fieldsOf(JSON.parse(documented)))
})

test('what is not known of an older lead is null', async () => {
  const older = { ...lead, questionnaireVersion: null, questionnairePresented: null, trustedForm: null }
  await deliver({ ...json(), lead: older })
  expect(verified(secret)).toMatchObject({ data: { certificate: null, questionnaire: null } })
})

test('the address keeps its query, and every attempt sends the same bytes', async () => {
  await deliver(json([secret], `${webhook.url}?token=a%2Fb`))
  await deliver({ ...json([secret], `${webhook.url}?token=a%2Fb`), now: Date.now() + 60_000 })
  expect(webhook.deliveries.map(({ rawQuery }) => rawQuery)).toEqual(['token=a%2Fb', 'token=a%2Fb'])
  expect(webhook.deliveries[0]?.body).toBe(webhook.deliveries[1]?.body)
})

test('the stock library verifies it over its body, and nothing that was changed on the way', async () => {
  await deliver(json())
  const [delivery] = webhook.deliveries as [Delivery]
  expect(verified(secret)).toEqual(JSON.parse(delivery.body))
  expect(() => verified(other)).toThrow('No matching signature found')
  const forged = { ...delivery, body: delivery.body.replace('Zo', 'Bo') }
  expect(() => verified(secret, forged)).toThrow('No matching signature found')
})

test('with two secrets the stock library verifies it by either, while one is replaced', async () => {
  await deliver(json([other, secret]))
  expect(verified(secret)).toEqual(verified(other))
  expect(webhook.deliveries[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
})

test('a plain secret signs by its own bytes, which the stock library takes as raw', async () => {
  await deliver(json(['a plain secret, long enough']))
  const { body, headers } = webhook.deliveries[0] as Delivery
  const raw = new StandardWebhook('a plain secret, long enough', { format: 'raw' })
  expect(raw.verify(body, headers as Record<string, string>)).toMatchObject({ type: 'lead.created' })
})

test('a repeat is told of as one, with the lead that it repeats', async () => {
  await deliver({ ...json(), lead: { ...lead, repeatOf: 'the first' } })
  expect(verified(secret)).toMatchObject({ type: 'lead.repeated', data: { id: lead.leadId, repeatOf: 'the first' } })
})

/** The names of all fields, each with its place; what a campaign has is its own. */
function fieldsOf(value: unknown, place = ''): readonly string[] {
  if (value === null || typeof value !== 'object' || place.endsWith('.campaign')) return [place]
  const inside = Array.isArray(value) ? value.slice(0, 1).map(each => ['[]', each] as const) : Object.entries(value)
  return inside.flatMap(([name, each]) => fieldsOf(each, `${place}.${name}`))
}
