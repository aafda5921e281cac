import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../tests/faults/fake-clock.ts'
import { captureLead, type LeadStore, openLeadStore } from '../../tests/faults/lead-store.ts'
import { type Database, DatabaseUnavailable } from './database.ts'
import { watchRefusals } from './refusal-watch.ts'

const REFUSED = { event: 'leads are refused', level: 'alert', reason: 'the disk is full.' }
const TAKEN = { event: 'leads are taken again' }

let clock: FakeClock
let store: LeadStore
let database: Database
let fault: Error | null
let log: unknown[]

beforeEach(() => {
  clock = new FakeClock(0)
  store = openLeadStore()
  fault = null
  log = []
  const failing: Database = {
    ...store.database,
    read: async work => (fault ? Promise.reject(fault) : store.database.read(work)),
    write: async work => (fault ? Promise.reject(fault) : store.database.write(work)),
  }
  database = watchRefusals(failing, { log: (event, detail) => log.push({ event, ...detail }), now: clock.now })
})

afterEach(() => store.remove())

const full = () => new DatabaseUnavailable('the disk is full.')
const send = (name = 'ada') => captureLead(database, { name }).catch(error => error)

test('nothing is said while leads are taken', async () => {
  await send()
  expect(log).toEqual([])
})

test('the first refusal is told at once with its reason, the others once a minute', async () => {
  fault = full()
  for (let second = 0; second < 150; second++) {
    expect(await send()).toBe(fault)
    clock.advance(1000)
  }
  expect(log).toEqual([REFUSED, REFUSED, REFUSED])
})

test('the first lead that is taken again ends it with one line', async () => {
  fault = full()
  await send()
  fault = null
  for (const name of ['ada', 'grace']) await send(name)
  expect(log).toEqual([REFUSED, TAKEN])
})

test('a disk that is full by turns is told of no more than once a minute', async () => {
  for (let turn = 0; turn < 30; turn++) {
    fault = turn % 2 === 0 ? full() : null
    await send(`lead-${turn}`)
    clock.advance(1000)
  }
  expect(log).toEqual([REFUSED, TAKEN])
})

test('a consent that cannot be looked up is a refusal, too, and reading alone does not end it', async () => {
  fault = full()
  await database.read(sql => sql('SELECT 1')).catch(() => {})
  fault = null
  await database.read(sql => sql('SELECT 1'))
  expect(log).toEqual([REFUSED])
})

test('any other error is passed on without a word: its message may quote what was typed', async () => {
  fault = new TypeError('Ada')
  expect(await send()).toBe(fault)
  expect(log).toEqual([])
})
