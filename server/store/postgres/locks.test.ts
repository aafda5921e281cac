/** Concurrent writers in PostgreSQL: some wait, some skip locked rows, and none deadlock. */
import { hash } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import { phoneDigits } from '../../../domain/contact/phone.ts'
import { joinDesk, passkeyOf } from '../../../tests/support/desk-accounts.ts'
import { ERASURE_KEY, submissionOf } from '../../../tests/support/lead-store.ts'
import { postgres } from '../../../tests/support/store-engines.ts'
import { contactKeys } from '../facts/do-not-call/stops.ts'
import { personKeyOf } from '../facts/leads/person-keys.ts'
import type { Submission } from '../operations/leads/capture.ts'
import type { Store } from '../store.ts'
import { QueryTimeoutError } from '../store-errors.ts'
import { openPostgresStore } from './postgres-store.ts'

let database: Awaited<ReturnType<typeof postgres.open>>
let store: Store
let consentVersion: string
const clients: pg.Client[] = []

beforeEach(async () => {
  database = await postgres.open()
  store = database.store
  consentVersion = await store.saveConsentText('I agree')
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.end()))
  await database.remove()
})

const person = { id: 'maria', name: 'Maria' }
const submission = (name: string) => submissionOf(name, consentVersion)
const held = (name: string) => ({ ...submission(name), holdReason: 'a link in the name' })
const lockOfKey = (key: string) => hash('sha256', key, 'buffer').readBigInt64BE()
const lockOf = ({ contact }: Submission) => lockOfKey(personKeyOf(contact))

/** A connection separate from the store's, closed after the test. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  clients.push(client)
  await client.connect()
  return client
}

/** How many connections are waiting for these kinds of locks. */
const waiting = async (...kinds: readonly string[]) => {
  const named = kinds.map(kind => `'${kind}'`).join()
  const activity = 'pg_locks JOIN pg_stat_activity USING (pid)'
  const ours = `NOT granted AND locktype IN (${named}) AND datname = current_database()`
  return (await database.rows(`SELECT pid FROM ${activity} WHERE ${ours}`)).length
}

