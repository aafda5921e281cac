import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { submissionOf } from '../../../tests/faults/lead-store.ts'
import { rowsOf } from '../../../tests/support/lead-fixtures.ts'
import type { Submission } from '../capture.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

let folder: string
let file: string
let store: Store
let submission: Submission
let announced: number
const commits: number[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'))
  file = join(folder, 'leads.db')
  store = openSqliteStore(file, { onCommit: changes => commits.push(changes) })
  submission = submissionOf('ada', await store.rememberConsent('I agree'))
  announced = 0
  store.onDue(() => announced++)
  commits.length = 0
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const count = (table: string) => rowsOf(file, `SELECT COUNT(*) AS count FROM ${table}`)[0]?.['count']

test('of equal submissions in one commit exactly one is accepted', async () => {
  const leads = await Promise.all(Array.from({ length: 10 }, () => store.capture(submission)))
  expect(commits).toEqual([1])
  expect(leads.map(lead => lead.state)).toEqual(['accepted', ...Array(9).fill('repeat')])
  expect(count('deliveries')).toBe(1)
  await expect.poll(() => announced).toBe(1)
})

test('of equal submissions to two processes exactly one is accepted', async () => {
  const other = openSqliteStore(file)
  try {
    const leads = await Promise.all([store.capture(submission), other.capture(submission)])
    expect(leads.map(lead => lead.state).toSorted()).toEqual(['accepted', 'repeat'])
  } finally {
    await other.close()
  }
})

test('a lead that cannot be stored whole leaves nothing behind, and is not announced', async () => {
  const database = new DatabaseSync(file)
  database.exec('DROP TABLE deliveries')
  database.close()
  await expect(store.capture(submission)).rejects.toThrow()
  await new Promise(resolve => setImmediate(resolve))
  expect([count('leads'), count('history'), announced]).toEqual([0, 0, 0])
})

test('a lead with a consent that is not in the store is refused by the store itself', async () => {
  await expect(store.capture({ ...submission, consentVersion: 'f'.repeat(64) })).rejects.toThrow()
  expect(count('leads')).toBe(0)
})

test('the history line has nothing personal', async () => {
  await store.capture({ ...submission, holdReason: 'a link in the name' })
  const [line] = rowsOf(file, 'SELECT detail FROM history')
  expect(line).toEqual({ detail: '{"state":"held","certificate":"none","heldReason":"a link in the name"}' })
})

test('leads of one commit are announced once', async () => {
  const people = Array.from({ length: 10 }, (_, index) => submissionOf(`n${index}`, submission.consentVersion))
  await Promise.all(people.map(store.capture))
  await expect.poll(() => announced).toBeGreaterThan(0)
  expect([commits, announced]).toEqual([[1], 1])
})
