/** Questions that take too long are given up, and nobody else waits for them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureLead, type LeadStore, openLeadStore } from '../../../../tests/faults/lead-store.ts'
import type { Store } from '../../store.ts'
import { TookTooLong } from '../../store-errors.ts'
import { askInThread } from './question-thread.ts'
import { type StoreThread, startStoreThread } from './threaded-store.ts'

let leads: LeadStore
let reader: Store
let threads: number
beforeEach(async () => {
  leads = openLeadStore()
  threads = 0
})
afterEach(async () => {
  await reader.close()
  await leads.remove()
})

/** In the first thread a count never comes to an end, and what is asked after it never begins, as with SQLite. */
async function start(): Promise<StoreThread> {
  const thread = await startStoreThread(leads.file, () => {}, 'read')
  if (++threads > 1) return thread
  const never = () => new Promise<never>(() => {})
  return { ...thread, store: { ...thread.store, count: never, page: never } }
}

test('one that takes too long is given up, and one that waited behind it is answered by another thread', async () => {
  const id = await captureLead(leads.store, { name: 'ada' })
  // Longer than a busy computer takes to start a thread.
  reader = await askInThread(start, 1500)
  expect(await reader.find(id)).toMatchObject({ id })
  const stuck = reader.count({})
  const behind = reader.page({ filter: {}, order: 'newest first', limit: 1, after: null })
  await expect(stuck).rejects.toThrow(TookTooLong)
  // Its own time is nearly over, too: asked anew, it may have to be asked once more by whoever waits.
  await behind.catch(() => {})
  await expect.poll(() => reader.count({}).catch(() => null)).toBe(1)
  expect(threads).toBeGreaterThan(1)
})

test('a refusal of the store comes through as what it is', async () => {
  threads = 1
  reader = await askInThread(start, 10_000)
  await expect(reader.rememberConsent('nothing can be written here')).rejects.toThrow()
})
