/** What the tab that sent a lead can still say, through the production app. */

import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { words } from '../../site-folder/site.ts'
import { type Intake, sendLead, startIntake } from '../../tests/support/intake.ts'
import { rowsOf } from '../../tests/support/lead-fixtures.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { storeFile } from '../store/sqlite/files.ts'

const { contactMessages } = words.en

const phone = '(212) 555-0187'
const newPhone = '(212) 555-0199'

let intake: Intake
beforeEach(async () => {
  // The times that are offered change with the hour.
  vi.useFakeTimers({ toFake: ['Date'] })
  intake = await startIntake()
})
afterEach(async () => {
  await intake.close()
  vi.useRealTimers()
})

async function send(name = 'ada'): Promise<string> {
  const response = await sendLead(intake, { ...contactOf(name), phone })
  return ((await response.json()) as { token: string }).token
}

async function say(fields: Record<string, string>, more: Record<string, string> = {}) {
  const headers = { 'x-consent-version': intake.consentVersion, 'sec-fetch-site': 'same-origin', ...more }
  const body = new URLSearchParams({ phone, ...fields })
  const response = await fetch(`${intake.url}/api/sent-lead`, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const refused = { status: 403, body: { status: 'refused' } }
const rows = (sql: string) => rowsOf(storeFile(intake.dataDir), sql)
const phones = () => rows('SELECT state, phone FROM leads ORDER BY id')

test('another number is a new submission on the thank-you page, and the first one is closed', async () => {
  const token = await send()
  const referer = `${intake.url}/thank-you?utm_source=tv`
  expect(await say({ token, newPhone: '212 555 0199' }, { referer })).toMatchObject({
    status: 202,
    body: { status: 'accepted', phone: newPhone },
  })
  expect(phones()).toEqual([
    { state: 'repeat', phone: '2125550187' },
    { state: 'accepted', phone: '2125550199' },
  ])
  expect(rows(`SELECT consent_version, trusted_form FROM leads WHERE state = 'accepted'`)).toEqual([
    { consent_version: intake.consentVersion, trusted_form: 'off' },
  ])
})

test('someone else’s token, a second time, and after half an hour: all refused alike', async () => {
  const [ada, bob, old] = [await send('ada'), await send('bob'), await send('old')]
  expect(await say({ token: ada, phone: newPhone, newPhone: phone })).toEqual(refused)
  expect(await say({ token: 'made up', newPhone })).toEqual(refused)
  expect((await say({ token: ada, newPhone: '(212) 555-0100' })).status).toBe(202)
  expect(await say({ token: ada, newPhone })).toEqual(refused)
  for (const _ of ['first', 'answer lost']) expect((await say({ token: bob, newPhone })).status).toBe(202)
  expect(await say({ token: bob, phone: newPhone, newPhone: phone })).toEqual(refused)
  expect(await say({ token: old, newPhone }, { 'sec-fetch-site': 'cross-site' })).toEqual(refused)
  expect(await say({ token: old, newPhone }, { 'x-consent-version': '' })).toEqual(refused)
  const database = new DatabaseSync(storeFile(intake.dataDir))
  database.exec(`UPDATE sent_leads SET sent_at = sent_at - ${31 * 60_000}`)
  database.close()
  expect(await say({ token: old, newPhone })).toEqual(refused)
  expect(await say({ token: old })).toEqual(refused)
  expect(phones().filter(lead => lead['state'] === 'accepted')).toHaveLength(3)
})

test('whether a number is on the do-not-call list, nobody learns: not by sending it, correcting to it, or choosing a time', async () => {
  const listed = '(212) 555-0100'
  await intake.store.addToDoNotCall({ contacts: [{ phone: listed }], by: 'Maria' })
  const answers = async (number: string, name: string) => {
    const token = await send(name)
    const corrected = await say({ token, newPhone: number })
    const [time] = corrected.body['times'] as { from: number }[]
    const all = [corrected, await say({ token, phone: number })]
    for (let chosen = 0; chosen < 5; chosen++) all.push(await say({ token, phone: number, from: `${time?.from}` }))
    return JSON.stringify(all).replaceAll(number, 'NUMBER')
  }
  expect(await answers(listed, 'ada')).toBe(await answers(newPhone, 'bob'))
  expect(phones()).toContainEqual({ state: 'held', phone: '2125550100' })
})

test('a number that can’t be right gets the form’s message, and counts if it’s sent again', async () => {
  const token = await send()
  const invalid = (message: string) => ({ status: 422, body: { status: 'invalid', message } })
  expect(await say({ token, newPhone: '12345' })).toEqual(invalid(contactMessages.phoneInvalid))
  expect(await say({ token, newPhone: '833-243-2965' })).toEqual(invalid(contactMessages.phoneDoubtful))
  expect((await say({ token, newPhone: '833-243-2965', asked: '833-243-2965' })).status).toBe(202)
})

test('the same number again changes nothing', async () => {
  const token = await send()
  expect((await say({ token, newPhone: phone })).status).toBe(202)
  expect(phones()).toHaveLength(1)
})

test('of the times at which we may call, one moves the first call', async () => {
  const token = await send()
  const { body } = await say({ token })
  const [first] = body['times'] as { from: number }[]
  expect(await say({ token, from: `${(first?.from ?? 0) + 1}` })).toEqual(refused)
  expect((await say({ token, from: `${first?.from}` })).status).toBe(202)
  expect(rows('SELECT new_at AS at FROM stories')).toEqual([{ at: first?.from }])
})

test('no times are offered if only a CRM calls', async () => {
  await intake.close()
  intake = await startIntake({ env: { LEAD_WEBHOOK_URL: 'https://crm.example.org/hook' } })
  const token = await send()
  expect(await say({ token })).toEqual({ status: 200, body: { corrected: false, times: [] } })
})
