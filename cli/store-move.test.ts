import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { PageCounts } from '../server/store/page-views.ts'
import { openPostgresStore } from '../server/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { createStore, insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { ERASURE_KEY, submissionOf } from '../tests/support/lead-store.ts'
import { leads } from '../tests/support/leads-command.ts'
import { createDatabase, rowsOf as rowsIn, type TestDatabase } from '../tests/support/postgres-server.ts'
import { PROGRAM_ENV } from '../tests/support/processes.ts'

let store: Awaited<ReturnType<typeof createStore>>
let database: TestDatabase
beforeEach(async () => {
  store = await createStore()
  database = await createDatabase(inject('postgresUrl'))
})
afterEach(async () => {
  store.remove()
  await database.remove()
})

const tables = [
  'leads',
  'history',
  'attempts',
  'deliveries',
  'notes',
  'desk_jobs',
  'desk_job_leads',
  'consents',
  'questionnaires',
  'page_counts',
  'delivery_pause',
  'suppressions',
  'do_not_call_history',
  'erasure_keys',
  'erased_people',
  'variant_secret',
  'desk_people',
  'desk_passkeys',
  'alerts',
]

/** All rows of a table, sorted the same way on both engines. */
async function sortedRows(of: (select: string) => unknown, table: string): Promise<readonly string[]> {
  const rows = (await of(`SELECT * FROM ${table}`)) as readonly Record<string, unknown>[]
  const lines = rows.map(row =>
    Object.entries(row)
      // PostgreSQL numbers the rows of history itself.
      .filter(([name]) => table !== 'history' || name !== 'rowid')
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join(),
  )
  return lines.toSorted()
}

const pageCounts: readonly PageCounts[] = ['', 'other'].map(campaign => ({
  ...{ day: '2030-01-15', page: '/', variant: '', campaign, asks: true },
  ...{ views: 3, bots: 1, prefetches: 2, declined: 1, thanked: 1 },
}))

/** A store with some of everything in it. */
async function fill(): Promise<void> {
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
  await server.startJob({
    ...{ action: 'resend', by: 'Maria Lopez', leadIds: [lead.id] },
    ...{ skipped: 0, reason: null, again: true },
  })
  const erased = await server.capture(submissionOf('gone', consentVersion))
  await server.erase({ ids: [erased.id], key: ERASURE_KEY, by: 'test' })
  await server.suppress({ contacts: [{ phone: '555 010 9999' }], by: 'test' })
  await server.variantSecret('the secret of the variants')
  await server.addPageCounts({ views: pageCounts, questions: [] })
  await server.pauseDeliveries({ reason: 'moving', by: 'ada@desk' })
  await server.close()
}

test('everything arrives, and the old store is renamed', async () => {
  await fill()
  const before = new Map(
    await Promise.all(
      tables.map(async table => [table, await sortedRows(text => rowsOf(store.file, text), table)] as const),
    ),
  )
  const { code, out, err } = await leads(['move', '--to', database.url], store)
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^6 leads moved\..*\nThe old store was kept as .*leads\.sqlite\.moved\./)
  expect(before.get('notes')).toHaveLength(1)
  expect(before.get('desk_job_leads')).toHaveLength(1)
  for (const table of tables) {
    const arrived = await sortedRows(text => rowsIn(database.url, text), table)
    expect(arrived).toEqual(before.get(table)?.map(row => row.replaceAll('\0', '\uFFFD')))
  }
  // Until PostgreSQL has statistics, its planner assumes that tables are almost empty.
  expect(await rowsIn(database.url, `SELECT reltuples FROM pg_class WHERE relname = 'leads'`)).toEqual([
    { reltuples: 6 },
  ])
  expect(readdirSync(store.dataDir)).toEqual(['leads.sqlite.moved'])
  const { out: found } = await leads(['doctor'], { ...store, env: { DATABASE_URL: database.url } })
  expect(found).toMatch(/warning +Store .*leads\.sqlite\.moved is left over/)
  const moved = await openPostgresStore(database.url)
  await moved.resumeDeliveries({ by: 'bob@desk' })
  expect(await moved.lease({ limit: 9, leaseMs: 1000 })).not.toEqual([])
  expect(await moved.leaseJob({ leaseMs: 1000 })).toMatchObject({ by: 'Maria Lopez', leadIds: [expect.any(String)] })
  await moved.close()
})

