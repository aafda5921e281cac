import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, insertLeads, rowsOf, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

const held = { state: 'held', heldReason: 'many from one address', delivery: null } as const

test('a held lead is rejected with a reason, which every report has', async () => {
  const [id = ''] = insertLeads(store.file, [held])
  const { code, err } = await leads(['reject', id.slice(0, 8), '--reason', 'Mickey\u001b[2J Mouse'], store)
  expect([code, err]).toEqual([0, `Lead ${id} is rejected.\n`])
  expect((await leads(['list', '--state', 'rejected'], store)).out).toContain('rejected (Mickey [2J Mouse)')
  expect((await leads(['show', id], store)).out).toMatch(/Rejected +Mickey \[2J Mouse/)
  expect((await leads(['list', '--summary'], store)).out).toMatch(/^rejected +1$/m)
  expect((await leads(['export'], store)).out).toContain('rejected,many from one address,Mickey [2J Mouse,')
  expect(rowsOf(store.file, 'SELECT * FROM deliveries')).toEqual([])
})

test('it can be released after all, and not with all that are held', async () => {
  const [id = '', other = ''] = insertLeads(store.file, [held, { ...held, receivedAt: NOW, email: 'bob@example.org' }])
  await leads(['reject', id, '--reason', 'a joke'], store)
  expect((await leads(['approve', '--all'], store)).err).toContain('1 lead released.')
  expect(rowsOf(store.file, 'SELECT lead_id FROM deliveries')).toEqual([{ lead_id: other }])
  expect((await leads(['resend', id], store)).err).toContain(`After all: npm run leads -- approve ${id}`)
  expect((await leads(['approve', id], store)).err).toContain(`Lead ${id} is released.`)
})

test('a rejected lead whose person has come again is not released beside the new one', async () => {
  const [id = ''] = insertLeads(store.file, [held, { receivedAt: someLead.receivedAt + 1 }])
  await leads(['reject', id, '--reason', 'a joke'], store)
  const { code, err } = await leads(['approve', id], store)
  expect([code, err]).toEqual([1, expect.stringContaining('whose person has come again')])
})

test.each([
  [[], 'Say which'],
  [['0195f2d1'], 'Say why'],
  [['0195f2d1', '--reason', ' \u200b'], 'must be a few words'],
  [['0195f2d1', '--reason', 'x'.repeat(201)], '200 characters at most'],
])('what is missing is asked for: %j', async (argv, explanation) => {
  const { code, err } = await leads(['reject', ...argv], store)
  expect([code, err]).toEqual([2, expect.stringContaining(explanation)])
})

test('if one of several is not held, none is rejected', async () => {
  const [one = '', two = ''] = insertLeads(store.file, [held, { delivery: 'delivered' }])
  const { code, err } = await leads(['reject', one, two, '--reason', 'a joke'], store)
  expect([code, err]).toEqual([1, `Lead ${two} is not held: its state is accepted.\n`])
  expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'rejected'`)).toEqual([])
})
