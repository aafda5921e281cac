/** Corrections through the desk's API: what agents may do, and what the record and the export say. */

import { expect, test } from 'vitest'
import { callWords } from '../../../site-folder/site.ts'
import type { DeskClient } from '../../../tests/support/desk.ts'
import { bodyOf, deskPerTest, refusalOf } from '../../../tests/support/desk-harness.ts'
import { contactOf } from '../../../tests/support/lead-store.ts'
import { recordPath } from '../../limits.ts'

const harness = deskPerTest()
const seen = contactOf('Ada')
const newPhone = '(212) 555-0187'

const send = (id: string, change: object, more: object = {}, client: DeskClient = harness.maria) =>
  client.fetch(`/api/leads/${id}/correction`, {
    body: { seen, corrected: { ...seen, ...change }, reason: 'read back to her', ...more },
  })

test('an agent corrects the number with a spoken yes; page, record, and export have both numbers', async () => {
  const id = await harness.capture('Ada')
  const luis = await harness.desk.signedIn('Luis', 'agent')
  const { errors, lead } = await bodyOf<{ errors: null; lead: { id: string; contact: object; corrections: object[] } }>(
    send(id, { phone: '2125550187' }, { saidYes: true }, luis),
  )
  expect(errors).toBeNull()
  expect(lead.contact).toMatchObject({ phone: newPhone })
  expect(lead.corrections).toMatchObject([{ by: 'Luis', reason: 'read back to her', before: { phone: seen.phone } }])

  const record = (await (await harness.maria.fetch(recordPath(id))).text()).replaceAll(/<[^>]+>/g, '')
  expect(record).toContain(`Phone${seen.phone}`)
  expect(record).toContain(`Phone number: ${seen.phone} → ${newPhone}`)
  expect(record).toContain('Corrected: phone number')
  const recordNow = await (await harness.maria.fetch(recordPath(lead.id))).text()
  expect(recordNow.replaceAll('&#39;', "'")).toContain(callWords.en.spokenConsent)
  const csv = await (await harness.maria.fetch('/api/leads/export', { body: { filter: {} } })).text()
  expect(csv).toContain(`Luis: phone ${seen.phone} → ${newPhone} (read back to her)`)
})

test('is refused without a yes, for wrong values, and over a colleague’s correction; a listed number is on hold', async () => {
  const id = await harness.capture('Ada')
  const refusal = (change: object, more: object = {}) => refusalOf(send(id, change, more))
  expect(await refusal({ phone: newPhone })).toEqual([
    409,
    'Ask whether you may call this number, and check the box if they say yes.',
  ])
  expect(await bodyOf(send(id, { phone: '555', email: 'x', firstName: '' }))).toMatchObject({
    errors: { phone: expect.any(String), email: 'Email is invalid', firstName: 'First name is required' },
  })
  await bodyOf(send(id, { firstName: 'Adah' }))
  expect(await refusal({ lastName: 'Byron' })).toEqual([409, expect.stringContaining('A colleague has corrected')])
  await harness.store.addToDoNotCall({ contacts: [{ phone: newPhone }], by: 'Luis' })
  const now = { seen: { ...seen, firstName: 'Adah' }, saidYes: true }
  expect(await bodyOf(send(id, { firstName: 'Adah', phone: newPhone }, now))).toMatchObject({
    isHeld: true,
    lead: { state: 'held' },
  })
})

test('“do not call” on the page of either lead closes both numbers of someone without an email, and so does its Undo', async () => {
  const id = await harness.capture('Ada', { contact: { ...seen, email: '' } })
  const corrected = { seen: { ...seen, email: '' }, corrected: { ...seen, email: '', phone: newPhone }, saidYes: true }
  const { lead } = await bodyOf<{ lead: { id: string } }>(send(id, {}, corrected))
  const leads = [id, lead.id]
  for (const page of leads) {
    const act = (action: string, more = {}) => {
      const state = page === id ? 'repeat' : 'accepted'
      const body = {
        action,
        seen: { state, doNotCall: { email: false, phone: false } },
        contacts: ['phone', 'email'],
        ...more,
      }
      return bodyOf<{ requestId: string }>(harness.maria.fetch(`/api/leads/${page}/actions`, { body }))
    }
    const { requestId } = await act('do not call')
    expect(await harness.store.leadsOnDoNotCallList(leads)).toEqual(new Set(leads))
    await act('undo do not call', { requestId })
    expect(await harness.store.leadsOnDoNotCallList(leads)).toEqual(new Set())
  }
})
