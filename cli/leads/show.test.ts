import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { consent } from '../../content/panel/contact-form.ts'
import { insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const DAY = 24 * 60 * 60 * 1000
const certificateId = 'a'.repeat(40)

const store = storePerTest()

async function json(...argv: readonly string[]) {
  return JSON.parse((await leads([...argv, '--json'], store)).out)
}

describe('show', () => {
  test('shows contact, source, consent, history, and attempts', async () => {
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
      ...['received (state: accepted, certificate: present)', 'viewed by '],
      ...['responded with 500 after 120 ms', 'failed 20'],
    ]) {
      expect(out).toContain(part)
    }
  })

  test('as JSON, has every field of the webhook’s message under the same name', async () => {
    const questionnaire = JSON.stringify({
      questions: [{ id: 'a', question: 'Are you out of work?', answer: 'yes' }],
      ...{ yes: 'Yes', no: 'Nope' },
    })
    const [id = ''] = insertLeads(store.file, [{ delivery: 'delivered', certificateId, questionnaire }])
    const documented = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/webhook.md', 'utf8'))?.[1] ?? ''
    const shown = await json('show', id)
    const { data } = JSON.parse(documented) as { data: Record<string, unknown> }
    expect(fieldsOf(shown[0])).toEqual(expect.arrayContaining([...fieldsOf(data)]))
    expect(shown).toMatchObject([
      {
        id,
        receivedAt: '2030-01-15T12:00:00.000Z',
        contact: { email: someLead.email, phoneE164: '+15550102030' },
        consent: { text: consent.text, button: consent.button, ipAddress: someLead.clientAddress },
        delivery: { state: 'delivered', attempts: 1, nextAt: null },
        history: [{ event: 'received', detail: { state: 'accepted' } }, { event: 'looked' }],
        deliveryAttempts: [{ outcome: 'delivered', status: 200, durationMs: 120 }],
        otherLeadsOfThePerson: [],
      },
    ])
  })

  const fieldsOf = (value: unknown, path = ''): readonly string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !path.endsWith('campaign')
      ? Object.entries(value).flatMap(([name, each]) => fieldsOf(each, `${path}.${name}`))
      : [path]

  test.each([
    [0, { certificateId, trustedForm: 'on' }, ['0 days old, expires in 90 days unless it is retained\n']],
    [89, { certificateId }, ['89 days old, expires in 1 day unless it is retained\n']],
    [90, { certificateId }, ['90 days old, expired unless it was retained\n']],
    [0, { certificateId, trustedForm: 'sandbox' }, ['WARNING: received while TRUSTEDFORM was sandbox']],
    [0, { certificateId, trustedForm: 'off' }, ['WARNING: the form didn’t ask for it']],
    [
      0,
      { certificateOther: 'https://cert.trustedform.com/v5/abc?x=1' },
      ['/v5/abc?x=1', 'WARNING: a TrustedForm URL, but not in a known certificate format'],
    ],
    [0, {}, ['Certificate   none\n']],
    [0, { certificate: 'invalid' }, ['received (state: accepted, certificate: invalid)']],
  ] as const)('a certificate after %i days: %j', async (days, lead, words) => {
    const [id = ''] = insertLeads(store.file, [{ receivedAt: NOW - days * DAY, ...lead }])
    const { out } = await leads(['show', id], store)
    for (const each of words) expect(out).toContain(each)
    expect(out.includes('WARNING')).toBe(words.some(each => each.startsWith('WARNING')))
  })

  test('the questions are shown as asked, with the qualifying answers', async () => {
    const questions = [
      { id: 'a', question: 'Are you out of work?', answer: 'yes' },
      { id: 'b', question: 'Have you got an attorney?', answer: 'no' },
    ]
    const [id = '', older = ''] = insertLeads(store.file, [
      { questionnaire: JSON.stringify({ questions, yes: 'Yes', no: 'Nope' }) },
      {},
    ])
    expect((await leads(['show', id], store)).out).toMatch(
      /Questions as shown.*\n {2}Version +[0-9a-f]{64}\n {2}Yes +Are you out of work\?\n {2}Nope +Have/,
    )
    expect((await leads(['show', older], store)).out).toMatch(/Questions as shown.*\n {2}not recorded\n/)
  })

  test('the start of an ID is enough if it is unique', async () => {
    const [one = '', two = '', other = ''] = insertLeads(store.file, [
      {},
      {},
      { receivedAt: someLead.receivedAt + DAY },
    ])
    expect((await leads(['show', other.slice(0, 8)], store)).out).toContain(`Lead ${other}`)
    const { code, out, err } = await leads(['show', one.slice(0, 10)], store)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(`Several lead IDs start with ${one.slice(0, 10)}. Use more characters: ${one}, ${two}`)
    expect((await leads(['show', '00000000'], store)).err).toBe('No lead found with ID 00000000.\n')
  })

  test('times are in the operator’s zone; headings are bold only where colors are wanted', async () => {
    const [id = ''] = insertLeads(store.file, [{ delivery: 'delivered' }])
    const bold = '\u001b[1mContact'
    expect((await leads(['show', id], { ...store, terminal: { colors: true } })).out).toContain(bold)
    expect((await leads(['show', id], { ...store, terminal: { colors: false } })).out).not.toContain('\u001b')
    const { out } = await leads(['show', id], { ...store, env: { TIME_ZONE: 'America/New_York' } })
    expect(out).toContain('2030-01-15 07:00:00 EST, 24 h ago')
    expect(out).not.toContain('UTC')
  })
})

describe('consent', () => {
  const erase = (id: string) => leads(['erase', '--id', id, '--yes', '--before-five-years'], store)

  test('finds every lead for a contact in order of time, and erased ones by their hash', async () => {
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
      expect(out).toContain(`https://cert.trustedform.com/${certificateId}`)
      expect(out).toContain('By pressing')
      expect(out).not.toContain('Ada\n')
    }
    const asked = await leads(['consent', '--json'], { ...store, types: `${someLead.phone}\n` })
    expect(JSON.parse(asked.out)).toMatchObject([
      { id: first, state: 'erased', contact: null, consent: { ipAddress: null } },
      { id: second, state: 'accepted', contact: { firstName: 'Bob' } },
    ])
  })

  test('finds only that contact, and doesn’t print the number', async () => {
    const [id = ''] = insertLeads(store.file, [{}])
    await erase(id)
    const { code, out, err } = await leads(['consent', '--phone', '555 010 9999'], store)
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'No consent found for this email or phone number.\n' })
  })

  test.each(['', 'x'.repeat(40)])('with the key %j, reports erased leads it couldn’t check', async ERASURE_KEY => {
    const [id = ''] = insertLeads(store.file, [{}])
    await erase(id)
    const { code, err } = await leads(['consent', '--phone', someLead.phone], { ...store, env: { ERASURE_KEY } })
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('1 erased lead couldn’t be checked against this email or phone number.'),
    })
  })
})
