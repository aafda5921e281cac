import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { ERASURE_KEY, submissionOf } from '../../../tests/faults/lead-store.ts'
import { createDatabase, rowsOf, type TestDatabase } from '../../../tests/support/postgres-server.ts'
import { openPostgresStore } from './postgres-store.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createDatabase(inject('postgresUrl'))
})
afterEach(() => database.remove())

test('leads of a server of the version before get the key of today at the next start, in several batches', async () => {
  const before = await openPostgresStore(database.url)
  const consentVersion = await before.rememberConsent('I agree')
  const names = Array.from({ length: 2100 }, (_, index) => `${index % 2 ? 'a' : 'z'}${index}`)
  const leads = await Promise.all(names.map(name => before.capture(submissionOf(name, consentVersion))))
  const { id: erased } = await before.capture(submissionOf('erased', consentVersion))
  await before.erase({ ids: [erased], key: ERASURE_KEY })
  await before.close()
  await rowsOf(database.url, `UPDATE leads SET person_key = lower(email) || '|5550100199' WHERE person_key IS NOT NULL`)
  const after = await openPostgresStore(database.url)
  for (const index of [0, 1, 2098, 2099]) {
    const again = await after.capture(submissionOf(`${names[index]}`, consentVersion))
    expect(await after.find(again.id)).toMatchObject({ state: 'repeat', repeatOf: leads[index]?.id })
  }
  await after.close()
  const left = `SELECT COUNT(*) AS total FROM leads WHERE person_key LIKE '%|%'`
  expect(await rowsOf(database.url, left)).toEqual([{ total: '0' }])
})
