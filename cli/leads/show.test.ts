import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consent } from '../../content/en/contact-form.ts'
import { DAY } from '../../domain/durations.ts'
import { insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const certificateId = 'a'.repeat(40)
const questionnaire = JSON.stringify({
  questions: [
    { id: 'a', question: 'Are you out of work?', answer: 'yes' },
    { id: 'b', question: 'Do you have an attorney?', answer: 'no' },
  ],
  yes: 'Yes',
  no: 'Nope',
})

const store = storePerTest()

test('shows contact, source, consent, questions, history, and attempts', async () => {
  const [first, id = ''] = insertLeads(store.file, [
    { receivedAt: someLead.receivedAt - DAY },
    { delivery: 'dead', certificateId, questionnaire },
  ])
  const { code, out, err } = await leads(['show', id.toUpperCase()], store)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const part of [
    ...[someLead.firstName, someLead.lastName, someLead.email, someLead.phone, someLead.dateOfBirth],
    ...[someLead.clientAddress, someLead.userAgent, 'utm_source=news', '2030-01-15 12:00:00 UTC, 24 h ago'],
    ...[`https://cert.trustedform.com/${certificateId}`, consent.text, consent.button, `${first}`],
    ...['received (state: accepted, certificate: present)', 'viewed by '],
    ...['responded with 500 after 120 ms', 'failed 20'],
  ]) {
    expect(out).toContain(part)
  }
  expect(out).toMatch(/Questions as shown.*\n {2}Yes +Are you out of work\?\n {2}Nope +Do you have/)
  const env = { TIME_ZONE: 'America/New_York' }
  const older = (await leads(['show', `${first}`], { ...store, env })).out
  expect(older).toMatch(/Questions as shown.*\n {2}not recorded\n/)
  expect(older).toContain('2030-01-14 07:00:00 EST, 2 d ago')
  expect(older).not.toContain('UTC')
})

test('as JSON, has every field of the webhook’s message under the same name', async () => {
  const [id = ''] = insertLeads(store.file, [{ delivery: 'delivered', certificateId, questionnaire }])
  const documented = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/webhook.md', 'utf8'))?.[1] ?? ''
  const shown = JSON.parse((await leads(['show', id, '--json'], store)).out)
  const { data } = JSON.parse(documented) as { data: Record<string, unknown> }
  const fieldsOf = (value: unknown, path = ''): readonly string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !path.endsWith('campaign')
      ? Object.entries(value).flatMap(([name, each]) => fieldsOf(each, `${path}.${name}`))
      : [path]
  expect(fieldsOf(shown[0])).toEqual(expect.arrayContaining([...fieldsOf(data)]))
  expect(shown).toMatchObject([
    {
      id,
      receivedAt: '2030-01-15T12:00:00.000Z',
      otherLeadsOfThePerson: [],
      contact: { email: someLead.email, phoneE164: '+15550102030' },
      consent: { text: consent.text, button: consent.button, ipAddress: someLead.clientAddress },
      delivery: { state: 'delivered', attempts: 1, nextAt: null },
      history: [{ event: 'received', detail: { state: 'accepted' } }, { event: 'looked' }],
      deliveryAttempts: [{ outcome: 'delivered', status: 200, durationMs: 120 }],
    },
  ])
})

test.each([
  [0, { certificateId, trustedForm: 'on' }, ['expires in 90 days unless you retain it\n']],
  [89, { certificateId }, ['expires in 1 day unless you retain it\n']],
  [90, { certificateId }, ['expired unless you retained it\n']],
  [0, { certificateId, trustedForm: 'sandbox' }, ['WARNING: received while TRUSTEDFORM was set to sandbox']],
  [0, { certificateId, trustedForm: 'off' }, ['WARNING: the form didn’t ask for it']],
  [
    0,
    { certificateOther: 'https://cert.trustedform.com/v5/abc?x=1' },
    ['/v5/abc?x=1', 'WARNING: a TrustedForm URL, but'],
  ],
  [0, {}, ['Certificate   none\n']],
  [0, { certificate: 'invalid' }, ['received (state: accepted, certificate: invalid)']],
] as const)('a certificate after %i days: %j', async (days, lead, parts) => {
  const [id = ''] = insertLeads(store.file, [{ receivedAt: NOW - days * DAY, ...lead }])
  const { out } = await leads(['show', id], store)
  for (const part of parts) expect(out).toContain(part)
  expect(out.includes('WARNING')).toBe(parts.some(part => part.startsWith('WARNING')))
})

test('the start of an ID is enough if it is unique', async () => {
  const [one = '', , other = ''] = insertLeads(store.file, [{}, {}, { receivedAt: someLead.receivedAt + DAY }])
  expect((await leads(['show', other.slice(0, 8)], store)).out).toContain(`Lead ${other}`)
  const start = one.slice(0, 10)
  const err = `Several lead IDs start with ${start}. Use more characters.\n`
  expect(await leads(['show', start], store)).toEqual({ code: 1, out: '', err })
  expect((await leads(['show', '00000000'], store)).err).toBe('No lead found with ID 00000000.\n')
})

const erase = (id: string) => leads(['erase', '--id', id, '--yes', '--under-five-years'], store)

test('consent finds every lead with a given email or phone, oldest first, including erased ones by hash', async () => {
  const [first = '', second = ''] = insertLeads(store.file, [
    { certificateId, page: '/advertorial', delivery: 'delivered', receivedAt: someLead.receivedAt - 1000 },
    { firstName: 'Bob' },
  ])
  await erase(first)
  for (const argv of [
    ['--phone', '+1 555 010 2030'],
    ['--email', 'ADA@example.org'],
  ]) {
    const { code, out } = await leads(['consent', ...argv], store)
    expect(code).toBe(0)
    for (const part of [`https://cert.trustedform.com/${certificateId}`, 'By pressing']) expect(out).toContain(part)
    expect(out).not.toContain('Ada\n')
  }
  const asked = await leads(['consent', '--json'], { ...store, typed: `${someLead.phone}\n` })
  expect(JSON.parse(asked.out)).toMatchObject([
    { id: first, state: 'erased', contact: null, consent: { ipAddress: null } },
    { id: second, state: 'accepted', contact: { firstName: 'Bob' } },
  ])
})

test.each([
  ['555 010 9999', {}, /^No consent found for this email or phone number\.\n$/],
  [someLead.phone, { ERASURE_KEY: '' }, /^1 erased lead couldn’t be checked against .*This machine has no key/],
  [someLead.phone, { ERASURE_KEY: 'x'.repeat(40) }, /^1 erased lead couldn’t be checked .* a different key/],
])('consent for %s with %j finds nothing, and says what it couldn’t check', async (phone, env, err) => {
  const [id = ''] = insertLeads(store.file, [{}])
  await erase(id)
  const found = await leads(['consent', '--phone', phone], { ...store, env })
  expect(found).toEqual({ code: 1, out: '', err: expect.stringMatching(err) })
})
