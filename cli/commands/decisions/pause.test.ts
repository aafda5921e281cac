import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, insertLeads, rowsOf } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

const pauses = () => rowsOf(store.file, 'SELECT paused_at, reason FROM delivery_pause')

test('pause stands in the store until resume, which says what waits', async () => {
  insertLeads(store.file, [{}, {}, { delivery: 'delivered' }])
  expect(await leads(['pause', '--reason', ' the CRM is being moved '], store)).toEqual({
    code: 0,
    out: '',
    err: 'Deliveries are paused. They go on with: npm run leads -- resume\n',
  })
  expect(pauses()).toEqual([{ paused_at: NOW, reason: 'the CRM is being moved' }])
  const env = { LEAD_WEBHOOK_URL: 'https://hooks.example.org/leads' }
  expect(await leads(['resume'], { ...store, env })).toEqual({
    code: 0,
    out: '',
    err: 'Deliveries go on: 2 leads wait.\n',
  })
  expect(pauses()).toEqual([])
  expect(await leads(['resume'], store)).toEqual({ code: 0, out: '', err: 'Deliveries were not paused.\n' })
})

test('whoever releases leads or has them delivered again meanwhile is told that they wait', async () => {
  const [held = '', dead = ''] = insertLeads(store.file, [{ state: 'held', delivery: null }, { delivery: 'dead' }])
  await leads(['pause'], store)
  const env = { LEAD_WEBHOOK_URL: 'https://hooks.example.org/leads' }
  const paused = 'Deliveries are paused: they go on with npm run leads -- resume\n'
  expect((await leads(['approve', held], { ...store, env })).err).toContain(paused)
  expect((await leads(['resend', dead], { ...store, env })).err).toContain(paused)
})

test('a second pause tells of the first', async () => {
  await leads(['pause', '--reason', 'the CRM is\nbeing moved'], { ...store, now: NOW - 60_000 })
  const { code, err } = await leads(['pause'], store)
  expect(code).toBe(0)
  expect(err).toMatch(
    /^Deliveries have been paused since 2030-01-\d\d \d\d:\d\d:\d\d UTC by \S+ \(the CRM is being moved\)\. They go on with: .*resume\n$/,
  )
  expect(pauses()).toEqual([{ paused_at: NOW - 60_000, reason: 'the CRM is\nbeing moved' }])
})

test('a reason has a length', async () => {
  expect((await leads(['pause', '--reason', 'x'.repeat(201)], store)).code).toBe(2)
  expect(pauses()).toEqual([])
})

test('the summary says that deliveries are paused, since when and why', async () => {
  insertLeads(store.file, [{}])
  const json = async () => JSON.parse((await leads(['list', '--summary', '--json'], store)).out).deliveriesPaused
  expect(await json()).toBeNull()
  expect((await leads(['list', '--summary'], store)).out).not.toContain('paused')
  await leads(['pause', '--reason', 'the CRM is being moved'], store)
  expect(await json()).toMatchObject({ since: new Date(NOW).toISOString(), reason: 'the CRM is being moved' })
  expect((await leads(['list', '--summary'], store)).out).toMatch(
    /^Deliveries have been paused since 2030-.* \(the CRM is being moved\)\.$/m,
  )
})

test('the doctor warns of it, and does not ask what is wrong with the webhook', async () => {
  insertLeads(store.file, [{}])
  await leads(['pause', '--reason', 'the CRM is being moved'], store)
  const { code, out } = await leads(['doctor'], store)
  expect(code).toBe(0)
  expect(out).toMatch(
    /^warning {2}Backlog {3}Deliveries have been paused since 2030-.* \(the CRM is being moved\)\. They go on with: resume$/m,
  )
  expect(out).toContain('ok       Backlog   1 lead waits for delivery, the oldest for 24 h.')
})
