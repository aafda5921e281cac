/** Which leads sent by the script on our pages are accepted, put on hold, or refused. */

import { afterEach, describe, expect, test, vi } from 'vitest'
import { leadQuery } from '../../domain/leads/lead.ts'
import { languages, words } from '../../site-folder/site.ts'
import { ada, type Intake, type IntakeOptions, sendLead, startIntake } from '../../tests/support/intake.ts'
import { requestRaw } from '../../tests/support/receiver.ts'
import { StoreUnavailable } from '../store/store-errors.ts'

const { contactMessages } = words.en
const { contactMessages: spanishMessages } = words.es

const LEAD_WEBHOOK_URL = 'https://crm.example.org/hook'
const certificate = (id: string) => `&xxTrustedFormCertUrl=${encodeURIComponent(`https://cert.trustedform.com/${id}`)}`

let intake: Intake
afterEach(() => intake.close())

async function start(options?: IntakeOptions): Promise<void> {
  intake = await startIntake(options)
}

describe('a valid lead', () => {
  test('gets a 202 once it’s stored with its history entry and outbox row', async () => {
    await start({ env: { LEAD_WEBHOOK_URL } })
    const contact = { firstName: '  A\u202e\tda ', phone: '5552102030' }
    // If a field is sent twice, the first value wins.
    const response = await sendLead(intake, contact, { 'user-agent': 'A browser' }, '&lastName=Byron')
    expect([response.status, response.headers.get('cache-control')]).toEqual([202, 'no-store'])
    expect(await response.json()).toEqual({ status: 'accepted', token: expect.stringMatching(/^[\w-]{32}$/) })
    const [lead] = intake.rows('leads')
    expect(lead).toMatchObject({
      state: 'accepted',
      client_address: '127.0.0.1',
      user_agent: 'A browser',
      firstName: 'A da',
      lastName: 'Lovelace',
      dateOfBirth: ada.dateOfBirth,
      phone: '(555) 210-2030',
    })
    expect(intake.rows('history')).toMatchObject([{ lead_id: lead?.['id'], event: 'received' }])
    expect(intake.rows('outbox')).toMatchObject([{ lead_id: lead?.['id'], state: 'pending' }])
  })

  test('is announced to the team, and to a few addresses that one client typed, once each', async () => {
    const mail = { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'team@example.org', MAIL_TO: 'maria@example.org' }
    const visitors = { SITE_URL: 'http://127.0.0.1', VISITOR_MAIL: 'on', VISITOR_MAIL_NAME: 'Harbor Light' }
    await start({ env: { ...mail, ...visitors } })
    for (const name of ['a', 'a', 'b']) await sendLead(intake, { email: `${name}@example.org` })
    await sendLead(intake, { email: 'c@example.org', firstName: 'www.example.org' })
    for (const name of ['d', 'e', 'f', 'g']) await sendLead(intake, { email: `${name}@example.org` })
    const emailOf = new Map(intake.rows('leads').map(lead => [lead['id'], lead['email']]))
    const letters = intake.rows('outbox').filter(({ lane }) => lane === 'mail')
    expect(letters.map(({ type, lead_id }) => [type, emailOf.get(lead_id)]).toSorted()).toEqual([
      ['mail.team', 'a@example.org'],
      ['mail.visitor', 'a@example.org'],
      ['mail.visitor', 'b@example.org'],
    ])
  })

  test('is stored with the page and campaign in its Referer', async () => {
    await start({ env: { CAMPAIGN_PARAMETERS: 'sub-id' } })
    const query = 'utm_source=mail&gclid=x&secret=1&utm_source=second&sub-id=7'
    await sendLead(intake, {}, { referer: `${intake.url}/advertorial?${query}` })
    await sendLead(intake, { email: 'c@example.org' }, { referer: 'https://elsewhere.example/?ref=tv' })
    expect(intake.rows('leads').map(lead => [lead['page'], lead['campaign']])).toEqual([
      ['/advertorial', '{"utm_source":"mail","gclid":"x","sub-id":"7"}'],
      ['unknown', '{}'],
    ])
  })

  test('is stored with its first non-empty certificate, unchanged, and accepted even without one', async () => {
    await start({ change: site => ({ ...site, trustedForm: 'sandbox' }) })
    const id = 'a'.repeat(40)
    await sendLead(intake, {}, {}, `&xxTrustedFormCertUrl=${certificate(id)}${certificate('b'.repeat(80))}`)
    await sendLead(intake, { email: 'b@example.org' }, {}, '&xxTrustedFormCertUrl=https://evil.example/1')
    await sendLead(intake, { email: 'c@example.org' }, {}, certificate('a-future/format?v=6'))
    const trustedForm = { state: 'accepted', trusted_form: 'sandbox' }
    expect(intake.rows('leads')).toMatchObject([
      { ...trustedForm, certificate_id: id, certificate_other: null },
      { ...trustedForm, certificate_id: null, certificate_other: null },
      {
        ...trustedForm,
        certificate_id: null,
        certificate_other: 'https://cert.trustedform.com/a-future/format?v=6',
      },
    ])
    const kinds = intake.rows('history').map(line => JSON.parse(String(line['detail'])).certificate)
    expect(kinds).toEqual(['present', 'invalid', 'present'])
  })

  test('is stored with its page’s consent and questionnaire versions, even old ones; unknown questionnaires become null', async () => {
    await start()
    const oldConsent = await intake.store.saveConsentText('an older text')
    const older = await intake.store.saveQuestionnaire('older questions')
    const versions = [intake.questionnaireVersion, older, '', 'f'.repeat(64), "'; DROP TABLE leads"]
    for (const [index, version] of versions.entries()) {
      const headers = { 'x-questionnaire-version': version, 'x-consent-version': oldConsent }
      expect((await sendLead(intake, { email: `${index}@example.org` }, headers)).status).toBe(202)
    }
    const leads = intake.rows('leads')
    expect(leads.map(lead => lead['questionnaire_version'])).toEqual([...versions.slice(0, 2), null, null, null])
    expect(new Set(leads.map(lead => lead['consent_version']))).toEqual(new Set([oldConsent]))
  })
})

