import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads, rowsOf, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

const listed = async () => (await leads(['do-not-call', '--list'], store)).out

test('asks for an email or phone number, and adds it', async () => {
  const { code, err } = await leads(['do-not-call'], { ...store, typed: '555-010-2030\n' })
  expect({ code, err }).toMatchObject({
    code: 0,
    err: expect.stringContaining('1 entry added to the do-not-call list.'),
  })
  expect(await listed()).toContain('5550102030')
})

test.each([
  ['query', 'Tell it; Health in the desk lists them, too'],
  ['json', 'It will be told'],
])('names leads that were sent or are being sent right now, and who tells a CRM that gets %s', async (format, who) => {
  const [sending = ''] = insertLeads(store.file, [{}])
  const server = openSqliteStore(store.file, { now: () => NOW })
  await server.lease({ limit: 1, leaseMs: 60_000 })
  await server.close()
  const [waiting = '', sent = ''] = insertLeads(store.file, [{}, { delivery: 'delivered' }])
  const env = { LEAD_WEBHOOK_URL: 'https://crm.example', LEAD_WEBHOOK_FORMAT: format }
  const { err } = await leads(['do-not-call', '--email', someLead.email.toUpperCase()], { ...store, env })
  expect(err).toContain(`Your CRM has or may have these leads. ${who}: ${sending}, ${sent}\n`)
  expect(rowsOf(store.file, 'SELECT state FROM leads WHERE id = ?', waiting)).toEqual([{ state: 'accepted' }])
})

test('a file has one entry per line, and the output of --list can be read back', async () => {
  const file = join(store.dataDir, 'list.txt')
  writeFileSync(file, '\ufeff(555) 010-2030 # asked on the phone\r\n\n# a comment\nBob@Example.org\r\n')
  expect((await leads(['do-not-call', file], store)).err).toBe('2 entries added to the do-not-call list.\n')
  const list = '5550102030  # 2030-01-16 12:00:00 UTC\nbob@example.org  # 2030-01-16 12:00:00 UTC\n'
  expect(await listed()).toBe(list)
  writeFileSync(file, list)
  expect((await leads(['do-not-call', file], store)).err).toBe(
    '0 entries added to the do-not-call list. 2 were already on it.\n',
  )
})

test('--list --json prints every entry with the webhook’s field names', async () => {
  expect(await leads(['do-not-call', '--list', '--json'], store)).toEqual({ code: 0, out: '[]\n', err: '' })
  await leads(['do-not-call', '--phone', '555-010-2030'], store)
  await leads(['do-not-call', '--email', 'Bob@example.org'], store)
  const { code, out } = await leads(['do-not-call', '--list', '--json'], store)
  expect({ code, entries: JSON.parse(out) }).toEqual({
    code: 0,
    entries: [
      { phoneE164: '+15550102030', addedAt: '2030-01-16T12:00:00.000Z' },
      { email: 'bob@example.org', addedAt: '2030-01-16T12:00:00.000Z' },
    ],
  })
  expect((await leads(['do-not-call', '--json', '--phone', '5550102030'], store)).code).toBe(2)
})

test('an invalid line isn’t echoed, and nothing changes', async () => {
  const file = join(store.dataDir, 'list.txt')
  writeFileSync(file, '5550102030\nZelda\n123\n+47 22 12 34 56\n')
  expect(await leads(['do-not-call', file], store)).toEqual({
    code: 1,
    out: '',
    err: `Nothing was changed. These lines in ${file} can’t be read: 2, 3, 4. Each needs a valid email address or US phone number; in a table, as many cells as the first row, too.\n`,
  })
  expect(await listed()).toBe('')
  expect((await leads(['do-not-call', join(store.dataDir, 'none')], store)).code).toBe(1)
  expect((await leads(['do-not-call', file, '--phone', '5550102030'], store)).code).toBe(2)
  expect((await leads(['do-not-call'], store)).code).toBe(2)
})
