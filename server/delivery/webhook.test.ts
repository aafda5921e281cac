/** A lead as JSON, as a receiver gets and verifies it. */

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Delivery, MisbehavingWebhook, trustTestCertificate } from '../../tests/support/webhook.ts'
import type { LeadToSend } from '../store/outbox.ts'
import { type Outcome, type Sending, send } from './webhook.ts'

/** With everything that an encoding could spoil. */
const contact = {
  firstName: 'Zoë & Co',
  lastName: "O'Neil",
  dateOfBirth: '1965-12-10',
  email: 'zoe+ssdi@example.org',
  phone: '(555) 210-0199',
}
const lead: LeadToSend = {
  leadId: '0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d',
  receivedAt: Date.UTC(2026, 2, 1, 12),
  repeatOf: null,
  contact,
  page: '/advertorial',
  campaign: { utm_source: 'tv "evening"', gclid: 'ü' },
  clientAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  certificate: null,
  trustedForm: 'off',
  consentVersion: 'c'.repeat(64),
  consentPresented: JSON.stringify({ text: 'I agree — “fully”.', button: 'Call me' }),
  questionnaireVersion: 'q'.repeat(64),
  questionnairePresented: JSON.stringify({
    questions: [
      { id: 'outOfWork', question: 'Are you out of work?', answer: 'yes' },
      { id: 'hasAttorney', question: 'Have you got an attorney?', answer: 'no' },
    ],
    yes: 'Yes',
    no: 'No',
  }),
}

