/** Stores for unit tests: on each engine, with helpers to capture and deliver leads, or one SQLite store per test. */
import { afterEach, beforeEach, describe, test } from 'vitest'
import { HOUR } from '../../domain/durations.ts'
import type { LeadFilter, LeadRecord } from '../../server/store/facts/leads/lead-records.ts'
import type { LeasedMessage } from '../../server/store/operations/deliveries/lease.ts'
import type { Settlement } from '../../server/store/operations/deliveries/settle.ts'
import type { Submission } from '../../server/store/operations/leads/capture.ts'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import type { Store } from '../../server/store/store.ts'
import { leadPages } from '../../server/store/views/leads.ts'
import { createStore } from './lead-fixtures.ts'
import { type OpenEngine, openLeadStore, submissionOf, trackConnections } from './lead-store.ts'
import { rowsOf, runOn, type TestDatabase } from './postgres-server.ts'
import { databaseWithStore } from './shared-postgres.ts'

export type { OpenEngine } from './lead-store.ts'

export interface Engine {
  readonly name: string
  open(): Promise<OpenEngine>
}

/** A busy machine may take longer than a visitor would wait. */
const timeoutMs = 60_000

export const postgres = {
  name: 'PostgreSQL',
  async open() {
    const database = spareDatabases.pop() ?? (await databaseWithStore())
    const { url } = database
    let hasItsTables = true
    const { store, openAnother, close } = trackConnections(await openPostgresStore(url, { timeoutMs }), () =>
      openPostgresStore(url, { access: 'client', timeoutMs }),
    )
    return {
      url,
      store,
      openAnother,
      rows: (sql: string) => rowsOf(url, sql),
      async change(sql: string) {
        if (/\b(?:ALTER|CREATE|DROP)\b/.test(sql)) hasItsTables = false
        await runOn(url, sql)
      },
      async remove() {
        await close()
        const isEmptied = hasItsTables && (await emptied(url))
        if (isEmptied) spareDatabases.push(database)
        else await database.remove()
      },
    }
  },
}

/** Emptied by the tests that used them, which is faster than creating and dropping a database for each test. */
const spareDatabases: TestDatabase[] = []

/** Returns false if a test left a lock, or so many rows that a new database takes less time. */
const emptied = (url: string) =>
  runOn(
    url,
    // Without foreign keys, the order of the tables doesn't matter. Truncating them would take six times as long.
    `SET lock_timeout = '5s'; SET session_replication_role = replica;
     DO $$ DECLARE one record; BEGIN
       FOR one IN SELECT oid::regclass AS name, pg_relation_size(oid) AS bytes FROM pg_class
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('migrations', 'store_identity')
           AND pg_relation_size(oid) > 0
       LOOP
         ASSERT one.bytes < 200000;
         EXECUTE format('DELETE FROM %s', one.name);
       END LOOP;
       PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
     END $$`,
  ).then(
    () => true,
    () => false,
  )

export const engines: readonly Engine[] = [{ name: 'SQLite', open: async () => openLeadStore() }, postgres]

/** A new SQLite store for each test in a file. */
export function storePerTest(): Awaited<ReturnType<typeof createStore>> {
  const store = {} as Awaited<ReturnType<typeof createStore>>
  beforeEach(async () => Object.assign(store, await createStore()))
  afterEach(() => store.remove())
  return store
}

export const CONSENT = JSON.stringify({ text: 'I agree', button: 'Call me' })

export const held = { holdReason: 'a link in the name' }

const settlement = ({ id, leaseToken }: LeasedMessage) => ({ id, leaseToken, durationMs: 5, status: 500 })
export const delivered = (leased: LeasedMessage): Settlement => ({
  ...settlement(leased),
  status: 200,
  result: 'delivered',
})
export async function deliverAll(store: Store, settlementOf = delivered): Promise<void> {
  for (const leased of await store.lease({ limit: 1000, leaseMs: HOUR })) await store.settle(settlementOf(leased))
}
export const dead = (leased: LeasedMessage): Settlement => ({ ...settlement(leased), result: 'dead', reason: 'gone' })
export const retry = (leased: LeasedMessage, retryInMs = HOUR): Settlement => ({
  ...settlement(leased),
  result: 'retry',
  reason: 'it answered 500',
  retryInMs,
})

export type StoreHarness = ReturnType<typeof createHarness>

/** Runs the tests on each engine, each with an empty store. */
export function onEachEngine(title: string, tests: (harness: StoreHarness) => void): void {
  describe.each(engines)(`${title}, on $name`, engine => tests(createHarness(engine)))
}

/** Runs the tests on SQLite, each with an empty store: for rules that are decided above the SQL. */
export function onSqlite(title: string, tests: (harness: StoreHarness) => void): void {
  describe(title, () => tests(createHarness(engines[0] as Engine)))
}

function createHarness({ name: engine, open }: Engine) {
  const opened: OpenEngine[] = []
  let consentVersion = ''
  async function openEmpty(): Promise<OpenEngine> {
    const empty = await open()
    opened.push(empty)
    return empty
  }
  beforeEach(async () => {
    consentVersion = await (await openEmpty()).store.saveConsentText(CONSENT)
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.remove()
  })
  const store = new Proxy({} as Store, { get: (_, name) => Reflect.get(opened[0]?.store ?? {}, name) })
  const capture = (name: string, differences: Partial<Submission> = {}, into = store) =>
    into.capture({ ...submissionOf(name, consentVersion), ...differences })
  async function all(filter: LeadFilter = {}) {
    const leads: LeadRecord[] = []
    for await (const page of leadPages(store, { filter, order: 'oldest first', limit: 100 })) leads.push(...page)
    return leads
  }
  return {
    engine,
    /** A test of a rule that's decided above the SQL, so one engine is enough. */
    testOnce(title: string, run: () => Promise<void>) {
      if (engine === 'SQLite') test(title, run)
    },
    /** The current test's store; `openAnother`, `change`, and `rows` work as in OpenEngine. */
    store,
    openAnother: async () => (opened[0] as OpenEngine).openAnother(),
    change: async (sql: string) => (opened[0] as OpenEngine).change(sql),
    rows: async (sql: string) => (opened[0] as OpenEngine).rows(sql),
    get consentVersion() {
      return consentVersion
    },
    /** Opens a separate, empty store. */
    openEmpty,
    capture,
    async leaseOne(leaseMs = HOUR, from = store): Promise<LeasedMessage> {
      const [leased] = await from.lease({ limit: 1, leaseMs })
      if (!leased) throw new Error('Nothing is due.')
      return leased
    },
    deliverAll: () => deliverAll(store),
    /** What happened to a lead after it was received. */
    historyOf: async (id: string) =>
      ((await store.find(id))?.history ?? [])
        .filter(({ event }) => event !== 'received')
        .map(({ event, detail }) => [event, JSON.parse(detail) as unknown]),
    all,
    names: async (filter: LeadFilter) => (await all(filter)).map(({ firstName }) => firstName),
  }
}