test.each(['off', 'on'])(
  'a repeat is stored and gets the same response as a new lead; sent to the webhook: %s',
  async LEAD_WEBHOOK_REPEATS => {
    await start({ env: { LEAD_WEBHOOK_URL, LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_REPEATS } })
    for (const email of ['ada@example.org', ' ADA@Example.org']) {
      const response = await sendLead(intake, { email })
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([202, ['status', 'token']])
    }
    expect(intake.rows('leads').map(({ state }) => state)).toEqual(['accepted', 'repeat'])
    expect(intake.rows('outbox')).toHaveLength(LEAD_WEBHOOK_REPEATS === 'on' ? 2 : 1)
  },
)

const bornIn = (age: number) => `${new Date().getUTCFullYear() - age}-01-01`
const asksAge: IntakeOptions = { change: site => ({ ...site, copy: { ...site.copy, ages: { from: 55, to: 64 } } }) }

test.each([
  ['an exchange that starts with 0', { phone: '(555) 010-2030' }, 'phone number cannot exist'],
  ['an age that contradicts the questionnaire', { dateOfBirth: bornIn(36) }, 'age contradicts an answer'],
  ['a misspelled email provider', { email: 'ada@gmial.com' }, 'email looks misspelled'],
  ['a link', { lastName: 'http://spam.example' }, 'a link in the name'],
  ['a link in all caps', { firstName: 'Ada HTTPS://x' }, 'a link in the name'],
  ['a bare link', { lastName: 'www.spam.example' }, 'a link in the name'],
])('a lead with %s is accepted and put on hold', async (_, contact, reason) => {
  await start(asksAge)
  const plausible = { dateOfBirth: bornIn(60) }
  const response = await sendLead(intake, { ...plausible, ...contact })
  expect([response.status, Object.keys((await response.json()) as object)]).toEqual([202, ['status', 'token']])
  expect(intake.rows('leads')).toMatchObject([{ state: 'held', held_reason: reason }])
  expect(intake.rows('outbox')).toEqual([])
})

test('an age that contradicts the questionnaire, but was confirmed on the form, isn’t put on hold', async () => {
  await start(asksAge)
  await sendLead(intake, { dateOfBirth: bornIn(36) }, { 'x-confirmed': 'dateOfBirth' })
  expect(intake.rows('leads')).toMatchObject([{ state: 'accepted' }])
})

