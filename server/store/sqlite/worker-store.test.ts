/** The embedded store in its worker thread: arguments, results, and errors arrive intact, and slow queries time out. */
import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { captureLead, type LeadStore, openLeadStore, submissionOf } from '../../../tests/support/lead-store.ts'
import { openStore } from '../open-store.ts'
import type { Submission } from '../operations/leads/capture.ts'
import { QueryTimeoutError, StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import { storeFile } from './files.ts'
import { createReadWorker, type StoreWorker, startStoreWorker } from './worker-store.ts'

let leads: LeadStore
beforeEach(() => {
  leads = openLeadStore()
})
afterEach(() => leads.remove())

async function start(dataDir = dirname(leads.file)) {
  const crashes: unknown[] = []
  const onCrash = (error: unknown) => crashes.push(error)
  const store = await openStore({ dataDir, databaseUrl: null }, { onCreated: () => {}, onCrash })
  onTestFinished(async () => {
    await store.close()
    expect(crashes).toEqual([])
  })
  const consentVersion = await store.saveConsentText('I agree')
  const capture = (name: string, differences: Partial<Submission> = {}) =>
    store.capture({ ...submissionOf(name, consentVersion), ...differences })
  return { store, capture }
}

test('many simultaneous leads are all acknowledged and stored, and the store signals that deliveries are due', async () => {
  const { store, capture } = await start()
  let signals = 0
  store.onDue(() => signals++)
  const names = Array.from({ length: 100 }, (_, index) => `lead-${index}`)
  const captured = await Promise.all(names.map(name => capture(name, { campaign: { utm_source: 'mail' } })))
  expect((await capture('lead-7')).state).toBe('repeat')
  const request = { filter: { state: 'accepted' }, order: 'oldest first', limit: 200, after: null } as const
  const stored = await store.page(request)
  expect(new Map(stored.map(({ id, firstName }) => [id, firstName]))).toEqual(
    new Map(captured.map(({ id }, index) => [id, names[index]])),
  )
  expect(stored[0]?.campaign).toEqual({ utm_source: 'mail' })
  await expect.poll(() => signals).toBeGreaterThan(0)
})

test('an upgrade is announced; opening a current store isn’t', async () => {
  let upgrades = 0
  const open = async (dataDir: string) => {
    const options = { onCreated: () => {}, onCrash: () => {}, onUpgrade: () => upgrades++ }
    await (await openStore({ dataDir, databaseUrl: null }, options)).close()
  }
  await open(dirname(leads.file))
  expect(upgrades).toBe(0)
  const older = mkdtempSync(join(dirname(leads.file), 'older-'))
  const fixture = new URL('../../../tests/fixtures/store-0.7.0.sqlite.gz', import.meta.url)
  writeFileSync(storeFile(older), gunzipSync(readFileSync(fixture)))
  await open(older)
  expect(upgrades).toBe(1)
})

test('a capture throws StoreUnavailable while the file is missing, and works once it’s back', async () => {
  const { capture } = await start()
  renameSync(leads.file, `${leads.file}.aside`)
  await expect(capture('first')).rejects.toThrow(StoreUnavailable)
  renameSync(`${leads.file}.aside`, leads.file)
  expect((await capture('first')).state).toBe('accepted')
})

test('an unusable store is reported with its original message', async () => {
  const other = mkdtempSync(join(dirname(leads.file), 'other-'))
  writeFileSync(storeFile(other), 'no database'.repeat(1000))
  const opening = start(other)
  await expect(opening).rejects.toThrow(StoreUnusable)
  await expect(opening).rejects.toThrow('Restore a backup.')
})

test('an unexpected error keeps its class and stack', async () => {
  const { capture } = await start()
  const contact = null as unknown as Submission['contact']
  await expect(capture('first', { contact })).rejects.toMatchObject({
    name: 'TypeError',
    stack: expect.stringContaining('person-keys.ts'),
  })
  expect((await capture('first')).state).toBe('accepted')
})

/** The first worker's queries never finish and block later ones, like a slow query in SQLite. */
async function readWorkers(timeoutMs: number) {
  const never = () => new Promise(() => {})
  const workers: StoreWorker[] = []
  const state = { broken: false }
  const reader = await createReadWorker(async () => {
    if (state.broken) throw new StoreUnavailable('no memory')
    const worker = await startStoreWorker(leads.file, 'read', () => {})
    if (workers.push(worker) === 1) Object.assign(worker.store, { count: never, page: never })
    return worker
  }, timeoutMs)
  onTestFinished(() => reader.close())
  return { reader, workers, state }
}

test('queries stuck behind a slow one run in another worker', async () => {
  await captureLead(leads.store, { name: 'ada' })
  const { reader, workers } = await readWorkers(1500)
  const stuck = reader.count({})
  const behind = reader.page({ filter: {}, order: 'newest first', limit: 1, after: null })
  await expect(stuck).rejects.toThrow(QueryTimeoutError)
  // This query may time out, too.
  await behind.catch(() => {})
  await expect.poll(() => reader.count({}).catch(() => null)).toBe(1)
  expect(workers.length).toBeGreaterThan(1)
})

test('queries in flight when the worker crashes are retried; while it can’t be restarted, queries fail', async () => {
  const id = await captureLead(leads.store, { name: 'ada' })
  const { reader, workers, state } = await readWorkers(60_000)
  const counting = reader.count({})
  await workers[0]?.terminate()
  expect(await counting).toBe(1)
  state.broken = true
  await workers[1]?.terminate()
  await expect(reader.find(id)).rejects.toThrow('no memory')
  await expect(reader.find(id)).rejects.toThrow('no memory')
  state.broken = false
  expect(await reader.find(id)).toMatchObject({ id })
})
