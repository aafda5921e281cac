/** The embedded store in its worker thread: arguments, results, and errors cross intact. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { consent } from '../../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../../domain/as-presented.ts'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import type { Submission } from '../capture.ts'
import type { LeadRecord } from '../lead-records.ts'
import { leadPages } from '../leads.ts'
import { openStore } from '../open-store.ts'
import { versionOf } from '../presented.ts'
import type { Store } from '../store.ts'
import { StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import { storeFile } from './files.ts'

const consentVersion = versionOf(consentAsPresented(consent))
const crashes: unknown[] = []
let dataDir: string
let store: Store | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'thread-'))
})
afterEach(async () => {
  await store?.close()
  store = undefined
  rmSync(dataDir, { recursive: true })
  expect(crashes).toEqual([])
})

async function start(): Promise<Store> {
  store = await openStore(
    { dataDir, databaseUrl: null },
    { onCreated: () => {}, onCrash: error => crashes.push(error) },
  )
  await store.saveConsentText(consentAsPresented(consent))
  return store
}

const submission = (name: string): Submission => ({
  ...submissionOf(name, consentVersion),
  campaign: { utm_source: 'mail' },
})

test('many simultaneous leads are all acknowledged and stored', async () => {
  const { capture, page } = await start()
  const names = Array.from({ length: 100 }, (_, index) => `lead-${index}`)
  const leads = await Promise.all(names.map(name => capture(submission(name))))
  expect(new Set(leads.map(({ id }) => id)).size).toBe(100)
  expect((await capture(submission('lead-7'))).state).toBe('repeat')

  const stored: LeadRecord[] = []
  const request = { filter: { state: 'accepted' }, order: 'oldest first', limit: 30 } as const
  for await (const batch of leadPages({ page }, request)) stored.push(...batch)
  expect(new Map(stored.map(({ id, firstName }) => [id, firstName]))).toEqual(
    new Map(leads.map(({ id }, index) => [id, names[index]])),
  )
  expect(stored[0]?.campaign).toEqual({ utm_source: 'mail' })
})

test('the store signals that a delivery is due', async () => {
  const { capture, onDue } = await start()
  let signals = 0
  onDue(() => signals++)
  await capture(submission('ada'))
  await expect.poll(() => signals).toBeGreaterThan(0)
})

test('a temporarily unwritable store has its own error class, and recovers', async () => {
  const { capture } = await start()
  const file = storeFile(dataDir)
  renameSync(file, `${file}.aside`)
  await expect(capture(submission('first'))).rejects.toThrow(StoreUnavailable)
  renameSync(`${file}.aside`, file)
  expect((await capture(submission('first'))).state).toBe('accepted')
})

test('an unusable store is reported with its original message', async () => {
  writeFileSync(storeFile(dataDir), 'no database'.repeat(1000))
  const opening = start()
  await expect(opening).rejects.toThrow(StoreUnusable)
  await expect(opening).rejects.toThrow('Restore a backup.')
})

test('an unexpected error keeps its class and stack', async () => {
  const { capture } = await start()
  const broken = { ...submission('first'), contact: null } as unknown as Submission
  await expect(capture(broken)).rejects.toMatchObject({
    name: 'TypeError',
    stack: expect.stringContaining('repeats.ts'),
  })
  expect((await capture(submission('first'))).state).toBe('accepted')
})
