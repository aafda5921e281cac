import { copyFileSync, existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../server/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { ERASURE_KEY, submissionOf } from '../tests/support/lead-store.ts'
import { leads } from '../tests/support/leads-command.ts'
import { rowsOf as rowsIn, type TestDatabase } from '../tests/support/postgres-server.ts'
import { emptyDatabase } from '../tests/support/shared-postgres.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()
let database: TestDatabase
beforeEach(async () => {
  database = await emptyDatabase()
  onTestFinished(() => database.remove())
})

const move = (url = database.url) => leads(['move', '--to', url], store)

async function countMoved(): Promise<number> {
  const rows = await rowsIn(database.url, `SELECT to_regclass('leads') IS NOT NULL AS present`)
  if (!rows[0]?.['present']) return 0
  return Number((await rowsIn(database.url, 'SELECT COUNT(*) AS total FROM leads'))[0]?.['total'])
}

const tables = (
  'leads history attempts outbox notes consents questionnaires page_counts delivery_pause ' +
  'do_not_call stopped_numbers do_not_call_history erasure_keys erased_people variant_secret desk_people desk_passkeys alerts store_identity'
).split(' ')

/** Fills the store with some of everything. Returns the ID of the lead with the most data. */
async function fill(): Promise<string> {
  insertLeads(store.file, [{}, { delivery: 'dead' }, { state: 'held', heldReason: 'odd', delivery: null }])
  const server = openSqliteStore(store.file)
  const consentVersion = await server.saveConsentText('in other words')
  const lead = await server.capture({
    ...submissionOf('É"\\\n', consentVersion),
    campaign: { utm_source: 'x'.repeat(5000) },
    certificate: { kind: 'present', url: 'https://cert.trustedform.com/of/another/form' },
    questionnaireVersion: await server.saveQuestionnaire('How old are you?'),
  })
  const [leased] = (await server.lease({ limit: 9, leaseMs: 1000 })).filter(({ leadId }) => leadId === lead.id)
  if (leased) await server.settle({ ...leased, durationMs: 3, status: 200, result: 'delivered' })
  await server.capture(submissionOf('NUL\0', consentVersion))
  await server.addNote({ leadId: lead.id, by: 'Maria Lopez', text: 'Called, no answer.' })
  const erased = await server.capture(submissionOf('erased', consentVersion))
  await server.erase({ ids: [erased.id], key: ERASURE_KEY, by: 'test' })
  await server.addToDoNotCall({ contacts: [{ phone: '555 010 9999' }], by: 'test' })
  await server.variantSecret('variant secret')
  const views = { day: '2030-01-15', page: '/', variant: '', campaign: 'other', asks: true }
  const counts = { views: 3, declined: 1, thanked: 1 }
  await server.addPageCounts({ views: [{ ...views, ...counts }], questions: [] })
  await server.pauseDeliveries({ reason: 'moving', by: 'ada@desk' })
  await server.close()
  return lead.id
}

const countIn = (table: string) => `SELECT COUNT(*) AS total FROM ${table}`

test('moves everything and renames the old store', async () => {
  const id = await fill()
  const before = openSqliteStore(store.file)
  const lead = await before.find(id)
  await before.close()
  const totals = tables.map(table => Number(rowsOf(store.file, countIn(table))[0]?.['total']))
  const { code, out, err } = await move()
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^6 leads moved\..*\nThe old store was kept as .*leads\.sqlite\.moved\./)
  for (const [index, table] of tables.entries()) {
    expect(await rowsIn(database.url, countIn(table)), table).toEqual([{ total: `${totals[index]}` }])
  }
  // Until PostgreSQL has statistics, its planner assumes that tables are almost empty.
  const statistics = `SELECT reltuples FROM pg_class WHERE relname = 'leads'`
  expect(await rowsIn(database.url, statistics)).toEqual([{ reltuples: 6 }])
  expect(readdirSync(store.dataDir)).toEqual(['leads.sqlite.moved'])
  const { out: found } = await leads(['doctor'], { ...store, env: { DATABASE_URL: database.url } })
  expect(found).toMatch(/warning +Store .*leads\.sqlite\.moved is left over/)
  const moved = await openPostgresStore(database.url)
  expect(await moved.find(id)).toEqual(lead)
  expect(await moved.count({ email: 'nul\uFFFD@example.org' })).toBe(1)
  await moved.resumeDeliveries({ by: 'bob@desk' })
  expect(await moved.lease({ limit: 9, leaseMs: 1000 })).not.toEqual([])
  await moved.close()
})

