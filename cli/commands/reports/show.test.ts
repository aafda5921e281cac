import { afterEach, beforeEach, expect, test } from 'vitest'
import { consent } from '../../../content/panel/contact-form.ts'
import { createStore, insertLeads, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'

const DAY = 24 * 60 * 60 * 1000
const certificateId = 'a'.repeat(40)

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

test('everything about a lead is shown: contact, source, consent as presented, history and attempts', async () => {
  const [first, id = ''] = insertLeads(store.file, [
    { receivedAt: someLead.receivedAt - DAY },
    { delivery: 'dead', certificateId },
  ])
  const { code, out, err } = await leads(['show', id.toUpperCase()], store)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const part of [
    ...[someLead.firstName, someLead.lastName, someLead.email, someLead.phone, someLead.dateOfBirth],
    ...[someLead.clientAddress, someLead.userAgent, 'utm_source=news', '2030-01-15 12:00:00 UTC, 24 h ago'],
    ...[`https://cert.trustedform.com/${certificateId}`, '1 day old', consent.text, consent.button, `${first}`],
    ...[
      'received (state: accepted, certificate: present)',
      'the webhook answered 500 (status 500), after 120 ms',
      'dead since',
    ],
  ]) {
    expect(out).toContain(part)
  }
})

test('as JSON it is one object', async () => {
  const [id = ''] = insertLeads(store.file, [{ delivery: 'delivered', certificateId }])
  const { out } = await leads(['show', id, '--json'], store)
  expect(JSON.parse(out)).toMatchObject({
    id,
    receivedAt: '2030-01-15T12:00:00.000Z',
    email: someLead.email,
    campaign: { utm_source: 'news' },
    certificateUrl: `https://cert.trustedform.com/${certificateId}`,
    consent: { text: consent.text, button: consent.button },
    delivery: { state: 'delivered', attempts: 1, nextAt: null },
    history: [{ event: 'received', detail: { state: 'accepted' } }, { event: 'looked' }],
    deliveryAttempts: [{ outcome: 'delivered', status: 200, durationMs: 120 }],
    otherLeadsOfThePerson: [],
  })
})

test.each([
  [74, '74 days old\n', false],
  [75, '75 days old: it expires in 15 days unless it is retained', true],
  [89, 'it expires in 1 day unless it is retained', true],
  [90, '90 days old: it has expired unless it was retained', true],
])('a certificate of %i days: %s', async (days, words, warning) => {
  const [id = ''] = insertLeads(store.file, [{ receivedAt: NOW - days * DAY, certificateId }])
  const { out } = await leads(['show', id], store)
  expect(out).toContain(words)
  expect(out.includes('WARNING')).toBe(warning)
})

test.each([
  ['on', []],
  [null, []],
  ['sandbox', ['TRUSTEDFORM was sandbox: it proves nothing']],
  ['off', ['the form did not ask for it']],
] as const)('a certificate that came while TRUSTEDFORM was %s', async (trustedForm, warnings) => {
  const [id = ''] = insertLeads(store.file, [{ receivedAt: NOW, certificateId, trustedForm }])
  const { out } = await leads(['show', id], store)
  expect(out.split('WARNING')).toHaveLength(1 + warnings.length)
  for (const words of warnings) expect(out).toContain(words)
})

test('a certificate of a form that is not known is shown to the letter, and as such', async () => {
  const certificateOther = 'https://cert.trustedform.com/v5/abc?x=1'
  const [id = ''] = insertLeads(store.file, [{ receivedAt: NOW, certificateOther }])
  const { out } = await leads(['show', id], store)
  expect(out).toContain(certificateOther)
  expect(out).toContain('WARNING: an address at TrustedForm, but not of a form')
  const asJson = JSON.parse((await leads(['show', id, '--json'], store)).out)
  expect(asJson).toMatchObject({ certificateUrl: certificateOther, certificateFormKnown: false })
})

test('the questions are shown as they were asked, with the answers that a lead implies', async () => {
  const questions = [
    { id: 'a', question: 'Are you out of work?', answer: 'yes' },
    { id: 'b', question: 'Have you got an attorney?', answer: 'no' },
  ]
  const [id = '', older = ''] = insertLeads(store.file, [
    { questionnaire: JSON.stringify({ questions, yes: 'Yes', no: 'Nope' }) },
    {},
  ])
  const { out } = await leads(['show', id], store)
  expect(out).toMatch(
    /Questions, as they were asked.*\n {2}Version +[0-9a-f]{64}\n {2}Yes +Are you out of work\?\n {2}Nope +Have/,
  )
  expect(JSON.parse((await leads(['show', id, '--json'], store)).out)).toMatchObject({ questionnaire: { questions } })
  expect((await leads(['show', older], store)).out).toMatch(/Questions, as they were asked.*\n {2}not recorded\n/)
})

test('no certificate is told from something that is none', async () => {
  const [none = '', invalid = ''] = insertLeads(store.file, [{}, { certificate: 'invalid' }])
  expect((await leads(['show', none], store)).out).toMatch(/Certificate +none\n/)
  expect((await leads(['show', invalid], store)).out).toMatch(/Certificate +invalid: something was sent/)
})

test('the beginning of the id will do, unless other leads begin alike', async () => {
  const [one = '', two = '', other = ''] = insertLeads(store.file, [{}, {}, { receivedAt: someLead.receivedAt + DAY }])
  expect((await leads(['show', other.slice(0, 8)], store)).out).toContain(`Lead ${other}`)
  expect((await leads(['show', one.slice(0, 30)], store)).out).toContain(`Lead ${one}`)
  const { code, out, err } = await leads(['show', one.slice(0, 10)], store)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(`Several leads begin with ${one.slice(0, 10)}: type more of the id.`)
  for (const id of [one, two]) expect(err).toContain(id)
  expect((await leads(['show', '00000000'], store)).err).toBe('No lead begins with 00000000.\n')
})

test('headings are bold on a terminal, and plain where colours are not wanted', async () => {
  const [id = ''] = insertLeads(store.file, [{}])
  const bold = '\u001b[1mContact'
  expect((await leads(['show', id], { ...store, terminal: { colours: true } })).out).toContain(bold)
  expect((await leads(['show', id], { ...store, terminal: { colours: false } })).out).not.toContain('\u001b')
  expect((await leads(['show', id], store)).out).not.toContain('\u001b')
})

test('times are those of the operator’s zone, which is named', async () => {
  const [id = ''] = insertLeads(store.file, [{ delivery: 'delivered' }])
  const { out } = await leads(['show', id], { ...store, env: { TIME_ZONE: 'America/New_York' } })
  expect(out).toContain('2030-01-15 07:00:00 EST, 24 h ago')
  expect(out).toContain('delivered since 2030-01-15 07:00:00 EST')
  expect(out).not.toContain('UTC')
})