test('accepts only one of nine simultaneous identical leads, regardless of the default isolation level', async () => {
  const name = new URL(database.url).pathname.slice(1)
  await database.change(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`)
  const opened = [await database.openAnother(), await database.openAnother(), await database.openAnother()]
  for (let round = 0; round < 2; round++) {
    const same = submission(`ada-${round}`)
    const leads = await Promise.all([...opened, ...opened, ...opened].map(each => each.capture(same)))
    expect(leads.map(({ state }) => state).toSorted()).toEqual(['accepted', ...Array(8).fill('repeat')])
  }
})

test('batches with the same people in different orders never deadlock', async () => {
  const open = () => openPostgresStore(database.url, { access: 'client', timeoutMs: 60_000 })
  const opened = [await open(), await open()] as const
  const other = await connect()
  for (let round = 0; round < 2; round++) {
    const submissions = Array.from({ length: 20 }, (_, index) => submission(`p-${round}-${index}`))
    // Makes both batches stop halfway through acquiring their locks.
    const middle = submissions.map(lockOf).toSorted((a, b) => (a < b ? -1 : 1))[10]
    await other.query(`SELECT pg_advisory_lock(${middle})`)
    const captures = [
      ...submissions.map(each => opened[0].capture(each)),
      ...submissions.toReversed().map(each => opened[1].capture(each)),
    ]
    await expect.poll(() => waiting('advisory')).toBeGreaterThan(1)
    await other.query(`SELECT pg_advisory_unlock(${middle})`)
    await Promise.all(captures)
  }
  // Closing a connection flushes its statistics.
  await Promise.all(opened.map(each => each.close()))
  const figures = 'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()'
  expect(await database.rows(figures)).toEqual([{ deadlocks: 0 }])
})

test('of two machines that first use a key at the same moment, one is refused', async () => {
  const other = await connect()
  // Both can look for a key, but neither can add one.
  await other.query('BEGIN; LOCK TABLE erasure_keys IN SHARE MODE')
  const machines = [store, await database.openAnother()]
  const uses = Promise.allSettled(machines.map((machine, index) => machine.registerKey({ id: `key ${index}` })))
  await expect.poll(() => waiting('advisory', 'relation')).toBe(2)
  await other.query('COMMIT')
  expect((await uses).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('approving a held lead while the person submits another one doesn’t deliver both', async () => {
  const { id } = await store.capture(held('ada'))
  // Stops the capture after it looks for earlier leads but before it changes the held one.
  await database.change(
    `CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF current_query() LIKE '%''repeat''%' THEN PERFORM pg_advisory_xact_lock(1); END IF; RETURN NULL; END $$;
     CREATE TRIGGER stop BEFORE UPDATE ON leads FOR EACH STATEMENT EXECUTE FUNCTION stop()`,
  )
  const other = await connect()
  await other.query('SELECT pg_advisory_lock(1)')
  const capturing = store.capture(submission('ada'))
  await expect.poll(() => waiting('advisory')).toBe(1)
  const approving = store.approve({ ids: [id], by: 'Maria' })
  await Promise.race([approving, expect.poll(() => waiting('advisory', 'transactionid', 'tuple')).toBe(2)])
  await other.query('SELECT pg_advisory_unlock(1)')
  await capturing
  expect(await approving).toBe(0)
  expect(await database.rows('SELECT lead_id FROM outbox')).toHaveLength(1)
})

test('a lead rejected while being approved isn’t delivered along with the person’s new one', async () => {
  const { id } = await store.capture(held('ada'))
  const [rejecter, capturer] = [await connect(), await connect()]
  await rejecter.query('BEGIN')
  await rejecter.query(`UPDATE leads SET state = 'rejected', rejected_reason = 'a joke' WHERE id = $1`, [id])
  // A capture for the same person that found no earlier lead and hasn't committed yet.
  const lock = lockOf(submission('ada'))
  await capturer.query(`BEGIN; SELECT pg_advisory_xact_lock(${lock}); CREATE TEMP TABLE again AS SELECT * FROM leads`)
  await capturer.query(`UPDATE again SET id = 'f' || substr(id, 2), state = 'accepted', held_reason = NULL`)
  await capturer.query('INSERT INTO leads SELECT * FROM again')
  const approving = store.approve({ ids: [id], by: 'Maria' })
  await expect.poll(() => waiting('advisory', 'transactionid', 'tuple')).toBeGreaterThan(0)
  await rejecter.query('COMMIT')
  await Promise.race([approving, expect.poll(() => waiting('advisory')).toBeGreaterThan(0)])
  await capturer.query('COMMIT')
  expect(await approving).toBe(0)
})

test('a lead on hold isn’t approved while its number is being stopped', async () => {
  const { id } = await store.capture(held('ada'))
  const phone = phoneDigits(held('ada').contact.phone)
  const stopper = await connect()
  await stopper.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockOfKey(`contact ${phone}`)})`)
  await stopper.query('INSERT INTO do_not_call (contact, added_at, n) VALUES ($1, 0, 0)', [phone])
  const approving = store.approve({ ids: [id], by: 'Maria' })
  await Promise.race([approving, expect.poll(() => waiting('advisory')).toBe(1)])
  await stopper.query('COMMIT')
  expect(await approving).toBe(0)
})

test('a number that’s stopped while its lead is being approved isn’t sent', async () => {
  const { id } = await store.capture(held('ada'))
  // Stops the approval after it puts the lead into the outbox.
  const other = await connect()
  await other.query('BEGIN; LOCK TABLE story_events IN EXCLUSIVE MODE')
  const approving = store.approve({ ids: [id], by: 'Maria' })
  await expect.poll(() => waiting('relation')).toBe(1)
  const stopping = store.addToDoNotCall({ contacts: [{ phone: held('ada').contact.phone }], by: 'Maria' })
  await Promise.race([stopping, expect.poll(() => waiting('relation', 'advisory')).toBe(2)])
  await other.query('COMMIT')
  expect(await approving).toBe(1)
  expect(await stopping).toMatchObject({ added: ['5552100199'] })
  expect([await store.lease({ limit: 9, leaseMs: 1000 }), (await store.backlog()).pending]).toEqual([[], 0])
})

