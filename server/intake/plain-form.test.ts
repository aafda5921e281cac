import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contactMessages } from '../../content/panel/contact-form.ts'
import { plainForm } from '../../content/panel/questionnaire.ts'
import { ada, type LeadReceiver, startLeadReceiver } from '../../tests/support/lead-receiver.ts'
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

/** The form's fields: the date of birth has three boxes. */
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

function post(
  body: URLSearchParams | string,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<Response> {
  return fetch(receiver.endpoint, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

describe('a form with six right answers and a valid contact', () => {
  test('is stored with its page and leads to the thank-you page', async () => {
    const referer = new URL('/advertorial?utm_source=mail', receiver.endpoint).href
    const response = await post(form(), { 'sec-fetch-site': 'same-origin', referer })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/thank-you'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await receiver.rows('leads')).toMatchObject([
      {
        state: 'accepted',
        firstName: 'Ada',
        page: '/advertorial',
        campaign: '{"utm_source":"mail"}',
        consent_version: receiver.consentVersion,
        questionnaire_version: receiver.questionnaireVersion,
      },
    ])
    expect(await receiver.rows('deliveries')).toHaveLength(1)
  })

  test('keeps the campaign when the form is shown again', async () => {
    await receiver.close()
    receiver = await startLeadReceiver({ questions, campaignParameters: ['sub-id'] })
    const referer = new URL('/advertorial?utm_source=mail&sub-id=7&other=8', receiver.endpoint).href
    const again = await post(form({ email: '' }), { 'sec-fetch-site': 'same-origin', referer })
    const { campaign } = (await again.json()) as { campaign: string }
    await post(form({ campaign }), { 'sec-fetch-site': 'same-origin', referer: receiver.endpoint })
    expect((await receiver.rows('leads'))[0]?.['campaign']).toBe('{"utm_source":"mail","sub-id":"7"}')
  })
})

describe('a form with outdated questions', () => {
  test('shows the current questions and keeps the contact fields', async () => {
    const older = await receiver.store.saveQuestionnaire('older questions')
    for (const questionnaireVersion of [older, '', 'f'.repeat(64)]) {
      // By today's rules, the first would be declined and the second accepted, based on answers to other questions.
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
})

test('a certificate in the plain form, which doesn’t ask for one, is kept and marked', async () => {
  const url = `https://cert.trustedform.com/${'a'.repeat(40)}`
  await receiver.close()
  receiver = await startLeadReceiver({ questions, trustedForm: 'on' })
  await post(form({ xxTrustedFormCertUrl: url }))
  expect(await receiver.rows('leads')).toMatchObject([{ certificate_id: 'a'.repeat(40), trusted_form: 'off' }])
})

describe('a date of birth', () => {
  const boxes = (month: string, day: string, year: string) => ({
    'dateOfBirth-month': month,
    'dateOfBirth-day': day,
    'dateOfBirth-year': year,
  })

  test.each([
    boxes('12', '10', '1965'),
    boxes(' 12', '10 ', '65'),
    // Pages before 0.6.0 had one box.
    { dateOfBirth: '1965-12-10' },
  ])('%j is accepted', async date => {
    expect((await post(form(date))).headers.get('location')).toBe('/thank-you')
    expect(await receiver.rows('leads')).toMatchObject([{ dateOfBirth: '1965-12-10' }])
  })

  test.each([boxes('13', '10', '1965'), boxes('2', '30', '1965'), boxes('12', '', '19')])(
    '%j comes back as it was typed',
    async date => {
      const response = await post(form(date))
      expect(await response.json()).toMatchObject({
        values: date,
        errors: { dateOfBirth: contactMessages.dateOfBirthRequired },
      })
    },
  )
})

describe('a form with a wrong answer', () => {
  test.each(Object.keys(eligible))('to %s leads to the decline page, and nothing is stored', async question => {
    const wrong = eligible[question as keyof typeof eligible] === 'yes' ? 'no' : 'yes'
    const response = await post(form({ [question]: wrong, email: '' }))
    expect([response.status, response.headers.get('location')]).toEqual([303, '/decline'])
    expect(await receiver.rows('leads')).toEqual([])
    expect(await receiver.rows('history')).toEqual([])
  })
})

describe('an incomplete form', () => {
  test('comes back with a 422, the typed values, and its errors', async () => {
    const response = await post(
      form({ 'question-3': '', 'question-4': 'maybe', 'question-1': 'no', email: 'nobody', firstName: '<b>' }),
    )
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toMatch('text/html')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      page: '/advertorial',
      values: { ...typed, email: 'nobody', firstName: '<b>' },
      answers: { 'question-1': 'no', 'question-2': 'yes', 'question-5': 'no', 'question-6': 'yes' },
      errors: {
        'question-3': plainForm.unanswered,
        'question-4': plainForm.unanswered,
        email: contactMessages.emailInvalid,
      },
      campaign: '',
      variant: '',
    })
    expect(await receiver.rows('leads')).toEqual([])
  })

  test('from an unknown page comes back as the landing page’s form', async () => {
    const response = await post(form({ page: 'https://evil.example/', phone: '' }))
    expect(await response.json()).toMatchObject({ page: '/' })
  })
})

describe('the origin check', () => {
  const own = () => new URL(receiver.endpoint).origin
  test.each<[string, () => Record<string, string>]>([
    ['the origin is ours', () => ({ origin: own() })],
    ['the page is ours', () => ({ referer: `${own()}/advertorial` })],
    ['the origin is hidden and the page is ours', () => ({ origin: 'null', referer: `${own()}/` })],
  ])('accepts an old browser when %s', async (_, headers) => {
    expect((await post(form(), headers())).status).toBe(303)
  })

  test.each<[string, () => Record<string, string>]>([
    ['the browser names another site', () => ({ 'sec-fetch-site': 'cross-site', origin: own() })],
    ['the origin is another one', () => ({ origin: 'https://evil.example', referer: `${own()}/` })],
    ['the page is another one', () => ({ referer: 'https://evil.example/' })],
    ['nothing says who sent it', () => ({})],
    ['it is a prefetch', () => ({ 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' })],
  ])('refuses with 403 when %s', async (_, headers) => {
    const response = await post(form(), headers())
    expect([response.status, await response.text()]).toEqual([403, '<h1>problem 403</h1>'])
    expect(await receiver.rows('leads')).toEqual([])
  })

  test('refuses a form without one of our consent versions with 403', async () => {
    expect((await post(form({ consentVersion: '' }))).status).toBe(403)
    expect((await post(form({ consentVersion: 'f'.repeat(64) }))).status).toBe(403)
  })
})

test('a lead counts for the page with the form, or for / if that page doesn’t exist', async () => {
  await post(form({ page: '/spring' }))
  await post(form({ page: '/made-up', email: 'b@example.org' }))
  expect((await receiver.rows('leads')).map(lead => lead['page'])).toEqual(['/spring', '/'])
})

describe('limits', () => {
  test('a body over 16 KB gets a 413, with or without a content length', async () => {
    const long = form({ lastName: 'x'.repeat(16 * 1024) })
    expect((await post(long)).status).toBe(413)
    expect(await postInChunks(long.toString())).toBe(413)
    expect((await post(form())).status).toBe(303)
  })

  test('too many fields get a 413 before they are parsed', async () => {
    expect((await post(`${form()}${'&%41'.repeat(64)}`)).status).toBe(413)
  })

  test('values shown again are cut to the field’s maximum length', async () => {
    const response = await post(form({ firstName: '<'.repeat(5000), email: '' }))
    expect(response.status).toBe(422)
    expect((await response.json()).values.firstName).toBe('<'.repeat(254))
  })

  test('another encoding gets a 415', async () => {
    expect((await post('{}', { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' })).status).toBe(415)
  })

  test('too many requests from one address get a 429 page', async () => {
    await post(form())
    await post(form({ email: 'b@example.org' }))
    const response = await post(form({ email: 'c@example.org' }))
    expect([response.status, await response.text()]).toEqual([429, '<h1>problem 429</h1>'])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await receiver.rows('leads')).map(lead => lead['state'])).toEqual(['accepted', 'held'])
  })
})

function postInChunks(body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const outgoing = request(receiver.endpoint, { method: 'POST', headers }, incoming => {
      incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    for (let at = 0; at < body.length; at += 1000) outgoing.write(body.slice(at, at + 1000))
    outgoing.end()
  })
}

test('the form shown again escapes typed values and never treats them as slots', () => {
  const render = createFormPage('<a href="{{page}}"><input value="{{value:email}}"><p>{{error:email}}</p>', [])
  const values = { email: '"><script>{{page}}' }
  const page = render({ page: '/', values, answers: {}, errors: { email: 'a < b' }, campaign: '', variant: '' })
  expect(page).toBe('<a href="/"><input value="&#34;&#62;&#60;script&#62;{{page}}"><p>a &#60; b</p>')
})
