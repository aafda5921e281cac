/** The lead service behind a thread's border: what crosses it arrives as it was. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { consent } from '../../content/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { contactOf } from '../../tests/faults/lead-store.ts'
import { listen, Receiver } from '../../tests/support/receiver.ts'
import type { LeadService } from '../lead-service.ts'
import type { Submission } from '../leads/capture.ts'
import { consentVersionOf } from '../leads/consents.ts'
import { DatabaseUnavailable, DatabaseUnusable } from '../leads/database.ts'
import { openSqliteDatabase } from '../leads/sqlite-database.ts'
import { storeFile } from '../leads/store-file.ts'
import { startLeadThread } from './start-lead-thread.ts'

const consentVersion = consentVersionOf(consentAsPresented(consent))
const crashes: unknown[] = []
const logged: unknown[][] = []
let dataDir: string
let service: LeadService | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'thread-'))
})
afterEach(async () => {
  await service?.stop()
  service = undefined
  rmSync(dataDir, { recursive: true })
  expect(crashes).toEqual([])
  logged.length = 0
})

async function start(webhookUrl: string | null = null): Promise<LeadService> {
  const settings = { dataDir, webhookUrl, webhookSecret: null }
  service = await startLeadThread(settings, {
    log: (...line) => logged.push(line),
    onCrash: error => crashes.push(error),
  })
  return service
}

const submission = (name: string, holdReason: string | null = null): Submission => ({
  contact: contactOf(name),
  page: '/',
  campaign: { utm_source: 'mail' },
  clientAddress: '192.0.2.1',
  userAgent: 'test',
  certificate: { kind: 'none' },
  consentVersion,
  holdReason,
})

test('many leads at once are each answered, and are in the store', async () => {
  const { capture } = await start()
  const names = Array.from({ length: 100 }, (_, index) => `lead-${index}`)
  const leads = await Promise.all(names.map(name => capture(submission(name))))
  expect(new Set(leads.map(({ id }) => id)).size).toBe(100)
  expect((await capture(submission('lead-7'))).state).toBe('repeat')

  const store = openSqliteDatabase(storeFile(dataDir), { readOnly: true })
  const rows = await store.read(sql => sql('SELECT id, first_name, campaign FROM leads WHERE repeat_of IS NULL'))
  await store.close()
  expect(new Map(rows.map(row => [row['id'], row['first_name']]))).toEqual(
    new Map(leads.map(({ id }, index) => [id, names[index]])),
  )
  expect(rows[0]?.['campaign']).toBe('{"utm_source":"mail"}')
})

test('the consent of today is known to it, and it is ready', async () => {
  const { hasConsent, isReady } = await start()
  expect(await Promise.all([hasConsent(consentVersion), hasConsent('f'.repeat(64)), isReady()])).toEqual([
    true,
    false,
    true,
  ])
})

test('what it logs is logged here', async () => {
  const { capture } = await start()
  const { id } = await capture(submission('odd', 'a link in the name'))
  expect(logged).toEqual([
    ['a new store was made', { file: storeFile(dataDir) }],
    ['a lead is held for a look', { lead: id }],
  ])
})

test('leads are delivered once it is told to start', async () => {
  const webhook = new Receiver()
  const listening = await listen(webhook.handle)
  const { capture, start: deliver } = await start(listening.url)
  await capture(submission('first'))
  expect(webhook.leads).toHaveLength(0)
  await deliver()
  await expect.poll(() => webhook.leads.length).toBe(1)
  await capture(submission('second'))
  await expect.poll(() => webhook.leads.map(({ query }) => query['firstName'])).toEqual(['first', 'second'])
  await listening.close()
})

test('a store that takes no writes for now is told from other errors, and so is one that is back', async () => {
  const { capture } = await start()
  const file = storeFile(dataDir)
  renameSync(file, `${file}.aside`)
  await expect(capture(submission('first'))).rejects.toThrow(DatabaseUnavailable)
  renameSync(`${file}.aside`, file)
  expect((await capture(submission('first'))).state).toBe('accepted')
})

test('a store that cannot be used at all is told in its own words', async () => {
  writeFileSync(storeFile(dataDir), 'no database'.repeat(1000))
  const opening = start()
  await expect(opening).rejects.toThrow(DatabaseUnusable)
  await expect(opening).rejects.toThrow('Restore it from a backup.')
})

test('an unexpected error is passed on', async () => {
  const { capture } = await start()
  const broken = { ...submission('first'), contact: null } as unknown as Submission
  await expect(capture(broken)).rejects.toMatchObject({ name: 'TypeError' })
  expect((await capture(submission('first'))).state).toBe('accepted')
})