describe('as a query string', () => {
  const SHORT_LIMIT_MS = 200
  const QUERY =
    'firstName=Zo%C3%AB+%26+Co&lastName=O%27Neil&dateOfBirth=1965-12-10&email=zoe%2Bssdi%40example.org&phone=%28555%29+210-0199'

  let webhook: MisbehavingWebhook

  beforeEach(async () => {
    webhook = new MisbehavingWebhook()
    await webhook.up()
  })

  afterEach(() => webhook.down())

  function deliver(changes: Partial<Sending> = {}): Promise<Outcome> {
    return send({
      webhook: { url: webhook.url },
      webhookId: 'msg_1',
      lead,
      now: 1_772_366_400_999,
      timeoutMs: 5000,
      ...changes,
    })
  }

  describe('the request', () => {
    test('is a GET with the lead as its query string, and says which delivery it is', async () => {
      expect(await deliver()).toEqual({ kind: 'delivered', status: 200 })
      const [delivery] = webhook.deliveries
      expect(delivery).toMatchObject({ method: 'GET', path: '/hook', rawQuery: QUERY, query: contact })
      expect(delivery?.headers).toMatchObject({
        accept: 'application/json',
        'webhook-id': 'msg_1',
        'webhook-timestamp': '1772366400',
      })
      expect(delivery?.headers).not.toHaveProperty('webhook-signature')
    })

    test('carries the address of the certificate when there is one', async () => {
      await deliver({
        lead: { ...lead, certificate: { url: 'https://cert.trustedform.com/abc123', formKnown: false } },
      })
      expect(webhook.deliveries[0]?.query).toEqual({
        ...contact,
        xxTrustedFormCertUrl: 'https://cert.trustedform.com/abc123',
      })
    })

    test('keeps the query that the webhook’s address has of its own', async () => {
      await deliver({ webhook: { url: `${webhook.url}?token=a%2Fb&x=` } })
      expect(webhook.deliveries[0]?.rawQuery).toBe(`token=a%2Fb&x=&${QUERY}`)
    })

    test('reaches a webhook that is named localhost', async () => {
      expect(await deliver({ webhook: { url: `http://localhost:${webhook.port}` } })).toMatchObject({
        kind: 'delivered',
      })
    })
  })

  describe('the signature', () => {
    function expectSignedWith(key: Buffer): void {
      const { headers, rawQuery } = webhook.deliveries[0] as Delivery
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${rawQuery}`
      const signature = createHmac('sha256', key).update(signed).digest('base64')
      expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    }

    test('verifies over id, timestamp and the query string as it arrived', async () => {
      await deliver({ webhook: { url: `${webhook.url}?token='x y'`, secrets: ['plain secret'] } })
      expectSignedWith(Buffer.from('plain secret'))
    })

    test('takes a secret that starts with whsec_ as base64', async () => {
      const key = Buffer.from([0, 255, 1, 254, 7])
      await deliver({ webhook: { url: webhook.url, secrets: [`whsec_${key.toString('base64')}`] } })
      expectSignedWith(key)
    })
  })

  test('a repeat is never sent as a query string, where it would look like a new lead', async () => {
    const outcome = await deliver({ lead: { ...lead, repeatOf: 'the first' } })
    expect(outcome).toEqual({ kind: 'gone', status: null, reason: 'a repeat can be sent as JSON only' })
    expect(webhook.deliveries).toEqual([])
  })

  describe('the outcome', () => {
    test.each([200, 201, 202, 204, 299])('is delivered for %i', async status => {
      webhook.behave = () => ({ status })
      expect(await deliver()).toEqual({ kind: 'delivered', status })
    })

    test.each([400, 401, 404, 500, 503])('is to retry for %i', async status => {
      webhook.behave = () => ({ status })
      expect(await deliver()).toEqual({ kind: 'retry', status, reason: `answered ${status}`, retryAfter: null })
    })

    test('is gone for 410', async () => {
      webhook.behave = () => ({ status: 410 })
      expect(await deliver()).toMatchObject({ kind: 'gone', status: 410 })
    })

    test('tells what Retry-After says', async () => {
      webhook.behave = () => ({ status: 429, headers: { 'retry-after': '120' } })
      expect(await deliver()).toMatchObject({ kind: 'retry', status: 429, retryAfter: '120' })
    })

    test.each([301, 302, 303, 307, 308])('is to retry for a redirect (%i), which is not followed', async status => {
      webhook.behave = () => ({ status, headers: { location: `${webhook.url}/elsewhere` } })
      expect(await deliver()).toMatchObject({ kind: 'retry', status, reason: `redirected (${status})` })
      expect(webhook.deliveries).toHaveLength(1)
    })

    test('is to retry when nobody listens', async () => {
      await webhook.down()
      expect(await deliver()).toMatchObject({ kind: 'retry', status: null, reason: 'connection refused' })
      const named = { url: `http://localhost:${webhook.port}` }
      expect(await deliver({ webhook: named })).toMatchObject({ reason: 'connection refused' })
    })

    test('is to retry when the name of the host is unknown', async () => {
      const outcome = await deliver({ webhook: { url: 'http://webhook.invalid/' } })
      expect(outcome).toMatchObject({ kind: 'retry', status: null })
    })

    test.each(['resets', 'resets midway'] as const)('is to retry when the webhook %s', async behaviour => {
      webhook.behave = () => behaviour
      expect(await deliver()).toMatchObject({ kind: 'retry', status: null, reason: 'connection reset' })
    })

    test('is to retry when the answer is not HTTP', async () => {
      webhook.behave = () => 'talks nonsense'
      expect(await deliver()).toMatchObject({ kind: 'retry', reason: 'the answer is not HTTP' })
    })

    test('is to retry when the webhook does not speak TLS', async () => {
      const outcome = await deliver({ webhook: { url: webhook.url.replace('http:', 'https:') } })
      expect(outcome).toMatchObject({ kind: 'retry', reason: 'no secure connection' })
    })

    test('is delivered when the webhook says yes and then talks without end', async () => {
      webhook.behave = () => 'never stops talking'
      expect(await deliver()).toEqual({ kind: 'delivered', status: 200 })
      await noConnectionLeft()
    })
  })

  describe('over https', () => {
    let secure: MisbehavingWebhook
    let distrust: () => void

    beforeEach(async () => {
      secure = new MisbehavingWebhook('https')
      await secure.up()
      distrust = trustTestCertificate()
    })

    afterEach(async () => {
      distrust()
      await secure.down()
    })

    test('a lead is delivered when the certificate is trusted', async () => {
      expect(await deliver({ webhook: { url: secure.url } })).toEqual({ kind: 'delivered', status: 200 })
      const [delivery] = secure.deliveries
      expect(delivery).toMatchObject({ method: 'GET', path: '/hook', rawQuery: QUERY, serverName: null })
      expect(delivery?.headers).toMatchObject({ host: `127.0.0.1:${secure.port}`, 'webhook-id': 'msg_1' })
    })

    test('a webhook is asked for by its host name, in the handshake and in the request', async () => {
      const webhook = { url: `https://localhost:${secure.port}/hook` }
      expect(await deliver({ webhook })).toEqual({ kind: 'delivered', status: 200 })
      const [delivery] = secure.deliveries
      expect([delivery?.serverName, delivery?.headers.host]).toEqual(['localhost', `localhost:${secure.port}`])
    })

    test('it is to retry when the certificate is not trusted, and the webhook learns nothing', async () => {
      distrust()
      for (const url of [secure.url, `https://localhost:${secure.port}/hook`]) {
        expect(await deliver({ webhook: { url } })).toMatchObject({ kind: 'retry', reason: 'certificate not trusted' })
      }
      expect(secure.deliveries).toEqual([])
    })

    test('the limit of time holds as well', async () => {
      secure.behave = () => 'drips'
      const outcome = await deliver({ webhook: { url: secure.url }, timeoutMs: SHORT_LIMIT_MS })
      expect(outcome).toMatchObject({ kind: 'retry', reason: 'no answer within 0.2 s' })
      await expect.poll(() => secure.openConnections, { interval: 5 }).toBe(0)
    })
  })

  describe('the limit of time', () => {
    test.each(['hangs', 'drips headers', 'drips'] as const)('holds when the webhook %s', async behaviour => {
      webhook.behave = () => behaviour
      const outcome = await deliver({ timeoutMs: SHORT_LIMIT_MS })
      expect(outcome).toEqual({ kind: 'retry', status: null, reason: 'no answer within 0.2 s', retryAfter: null })
      await noConnectionLeft()
    })

    test('lets a slow answer through that comes in time', async () => {
      webhook.behave = () => ({ status: 200, afterMs: 100 })
      expect(await deliver()).toMatchObject({ kind: 'delivered' })
    })
  })

  test('is broken off at once when the server must stop', async () => {
    webhook.behave = () => 'hangs'
    const stop = new AbortController()
    const outcome = deliver({ signal: stop.signal, timeoutMs: 60_000 })
    await webhook.received(1)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'retry', reason: 'broken off' })
    await noConnectionLeft()
  })

  test('says nothing personal, nor the webhook’s address, whatever goes wrong', async () => {
    const outcomes: Outcome[] = []
    for (const behaviour of ['hangs', 'drips', 'resets', 'talks nonsense', { status: 500 }, { status: 301 }] as const) {
      webhook.behave = () => behaviour
      outcomes.push(await deliver({ timeoutMs: 100 }))
    }
    await webhook.down()
    outcomes.push(await deliver(), await deliver({ webhook: { url: 'http://webhook.invalid/' } }))
    const said = JSON.stringify(outcomes)
    for (const word of [
      'Zo',
      'Neil',
      '1965',
      'example',
      '555',
      '127.0.0.1',
      'invalid',
      'hook/',
      String(webhook.port),
    ]) {
      expect(said).not.toContain(word)
    }
  })

  async function noConnectionLeft(): Promise<void> {
    await expect.poll(() => webhook.openConnections, { interval: 5 }).toBe(0)
  }

  test('a webhook that sends 1xx answers without end is given up at once', async () => {
    const server = createServer(socket => {
      const flood = Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100))
      const send = () => {
        while (socket.writable && socket.write(flood));
      }
      socket.on('error', () => {})
      socket.on('drain', send)
      socket.once('data', send)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const outcome = await deliver({ webhook: { url: `http://127.0.0.1:${port}/` }, timeoutMs: 3000 })
    server.close()
    expect(outcome).toMatchObject({ kind: 'retry', status: null, reason: 'too many interim (1xx) answers' })
  })
})

describe('as JSON', () => {
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

  test('a repeat is announced as one, with the lead it repeats', async () => {
    await deliver({ ...json(), lead: { ...lead, repeatOf: 'the first' } })
    expect(verified(secret)).toMatchObject({ type: 'lead.repeated', data: { id: lead.leadId, repeatOf: 'the first' } })
  })

  /** The names of all fields, each with its place; what a campaign has is its own. */
  function fieldsOf(value: unknown, place = ''): readonly string[] {
    if (value === null || typeof value !== 'object' || place.endsWith('.campaign')) return [place]
    const inside = Array.isArray(value) ? value.slice(0, 1).map(each => ['[]', each] as const) : Object.entries(value)
    return inside.flatMap(([name, each]) => fieldsOf(each, `${place}.${name}`))
  }
})