describe('many leads', () => {
  const sendMany = async (count: number, headers: (index: number) => Record<string, string> = () => ({})) => {
    for (let index = 0; index < count; index++)
      expect((await sendLead(intake, { email: `person${index}@example.org` }, headers(index))).status).toBe(202)
  }

  test('from one address are held above the soft limit and refused above the hard one', async () => {
    await start()
    await sendMany(60)
    const { status, headers } = await sendLead(intake)
    expect([status, headers.get('cache-control')]).toEqual([429, 'no-store'])
    expect(headers.get('retry-after')).toMatch(/^\d{3}$/)
    const reasons = intake.rows('leads').map(lead => lead['held_reason'])
    expect(reasons).toEqual([...Array(10).fill(null), ...Array(50).fill('many from one address')])
  })

  test.each([
    ['one network', 60, {}, (index: number) => `2001:db8:7:${index.toString(16)}::1`],
    ['everywhere', 2, { LEAD_FLOOD_LIMIT: '2' }, (index: number) => `203.0.113.${index}`],
  ] as const)('from %s are held above %i, and the flood raises one alert', async (from, limit, env, address) => {
    await start({ env: { ...env, TRUST_PROXY: '127.0.0.1' } })
    await sendMany(limit + 2, index => ({ 'x-forwarded-for': address(index) }))
    const held = intake.rows('leads').map(lead => lead['held_reason'])
    expect(held).toEqual([...Array(limit).fill(null), ...Array(2).fill(`many from ${from}`)])
    expect(intake.linesWith('alert')).toEqual([{ code: 'lead_flood', level: 'alert', from }])
  })
})

describe('a request', () => {
  test('that is invalid gets a 422 with the same messages as in the browser', async () => {
    await start()
    const wrong = { firstName: ' ', dateOfBirth: '2020-01-01', email: 'nobody', phone: '123' }
    const response = await sendLead(intake, wrong)
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
    const empty = await fetch(intake.endpoint, { headers: { 'x-consent-version': intake.consentVersion } })
    expect(empty.status).toBe(422)
    expect(Object.keys(((await empty.json()) as { errors: object }).errors)).toEqual(Object.keys(ada))
    expect(intake.rows('leads')).toEqual([])
  })

  test('from another site, without our consent text, or from a prefetch gets a 403; with another method, a 405', async () => {
    await start()
    for (const headers of [
      ...['cross-site', 'same-site', 'none'].map(site => ({ 'sec-fetch-site': site })),
      ...['', 'f'.repeat(64)].map(version => ({ 'x-consent-version': version })),
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
    ] as Record<string, string>[]) {
      const response = await sendLead(intake, {}, headers)
      expect([headers, response.status, response.headers.get('cache-control')]).toEqual([headers, 403, 'no-store'])
      expect(await response.json()).toMatchObject({ status: 'refused' })
    }
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const headers = { 'x-consent-version': intake.consentVersion }
      const response = await fetch(`${intake.endpoint}?${leadQuery(ada)}`, { method, headers })
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, POST'])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    expect(intake.rows('leads')).toEqual([])
  })
})

test('a lead sent to another hostname is put on hold, and an alert is raised', async () => {
  await start({ env: { SITE_URL: 'https://www.example.org' } })
  const own = { 'sec-fetch-site': 'same-origin', 'x-consent-version': intake.consentVersion }
  for (const host of ['www.example.org', 'evil.example']) {
    const path = `/api/leads?${leadQuery({ ...ada, email: `ada@${host}` })}`
    expect((await requestRaw(intake.url, { path, headers: { ...own, host } })).status).toBe(202)
  }
  expect(intake.rows('leads').map(lead => lead['held_reason'])).toEqual([null, 'it came under another name'])
  expect(intake.linesWith('alert')).toMatchObject([{ code: 'lead_host_unknown' }])
})

test('while the store is down, visitors are asked to try again, and their attempts don’t count against them', async () => {
  await start()
  const capture = vi.spyOn(intake.store, 'capture').mockRejectedValue(new StoreUnavailable('the disk is full.'))
  for (let attempt = 0; attempt < 10; attempt++) {
    const refused = await sendLead(intake)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    const message = 'Can’t accept leads right now. Try again later.'
    expect(await refused.json()).toEqual({ status: 'refused', message })
  }
  capture.mockRestore()
  expect((await sendLead(intake)).status).toBe(202)
  expect(intake.rows('leads')).toMatchObject([{ state: 'accepted' }])
})

test.runIf(languages.includes('es'))('a lead has the language of its consent, or else of its page', async () => {
  await start()
  const spanish = {
    'x-consent-version': intake.spanish.consentVersion,
    'x-questionnaire-version': intake.spanish.questionnaireVersion,
  }
  await sendLead(intake, { email: 'es@example.org' }, spanish)
  await sendLead(intake, { email: 'en@example.org' })
  const older = await intake.store.saveConsentText('{"text":"un texto anterior","button":"Sí"}')
  const referer = `${intake.url}/es/`
  await sendLead(intake, { email: 'old@example.org' }, { 'x-consent-version': older, referer })
  expect(intake.rows('leads').map(({ language }) => language)).toEqual(['es', 'en', 'es'])
  const invalid = await sendLead(intake, { email: '' }, spanish)
  expect(await invalid.json()).toMatchObject({ errors: { email: spanishMessages.emailRequired } })
})