test.each([
  ['dialing', submission, (id: string) => store.startCall({ leadId: id, person, hours, overrideReason: null })],
  ['erasing', submission, (id: string) => store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })],
  ['approving', held, (id: string) => store.approve({ ids: [id], by: 'Maria' })],
])('%s locks the number that a lead has by then, not the one it had before', async (_, submissionFor, act) => {
  const { contact } = submissionFor('ada')
  const { id } = await store.capture(submissionFor('ada'))
  const corrected = { ...contact, phone: '(212) 555-0187' }
  const other = await connect()
  const [before, after] = [contact, corrected].map(({ phone }) => lockOfKey(`${contactKeys([phoneDigits(phone)])}`))
  await other.query(`SELECT pg_advisory_lock(${before}), pg_advisory_lock(${after})`)
  const acting = act(id)
  await expect.poll(() => waiting('advisory')).toBe(1)
  await database.change(`UPDATE leads SET phone = '2125550187', person_key = '${personKeyOf(corrected)}'`)
  await other.query(`SELECT pg_advisory_unlock(${before})`)
  await Promise.race([acting, expect.poll(() => waiting('advisory')).toBe(1)])
  expect(await waiting('advisory')).toBe(1)
  await other.query(`SELECT pg_advisory_unlock(${after})`)
  await acting
})

test('two agents who say something about a number that was erased wait for each other', async () => {
  const { id } = await store.capture(submission('ada'))
  await store.startCall({ leadId: id, person, hours, overrideReason: 'at any hour' })
  await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
  const other = await connect()
  // Both can read the story, but neither can add to it.
  await other.query('BEGIN; LOCK TABLE story_events IN EXCLUSIVE MODE')
  const skipping = ['maria', 'joe'].map(name => store.skipCall({ leadId: id, person: { id: name, name } }))
  await expect.poll(() => waiting('relation', 'advisory')).toBe(2)
  await other.query('COMMIT')
  await Promise.all(skipping)
  expect(await database.rows(`SELECT n FROM story_events WHERE kind = 'skipped'`)).toHaveLength(2)
})

test('erasing someone whose number is being corrected erases the lead with the new number, too', async () => {
  const { contact } = submission('ada')
  const { id } = await store.capture({ ...submission('ada'), tokenHash: 'hash' })
  const {
    campaign: _,
    variant: __,
    questionnaireVersion: ___,
    page: ____,
    language: _____,
    ...facts
  } = submission('ada')
  // Stops the correction after it stored the new lead.
  const other = await connect()
  await other.query('BEGIN; LOCK TABLE story_events IN EXCLUSIVE MODE')
  const correcting = store.correctSentLead({
    tokenHash: 'hash',
    phone: contact.phone,
    newPhone: '(212) 555-0187',
    facts,
  })
  await expect.poll(() => waiting('relation')).toBe(1)
  const erasing = store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
  await expect.poll(() => waiting('relation', 'advisory')).toBe(2)
  await other.query('COMMIT')
  expect(await correcting).not.toBeNull()
  expect(await erasing).toMatchObject({ leads: 2 })
})

test.each(['remove', 'demote'])('of two editors who %s each other at the same moment, one stays', async how => {
  const [ann, joe] = [await joinDesk(store, 'Ann'), await joinDesk(store, 'Joe')]
  const end = (from: Store, editorId: string, by: string, name: string) =>
    how === 'remove'
      ? from.removePerson({ name, by, editorId })
      : from.changeRole({ name, by, editorId, role: 'agent', seen: 'editor' })
  const another = await database.openAnother()
  const other = await connect()
  // Both can look for editors, but neither can change one.
  await other.query('BEGIN; SELECT 1 FROM desk_people FOR UPDATE')
  const ending = [end(store, ann.id, 'Ann', 'Joe'), end(another, joe.id, 'Joe', 'Ann')]
  await expect.poll(() => waiting('advisory', 'transactionid', 'tuple')).toBe(2)
  await other.query('COMMIT')
  const done = how === 'remove' ? 'removed' : 'changed'
  expect((await Promise.all(ending)).map(({ kind }) => kind).toSorted()).toEqual([done, 'not an editor'].toSorted())
})

