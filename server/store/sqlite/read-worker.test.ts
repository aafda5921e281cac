/** A slow query times out and doesn't hold up the others. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureLead, type LeadStore, openLeadStore } from '../../../tests/support/lead-store.ts'
import type { Store } from '../store.ts'
import { QueryTimeoutError, StoreUnavailable } from '../store-errors.ts'
import { createReadWorker, type StoreWorker, startStoreWorker } from './worker-store.ts'

let leads: LeadStore
let reader: Store
let started: StoreWorker[]
beforeEach(async () => {
  leads = openLeadStore()
  started = []
})
afterEach(async () => {
  await reader.close()
  await leads.remove()
})

async function start(): Promise<StoreWorker> {
  const worker = await startStoreWorker(leads.file, 'read', () => {})
  started.push(worker)
  return worker
}

const never = () => new Promise<never>(() => {})

/** The first worker's count never finishes and blocks the queries after it, as in SQLite. */
async function startStuck(): Promise<StoreWorker> {
  const worker = await start()
  if (started.length === 1) Object.assign(worker.store, { count: never, page: never })
  return worker
}

test('queries that waited behind a slow one run in another worker', async () => {
  await captureLead(leads.store, { name: 'ada' })
  reader = await createReadWorker(startStuck, 1500)
  const stuck = reader.count({})
  const behind = reader.page({ filter: {}, order: 'newest first', limit: 1, after: null })
  await expect(stuck).rejects.toThrow(QueryTimeoutError)
  // This query may be about to time out too.
  await behind.catch(() => {})
  await expect.poll(() => reader.count({}).catch(() => null)).toBe(1)
  expect(started.length).toBeGreaterThan(1)
})

test('queries fail while the worker can’t be restarted, and work again once it can', async () => {
  const id = await captureLead(leads.store, { name: 'ada' })
  let broken = false
  reader = await createReadWorker(() => (broken ? Promise.reject(new StoreUnavailable('no memory')) : start()), 60_000)
  broken = true
  await started[0]?.terminate()
  await expect(reader.find(id)).rejects.toThrow('no memory')
  await expect(reader.find(id)).rejects.toThrow('no memory')
  broken = false
  expect(await reader.find(id)).toMatchObject({ id })
})

test('queries in flight when the worker crashed are retried', async () => {
  const id = await captureLead(leads.store, { name: 'ada' })
  reader = await createReadWorker(startStuck, 60_000)
  const asked = reader.count({})
  await started[0]?.terminate()
  expect(await asked).toBe(1)
  expect(await reader.find(id)).toMatchObject({ id })
})
