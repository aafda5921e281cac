/** The plain form through the production app. It's shown again from the template that the build made. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { telHref } from '../../domain/contact/phone.ts'
import { fill } from '../../domain/text/fill.ts'
import { languages, organization, words } from '../../site-folder/site.ts'
import { allQuestions, eligibleAnswers } from '../../tests/support/answers.ts'
import { ada, type Intake, startIntake } from '../../tests/support/intake.ts'
import { requestRaw } from '../../tests/support/receiver.ts'
import { createFormPage } from './plain-form.ts'

const { contactForm, contactMessages, submissionError } = words.en
const { contactMessages: spanishMessages, submissionError: spanishError } = words.es

let intake: Intake
beforeEach(async () => {
  intake = await startIntake({ env: { LEAD_WEBHOOK_URL: 'https://crm.example.org/hook' } })
})
afterEach(() => intake.close())

/** The form's fields: the date of birth has three inputs. */
const { dateOfBirth, ...others } = ada
const [year = '', month = '', day = ''] = dateOfBirth.split('-')
const typed = { ...others, 'dateOfBirth-month': month, 'dateOfBirth-day': day, 'dateOfBirth-year': year }

const form = (changes: Record<string, string> = {}) => ({
  ...eligibleAnswers,
  ...typed,
  consentVersion: intake.consentVersion,
  questionnaireVersion: intake.questionnaireVersion,
  page: '/advertorial',
  ...changes,
})

const ours = { 'sec-fetch-site': 'same-origin' }

const post = (fields: Record<string, string>, headers: Record<string, string> = ours, query = ''): Promise<Response> =>
  fetch(intake.endpoint + query, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers })

const decoded = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
const attribute = (tag: string, name: string) => decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** What a browser would send next, the error summary by field, and the inputs marked as wrong. */
async function shownAgain(response: Response) {
  expect([response.status, response.headers.get('cache-control')]).toEqual([422, 'no-store'])
  const html = await response.text()
  const inputs = Array.from(html.matchAll(/<input [^>]*>/g), ([tag]) => tag)
  const filledIn = inputs.filter(tag => !tag.includes('type="radio"') || tag.includes('checked=""'))
  const summary = Array.from(html.matchAll(/href="#field-([\w-]+)">([^<]*)</g), ([, field = '', text = '']) => [
    field,
    decoded(text),
  ])
  return {
    fields: Object.fromEntries(filledIn.map(tag => [attribute(tag, 'name'), attribute(tag, 'value')])),
    errors: Object.fromEntries(summary),
    wrong: inputs.filter(tag => tag.includes('aria-invalid="true"')).map(tag => attribute(tag, 'name')),
  }
}

const unanswered = Object.fromEntries(allQuestions.map(({ number, text }) => [`question-${number}`, text]))
const opposite = (question: string) => (eligibleAnswers[question] === 'yes' ? 'no' : 'yes')

test('a complete form is stored with its page (or / if that doesn’t exist) and redirects to the thank-you page', async () => {
  const referer = `${intake.url}/advertorial?utm_source=mail`
  const response = await post(form(), { ...ours, referer })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/thank-you?utm_source=mail'])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(intake.rows('outbox')).toHaveLength(1)
  // However the phone number and the date are typed.
  const date = { 'dateOfBirth-month': '5/4/1966', 'dateOfBirth-day': '', 'dateOfBirth-year': '' }
  await post(form({ page: 'https://evil.example/', email: 'b@example.org', phone: '+1 555.234.5678', ...date }))
  expect(intake.rows('leads')).toMatchObject([
    {
      state: 'accepted',
      firstName: 'Ada',
      dateOfBirth: ada.dateOfBirth,
      page: '/advertorial',
      campaign: '{"utm_source":"mail"}',
      consent_version: intake.consentVersion,
      questionnaire_version: intake.questionnaireVersion,
    },
    { page: '/', phone: '(555) 234-5678', dateOfBirth: '1966-05-04' },
  ])
})

test('a form with outdated questions shows the current ones and keeps the contact fields', async () => {
  const older = await intake.store.saveQuestionnaire('older questions')
  for (const questionnaireVersion of [older, '', 'f'.repeat(64)]) {
    // Under the current rules, the first would be declined and the second accepted, based on answers to different questions.
    for (const answer of [opposite('question-1'), eligibleAnswers['question-1'] ?? '']) {
      const { fields, errors } = await shownAgain(await post(form({ 'question-1': answer, questionnaireVersion })))
      expect(errors).toEqual(unanswered)
      expect(fields).toMatchObject({ ...typed, questionnaireVersion: intake.questionnaireVersion })
      expect(fields).not.toHaveProperty('question-1')
    }
  }
  expect(intake.rows('leads')).toEqual([])
})

