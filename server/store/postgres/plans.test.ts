/** PostgreSQL's plans for searches, and for the desk's queries right after an import, before there are statistics. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { runOn, type TestDatabase } from '../../../tests/support/postgres-server.ts'
import { databaseWithStore, emptyDatabase, postgresUrl } from '../../../tests/support/shared-postgres.ts'
import { createCalendar } from '../../settings/calendar.ts'
import { leadsOn } from '../facts/visits/funnel-days.ts'
import type { Parameter, SqlPort } from '../sql.ts'
import { createBacklog } from '../views/backlog.ts'
import { createCallStats } from '../views/call-stats.ts'
import { createLeadQueries } from '../views/leads.ts'
import { bind, type Connections, connectTo, QUERY_TIMEOUT_MS } from './connections.ts'
import { dialect } from './dialect.ts'
import { SEARCH_INDEX } from './migrate.ts'
import { openPostgresStore } from './postgres-store.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let database: TestDatabase
let desk: Connections
beforeAll(async () => {
  database = await databaseWithStore()
  for (const table of ['leads', 'outbox']) {
    await runOn(database.url, `ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
  }
  await runOn(database.url, `INSERT INTO consents VALUES ('v', 'I agree', 0)`)
  await runOn(
    database.url,
    `INSERT INTO leads (id, received_at, state, contact, email, phone, page, campaign, campaign_key, variant, consent_version)
     SELECT regexp_replace(lpad(to_hex(n), 12, '0'), '(.{8})', '\\1-') || '-7000-8000-000000000000', n, 'accepted', '{"firstName":"Ada","lastName":"Lovelace"}', 'ada@example.org', '5550102030', '/', '{}', '', '', 'v'
     FROM generate_series(1, 20000) AS n`,
  )
  await runOn(
    database.url,
    `INSERT INTO outbox (id, lead_id, lane, type, detail, state, attempts, next_at, created_at, finished_at)
     SELECT id, id, 'leads', 'lead.created', '{}', 'delivered', 1, 0, 0, received_at FROM leads`,
  )
  desk = connectTo(database.url, QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS)
})
afterAll(async () => {
  await desk.pool.end()
  await database.remove()
})

/** The plans for every query that goes through the port. */
async function plansOf(run: (port: SqlPort) => Promise<unknown>): Promise<string> {
  let plans = ''
  const read = async <R>(text: string, parameters: readonly Parameter[] = []) => {
    const { rows } = await desk.pool.query<Record<string, string>>(`EXPLAIN (COSTS OFF) ${text}`, bind(parameters))
    plans += rows.map(row => `${row['QUERY PLAN']}\n`).join('')
    return [{ total: 0 }] as R[]
  }
  const transact = () => Promise.reject(new Error('These queries only read.'))
  await run({ read: Object.assign(read, { dialect }), transact, insist: transact, now: async () => 0 })
  return plans
}

test('counting leads since a given time uses an index', async () => {
  const plans = await plansOf(port => createLeadQueries(port).count({ since: 19_000 }))
  expect(plans).toMatch(/Index/)
  expect(plans).not.toMatch(/Seq Scan/)
})

test('webhook times use the lower bound instead of scanning the outbox', async () => {
  const plans = await plansOf(port =>
    createBacklog(port)
      .webhookTimes({ since: 19_000, limit: 100 })
      .catch(() => []),
  )
  expect(plans).toMatch(/outbox_pkey.*\n +Index Cond: \(id >= /)
  expect(plans).not.toMatch(/Seq Scan/)
})

test('counting a day’s leads doesn’t read earlier days’ deliveries, with or without statistics', async () => {
  const countDay = () => plansOf(({ read }) => leadsOn(read, createCalendar('UTC'), '1970-01-01').catch(() => []))
  for (const plans of [await countDay(), await analyze().then(countDay)]) {
    expect(plans).toMatch(/outbox_pkey.*\n +Index Cond: \(.*\(id >= .*\(id < /)
    expect(plans).not.toMatch(/Seq Scan/)
  }
})

test('figures about calls read the period’s leads, not all', async () => {
  const period = { since: 19_000, until: 20_000 }
  const plans = await plansOf(async port => {
    const { callStats, campaignCalls } = createCallStats(port)
    await callStats(period).catch(() => [])
    await campaignCalls(period)
  })
  expect(plans).toMatch(/standings_pkey.*\n +Index Cond: .*\(lead_id >= .*\(lead_id < /)
  expect(plans).not.toMatch(/Seq Scan/)
})

async function analyze(): Promise<void> {
  await runOn(database.url, 'ANALYZE leads, outbox')
}

const plansOfSearch = (search: string) =>
  plansOf(port => createLeadQueries(port).countUpTo({ filter: { search }, max: 10_001 }))

test('searches of three or more letters use the trigram index', async () => {
  expect(await plansOfSearch('nobody')).toMatch(/leads_search/)
})

test('a rare word uses the trigram index even if it looks common because it’s in the planner’s sample', async () => {
  await runOn(database.url, 'UPDATE leads SET search_text = md5(id)')
  await analyze()
  const { rows } = await desk.pool.query<{ word: string }>(
    `SELECT (histogram_bounds::text::text[])[50] AS word FROM pg_stats WHERE tablename = 'leads' AND attname = 'search_text'`,
  )
  const page = { filter: { search: rows[0]?.word ?? '' }, order: 'newest first', limit: 50, after: null } as const
  const plans = await plansOf(port =>
    createLeadQueries(port)
      .page(page)
      .catch(() => []),
  )
  expect(plans).toMatch(/leads_search/)
  expect(plans).not.toMatch(/Backward using leads/)
})

test('shorter searches use the covering index', async () => {
  // Autovacuum, which is off for this test, would eventually do this.
  await runOn(database.url, 'VACUUM (ANALYZE) leads')
  for (const search of ['zq', '@a.b']) {
    expect(await plansOfSearch(search)).toMatch(/Index Only Scan using leads_short_search/)
  }
})

test('search works for a role that can’t create pg_trgm, and the health check says what to run', async () => {
  const database = await emptyDatabase()
  const role = `limited_${process.pid}`
  await runOn(
    database.url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'for-tests-only'; GRANT CREATE ON SCHEMA public TO ${role}`,
  )
  const url = new URL(database.url)
  url.username = role
  url.password = 'for-tests-only'
  const store = await openPostgresStore(url.href)
  const consentVersion = await store.saveConsentText('I agree')
  const { id } = await store.capture(submissionOf('ada', consentVersion))
  const request = { filter: { search: 'lovelace' }, order: 'newest first', limit: 9, after: null } as const
  expect(await store.page(request)).toMatchObject([{ id }])
  const searchHealth = async () => ((await store.health()) as { search?: unknown }).search
  expect(await searchHealth()).toEqual({ indexed: false, create: SEARCH_INDEX.join('; ') })
  for (const statement of SEARCH_INDEX) await runOn(database.url, statement)
  expect(await searchHealth()).toEqual({ indexed: true })
  expect(await store.page(request)).toMatchObject([{ id }])
  await store.close()
  await database.remove()
  await runOn(await postgresUrl(), `DROP ROLE ${role}`)
})
