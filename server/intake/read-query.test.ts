/** What arrives as a lead's query and is none, or is written in an odd way. */

import { request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { contactMessages } from '../../content/panel/contact-form.ts'
import {
  ada,
  type LeadReceiver,
  type LeadReceiverOptions,
  sendQuery,
  startLeadReceiver,
} from '../../tests/support/lead-receiver.ts'

const DAY = 24 * 60 * 60 * 1000
const certificate = (id: string) => `&xxTrustedFormCertUrl=${encodeURIComponent(`https://cert.trustedform.com/${id}`)}`

let receiver: LeadReceiver
afterEach(() => receiver.close())

async function start(options?: LeadReceiverOptions): Promise<LeadReceiver> {
  receiver = await startLeadReceiver(options)
  return receiver
}

describe('a valid lead', () => {
  test('is answered 202 once it is in the store, with its history line and its outbox row', async () => {
    let accepted = 0
    await start({ now: () => 1_790_000_000_000, onAccepted: () => accepted++ })
    const response = await sendQuery(
      receiver,
      { firstName: '  Ada ', phone: '5552102030' },
      { 'user-agent': 'A browser' },
    )
    expect(response.status).toBe(202)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({ status: 'accepted' })
    const [lead] = await receiver.rows('leads')
    expect(lead).toMatchObject({
      received_at: 1_790_000_000_000,
      state: 'accepted',
      held_reason: null,
      repeat_of: null,
      firstName: 'Ada',
      lastName: 'Lovelace',
      dateOfBirth: '1965-12-10',
      email: 'ada@example.org',
      phone: '(555) 210-2030',
      person_key: expect.stringMatching(/^v2 [\w-]{32}$/),
      client_address: '127.0.0.1',
      user_agent: 'A browser',
      page: 'unknown',
      campaign: '{}',
      certificate_id: null,
      consent_version: receiver.consentVersion,
    })
    expect(lead?.['id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(await receiver.rows('history')).toEqual([
      {
        lead_id: lead?.['id'],
        at: 1_790_000_000_000,
        event: 'received',
        detail: '{"state":"accepted","certificate":"none"}',
      },
    ])
    expect(await receiver.rows('deliveries')).toEqual([
      {
        lead_id: lead?.['id'],
        webhook_id: `lead_${lead?.['id']}`,
        state: 'pending',
        attempts: 0,
        next_at: 1_790_000_000_000,
        created_at: 1_790_000_000_000,
        finished_at: null,
        lease_token: null,
      },
    ])
    expect(accepted).toBe(1)
  })

  test('carries the page and the campaign of the address that it was sent from', async () => {
    await start({ campaignParameters: ['sub-id'] })
    const host = new URL(receiver.endpoint).host
    await sendQuery(
      receiver,
      {},
      { referer: `http://${host}/advertorial?utm_source=mail&gclid=x&secret=1&utm_source=second&sub-id=7` },
    )
    await sendQuery(receiver, { email: 'c@example.org' }, { referer: 'https://elsewhere.example/?ref=tv' })
    const leads = await receiver.rows('leads')
    expect(leads.map(lead => [lead['page'], lead['campaign']])).toEqual([
      ['/advertorial', '{"utm_source":"mail","gclid":"x","sub-id":"7"}'],
      ['unknown', '{}'],
    ])
  })

  test('keeps the certificate as it came, of several the first filled one, and is a lead without one as well', async () => {
    await start()
    const id = 'a'.repeat(40)
    await sendQuery(receiver, {}, {}, `&xxTrustedFormCertUrl=${certificate(id)}${certificate('b'.repeat(80))}`)
    await sendQuery(receiver, { email: 'b@example.org' }, {}, '&xxTrustedFormCertUrl=https://evil.example/1')
    await sendQuery(receiver, { email: 'c@example.org' }, {}, certificate('of-a-form/to-come?v=6'))
    const leads = await receiver.rows('leads')
    expect(leads.map(lead => [lead['state'], lead['certificate_id'], lead['certificate_other']])).toEqual([
      ['accepted', id, null],
      ['accepted', null, null],
      ['accepted', null, 'https://cert.trustedform.com/of-a-form/to-come?v=6'],
    ])
    const history = await receiver.rows('history')
    const kinds = history.map(line => JSON.parse(String(line['detail'])).certificate)
    expect(kinds).toEqual(['present', 'invalid', 'present'])
  })

  test.each(['off', 'sandbox', 'on'] as const)('says that TRUSTEDFORM was %s when it came', async trustedForm => {
    await start({ trustedForm })
    await sendQuery(receiver, {}, {}, certificate('a'.repeat(40)))
    expect(await receiver.rows('leads')).toMatchObject([{ certificate_id: 'a'.repeat(40), trusted_form: trustedForm }])
  })

  test('carries the version of the questions on its page, of a page from before a change the older one', async () => {
    await start()
    const older = await receiver.store.rememberQuestionnaire('older questions')
    await sendQuery(receiver)
    await sendQuery(receiver, { email: 'b@example.org' }, { 'x-questionnaire-version': older })
    const versions = (await receiver.rows('leads')).map(lead => lead['questionnaire_version'])
    expect(versions).toEqual([receiver.questionnaireVersion, older])
  })

  test.each(['', 'f'.repeat(64), "'; DROP TABLE leads"])(
    'is taken without a record of the questions when they are not known (%j)',
    async version => {
      await start()
      expect((await sendQuery(receiver, {}, { 'x-questionnaire-version': version })).status).toBe(202)
      expect(await receiver.rows('leads')).toMatchObject([{ state: 'accepted', questionnaire_version: null }])
    },
  )

  test('gets through with the consent of a page from before a deploy', async () => {
    await start()
    const old = await receiver.store.rememberConsent('an older text')
    expect((await sendQuery(receiver, {}, { 'x-consent-version': old })).status).toBe(202)
    expect((await receiver.rows('leads'))[0]?.['consent_version']).toBe(old)
  })

  test('has the address that a trusted proxy names', async () => {
    await start({ trustedProxies: ['127.0.0.0/8'] })
    await sendQuery(receiver, {}, { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' })
    expect((await receiver.rows('leads'))[0]?.['client_address']).toBe('198.51.100.7')
  })
})

describe('a repeat', () => {
  test('within 30 days is stored and answered alike, and not delivered again', async () => {
    let now = 1_790_000_000_000
    await start({ now: () => now })
    const answers = []
    for (const [days, email] of [
      [0, 'ada@example.org'],
      [29.9, ' ADA@Example.org'],
      [0.2, 'ada@example.org'],
    ] as const) {
      now += days * DAY
      const response = await sendQuery(receiver, { email })
      answers.push([response.status, await response.text()])
    }
    expect(new Set(answers.map(String))).toEqual(new Set(['202,{"status":"accepted"}']))
    const [first, second, third] = await receiver.rows('leads')
    expect([first?.['state'], second?.['state'], third?.['state']]).toEqual(['accepted', 'repeat', 'accepted'])
    expect(second?.['repeat_of']).toBe(first?.['id'])
    expect((await receiver.rows('deliveries')).map(row => row['lead_id'])).toEqual([first?.['id'], third?.['id']])
  })

  test('is put into the outbox, too, when the webhook wants repeats', async () => {
    await start({ announceRepeat: true })
    await sendQuery(receiver)
    await sendQuery(receiver)
    const [first, second] = await receiver.rows('leads')
    expect(second).toMatchObject({ state: 'repeat', repeat_of: first?.['id'] })
    expect((await receiver.rows('deliveries')).map(row => row['lead_id'])).toEqual([first?.['id'], second?.['id']])
  })
})

test.each([
  ['an exchange that starts with 0', { phone: '(555) 010-2030' }, 'phone number cannot exist'],
  ['an age that contradicts the questionnaire', { dateOfBirth: '1990-01-01' }, 'age contradicts an answer'],
  ['a misspelled provider', { email: 'ada@gmial.com' }, 'email looks misspelled'],
])('%s is accepted, and the lead is put on hold', async (_, contact, reason) => {
  await start({ now: () => Date.parse('2026-11-16'), ages: { from: 55, to: 64 } })
  expect((await sendQuery(receiver, contact)).status).toBe(202)
  expect(await receiver.rows('leads')).toMatchObject([{ state: 'held', held_reason: reason }])
  expect(await receiver.rows('deliveries')).toEqual([])
})

describe('what looks like spam', () => {
  test.each(['http://spam.example', 'Ada HTTPS://x', 'www.spam.example'])(
    '%s in a name is stored, held and answered alike',
    async lastName => {
      await start()
      const response = await sendQuery(receiver, { lastName })
      expect([response.status, await response.text()]).toEqual([202, '{"status":"accepted"}'])
      expect(await receiver.rows('leads')).toMatchObject([{ state: 'held', held_reason: 'a link in the name' }])
      expect(await receiver.rows('deliveries')).toEqual([])
    },
  )
})

describe('many leads from one address', () => {
  test('are held above the soft limit and refused above the hard one, until the window is over', async () => {
    let now = 1_790_000_000_000
    await start({ now: () => now, rateLimit: { softLimit: 2, hardLimit: 4 } })
    const sendNumber = (number: number) => sendQuery(receiver, { email: `person${number}@example.org` })
    for (const number of [1, 2, 3, 4]) expect((await sendNumber(number)).status).toBe(202)
    now += 60_000
    const refused = await sendNumber(5)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('540')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect((await receiver.rows('leads')).map(lead => [lead['state'], lead['held_reason']])).toEqual([
      ['accepted', null],
      ['accepted', null],
      ['held', 'many from one address'],
      ['held', 'many from one address'],
    ])
    now += 540_000
    expect((await sendNumber(5)).status).toBe(202)
    expect((await receiver.rows('leads'))[4]?.['state']).toBe('accepted')
  })
})

describe('refused', () => {
  /** A request that fetch would not send: any method, any header, any target. */
  function send(
    method: string,
    target: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(receiver.endpoint)
      const outgoing = request({ hostname, port, method, path: target, headers }, incoming => {
        incoming.resume().on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers }))
      })
      outgoing.on('error', reject).end()
    })
  }

  describe('what is not a lead', () => {
    test('is answered 422 with the same messages as in the browser', async () => {
      await start()
      const response = await sendQuery(receiver, {
        firstName: ' ',
        dateOfBirth: '2020-01-01',
        email: 'nobody',
        phone: '123',
      })
      expect(response.status).toBe(422)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toEqual({
        status: 'invalid',
        errors: {
          firstName: contactMessages.firstNameRequired,
          dateOfBirth: contactMessages.ageOutOfBounds,
          email: contactMessages.emailInvalid,
          phone: contactMessages.phoneInvalid,
        },
      })
      const empty = await fetch(receiver.endpoint, { headers: { 'x-consent-version': receiver.consentVersion } })
      expect(empty.status).toBe(422)
      expect(Object.keys(((await empty.json()) as { errors: object }).errors)).toEqual(Object.keys(ada))
      expect(await receiver.rows('leads')).toEqual([])
    })

    test.each<[string, Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another host of our domain', { 'sec-fetch-site': 'same-site' }],
      ['the address bar', { 'sec-fetch-site': 'none' }],
      ['a page without the consent', { 'x-consent-version': '' }],
      ['a page with a consent that was never ours', { 'x-consent-version': 'f'.repeat(64) }],
      ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }],
      ['an older prefetch', { purpose: 'prefetch' }],
    ])('from %s is refused with 403', async (_, headers) => {
      await start()
      const response = await sendQuery(receiver, {}, headers)
      expect(response.status).toBe(403)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toMatchObject({ status: 'refused' })
      expect(await receiver.rows('leads')).toEqual([])
    })

    test('made-up consent versions do not keep a lead from an older page out', async () => {
      await start()
      const older = await receiver.store.rememberConsent('the consent of an older page')
      const madeUp = Array.from({ length: 300 }, (_, number) => number.toString(16).padStart(64, '0'))
      const statuses = await Promise.all(
        madeUp.map(async version => (await sendQuery(receiver, {}, { 'x-consent-version': version })).status),
      )
      expect(new Set(statuses)).toEqual(new Set([403]))
      expect((await sendQuery(receiver, {}, { 'x-consent-version': older })).status).toBe(202)
    })

    test('with a query over 2 KB is answered 414, and just below it is read', async () => {
      await start()
      expect((await sendQuery(receiver, {}, {}, `&x=${'y'.repeat(2048)}`)).status).toBe(414)
      const own = { 'x-consent-version': receiver.consentVersion }
      expect((await fetch(`${receiver.endpoint}?x=${'y'.repeat(2046)}`, { headers: own })).status).toBe(422)
      expect((await fetch(`${receiver.endpoint}?x=${'y'.repeat(2047)}`, { headers: own })).status).toBe(414)
    })

    test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
      'sent with %s is answered 405 and not stored',
      async method => {
        await start()
        const query = new URLSearchParams(ada).toString()
        const { status, headers } = await send(method, `/api/leads?${query}`, {
          'x-consent-version': receiver.consentVersion,
        })
        expect([status, headers['allow'], headers['cache-control']]).toEqual([405, 'GET, POST', 'no-store'])
        expect(await receiver.rows('leads')).toEqual([])
      },
    )
  })

  describe('odd encodings', () => {
    test.each([
      ['invalid percent-encoding', 'firstName=A%ZZda%', 'A%ZZda%'],
      ['invalid UTF-8', 'firstName=Ada%ff%fe', 'Ada\uFFFD\uFFFD'],
      ['a NUL', 'firstName=A%00da', 'A da'],
      ['a lone surrogate', 'firstName=Ada%ed%a0%80', 'Ada\uFFFD\uFFFD\uFFFD'],
      ['a parameter twice, of which the first counts', 'firstName=Ada&firstName=Eve', 'Ada'],
    ])('%s does not fail', async (_, firstName, stored) => {
      await start()
      const rest = new URLSearchParams({ ...ada, firstName: '' }).toString().replace('firstName=&', '')
      const { status } = await send('GET', `/api/leads?${firstName}&${rest}`, {
        'x-consent-version': receiver.consentVersion,
      })
      expect(status).toBe(202)
      expect((await receiver.rows('leads'))[0]?.['firstName']).toBe(stored)
    })
  })
})
