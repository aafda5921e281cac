/** Concurrent writers in PostgreSQL: some wait, some skip locked rows, and none deadlock. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { ERASURE_KEY, submissionOf } from '../../../tests/support/lead-store.ts'
import { createDatabase, rowsOf } from '../../../tests/support/postgres-server.ts'
import { personKeyOf } from '../repeats.ts'
import type { Store } from '../store.ts'
import { QueryTimeoutError } from '../store-errors.ts'
import { openPostgresStore } from './postgres-store.ts'

vi.setConfig({ testTimeout: 30_000 })

let url: string
let removeDatabase: () => Promise<void>
let consentVersion: string
const stores: Store[] = []
const clients: pg.Client[] = []

beforeEach(async () => {
  const database = await createDatabase(inject('postgresUrl'), inject('storeTemplate'))
  url = database.url
  removeDatabase = database.remove
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.end()))
  await Promise.all(stores.splice(0).map(store => store.close()))
  await removeDatabase()
})

async function open(): Promise<Store> {
  const store = await openPostgresStore(url)
  stores.push(store)
  consentVersion = await store.saveConsentText('I agree')
  return store
}

/** A separate connection from the store's. It ends with the test. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  clients.push(client)
  await client.connect()
  return client
}

test('accepts one of several simultaneous identical leads, at any default isolation level', async () => {
  const name = new URL(url).pathname.slice(1)
  await rowsOf(url, `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`)
  const opened = [await open(), await open(), await open()]
  for (let round = 0; round < 5; round++) {
    const submission = submissionOf(`ada-${round}`, consentVersion)
    const leads = await Promise.all([...opened, ...opened, ...opened].map(store => store.capture(submission)))
    expect(leads.map(({ state }) => state).toSorted()).toEqual(['accepted', ...Array(8).fill('repeat')])
  }
})

test('batches with the same people in different orders never deadlock', async () => {
  const opened = [await open(), await open()] as const
  const other = await connect()
  for (let round = 0; round < 5; round++) {
    const submissions = Array.from({ length: 20 }, (_, index) => submissionOf(`p-${round}-${index}`, consentVersion))
    // Both stop halfway through taking their locks.
    const keys = submissions.map(({ contact }) =>
      createHash('sha256').update(personKeyOf(contact)).digest().readBigInt64BE(),
    )
    const middle = keys.toSorted((a, b) => (a < b ? -1 : 1))[10]
    await other.query(`SELECT pg_advisory_lock(${middle})`)
    const captures = [
      ...submissions.map(submission => opened[0].capture(submission)),
      ...submissions.toReversed().map(submission => opened[1].capture(submission)),
    ]
    await expect
      .poll(
        async () => (await rowsOf(url, `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length,
      )
      .toBeGreaterThan(1)
    await other.query(`SELECT pg_advisory_unlock(${middle})`)
    await Promise.all(captures)
  }
  // A connection reports its statistics no later than when it ends.
  await Promise.all(stores.splice(0).map(store => store.close()))
  const figures = 'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()'
  expect(await rowsOf(url, figures)).toEqual([{ deadlocks: 0 }])
})

test('a held lead approved while its person submits another isn’t delivered as well', async () => {
  const store = await open()
  const held = await store.capture({ ...submissionOf('ada', consentVersion), holdReason: 'a link in the name' })
  // After the capture looked for earlier leads, and before it changes the held one.
  await rowsOf(
    url,
    `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF current_query() LIKE '%''repeat''%' THEN PERFORM pg_sleep(1); END IF; RETURN NULL; END $$;
     CREATE TRIGGER linger BEFORE UPDATE ON leads FOR EACH STATEMENT EXECUTE FUNCTION linger()`,
  )
  const capturing = store.capture(submissionOf('ada', consentVersion))
  await expect
    .poll(() =>
      rowsOf(url, `SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`),
    )
    .not.toEqual([])
  const released = await store.release({ ids: [held.id], by: 'Maria' })
  await capturing
  expect(released).toBe(0)
  expect(await rowsOf(url, 'SELECT lead_id FROM deliveries')).toHaveLength(1)
})

test('a lead rejected while being approved isn’t delivered along with the person’s new one', async () => {
  const store = await open()
  const submission = submissionOf('ada', consentVersion)
  const held = await store.capture({ ...submission, holdReason: 'a link in the name' })
  const [rejecter, capturer] = [await connect(), await connect()]
  const waiting = (kinds: string) =>
    rowsOf(
      url,
      `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND locktype IN (${kinds}) AND datname = current_database()`,
    )
  await rejecter.query('BEGIN')
  await rejecter.query(`UPDATE leads SET state = 'rejected', rejected_reason = 'a joke' WHERE id = $1`, [held.id])
  // A capture of the same person that found no earlier lead and hasn't committed yet.
  const lock = createHash('sha256').update(personKeyOf(submission.contact)).digest().readBigInt64BE()
  await capturer.query(`BEGIN; SELECT pg_advisory_xact_lock(${lock}); CREATE TEMP TABLE again AS SELECT * FROM leads`)
  await capturer.query(`UPDATE again SET id = 'f' || substr(id, 2), state = 'accepted', held_reason = NULL`)
  await capturer.query('INSERT INTO leads SELECT * FROM again')
  const releasing = store.release({ ids: [held.id], by: 'Maria' })
  await expect.poll(() => waiting(`'advisory', 'transactionid', 'tuple'`)).not.toEqual([])
  await rejecter.query('COMMIT')
  await Promise.race([releasing, expect.poll(() => waiting(`'advisory'`)).not.toEqual([])])
  await capturer.query('COMMIT')
  expect(await releasing).toBe(0)
})

test('retention doesn’t erase a lead that is resent while it waits for the lock', async () => {
  const store = await open()
  const { id } = await store.capture(submissionOf('ada', consentVersion))
  await rowsOf(url, `UPDATE deliveries SET state = 'delivered'`)
  // Wait for the clock to advance: a lead received in this millisecond isn't older than now.
  while ((await store.storeTime()) <= ((await store.newestLeadAt()) ?? 0));
  const other = await connect()
  await other.query(`BEGIN; SELECT 1 FROM leads FOR UPDATE; UPDATE deliveries SET state = 'pending'`)
  const erasing = store.eraseExpired({ days: 0, after: '', key: ERASURE_KEY })
  const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
  await expect.poll(() => rowsOf(url, waiting)).not.toEqual([])
  await other.query('COMMIT')
  expect(await erasing).toMatchObject({ leads: 0 })
  expect(await store.find(id)).toMatchObject({ state: 'accepted', delivery: { state: 'pending' } })
})

test('a lease skips rows that another transaction has locked', async () => {
  const store = await open()
  const { id: held } = await store.capture(submissionOf('ada', consentVersion))
  const { id: free } = await store.capture(submissionOf('bob', consentVersion))
  const other = await connect()
  await other.query('BEGIN')
  await other.query('SELECT 1 FROM deliveries WHERE lead_id = $1 FOR UPDATE', [held])
  const leased = await store.lease({ limit: 2, leaseMs: 60_000 })
  expect(leased.map(({ leadId }) => leadId)).toEqual([free])
})

test('the database cancels a query that takes too long, and others still work', async () => {
  await open()
  const asker = await openPostgresStore(url, { access: 'client', giveUpAfterMs: 500 })
  stores.push(asker)
  const blocker = await connect()
  await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE')
  await expect(asker.count({})).rejects.toThrow(QueryTimeoutError)
  // We didn't just abandon the query: nothing is waiting for the table anymore.
  const { rows } = await blocker.query(
    'SELECT pid FROM pg_locks JOIN pg_database ON oid = database WHERE NOT granted AND datname = current_database()',
  )
  expect(rows).toEqual([])
  await blocker.query('ROLLBACK')
  await expect.poll(() => asker.count({}).catch(() => null), { timeout: 10_000 }).toBe(0)
})