test('a certificate sent with the plain form, which doesn’t ask for one, is stored with TrustedForm off', async () => {
  await intake.close()
  intake = await startIntake({ change: site => ({ ...site, trustedForm: 'on' }) })
  await post(form({ xxTrustedFormCertUrl: `https://cert.trustedform.com/${'a'.repeat(40)}` }))
  expect(intake.rows('leads')).toMatchObject([{ certificate_id: 'a'.repeat(40), trusted_form: 'off' }])
})

test('an ineligible answer redirects to the decline page, and nothing is stored', async () => {
  const referer = `${intake.url}/?utm_source=mail&email=x@example.org`
  for (const question of Object.keys(eligibleAnswers)) {
    const response = await post(form({ [question]: opposite(question), email: '' }), { ...ours, referer })
    const location = '/decline?utm_source=mail'
    expect([question, response.status, response.headers.get('location')]).toEqual([question, 303, location])
  }
  expect([intake.rows('leads'), intake.rows('history')]).toEqual([[], []])
})

test('an incomplete form is shown again with errors, the typed values, truncated, and the campaign', async () => {
  const referer = `${intake.url}/advertorial?utm_source=mail&other=8`
  const mistakes = { email: 'nobody', firstName: '<'.repeat(5000), 'dateOfBirth-month': '2', 'dateOfBirth-day': '30' }
  // Not declined before the last question.
  const answers = { 'question-1': opposite('question-1'), 'question-2': '', 'question-3': 'maybe' }
  const again = await shownAgain(await post(form({ ...mistakes, ...answers }), { ...ours, referer }))
  const hidden = { campaign: 'utm_source=mail', variant: '', asked: '' }
  const kept = Object.entries(form({ ...mistakes, ...answers, ...hidden, firstName: '<'.repeat(254) }))
  expect(again.fields).toEqual(Object.fromEntries(kept.filter(([name]) => !/question-[23]/.test(name))))
  expect(again.errors).toEqual({
    'question-2': unanswered['question-2'],
    'question-3': unanswered['question-3'],
    firstName: contactMessages.nameTooLong,
    dateOfBirth: contactMessages.dateImpossible,
    email: contactMessages.emailInvalid,
  })
  expect(again.wrong).toEqual(['firstName', 'dateOfBirth-day', 'email'])
  expect(intake.rows('leads')).toEqual([])
  const sent = await post({ ...again.fields, ...eligibleAnswers, ...typed }, { ...ours, referer: intake.endpoint })
  expect(sent.headers.get('location')).toBe('/thank-you?utm_source=mail')
  expect(intake.rows('leads')).toMatchObject([{ page: '/advertorial', campaign: '{"utm_source":"mail"}' }])
})

test('hidden fields come back no longer than the page would send them', async () => {
  const campaign = `utm_source=tv&${Array.from({ length: 500 }, (_, index) => `utm_${index}=${'x'.repeat(9)}`).join('&')}`
  const asked = `email=${'<'.repeat(1000)}&page=${'x'.repeat(1000)}`
  const again = await shownAgain(await post(form({ lastName: '', campaign, asked })))
  expect(again.fields['campaign']).toMatch(/^utm_source=tv&utm_0=x{9}&/)
  expect(again.fields['campaign']?.length).toBeLessThan(1024)
  expect(again.fields['asked']).toBe(`email=${'%3C'.repeat(254)}`)
})

test('odd values are asked about once; confirmed ones are accepted, different ones are asked about again', async () => {
  await intake.close()
  const ages = { from: 55, to: 64 }
  intake = await startIntake({ change: site => ({ ...site, copy: { ...site.copy, ages } }) })
  const odd = { 'dateOfBirth-year': '1990', firstName: '12345', email: 'ada@gmial.con', phone: '(555) 555-5555' }
  const { fields, errors, wrong } = await shownAgain(await post(form(odd)))
  const { ageContradictory, nameDoubtful, emailDoubtful, phoneDoubtful } = contactMessages
  expect(errors).toEqual({
    firstName: nameDoubtful,
    dateOfBirth: ageContradictory,
    email: `${emailDoubtful} ${fill(contactForm.didYouMean, { domain: 'gmail.com' })}`,
    phone: phoneDoubtful,
  })
  expect(wrong).toEqual(['firstName', 'dateOfBirth-year', 'email', 'phone'])
  const other = await shownAgain(await post({ ...fields, 'dateOfBirth-year': '1991' }))
  expect(other.errors).toEqual({ dateOfBirth: ageContradictory })
  // A mistake in between doesn't make the form ask again.
  const mistake = await shownAgain(await post({ ...fields, lastName: '' }))
  expect(mistake.errors).toEqual({ lastName: contactMessages.lastNameRequired })
  expect(intake.rows('leads')).toEqual([])
  expect((await post({ ...mistake.fields, lastName: 'Lovelace' })).status).toBe(303)
  expect(intake.rows('leads')).toMatchObject([{ state: 'accepted', dateOfBirth: '1990-12-10' }])
})

