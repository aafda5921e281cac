import { expect, test } from 'vitest'
import { insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()

const pauses = () => rowsOf(store.file, 'SELECT paused_at, reason FROM delivery_pause')

const env = { LEAD_WEBHOOK_URL: 'https://hooks.example.org/leads' }

test('deliveries are paused until resume, which says how many leads are waiting', async () => {
  insertLeads(store.file, [{}, {}, { delivery: 'delivered' }])
  const err = 'Deliveries are paused. To resume: npm run leads -- resume\n'
  expect(await leads(['pause', '--reason', ' the CRM is being moved '], store)).toEqual({ code: 0, out: '', err })
  expect(pauses()).toEqual([{ paused_at: NOW, reason: 'the CRM is being moved' }])
  expect((await leads(['resume'], { ...store, env })).err).toBe('Deliveries resumed; 2 leads are queued.\n')
  expect(pauses()).toEqual([])
  expect(await leads(['resume'], store)).toEqual({ code: 0, out: '', err: 'Deliveries were not paused.\n' })
})

test('a second pause reports who paused deliveries, and why', async () => {
  await leads(['pause', '--reason', 'the CRM is\nbeing moved', '--by', 'Maria'], { ...store, now: NOW - 60_000 })
  const { code, err } = await leads(['pause'], store)
  expect(code).toBe(0)
  expect(err).toMatch(/^Maria paused deliveries at 2030-.* UTC \(the CRM is being moved\)\. To resume: /)
  expect(pauses()).toEqual([{ paused_at: NOW - 60_000, reason: 'the CRM is being moved' }])
  expect((await leads(['pause', '--reason', 'x'.repeat(201)], store)).code).toBe(2)
})
