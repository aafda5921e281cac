/** Which leads sent by the script on our pages are accepted, put on hold, or refused. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { contactMessages } from '../../content/en/contact-form.ts'
import { leadQuery } from '../../domain/lead.ts'
import { eligibleAnswers } from '../../tests/support/answers.ts'
import { lockStore } from '../../tests/support/disks.ts'
import {
  ada,
  type LeadReceiver,
  type LeadReceiverOptions,
  sendQuery,
  sendRaw,
  startLeadReceiver,
} from '../../tests/support/lead-receiver.ts'

const certificate = (id: string) => `&xxTrustedFormCertUrl=${encodeURIComponent(`https://cert.trustedform.com/${id}`)}`

let receiver: LeadReceiver
afterEach(() => receiver.close())

async function start(options?: LeadReceiverOptions): Promise<LeadReceiver> {
  receiver = await startLeadReceiver(options)
  return receiver
}

describe('a valid lead', () => {
  test('gets a 202 once it’s stored with its history entry and outbox row', async () => {
    let accepted = 0
    await start({ now: () => 1_790_000_000_000, onAccepted: () => accepted++ })
    const contact = { firstName: '  A\0da ', phone: '5552102030' }
    // If a field is sent twice, the first value wins.
    const response = await sendQuery(receiver, contact, { 'user-agent': 'A browser' }, '&lastName=Byron')
    expect([response.status, response.headers.get('cache-control')]).toEqual([202, 'no-store'])
    expect(await response.json()).toEqual({ status: 'accepted', token: expect.stringMatching(/^[\w-]{32}$/) })
    const [lead] = await receiver.rows('leads')
    expect(lead).toMatchObject({
      received_at: 1_790_000_000_000,
      state: 'accepted',
      client_address: '127.0.0.1',
      user_agent: 'A browser',
      firstName: 'A da',
      lastName: 'Lovelace',
      dateOfBirth: '1965-12-10',
      phone: '(555) 210-2030',
    })
    expect(await receiver.rows('history')).toMatchObject([{ lead_id: lead?.['id'], event: 'received' }])
    expect(await receiver.rows('outbox')).toMatchObject([{ lead_id: lead?.['id'], state: 'pending' }])
    expect(accepted).toBe(1)
  })

  test('is stored with the page and campaign in its Referer', async () => {
    await start({ campaignParameters: ['sub-id'] })
    const query = 'utm_source=mail&gclid=x&secret=1&utm_source=second&sub-id=7'
    await sendQuery(receiver, {}, { referer: new URL(`/advertorial?${query}`, receiver.endpoint).href })
    await sendQuery(receiver, { email: 'c@example.org' }, { referer: 'https://elsewhere.example/?ref=tv' })
    const leads = await receiver.rows('leads')
    expect(leads.map(lead => [lead['page'], lead['campaign']])).toEqual([
      ['/advertorial', '{"utm_source":"mail","gclid":"x","sub-id":"7"}'],
      ['unknown', '{}'],
    ])
  })

  test('is stored with its first non-empty certificate, unchanged, and accepted even without one', async () => {
    await start({ trustedForm: 'sandbox' })
    const id = 'a'.repeat(40)
    await sendQuery(receiver, {}, {}, `&xxTrustedFormCertUrl=${certificate(id)}${certificate('b'.repeat(80))}`)
    await sendQuery(receiver, { email: 'b@example.org' }, {}, '&xxTrustedFormCertUrl=https://evil.example/1')
    await sendQuery(receiver, { email: 'c@example.org' }, {}, certificate('a-future/format?v=6'))
    const leads = await receiver.rows('leads')
    expect(leads.map(lead => lead['trusted_form'])).toEqual(['sandbox', 'sandbox', 'sandbox'])
    expect(leads.map(lead => [lead['state'], lead['certificate_id'], lead['certificate_other']])).toEqual([
      ['accepted', id, null],
      ['accepted', null, null],
      ['accepted', null, 'https://cert.trustedform.com/a-future/format?v=6'],
    ])
    const history = await receiver.rows('history')
    const kinds = history.map(line => JSON.parse(String(line['detail'])).certificate)
    expect(kinds).toEqual(['present', 'invalid', 'present'])
  })

  test('is stored with its page’s consent and questionnaire versions, even old ones; unknown questionnaires become null', async () => {
    await start()
    const oldConsent = await receiver.store.saveConsentText('an older text')
    const older = await receiver.store.saveQuestionnaire('older questions')
    const versions = [receiver.questionnaireVersion, older, '', 'f'.repeat(64), "'; DROP TABLE leads"]
    for (const [index, version] of versions.entries()) {
      const headers = { 'x-questionnaire-version': version, 'x-consent-version': oldConsent }
      expect((await sendQuery(receiver, { email: `${index}@example.org` }, headers)).status).toBe(202)
    }
    const leads = await receiver.rows('leads')
    expect(leads.map(lead => lead['questionnaire_version'])).toEqual([...versions.slice(0, 2), null, null, null])
    expect(new Set(leads.map(lead => lead['consent_version']))).toEqual(new Set([oldConsent]))
  })
})

test.each([false, true])(
  'a repeat within 30 days is stored and gets the same response as a new lead; sent to the webhook: %s',
  async announceRepeat => {
    let now = 1_790_000_000_000
    await start({ now: () => now, announceRepeat })
    for (const days of [0, 29.9, 0.2]) {
      now += days * 24 * 60 * 60 * 1000
      const response = await sendQuery(receiver, { email: days > 1 ? ' ADA@Example.org' : 'ada@example.org' })
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([202, ['status', 'token']])
    }
    const [first, second, third] = await receiver.rows('leads')
    expect([first?.['state'], second?.['state'], third?.['state']]).toEqual(['accepted', 'repeat', 'accepted'])
    expect(second?.['repeat_of']).toBe(first?.['id'])
    expect(await receiver.rows('outbox')).toHaveLength(announceRepeat ? 3 : 2)
  },
)

test.each([
  ['an exchange that starts with 0', { phone: '(555) 010-2030' }, 'phone number cannot exist'],
  ['an age that contradicts the questionnaire', { dateOfBirth: '1990-01-01' }, 'age contradicts an answer'],
  ['a misspelled email provider', { email: 'ada@gmial.com' }, 'email looks misspelled'],
  ['a link', { lastName: 'http://spam.example' }, 'a link in the name'],
  ['a link in all caps', { firstName: 'Ada HTTPS://x' }, 'a link in the name'],
  ['a bare link', { lastName: 'www.spam.example' }, 'a link in the name'],
])('a lead with %s is accepted and put on hold', async (_, contact, reason) => {
  await start({ now: () => Date.parse('2026-11-16'), ages: { from: 55, to: 64 } })
  const response = await sendQuery(receiver, contact)
  expect([response.status, Object.keys((await response.json()) as object)]).toEqual([202, ['status', 'token']])
  expect(await receiver.rows('leads')).toMatchObject([{ state: 'held', held_reason: reason }])
  expect(await receiver.rows('outbox')).toEqual([])
})

test('an age that contradicts the questionnaire, but was confirmed on the form, is delivered', async () => {
  await start({ now: () => Date.parse('2026-11-16'), ages: { from: 55, to: 64 } })
  await sendQuery(receiver, { dateOfBirth: '1990-01-01' }, { 'x-confirmed': 'dateOfBirth' })
  expect(await receiver.rows('leads')).toMatchObject([{ state: 'accepted' }])
  expect(await receiver.rows('outbox')).toHaveLength(1)
})

describe('many leads', () => {
  test('from one address are held above the soft limit and refused above the hard one', async () => {
    let now = 1_790_000_000_000
    await start({ now: () => now, rateLimit: { softLimit: 2, hardLimit: 4 } })
    const sendNumber = (number: number) => sendQuery(receiver, { email: `person${number}@example.org` })
    for (const number of [1, 2, 3, 4]) expect((await sendNumber(number)).status).toBe(202)
    now += 60_000
    const { status, headers } = await sendNumber(5)
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([429, '540', 'no-store'])
    const [many, leads] = ['many from one address', await receiver.rows('leads')]
    expect(leads.map(lead => lead['state'])).toEqual(['accepted', 'accepted', 'held', 'held'])
    expect(leads.map(lead => lead['held_reason'])).toEqual([null, null, many, many])
  })

  test.each([
    ['one network', { networkLimit: 2 }, (number: number) => `2001:db8:7:${number}::1`],
    ['everywhere', { totalLimit: 2 }, (number: number) => `203.0.113.${number}`],
  ] as const)('from %s are held, and the flood raises one alert', async (from, rateLimit, address) => {
    await start({ rateLimit, trustedProxies: ['127.0.0.1'] })
    for (const number of [1, 2, 3, 4]) {
      const headers = { 'x-forwarded-for': address(number) }
      expect((await sendQuery(receiver, { email: `person${number}@example.org` }, headers)).status).toBe(202)
    }
    const held = (await receiver.rows('leads')).map(lead => lead['held_reason'])
    expect(held).toEqual([null, null, `many from ${from}`, `many from ${from}`])
    const alerts = receiver.lines.filter(({ level }) => level === 'alert')
    expect(alerts).toEqual([{ code: 'lead_flood', level: 'alert', from }])
  })
})

describe('a request', () => {
  test('that is invalid gets a 422 with the same messages as in the browser', async () => {
    await start()
    const wrong = { firstName: ' ', dateOfBirth: '2020-01-01', email: 'nobody', phone: '123' }
    const response = await sendQuery(receiver, wrong)
    expect([response.status, response.headers.get('cache-control')]).toEqual([422, 'no-store'])
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

  test('from another site, without our consent text, or from a prefetch gets a 403', async () => {
    await start()
    for (const headers of [
      ...['cross-site', 'same-site', 'none'].map(site => ({ 'sec-fetch-site': site })),
      ...['', 'f'.repeat(64)].map(version => ({ 'x-consent-version': version })),
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
    ] as Record<string, string>[]) {
      const response = await sendQuery(receiver, {}, headers)
      expect([headers, response.status, response.headers.get('cache-control')]).toEqual([headers, 403, 'no-store'])
      expect(await response.json()).toMatchObject({ status: 'refused' })
    }
    expect(await receiver.rows('leads')).toEqual([])
  })

  test('with any other method gets a 405 and isn’t stored', async () => {
    await start()
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const target = `/api/leads?${new URLSearchParams(ada)}`
      const sent = { method, target, headers: { 'x-consent-version': receiver.consentVersion } }
      const { status, headers } = await sendRaw(receiver, sent)
      expect([method, status]).toEqual([method, 405])
      expect(headers).toMatchObject({ allow: 'GET, POST', 'cache-control': 'no-store' })
    }
    expect(await receiver.rows('leads')).toEqual([])
  })
})

test('a lead sent to another hostname is put on hold, and an alert is raised', async () => {
  await start({ publicHostname: 'www.example.org' })
  const own = { 'sec-fetch-site': 'same-origin', 'x-consent-version': receiver.consentVersion }
  for (const host of ['www.example.org', 'evil.example']) {
    const target = `/api/leads?${leadQuery({ ...ada, email: `ada@${host}` })}`
    expect((await sendRaw(receiver, { target, headers: { ...own, host } })).status).toBe(202)
  }
  const leads = await receiver.rows('leads')
  expect(leads.map(lead => lead['held_reason'])).toEqual([null, 'it came under another name'])
  expect(await receiver.rows('outbox')).toHaveLength(1)
  expect(receiver.lines.filter(({ level }) => level === 'alert')).toMatchObject([{ code: 'lead_host_unknown' }])
})

test('while the store is locked, visitors are asked to try again, and their attempts don’t count against them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await start({ folder, store: { busyTimeoutMs: 100 }, rateLimit: { softLimit: 1, hardLimit: 2 } })
  const lock = await lockStore(join(folder, 'leads.db'))
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      const refused = await sendQuery(receiver)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
      const message = 'Can’t accept leads right now. Try again later.'
      expect(await refused.json()).toEqual({ status: 'refused', message })
    }
    const { consentVersion, questionnaireVersion } = receiver
    const form = { ...eligibleAnswers, ...ada, consentVersion, questionnaireVersion, page: '/' }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const posted = await fetch(receiver.endpoint, { method: 'POST', headers, body: new URLSearchParams(form) })
    expect(posted.status).toBe(503)
  } finally {
    await lock.release()
  }
  expect((await sendQuery(receiver)).status).toBe(202)
  expect(await receiver.rows('leads')).toMatchObject([{ state: 'accepted' }])
  expect(receiver.failures).toEqual([])
})

test('a lead has the language of the consent its page showed, or else of the page', async () => {
  await start()
  const spanish = {
    'x-consent-version': receiver.spanish.consentVersion,
    'x-questionnaire-version': receiver.spanish.questionnaireVersion,
  }
  await sendQuery(receiver, { email: 'es@example.org' }, spanish)
  await sendQuery(receiver, { email: 'en@example.org' })
  const older = await receiver.store.saveConsentText('{"text":"un texto anterior","button":"Sí"}')
  const referer = new URL('/es/', receiver.endpoint).href
  await sendQuery(receiver, { email: 'old@example.org' }, { 'x-consent-version': older, referer })
  expect((await receiver.rows('leads')).map(({ language }) => language)).toEqual(['es', 'en', 'es'])
  const invalid = await sendQuery(receiver, { email: '' }, spanish)
  expect(await invalid.json()).toMatchObject({ errors: { email: 'Escriba su correo electrónico' } })
})
