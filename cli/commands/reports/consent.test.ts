import { afterEach, beforeEach, expect, test } from 'vitest'
import { questionnaireAsPresented } from '../../../domain/questions-as-asked.ts'
import { createCalendar } from '../../../server/calendar.ts'
import { type ConsentRecord, consentRecordOf } from '../../../server/record/consent-record.ts'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import { submissionOf } from '../../../tests/faults/lead-store.ts'
import { createStore, insertLeads, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads } from '../../../tests/support/leads-command.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

const certificateId = 'f00dfacef00dfacef00dfacef00dfacef00dface'
const erase = (id: string) => leads(['erase', '--id', id, '--yes', '--before-five-years'], store)

test('who was erased and says “you called me without consent” is answered by the number they give', async () => {
  const [id = ''] = insertLeads(store.file, [{ certificateId, page: '/advertorial', delivery: 'delivered' }])
  await erase(id)
  for (const argv of [
    ['--phone', '+1 555 010 2030'],
    ['--email', 'ADA@example.org'],
  ]) {
    const { code, out } = await leads(['consent', ...argv], store)
    expect(code).toBe(0)
    expect(out).toContain('Consent given 2030-01-15 12:00:00 UTC')
    expect(out).toContain(`${id}, erased`)
    expect(out).toMatch(/On page +\/advertorial/)
    expect(out).toContain(`https://cert.trustedform.com/${certificateId}`)
    expect(out).toMatch(/Delivered +2030-01-15 12:00:00 UTC/)
    expect(out).toMatch(/Version +[0-9a-f]{64}/)
    expect(out).toContain('By pressing')
    expect(out).not.toContain('Ada')
  }
})

test('people who are still there are shown as well, all in the order of time, also as JSON', async () => {
  const [first = '', second = ''] = insertLeads(store.file, [
    { receivedAt: someLead.receivedAt - 1000, firstName: 'Bob' },
    { clientAddress: '203.0.113.7' },
  ])
  await erase(first)
  const { out } = await leads(['consent', '--phone', '--json'], { ...store, types: `${someLead.phone}\n` })
  const given = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
  expect(given).toMatchObject([
    { id: first, state: 'erased', clientAddress: null, erasedAt: '2030-01-16T12:00:00.000Z' },
    { id: second, state: 'accepted', clientAddress: '203.0.113.7', erasedAt: null },
  ])
})

test('nobody else is found, and the number is not repeated', async () => {
  const [id = ''] = insertLeads(store.file, [{}])
  await erase(id)
  const { code, out, err } = await leads(['consent', '--phone', '555 010 9999'], store)
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: 'No consent was given with this contact.\n' })
})

test('with another key, or none, it says that not all could be compared', async () => {
  const [id = ''] = insertLeads(store.file, [{}])
  await erase(id)
  for (const key of ['', 'x'.repeat(40)]) {
    const { code, err } = await leads(['consent', '--phone', someLead.phone], { ...store, env: { ERASURE_KEY: key } })
    expect(code).toBe(1)
    expect(err).toContain('1 erased lead could not be compared')
  }
})

test('what it tells are the facts of the consent record, the questions as asked and each attempt included', async () => {
  const server = openSqliteStore(store.file)
  const { id } = await server.capture({
    ...submissionOf('ada', await server.rememberConsent(JSON.stringify({ text: 'I agree', button: 'Call me' }))),
    questionnaireVersion: await server.rememberQuestionnaire(
      questionnaireAsPresented({
        questions: [{ id: 'age', text: 'Are you over 50?', required: 'yes' }],
        yes: 'Yes',
        no: 'No',
      }),
    ),
  })
  const [leased] = await server.lease({ limit: 1, leaseMs: 1000 })
  if (leased)
    await server.settle({ ...leased, durationMs: 3, status: 503, result: 'retry', reason: 'busy', retryInMs: 1 })
  const lead = await server.find(id)
  await server.close()
  if (!lead) throw new Error('the lead is not there')
  const asked = ['consent', '--email', 'ada@example.org']
  const { record } = JSON.parse((await leads([...asked, '--json'], store)).out) as { record: ConsentRecord }
  const made = { at: Date.parse(record.made.at), by: record.made.by, calendar: createCalendar('UTC') }
  expect(record).toEqual(consentRecordOf(lead, made))
  const { out } = await leads(asked, store)
  expect(out).toMatch(/Asked +Are you over 50\? Yes/)
  expect(out).toMatch(/Sent .*: busy \(503\)/)
})