test('a move killed halfway leaves nothing behind, and the next try starts over', async () => {
  insertLeads(store.file, [{}, { email: 'bob@example.org' }])
  await (await openPostgresStore(database.url)).close()
  // Leads are copied before their history, which blocks here until the test kills the process.
  await rowsIn(
    database.url,
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
     CREATE TRIGGER wait BEFORE INSERT ON history FOR EACH ROW EXECUTE FUNCTION wait()`,
  )
  const command = spawn(process.execPath, ['cli/main.ts', 'move', '--to', database.url], {
    env: { ...PROGRAM_ENV, DATA_DIR: store.dataDir },
    stdio: 'ignore',
  })
  const ended = new Promise(resolve => command.once('exit', resolve))
  const copying = `FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'INSERT INTO history%'`
  await expect.poll(() => rowsIn(database.url, `SELECT 1 ${copying}`), { timeout: 15_000 }).toHaveLength(1)
  command.kill('SIGKILL')
  await ended
  await rowsIn(database.url, `SELECT pg_terminate_backend(pid, 5000) ${copying}`)
  await rowsIn(database.url, 'DROP FUNCTION wait CASCADE')
  expect(await countArrived()).toBe(0)
  const { code, err } = await leads(['move'], { ...store, env: { DATABASE_URL: database.url } })
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('2 leads moved') })
  expect(await countArrived()).toBe(2)
  expect(await rowsIn(database.url, 'SELECT COUNT(*) AS total FROM history')).toEqual([{ total: '2' }])
})

async function countArrived(): Promise<number> {
  const rows = await rowsIn(database.url, `SELECT to_regclass('leads') IS NOT NULL AS there`)
  if (!rows[0]?.['there']) return 0
  return Number((await rowsIn(database.url, 'SELECT COUNT(*) AS total FROM leads'))[0]?.['total'])
}

test('if anything arrives changed, nothing is kept and the store stays in place', async () => {
  await fill()
  await (await openPostgresStore(database.url)).close()
  await rowsIn(
    database.url,
    `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.phone := 'X'; RETURN NEW; END $$;
     CREATE TRIGGER spoil BEFORE INSERT ON leads FOR EACH ROW EXECUTE FUNCTION spoil()`,
  )
  const { code, err } = await leads(['move', '--to', database.url], store)
  expect({ code, err }).toEqual({
    code: 1,
    err: 'Table leads doesn’t match after copying. PostgreSQL was left empty.\n',
  })
  expect(await countArrived()).toBe(0)
  expect(existsSync(store.file)).toBe(true)
})

test('while a server or another program has the store open, nothing is moved', async () => {
  const server = openSqliteStore(store.file)
  const consentVersion = await server.saveConsentText('I agree')
  const refused = { code: 1, err: expect.stringContaining('Stop it first.') }
  expect(await leads(['move', '--to', database.url], store)).toMatchObject(refused)
  expect((await server.capture(submissionOf('late', consentVersion))).state).toBe('accepted')
  await server.close()
  expect(await leads(['move', '--to', database.url], store)).toMatchObject({ code: 0 })
  expect(await countArrived()).toBe(1)
})

test('refuses a database that already has leads', async () => {
  await fill()
  const target = await openPostgresStore(database.url)
  await target.capture(submissionOf('ada', await target.saveConsentText('I agree')))
  await target.close()
  const { code, err } = await leads(['move', '--to', database.url], store)
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('Move to an empty database.') })
  expect(await countArrived()).toBe(1)
  expect(existsSync(store.file)).toBe(true)
})

test('the target is required, and checked', async () => {
  expect(await leads(['move'], store)).toMatchObject({ code: 2, err: expect.stringContaining('--to postgres://') })
  expect(await leads(['move', '--to', 'mysql://x/y'], store)).toMatchObject({ code: 2 })
  const wrong = database.url.replace('for-tests-only', 'wrong')
  const refused = await leads(['move', '--to', wrong], store)
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('rejected the password') })
  expect(refused.err).not.toContain('wrong')
  const none = { dataDir: join(store.dataDir, 'none') }
  expect(await leads(['move', '--to', database.url], none)).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no store'),
  })
})
