import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada } from '../../tests/support/lead-receiver.ts'
import { createCapture, type Submission } from './capture.ts'
import { rememberConsent } from './consents.ts'
import type { Database } from './database.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

let folder: string
let database: Database
let submission: Submission
const commits: number[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'))
  database = openSqliteDatabase(join(folder, 'leads.db'), { onCommit: works => commits.push(works) })
  submission = {
    contact: ada,
    page: '/',
    campaign: {},
    clientAddress: '192.0.2.1',
    userAgent: 'A browser',
    certificate: { kind: 'none' },
    consentVersion: await rememberConsent(database, 'I agree', 0),
    holdReason: null,
  }
  commits.length = 0
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const count = async (table: string) =>
  (await database.read(sql => sql(`SELECT COUNT(*) AS count FROM ${table}`)))[0]?.['count']

test('of equal submissions in one commit exactly one is accepted', async () => {
  let accepted = 0
  const capture = createCapture(database, { onAccepted: () => accepted++ })
  const leads = await Promise.all(Array.from({ length: 10 }, () => capture(submission)))
  expect(commits).toEqual([10])
  expect(leads.map(lead => lead.state)).toEqual(['accepted', ...Array(9).fill('repeat')])
  expect(await count('deliveries')).toBe(1)
  expect(accepted).toBe(1)
})

test('of equal submissions to two processes exactly one is accepted', async () => {
  const other = openSqliteDatabase(join(folder, 'leads.db'))
  try {
    const leads = await Promise.all([createCapture(database)(submission), createCapture(other)(submission)])
    expect(leads.map(lead => lead.state).toSorted()).toEqual(['accepted', 'repeat'])
  } finally {
    await other.close()
  }
})

test('a lead that cannot be stored whole leaves nothing behind, and is not announced', async () => {
  let accepted = 0
  const capture = createCapture(database, { onAccepted: () => accepted++ })
  await database.write(sql => sql('DROP TABLE deliveries'))
  await expect(capture(submission)).rejects.toThrow()
  expect([await count('leads'), await count('history'), accepted]).toEqual([0, 0, 0])
})

test('a lead with a consent that is not in the store is refused by the store itself', async () => {
  await expect(createCapture(database)({ ...submission, consentVersion: 'f'.repeat(64) })).rejects.toThrow()
  expect(await count('leads')).toBe(0)
})

test('the history line has nothing personal', async () => {
  await createCapture(database)({ ...submission, holdReason: 'a link in the name' })
  const [line] = await database.read(sql => sql('SELECT detail FROM history'))
  expect(line).toEqual({ detail: '{"state":"held","certificate":"none","heldReason":"a link in the name"}' })
})
