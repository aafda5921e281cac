import { afterEach, beforeEach, expect, test } from 'vitest'
import { contactMessages } from '../../content/en/contact-form.ts'
import { plainForm } from '../../content/en/questionnaire.ts'
import { contactMessages as spanishMessages } from '../../content/es/contact-form.ts'
import { plainForm as spanishForm } from '../../content/es/questionnaire.ts'
import { ada, type LeadReceiver, sendRaw, startLeadReceiver } from '../../tests/support/lead-receiver.ts'
import { createFormPage } from './plain-form.ts'

const eligible = {
  'question-1': 'yes',
  'question-2': 'yes',
  'question-3': 'no',
  'question-4': 'yes',
  'question-5': 'no',
  'question-6': 'yes',
} as const
const questions = Object.entries(eligible).map(([id, required]) => ({ id, text: id, required }))

let receiver: LeadReceiver
beforeEach(async () => {
  receiver = await startLeadReceiver({ questions, rateLimit: { softLimit: 1, hardLimit: 2 } })
})
afterEach(() => receiver.close())

/** The form's fields: the date of birth has three inputs. */
const { dateOfBirth, ...others } = ada
const [year = '', month = '', day = ''] = dateOfBirth.split('-')
const typed = { ...others, 'dateOfBirth-month': month, 'dateOfBirth-day': day, 'dateOfBirth-year': year }

const form = (changes: Record<string, string> = {}) =>
  new URLSearchParams({
    ...eligible,
    ...typed,
    consentVersion: receiver.consentVersion,
    questionnaireVersion: receiver.questionnaireVersion,
    page: '/advertorial',
    ...changes,
  })

const ours = { 'sec-fetch-site': 'same-origin' }