test('a form is accepted from our origin or page; from another site or a prefetch, or without our consent, it gets a 403 page', async () => {
  const own = intake.url
  for (const headers of [
    { origin: own },
    { referer: `${own}/advertorial` },
    // The browser hides the origin.
    { origin: 'null', referer: `${own}/` },
  ] as Record<string, string>[])
    expect([headers, (await post(form(), headers)).status]).toEqual([headers, 303])
  for (const [headers, changes] of [
    [{ 'sec-fetch-site': 'cross-site', origin: own }],
    [{ origin: 'https://evil.example', referer: `${own}/` }],
    [{ referer: 'https://evil.example/' }],
    [{}],
    [{ ...ours, 'sec-purpose': 'prefetch' }],
    [ours, { consentVersion: '' }],
    [ours, { consentVersion: 'f'.repeat(64) }],
  ] as [Record<string, string>, Record<string, string>?][]) {
    const response = await post(form({ email: 'b@example.org', ...changes }), headers)
    expect([headers, response.status]).toEqual([headers, 403])
    expect(await response.text()).toContain(submissionError.heading)
  }
  expect(new Set(intake.rows('leads').map(({ email }) => email))).toEqual(new Set(['ada@example.org']))
  // In production, our origin is SITE_URL's, not the address that the server listens on.
  await intake.close()
  intake = await startIntake({ env: { SITE_URL: 'https://www.example.org' } })
  expect((await post(form(), { origin: 'https://www.example.org' })).status).toBe(303)
  expect((await post(form(), { origin: intake.url })).status).toBe(403)
})

test('a form with errors is shown 60 times in ten minutes, then refused in under 2 KB; leads aren’t', async () => {
  for (let time = 0; time < 60; time++) expect((await post(form({ firstName: '' }))).status).toBe(422)
  const refused = await post(form({ firstName: '' }), ours, '?language=es')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  const page = await refused.text()
  expect(page.length).toBeLessThan(2048)
  for (const part of ['<html lang="es">', spanishError.heading, telHref(organization.phone)]) {
    expect(page).toContain(part)
  }
  expect((await post(form())).status).toBe(303)
})

test('a body over 16 KB or with too many fields gets a 413', async () => {
  const long = form({ lastName: 'x'.repeat(16 * 1024) })
  expect((await post(long)).status).toBe(413)
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...ours }
  const inChunks = (text: string) =>
    requestRaw(intake.url, {
      path: '/api/leads',
      method: 'POST',
      headers,
      chunks: text.match(/.{1,1000}/g) ?? [],
    })
  expect((await inChunks(`${new URLSearchParams(long)}`)).status).toBe(413)
  expect((await inChunks(`${new URLSearchParams(form())}${'&%41'.repeat(64)}`)).status).toBe(413)
  expect((await inChunks(`${new URLSearchParams(form())}`)).status).toBe(303)
})

test('a redisplayed form escapes typed values and never treats them as slots', () => {
  const render = createFormPage('<a href="{{page}}"><input value="{{value:email}}"><p>{{error:email}}</p>', [])
  const values = { email: '"><script>{{page}}' }
  const none = { campaign: '', variant: '', asked: '', wrongBoxes: [] }
  const page = render({ page: '/', values, answers: {}, errors: { email: 'a < b' }, ...none })
  expect(page).toBe('<a href="/"><input value="&#34;&#62;&#60;script&#62;{{page}}"><p>a &#60; b</p>')
})

test.runIf(languages.includes('es'))(
  'a form on a Spanish page stays in Spanish: thank-you, decline, errors, and the problem page',
  async () => {
    const postSpanish = (changes: Record<string, string>, headers: Record<string, string> = ours) =>
      post(form({ ...intake.spanish, page: '/es/', ...changes }), headers, '?language=es')
    const accepted = await postSpanish({})
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/es/thank-you'])
    expect(intake.rows('leads')).toMatchObject([
      { page: '/es/', language: 'es', consent_version: intake.spanish.consentVersion },
    ])
    const declined = await postSpanish({ 'question-1': opposite('question-1') })
    expect(declined.headers.get('location')).toBe('/es/decline')
    const incomplete = await shownAgain(await postSpanish({ firstName: '', page: '/no-such-page' }))
    expect(incomplete.fields).toMatchObject({ ...intake.spanish, page: '/es/' })
    expect(incomplete.errors).toEqual({ firstName: spanishMessages.firstNameRequired })
    const refused = await postSpanish({}, { 'sec-fetch-site': 'cross-site' })
    expect(await refused.text()).toContain(spanishError.heading)
  },
)
