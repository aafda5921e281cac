import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads, rowsOf, someLead } from '../../tests/support/lead-fixtures.ts'
import { submissionOf } from '../../tests/support/lead-store.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

async function captured(): Promise<string> {
  const server = openSqliteStore(store.file)
  const { state } = await server.capture({
    ...submissionOf('ada', await server.rememberConsent('I agree')),
    contact: someLead,
  })
  await server.close()
  return state
}

test('later leads go on hold until the person is removed from the list', async () => {
  const { code, err } = await leads(['do-not-call'], { ...store, types: '555-010-2030\n' })
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining('1 entry added to the do-not-call list.'),
  })
  expect(await captured()).toBe('held')
  expect((await leads(['list', '--state', 'held'], store)).out).toContain('held: do not call')
  expect((await leads(['allow-calls'], { ...store, types: '5550102030\n' })).code).toBe(0)
  expect((await leads(['do-not-call', '--phone', '5550102030', '--remove'], store)).err).toBe(
    'Nothing to remove: not on the do-not-call list.\n',
  )
})

test('leads to be delivered go on hold, and those already sent are named', async () => {
  const [waiting = '', gone = ''] = insertLeads(store.file, [{ delivery: 'pending' }, { delivery: 'delivered' }])
  const { err } = await leads(['do-not-call', '--email', 'ADA@example.org'], store)
  expect(err).toContain(`Put on hold before delivery: ${waiting}\n`)
  expect(err).toContain(`Already sent to the webhook; tell the people who received them: ${gone}\n`)
  expect(rowsOf(store.file, 'SELECT lead_id FROM deliveries')).toEqual([{ lead_id: gone }])
  expect((await leads(['show', waiting], store)).out).toContain('asked not to be called')
})

test('a lead being sent right now is named', async () => {
  const [id = ''] = insertLeads(store.file, [{ delivery: 'pending' }])
  const server = openSqliteStore(store.file, { now: () => NOW })
  await server.lease({ limit: 1, leaseMs: 60_000 })
  await server.close()
  const { err } = await leads(['do-not-call', '--email', 'ada@example.org'], store)
  expect(err).toContain(`Being sent right now: ${id}. To see the result: npm run leads -- show ID\n`)
})

test('a file has one per line, and what --list prints can be read back', async () => {
  const file = join(store.dataDir, 'list.txt')
  writeFileSync(file, '\ufeff(555) 010-2030 # asked on the phone\r\n\n# a comment\nBob@Example.org\r\n')
  expect((await leads(['do-not-call', file], store)).err).toBe('2 entries added to the do-not-call list.\n')
  const { out } = await leads(['do-not-call', '--list'], store)
  expect(out).toBe('5550102030  # 2030-01-16 12:00:00 UTC\nbob@example.org  # 2030-01-16 12:00:00 UTC\n')
  writeFileSync(file, out)
  expect((await leads(['do-not-call', file], store)).err).toBe(
    '0 entries added to the do-not-call list. 2 were already on it.\n',
  )
  expect((await leads(['do-not-call', file, '--remove'], store)).err).toBe(
    '2 entries removed from the do-not-call list.\n',
  )
})

test('a wrong line changes nothing, and is not shown', async () => {
  const file = join(store.dataDir, 'list.txt')
  writeFileSync(file, '5550102030\nZelda\n123\n')
  const { code, err } = await leads(['do-not-call', file], store)
  expect({ code, err }).toEqual({
    code: 1,
    err: `Nothing was changed. These lines of ${file} aren’t an email or phone number: 2, 3.\n`,
  })
  expect((await leads(['do-not-call', '--list'], store)).out).toBe('')
  expect((await leads(['do-not-call', join(store.dataDir, 'none')], store)).code).toBe(1)
  expect((await leads(['do-not-call', '--list', '--remove'], store)).code).toBe(2)
  expect((await leads(['do-not-call', file, '--phone', '5550102030'], store)).code).toBe(2)
  expect((await leads(['do-not-call'], store)).code).toBe(2)
})