const post = (body: URLSearchParams | string, headers: Record<string, string> = ours): Promise<Response> =>
  fetch(receiver.endpoint, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

test('a complete form is stored with its page (or / if that doesn’t exist) and redirects to the thank-you page', async () => {
  const referer = new URL('/advertorial?utm_source=mail', receiver.endpoint).href
  const response = await post(form(), { ...ours, referer })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/thank-you?utm_source=mail'])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await receiver.rows('outbox')).toHaveLength(1)
  await post(form({ page: 'https://evil.example/', email: 'b@example.org' }))
  expect(await receiver.rows('leads')).toMatchObject([
    {
      state: 'accepted',
      firstName: 'Ada',
      dateOfBirth: '1965-12-10',
      page: '/advertorial',
      campaign: '{"utm_source":"mail"}',
      consent_version: receiver.consentVersion,
      questionnaire_version: receiver.questionnaireVersion,
    },
    { page: '/' },
  ])
})

test('a redisplayed form keeps the campaign', async () => {
  const referer = new URL('/advertorial?utm_source=mail&other=8', receiver.endpoint).href
  const again = await post(form({ email: '' }), { ...ours, referer })
  const { campaign } = (await again.json()) as { campaign: string }
  const sent = await post(form({ campaign }), { ...ours, referer: receiver.endpoint })
  expect(sent.headers.get('location')).toBe('/thank-you?utm_source=mail')
  expect((await receiver.rows('leads'))[0]?.['campaign']).toBe('{"utm_source":"mail"}')
})

test('a form with outdated questions shows the current ones and keeps the contact fields', async () => {
  const older = await receiver.store.saveQuestionnaire('older questions')
  for (const questionnaireVersion of [older, '', 'f'.repeat(64)]) {
    // Under the current rules, the first would be declined and the second accepted, based on answers to different questions.
    for (const changes of [{ 'question-1': 'no' }, {}]) {
      const response = await post(form({ ...changes, questionnaireVersion }))
      expect(response.status).toBe(422)
      const again = (await response.json()) as { values: unknown; answers: unknown; errors: object }
      expect(again).toMatchObject({ values: typed, answers: {} })
      expect(Object.keys(again.errors)).toEqual(Object.keys(eligible))
    }
  }
  expect(await receiver.rows('leads')).toEqual([])
})

test('a certificate sent with the plain form, which doesn’t ask for one, is stored with TrustedForm off', async () => {
  const url = `https://cert.trustedform.com/${'a'.repeat(40)}`
  await receiver.close()
  receiver = await startLeadReceiver({ questions, trustedForm: 'on' })
  await post(form({ xxTrustedFormCertUrl: url }))
  expect(await receiver.rows('leads')).toMatchObject([{ certificate_id: 'a'.repeat(40), trusted_form: 'off' }])
})

test('an ineligible answer redirects to the decline page, and nothing is stored', async () => {
  for (const [question, right] of Object.entries(eligible)) {
    const response = await post(form({ [question]: right === 'yes' ? 'no' : 'yes', email: '' }))
    expect([question, response.status, response.headers.get('location')]).toEqual([question, 303, '/decline'])
  }
  const referer = new URL('/?utm_source=mail&email=x@example.org', receiver.endpoint).href
  const declined = await post(form({ 'question-1': 'no' }), { ...ours, referer })
  expect(declined.headers.get('location')).toBe('/decline?utm_source=mail')
  expect([await receiver.rows('leads'), await receiver.rows('history')]).toEqual([[], []])
})

test('an incomplete form gets a 422 and is shown again with errors and the typed values, truncated', async () => {
  const response = await post(
    form({ 'question-3': '', 'question-4': 'maybe', 'question-1': 'no', email: 'nobody', firstName: '<'.repeat(5000) }),
  )
  expect(response.status).toBe(422)
  expect(response.headers.get('content-type')).toMatch('text/html')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({
    page: '/advertorial',
    values: { ...typed, email: 'nobody', firstName: '<'.repeat(254) },
    answers: { 'question-1': 'no', 'question-2': 'yes', 'question-5': 'no', 'question-6': 'yes' },
    errors: {
      'question-3': plainForm.unanswered,
      'question-4': plainForm.unanswered,
      firstName: contactMessages.nameTooLong,
      email: contactMessages.emailInvalid,
    },
    campaign: '',
    variant: '',
    asked: '',
    wrongBoxes: [],
  })
  expect(await receiver.rows('leads')).toEqual([])
})

const fixes = (errors: Record<string, string>, ...wrongBoxes: readonly string[]) => ({ errors, wrongBoxes })

test.each<[string, Record<string, string>, object]>([
  [
    'Feb 30',
    { 'dateOfBirth-month': '2', 'dateOfBirth-day': '30' },
    fixes({ dateOfBirth: contactMessages.dateImpossible }, 'dateOfBirth-day'),
  ],
  [
    'month 13',
    { 'dateOfBirth-month': '13' },
    fixes({ dateOfBirth: contactMessages.dateImpossible }, 'dateOfBirth-month'),
  ],
  ['1890', { 'dateOfBirth-year': '1890' }, fixes({ dateOfBirth: contactMessages.ageOutOfBounds }, 'dateOfBirth-year')],
  [
    'an empty box',
    { 'dateOfBirth-day': '' },
    fixes({ dateOfBirth: contactMessages.dateOfBirthRequired }, 'dateOfBirth-day'),
  ],
  ['a number that was cut off', { phone: '+1 555-234-567' }, fixes({ phone: contactMessages.phoneInvalid })],
  ['a foreign number', { phone: '+44 20 7946 0958' }, fixes({ phone: contactMessages.phoneForeign })],
])('%s is explained, with the wrong box marked', async (_, changes, expected) => {
  const response = await post(form(changes))
  expect([response.status, await response.json()]).toMatchObject([422, expected])
  expect(await receiver.rows('leads')).toEqual([])
})

test.each(['+1 555-234-5678', '1-555-234-5678', '+15552345678', '555.234.5678', '(555) 234-5678 ext. 12'])(
  'the phone number %s is stored right',
  async phone => {
    expect((await post(form({ phone }))).status).toBe(303)
    expect(await receiver.rows('leads')).toMatchObject([{ state: 'accepted', phone: '(555) 234-5678' }])
  },
)

test.each(['05041966', '5/4/1966', 'May 4 1966', '5/4/66'])('a whole date in the first box, %s, counts', async text => {
  expect((await post(form({ 'dateOfBirth-month': text, 'dateOfBirth-day': '', 'dateOfBirth-year': '' }))).status).toBe(
    303,
  )
  expect(await receiver.rows('leads')).toMatchObject([{ dateOfBirth: '1966-05-04' }])
})

test('odd values are asked about once; confirmed ones are delivered, different ones are asked about again', async () => {
  await receiver.close()
  receiver = await startLeadReceiver({ questions, ages: { from: 55, to: 64 } })
  const odd = { 'dateOfBirth-year': '1990', firstName: '12345', email: 'ada@gmial.con', phone: '(555) 555-5555' }
  const first = await post(form(odd))
  const again = (await first.json()) as { asked: string; errors: object; wrongBoxes: string[] }
  const { ageContradictory, nameDoubtful, emailDoubtful, phoneDoubtful } = contactMessages
  expect([first.status, again.errors, again.wrongBoxes]).toEqual([
    422,
    { firstName: nameDoubtful, dateOfBirth: ageContradictory, email: emailDoubtful, phone: phoneDoubtful },
    ['dateOfBirth-year'],
  ])
  const { asked } = again
  const second = await post(form({ ...odd, 'dateOfBirth-year': '1991', asked }))
  expect([second.status, await second.json()]).toMatchObject([422, { errors: { dateOfBirth: ageContradictory } }])
  // A mistake in between doesn't make the form ask again.
  const third = (await (await post(form({ ...odd, lastName: '', asked }))).json()) as { asked: string; errors: object }
  expect(third).toMatchObject({ asked, errors: { lastName: contactMessages.lastNameRequired } })
  expect(await receiver.rows('leads')).toEqual([])
  expect((await post(form({ ...odd, asked: third.asked }))).status).toBe(303)
  expect(await receiver.rows('leads')).toMatchObject([{ state: 'accepted', dateOfBirth: '1990-12-10' }])
})

const own = () => new URL(receiver.endpoint).origin

test.each<[string, () => Record<string, string>]>([
  ['origin', () => ({ origin: own() })],
  ['page', () => ({ referer: `${own()}/advertorial` })],
  ['page, with a hidden origin', () => ({ origin: 'null', referer: `${own()}/` })],
])('an old browser’s form is accepted from our %s', async (_, headers) => {
  expect((await post(form(), headers())).status).toBe(303)
})

test('a form from another site, without an origin, from a prefetch, or without our consent text gets a 403 page', async () => {
  for (const [headers, changes] of [
    [{ 'sec-fetch-site': 'cross-site', origin: own() }],
    [{ origin: 'https://evil.example', referer: `${own()}/` }],
    [{ referer: 'https://evil.example/' }],
    [{}],
    [{ ...ours, 'sec-purpose': 'prefetch' }],
    [ours, { consentVersion: '' }],
    [ours, { consentVersion: 'f'.repeat(64) }],
  ] as [Record<string, string>, Record<string, string>?][]) {
    const response = await post(form(changes), headers)
    expect([headers, response.status, await response.text()]).toEqual([headers, 403, '<h1>problem 403</h1>'])
  }
  expect(await receiver.rows('leads')).toEqual([])
})

test('a body over 16 KB or with too many fields gets a 413', async () => {
  const long = form({ lastName: 'x'.repeat(16 * 1024) })
  expect((await post(long)).status).toBe(413)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...ours }
  const chunks = long.toString().match(/.{1,1000}/g) ?? []
  expect((await sendRaw(receiver, { method: 'POST', headers, chunks })).status).toBe(413)
  expect((await post(`${form()}${'&%41'.repeat(64)}`)).status).toBe(413)
  expect((await post(form())).status).toBe(303)
})