test('of two passkeys that are removed at the same moment, one stays', async () => {
  const { id: personId, session: sessionHash } = await joinDesk(store, 'Ann', 'editor', 'one')
  await store.addPasskey({ personId, sessionHash, passkey: passkeyOf('two') })
  const another = await database.openAnother()
  const other = await connect()
  // Both can count the passkeys, but neither can delete one.
  await other.query('BEGIN; SELECT 1 FROM desk_passkeys FOR UPDATE')
  const removing = [store.removePasskey({ personId, id: 'one' }), another.removePasskey({ personId, id: 'two' })]
  await expect.poll(() => waiting('transactionid', 'tuple')).toBe(2)
  await other.query('COMMIT')
  expect((await Promise.all(removing)).toSorted()).toEqual(['last', 'removed'])
})

test('retention doesn’t erase a lead that is resent while retention waits for the lock', async () => {
  const { id } = await store.capture(submission('ada'))
  await database.change(`UPDATE outbox SET state = 'delivered'`)
  const other = await connect()
  await other.query(`BEGIN; SELECT 1 FROM leads FOR UPDATE; UPDATE outbox SET state = 'pending'`)
  const erasing = store.eraseExpired({ before: Date.now() + 60_000, after: '', keepPending: true, key: ERASURE_KEY })
  await expect.poll(() => waiting('transactionid', 'tuple')).toBeGreaterThan(0)
  await other.query('COMMIT')
  expect(await erasing).toMatchObject({ leads: 0 })
  expect(await store.find(id)).toMatchObject({ state: 'accepted', delivery: { state: 'pending' } })
})

test('a lease skips rows that another transaction has locked', async () => {
  const { id: locked } = await store.capture(submission('ada'))
  const { id: free } = await store.capture(submission('bob'))
  const other = await connect()
  await other.query('BEGIN')
  await other.query('SELECT 1 FROM outbox WHERE id = $1 FOR UPDATE', [locked])
  const leased = await store.lease({ limit: 2, leaseMs: 60_000 })
  expect(leased.map(({ leadId }) => leadId)).toEqual([free])
})

test.each(['in the desk', 'by the visitor'])(
  'a number corrected %s while the lead is being leased is sent to the CRM',
  async who => {
    const {
      contact,
      campaign: _,
      variant: __,
      questionnaireVersion: ___,
      page: ____,
      language: _____,
      ...facts
    } = submission('ada')
    const { id } = await store.capture({ ...submission('ada'), tokenHash: 'hash' })
    const worker = await connect()
    await worker.query(`BEGIN; UPDATE outbox SET lease_token = 'token', next_at = next_at + 60000`)
    const phone = '(212) 555-0187'
    const order = { leadId: id, person, seen: contact, corrected: { ...contact, phone }, reason: '', spoken: facts }
    const correcting =
      who === 'in the desk'
        ? store.correctLead(order)
        : store.correctSentLead({ tokenHash: 'hash', phone: contact.phone, newPhone: phone, facts })
    await Promise.race([correcting, expect.poll(() => waiting('transactionid', 'tuple')).toBe(1)])
    await worker.query('COMMIT')
    await correcting
    expect(await database.rows(`SELECT lead_id FROM outbox WHERE type = 'lead.corrected'`)).toEqual([{ lead_id: id }])
  },
)

test('the database cancels a query that takes too long, and other queries still work', async () => {
  const reader = await openPostgresStore(database.url, { access: 'client', statementTimeoutMs: 500 })
  onTestFinished(() => reader.close())
  const blocker = await connect()
  await blocker.query('BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE')
  await expect(reader.count({})).rejects.toThrow(QueryTimeoutError)
  // The query was canceled, not just abandoned: nothing is waiting for the table anymore.
  const { rows } = await blocker.query(
    'SELECT pid FROM pg_locks JOIN pg_database ON oid = database WHERE NOT granted AND datname = current_database()',
  )
  expect(rows).toEqual([])
  await blocker.query('ROLLBACK')
  await expect.poll(() => reader.count({}).catch(() => null)).toBe(0)
})
