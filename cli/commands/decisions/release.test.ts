import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, insertLeads, rowsOf } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'
import { whoAsks } from '../../leads/who-asks.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

const held = { state: 'held', heldReason: 'many from one address', delivery: null } as const

test('a held lead is accepted, waits in the outbox, and its history says so', async () => {
  const [id = '', other] = insertLeads(store.file, [held, held])
  const { code, out, err } = await leads(['approve', id], store)
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(`Lead ${id} is released. LEAD_WEBHOOK_URL is not set: delivery waits until it is.\n`)
  expect(rowsOf(store.file, 'SELECT state, held_reason FROM leads WHERE id = ?', id)).toEqual([
    { state: 'accepted', held_reason: null },
  ])
  expect(rowsOf(store.file, 'SELECT * FROM deliveries')).toEqual([
    {
      lead_id: id,
      webhook_id: `lead_${id}`,
      state: 'pending',
      attempts: 0,
      next_at: NOW,
      created_at: NOW,
      finished_at: null,
      lease_token: null,
    },
  ])
  expect(
    rowsOf(store.file, `SELECT event, detail, at FROM history WHERE lead_id = ? AND event <> 'received'`, id),
  ).toEqual([
    { event: 'released', detail: JSON.stringify({ heldReason: 'many from one address', by: whoAsks() }), at: NOW },
  ])
  expect(rowsOf(store.file, 'SELECT state FROM leads WHERE id = ?', `${other}`)).toEqual([{ state: 'held' }])
})

test('what is not held cannot be released', async () => {
  const [id = ''] = insertLeads(store.file, [{ delivery: 'delivered' }])
  const { code, err } = await leads(['approve', id], store)
  expect({ code, err }).toEqual({ code: 1, err: `Lead ${id} is not held: its state is accepted.\n` })
  expect(rowsOf(store.file, 'SELECT state FROM deliveries')).toEqual([{ state: 'delivered' }])
})

test('several at once, by the beginnings of their ids', async () => {
  const ids = insertLeads(store.file, [
    { ...held, receivedAt: NOW - 9e6 },
    { ...held, receivedAt: NOW - 6e6 },
    { ...held, receivedAt: NOW - 3e6 },
  ])
  const [one = '', two = ''] = ids.map(id => id.slice(0, 8))
  expect((await leads(['approve', one, two, one], store)).err).toContain('2 leads are released.')
  expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'held'`)).toEqual([{ id: ids[2] }])
})

test('if one of several is not held, none is released', async () => {
  const [one = '', two = ''] = insertLeads(store.file, [held, { delivery: 'delivered' }])
  const { code, err } = await leads(['approve', one, two], store)
  expect({ code, err }).toEqual({ code: 1, err: `Lead ${two} is not held: its state is accepted.\n` })
  expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'held'`)).toEqual([{ id: one }])
})

test('all are released after a yes, however many there are', async () => {
  insertLeads(
    store.file,
    Array.from({ length: 1201 }, () => held),
  )
  insertLeads(store.file, [{ state: 'repeat', delivery: null }])
  const { code, err } = await leads(['approve', '--all'], { ...store, types: 'yes\n' })
  expect(code).toBe(0)
  expect(err).toContain('Release 1,201 held leads? Type yes to go on: ')
  expect(err).toContain('1,201 leads released.')
  expect(rowsOf(store.file, 'SELECT state, COUNT(*) AS n FROM leads GROUP BY state ORDER BY state')).toEqual([
    { state: 'accepted', n: 1201 },
    { state: 'repeat', n: 1 },
  ])
  expect(rowsOf(store.file, 'SELECT COUNT(*) AS n FROM deliveries')).toEqual([{ n: 1201 }])
})

test.each(['no\n', '\n', ''])('an answer of %j changes nothing', async types => {
  insertLeads(store.file, [held, held])
  const { code, err } = await leads(['approve', '--all'], { ...store, types })
  expect(code).toBe(1)
  expect(err).toContain('Nothing was changed.\n')
  expect(rowsOf(store.file, 'SELECT COUNT(*) AS n FROM deliveries')).toEqual([{ n: 0 }])
})

test('where nobody can be asked, several need --yes', async () => {
  insertLeads(store.file, [held, held])
  expect(await leads(['approve', '--all'], store)).toEqual({
    code: 2,
    out: '',
    err: 'Release 2 held leads? Nobody can be asked here: add --yes to do it.\n',
  })
  expect((await leads(['approve', '--all', '--yes'], store)).code).toBe(0)
  expect((await leads(['approve', '--all'], store)).err).toBe('0 leads released.\n')
})