test('if any row differs after copying, PostgreSQL is left empty and the store in place; the next move starts over', async () => {
  await fill()
  await (await openPostgresStore(database.url)).close()
  await rowsIn(
    database.url,
    `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.phone := 'X'; RETURN NEW; END $$;
     CREATE TRIGGER spoil BEFORE INSERT ON leads FOR EACH ROW EXECUTE FUNCTION spoil()`,
  )
  const err = 'Table leads doesn’t match after copying. PostgreSQL was left empty.\n'
  expect(await move()).toEqual({ code: 1, out: '', err })
  expect(await countMoved()).toBe(0)
  expect(existsSync(store.file)).toBe(true)
  await rowsIn(database.url, 'DROP FUNCTION spoil CASCADE')
  expect(await leads(['move'], { ...store, env: { DATABASE_URL: database.url } })).toMatchObject({ code: 0 })
  expect(await countMoved()).toBe(6)
})

test('after a move, nothing starts with an empty store instead: DATABASE_URL is missing', async () => {
  insertLeads(store.file, [{}])
  expect(await move()).toMatchObject({ code: 0 })
  const refused = /^The store was moved to PostgreSQL: set DATABASE_URL\. The old store is .*leads\.sqlite\.moved\./
  expect(() => openSqliteStore(store.file)).toThrow(refused)
  expect(await leads(['people'], store)).toMatchObject({ code: 1, err: expect.stringMatching(refused) })
  expect(await move()).toMatchObject({ code: 1, err: expect.stringMatching(refused) })
  expect((await leads(['doctor'], store)).out).toMatch(/^error +Store +The store was moved to PostgreSQL/m)
  expect(readdirSync(store.dataDir)).toEqual(['leads.sqlite.moved'])
  renameSync(`${store.file}.moved`, store.file)
  await openSqliteStore(store.file).close()
})

test('a database with leads is refused; if it has all of the store’s, the message says which of the two to keep', async () => {
  await fill()
  expect(await move()).toMatchObject({ code: 0 })
  copyFileSync(`${store.file}.moved`, store.file)
  const has = (text: string) => ({ code: 1, err: expect.stringContaining(text) })
  expect(await move()).toMatchObject(has(`was interrupted after copying. Rename the file to ${store.file}.moved`))
  const server = openSqliteStore(store.file)
  await server.capture(submissionOf('late', await server.saveConsentText('I agree')))
  await server.close()
  expect(await move()).toMatchObject(has('has other leads or desk accounts. Move to an empty database.'))
  expect([await countMoved(), existsSync(store.file)]).toEqual([6, true])
})

test('refuses to move a store that a server has open', async () => {
  const server = openSqliteStore(store.file)
  const consentVersion = await server.saveConsentText('I agree')
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('Stop it first.') })
  expect((await server.capture(submissionOf('late', consentVersion))).state).toBe('accepted')
  await server.close()
  expect(await move()).toMatchObject({ code: 0 })
  expect(await countMoved()).toBe(1)
})

test('requires a valid target', async () => {
  expect(await leads(['move'], store)).toMatchObject({ code: 2, err: expect.stringContaining('--to postgres://') })
  expect(await move('mysql://x/y')).toMatchObject({ code: 2 })
  const refused = await move(database.url.replace('for-tests-only', 'wrong'))
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('rejected the password') })
  expect(refused.err).not.toContain('wrong')
  const none = await leads(['move', '--to', database.url], { dataDir: join(store.dataDir, 'none') })
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('There is no store') })
})