test('a redisplayed form escapes typed values and never treats them as slots', () => {
  const render = createFormPage('<a href="{{page}}"><input value="{{value:email}}"><p>{{error:email}}</p>', [])
  const values = { email: '"><script>{{page}}' }
  const none = { campaign: '', variant: '', asked: '', wrongBoxes: [] }
  const page = render({ page: '/', values, answers: {}, errors: { email: 'a < b' }, ...none })
  expect(page).toBe('<a href="/"><input value="&#34;&#62;&#60;script&#62;{{page}}"><p>a &#60; b</p>')
})

test('a form on a Spanish page stays in Spanish: thank-you, decline, errors, and the problem page', async () => {
  const postSpanish = (changes: Record<string, string>, headers: Record<string, string> = ours) =>
    fetch(`${receiver.endpoint}?language=es`, {
      method: 'POST',
      redirect: 'manual',
      body: form({ ...receiver.spanish, page: '/es/', ...changes }),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  const accepted = await postSpanish({})
  expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/es/thank-you'])
  expect(await receiver.rows('leads')).toMatchObject([
    { page: '/es/', language: 'es', consent_version: receiver.spanish.consentVersion },
  ])
  const declined = await postSpanish({ 'question-1': 'no' })
  expect(declined.headers.get('location')).toBe('/es/decline')
  const incomplete = await postSpanish({ firstName: '', 'question-2': '', page: '/no-such-page' })
  expect(incomplete.status).toBe(422)
  expect(await incomplete.json()).toMatchObject({
    language: 'es',
    page: '/es/',
    errors: { firstName: spanishMessages.firstNameRequired, 'question-2': spanishForm.unanswered },
  })
  const refused = await postSpanish({}, { 'sec-fetch-site': 'cross-site' })
  expect(await refused.text()).toBe('<h1>es problem 403</h1>')
})
