/** Upgrades stores created by 0.7.0, with leads and calls in every state, and compares query results with what that version returned. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { DEFAULT_CALLING_HOURS as HOURS } from '../../domain/calling/hours.ts'
import { HOUR } from '../../domain/durations.ts'
import { setDatabaseClock } from '../../tests/support/database-clock.ts'
import { rowsOf as sqliteRows } from '../../tests/support/lead-fixtures.ts'
import { compareOffers, type Upgraded } from '../../tests/support/offered.ts'
import { rowsOf, runOn } from '../../tests/support/postgres-server.ts'
import { emptyDatabase } from '../../tests/support/shared-postgres.ts'
import { copyToPostgres, fixtureOf070 as fixture } from '../../tests/support/store-of-0.7.0.ts'
import type { LeadDetails } from './facts/leads/lead-records.ts'
import { openPostgresStore } from './postgres/postgres-store.ts'
import { sqliteDdl } from './schema.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import { upgradesFrom, VERSION_OF_0_7_0 } from './upgrade.ts'
import { defaultSettings, type UsedSettings } from './upgrades/used-settings.ts'

/** Before seven in New York, days after everything that happened in the fixtures, or was promised. */
const AT = Date.UTC(2026, 10, 20, 23, 55)

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const each of cleanUp.splice(0)) await each()
})

interface Opened extends Upgraded {
  /** Every column and index, as the database reports them. */
  shape(): Promise<unknown>
}

/** By random use of 0.7.0 with this seed: see tools/drills/upgrade.ts. */
type Used = `used-${number}`
type From = '0.7.0' | 'nothing' | Used
const isUsed = (from: From): from is Used => from.startsWith('used-')

/** `change`: SQL to run before the upgrade. */
const engines = [
  {
    name: 'sqlite',
    async open(from: From = '0.7.0', change = '', settings: UsedSettings = defaultSettings): Promise<Opened> {
      const folder = mkdtempSync(join(tmpdir(), 'upgrade-'))
      cleanUp.push(() => rmSync(folder, { recursive: true }))
      const file = join(folder, 'leads.sqlite')
      if (from !== 'nothing') writeFileSync(file, fixture(isUsed(from) ? `${from}.sqlite` : 'sqlite'))
      const database = new DatabaseSync(file)
      database.exec(change)
      database.close()
      let now = AT
      const store = openSqliteStore(file, { settings, now: () => now })
      cleanUp.unshift(() => store.close())
      const setClock = async (at: number) => {
        now = at
      }
      return { store, setClock, shape: async () => sqliteShape(file), rows: async query => changeRows(file, query) }
    },
  },
  {
    name: 'postgres',
    async open(from: From = '0.7.0', change = '', settings: UsedSettings = defaultSettings): Promise<Opened> {
      const database = await emptyDatabase()
      cleanUp.push(database.remove)
      if (from === '0.7.0') await runOn(database.url, fixture('postgres.sql').toString())
      if (isUsed(from)) {
        const folder = mkdtempSync(join(tmpdir(), 'upgrade-'))
        cleanUp.push(() => rmSync(folder, { recursive: true }))
        writeFileSync(join(folder, 'leads.sqlite'), fixture(`${from}.sqlite`))
        await copyToPostgres(join(folder, 'leads.sqlite'), database.url)
      }
      if (change !== '') await runOn(database.url, change)
      await setDatabaseClock(database.url, AT)
      const store = await openPostgresStore(database.url, { settings })
      cleanUp.unshift(() => store.close())
      return {
        store,
        setClock: at => setDatabaseClock(database.url, at),
        shape: () => postgresShape(database.url),
        rows: query => rowsOf(database.url, query),
      }
    },
  },
]

interface Expected {
  readonly leads: Readonly<Record<string, LeadDetails>>
  readonly notes: Readonly<Record<string, readonly object[]>>
  readonly listedContacts: Readonly<Record<string, readonly string[]>>
  readonly doNotCall: readonly object[]
}

/** Leads that 0.7.0 held because of a stop are accepted, and stopped in the outbox. */
const stoppedIn070 = ['ida', 'ivy', 'vic']

describe.each(engines)('a store from 0.7.0 on $name', ({ name, open }) => {
  // 0.7.0 said it of a delivery, and not whether the CRM has the lead.
  const withoutUnsettled = (key: string, value: unknown) => (key === 'isUnsettled' ? undefined : value)
  const expected: Expected = JSON.parse(fixture(`${name}.json`).toString(), withoutUnsettled)
  const idOf = (lead: string) => expected.leads[lead]?.id ?? ''

  test('has the same leads, notes, and do-not-call list as before', async () => {
    const { store } = await open()
    for (const [lead, before] of Object.entries(expected.leads)) {
      const isStopped = stoppedIn070.includes(lead)
      const changed = isStopped ? { state: 'accepted', heldReason: null, delivery: { state: 'stopped' } } : {}
      expect(await store.find(before.id), lead).toMatchObject({ ...before, ...changed })
      expect(await store.notesOf(before.id)).toEqual(expected.notes[lead])
      const listed = (await store.doNotCallEntriesOf(before.id)).filter(({ isOwn }) => isOwn)
      expect(listed.map(({ contact }) => contact).toSorted()).toEqual(expected.listedContacts[lead])
    }
    expect(await store.doNotCallList({ after: '', limit: 100 })).toMatchObject(expected.doNotCall)
    for (const [lead, sentToCrm] of Object.entries({ ben: 'yes', cy: 'maybe', tom: 'maybe', fay: 'no' })) {
      expect(await store.find(idOf(lead)), lead).toMatchObject({ sentToCrm })
    }
  })

  test('closes every lead with a stopped number, and brings back what a stop held', async () => {
    const { store } = await open()
    const named = async (leads: readonly string[]) => leads.filter(lead => closed.has(idOf(lead))).toSorted()
    const closed = await store.leadsOnDoNotCallList(Object.values(expected.leads).map(({ id }) => id))
    expect(await named(Object.keys(expected.leads))).toEqual(['hal', 'ida', 'ivy', 'sue', 'sueAgain', 'vic'])
    await store.removeFromDoNotCall({ contacts: [{ email: 'ivy@example.org' }], by: 'Maria', request: null })
    expect(await store.find(idOf('ivy'))).toMatchObject({ delivery: { state: 'pending' } })
  })

  test('sends what was waiting, and each stop once', async () => {
    const { store } = await open('0.7.0', 'UPDATE deliveries SET next_at = 0 WHERE lease_token IS NULL')
    const leased = await store.lease({ limit: 99, leaseMs: HOUR })
    const waiting = Object.values(expected.leads).filter(({ delivery }) => delivery?.state === 'pending')
    // One is waiting for its retry, or still leased, depending on the clock.
    expect(leased.length).toBeGreaterThan(10)
    expect(waiting.map(({ id }) => id)).toEqual(expect.arrayContaining(leased.map(({ leadId }) => leadId)))
    const stops = (await store.queuedEvents({ lane: 'stops', limit: 9 })).map(({ leadId }) => leadId)
    expect(stops.toSorted()).toEqual(['hal', 'sue', 'sueAgain'].map(idOf).toSorted())
    expect(await store.queuedEvents({ lane: 'calls', limit: 9 })).toMatchObject([{ leadId: idOf('sue') }])
    expect(await store.unqueuedLeads()).toBe(0)
  })

  test('calls its callers agents', async () => {
    const { store } = await open(
      '0.7.0',
      `INSERT INTO desk_people (id, name, name_key, role, handle, invited_at) VALUES ('cal', 'Cal', 'cal', 'caller', 'handle', 1)`,
    )
    expect(await store.deskPeople()).toMatchObject([{ name: 'Cal', role: 'agent' }])
  })

  test('that never had a webhook keeps its waiting leads out of the outbox', async () => {
    const { store } = await open(
      '0.7.0',
      `DELETE FROM attempts; DELETE FROM webhook_events;
       UPDATE deliveries SET state = 'pending', attempts = 0, lease_token = NULL, interrupted = 0`,
    )
    const accepted = await store.count({ state: 'accepted' })
    expect([await store.unqueuedLeads(), (await store.backlog()).pending]).toEqual([accepted, 0])
  })

  test('that was paused before its first delivery sends the leads that waited, if it has a webhook', async () => {
    const paused = `DELETE FROM attempts; DELETE FROM webhook_events;
      UPDATE deliveries SET state = 'pending', attempts = 0, lease_token = NULL, interrupted = 0;
      DELETE FROM delivery_pause; INSERT INTO delivery_pause VALUES (1, 0, 'The CRM is not ready', 'Maria')`
    const { store } = await open('0.7.0', paused, { callList: false, webhookUrl: 'https://crm.example.org' })
    expect([await store.unqueuedLeads(), (await store.backlog()).pending]).toEqual([0, expect.any(Number)])
    expect((await store.backlog()).pending).toBeGreaterThan(10)
    const without = await open('0.7.0', paused)
    expect((await without.store.backlog()).pending).toBe(0)
  })

  /** The numbers that Call next would offer right now. */
  async function offered({ store, rows }: Opened) {
    await store.planStaleStories(HOURS)
    const { ready } = await store.callList({ personId: 'maria', hours: HOURS, limit: 100, dayEnds: 0 })
    const ids = ready.map(({ leadId }) => `'${leadId}'`)
    return rows(`SELECT phone FROM leads WHERE id IN (${ids.join() || 'NULL'}) ORDER BY phone`)
  }

  test('with a webhook, CALL_LIST=on, and no call yet offers everyone who waits for a first call', async () => {
    const untouched = `DELETE FROM call_attempts; DELETE FROM call_starts; DELETE FROM call_claims;
      UPDATE calls SET kind = 'new', tries = 0, ended_at = NULL, ended = NULL, callback_at = NULL, callback_for = NULL`
    const opened = await open('0.7.0', untouched, { callList: true, webhookUrl: 'https://crm.example.org' })
    const numbers = await opened.rows(
      `SELECT DISTINCT phone FROM leads WHERE state = 'accepted' AND phone NOT IN (SELECT contact FROM do_not_call)
         AND phone NOT IN (SELECT phone FROM stopped_numbers) ORDER BY phone`,
    )
    expect(numbers.length).toBeGreaterThan(10)
    expect(await offered(opened)).toEqual(numbers)
    // With CALL_LIST=off or auto, the CRM calls, even if nothing was sent to it yet, or staff called before. Promises are kept.
    const callbacks = await opened.rows(`SELECT phone FROM leads WHERE email = 'kim@example.org'`)
    for (const change of [untouched, `${untouched}; DELETE FROM attempts`, '']) {
      const off = await open('0.7.0', change, { callList: false, webhookUrl: 'https://crm.example.org' })
      expect(await offered(off)).toEqual(change === '' ? callbacks : [])
    }
  })

  test('with people who were called, left on the list, and then erased: nobody calls them, and the list works', async () => {
    const erased = `UPDATE calls SET ended_at = NULL, ended = NULL, kind = 'retry', tries = 1;
      UPDATE leads SET state = 'erased', contact = NULL, email = NULL, phone = NULL, person_key = NULL, search_text = NULL
      WHERE id IN (SELECT lead_id FROM call_attempts UNION SELECT lead_id FROM call_starts UNION SELECT lead_id FROM call_claims)`
    const { store, rows } = await open('0.7.0', erased)
    await store.planStaleStories(HOURS)
    const [without] = await rows(`SELECT COUNT(*) AS stories FROM stories WHERE phone IS NULL`)
    expect(Number(without?.['stories'])).toBeGreaterThan(3)
    expect(await rows('SELECT id FROM stories WHERE phone IS NULL AND listed_at IS NOT NULL')).toEqual([])
    const request = { personId: 'maria', hours: HOURS, limit: 10, dayEnds: 0 }
    expect((await store.callList(request)).ready).toEqual(expect.any(Array))
    // Not even if a row is wrong in another way.
    await rows(`UPDATE stories SET plan = '{"calls":[]}', listed_at = 9000000000000 WHERE phone IS NULL`)
    expect((await store.callList(request)).ready).toEqual(expect.any(Array))
    expect(await store.callsWaiting(HOURS)).toMatchObject({ people: expect.any(Number) })
  })

  test('has one identity, whichever of its backups was upgraded; each new store has its own', async () => {
    const ids = await Promise.all((['0.7.0', '0.7.0', 'nothing', 'nothing'] as const).map(idOf))
    expect([new Set(ids).size, ids[0] === ids[1]]).toEqual([3, true])

    async function idOf(from: From): Promise<string> {
      const { store } = await open(from)
      return store.storeId()
    }
  })

  const unsaid = 'a dial without an outcome is a try'
  const dialed = 'a dialed call stays with its agent until the outcome, or four hours'
  test.each<[Used, readonly (readonly [phone: string, rule: string])[]]>([
    ['used-3', []],
    ['used-28', [['8505550140', unsaid]]],
    [
      'used-36',
      [
        ['5125550103', dialed],
        ['5125550103', unsaid],
      ],
    ],
  ])('%s, made at random, offers the same people as before, apart from what has a rule', async (from, changed) => {
    const opened = await open(from)
    const { at, before } = JSON.parse(fixture(`${from}.json`).toString())
    const { offered, differences, ...wrong } = await compareOffers(opened, at, before)
    expect(offered).toBeGreaterThan(4)
    expect(wrong).toEqual({ notAsListed: [], sentToStopped: 0 })
    const found = new Map(differences.map(({ phone, rule }) => [`${phone} ${rule}`, [phone, rule]]))
    expect([...found.values()]).toEqual(changed)
  })

  test('someone who was promised a call and then put on hold is offered only once they’re approved', async () => {
    const held = `SELECT id FROM leads WHERE phone = '4155550117'`
    const opened = await open(
      '0.7.0',
      `DELETE FROM deliveries WHERE lead_id IN (${held});
       UPDATE leads SET state = 'held', held_reason = 'asked not to be called' WHERE id IN (${held})`,
    )
    expect(await offered(opened)).not.toContainEqual({ phone: '4155550117' })
    expect(await opened.store.approve({ ids: [idOf('kim')], by: 'Maria' })).toBe(1)
    expect(await offered(opened)).toContainEqual({ phone: '4155550117' })
  })

  test('people who were approved have waited since they asked, or asked to be called again', async () => {
    const [asked, again] = ['2125550102', '4155550118']
    const approve = (phone: string, reason: string) =>
      `UPDATE history SET detail = '{"state":"held"}' WHERE event = 'received' AND lead_id IN (SELECT id FROM leads WHERE phone = '${phone}');
       INSERT INTO history (lead_id, at, event, detail)
         SELECT id, ${AT - HOUR}, 'released', '{"heldReason":"${reason}","by":"Maria"}' FROM leads WHERE phone = '${phone}';`
    const opened = await open(
      '0.7.0',
      `${approve(asked, 'a link in the name')} ${approve(again, 'asked not to be called')}
       INSERT INTO do_not_call_history (contact, at, event, done_by) VALUES ('${again}', ${AT - 2 * HOUR}, 'removed', 'Maria')`,
    )
    await opened.store.planStaleStories(HOURS)
    const waitingSince = async (phone: string) => {
      const [row] = await opened.rows(
        `SELECT received_at, plan FROM leads JOIN stories ON stories.phone = leads.phone WHERE leads.phone = '${phone}'`,
      )
      return { receivedAt: Number(row?.['received_at']), ...JSON.parse(`${row?.['plan']}`).calls[0] }
    }
    const { receivedAt, ...call } = await waitingSince(asked)
    expect(call).toMatchObject({ kind: 'new', notBefore: AT - HOUR, waitingSince: receivedAt })
    expect(await waitingSince(again)).toMatchObject({ kind: 'new', waitingSince: AT - 2 * HOUR })
  })

  test('tells the CRM once about every lead that it has with a stopped number', async () => {
    const sent = `INSERT INTO attempts (lead_id, at, duration_ms, outcome) SELECT id, 1, 5, 'delivered' FROM leads`
    const { store } = await open('0.7.0', sent)
    const stops = await store.queuedEvents({ lane: 'stops', limit: 9 })
    // 0.7.0 told it about Ida and Vic.
    const leads = ['hal', 'ivy', 'sue', 'sueAgain']
    expect(stops.map(({ leadId }) => leadId).toSorted()).toEqual(leads.map(idOf).toSorted())
  })

  test('has the same tables, columns, and indexes as a new one', async () => {
    const [upgraded, created] = [await open(), await open('nothing')]
    expect(await upgraded.shape()).toEqual(await created.shape())
  })

  test.each([21, 23])('is refused with instructions if it’s older, or from a development version: %i', async old => {
    const version =
      name === 'sqlite' ? `PRAGMA user_version = ${old}` : `UPDATE migrations SET step = ${old} WHERE step = 22`
    await expect(open('0.7.0', version)).rejects.toThrow('Upgrade to 0.7.0 first')
  })
})

test('no step reads a whole table for each row of another', () => {
  const database = new DatabaseSync(':memory:')
  database.deserialize(fixture('sqlite'))
  database.exec('PRAGMA foreign_keys = OFF')
  database.enableDefensive(false)
  const settings = { callList: true, webhookUrl: 'https://crm.example.org' }
  const steps = upgradesFrom(VERSION_OF_0_7_0, sqliteDdl, settings).join('').replaceAll(/--.*/g, '').split(';')
  const found: string[] = []
  for (const step of steps) {
    const query = step.replace(/^\s*CREATE TABLE \w+ AS/, '').trim()
    const plan = /^(INSERT|UPDATE|DELETE|SELECT)/.test(query) ? plannedBy(database, query) : []
    for (const [parent, loops] of Map.groupBy(plan, each => each.parent)) {
      const isRepeated = plan.some(({ id, detail }) => id === parent && detail.startsWith('CORRELATED'))
      const inner = loops.filter(({ detail }) => /^(SCAN|SEARCH)/.test(detail)).slice(isRepeated ? 0 : 1)
      found.push(...inner.filter(({ detail }) => detail.startsWith('SCAN ')).map(({ detail }) => `${detail}: ${query}`))
    }
    database.exec(step)
  }
  database.close()
  // The parts of a list, which isn't a table.
  expect(found.filter(each => !each.includes('VIRTUAL TABLE'))).toEqual([])
})

const plannedBy = (database: DatabaseSync, query: string) =>
  database.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as unknown as readonly {
    readonly id: number
    readonly parent: number
    readonly detail: string
  }[]

function changeRows(file: string, query: string) {
  const database = new DatabaseSync(file)
  const rows = database.prepare(query).all()
  database.close()
  return rows
}

/** Every column, foreign key, and index. */
function sqliteShape(file: string) {
  const of = (pragma: string, columns: string) =>
    `SELECT tables.name AS "of", ${columns} FROM sqlite_schema AS tables, ${pragma}(tables.name) AS part
     WHERE tables.type = 'table' ORDER BY 1, 2`
  return [
    of('pragma_table_info', 'part.name, part.type, "notnull", dflt_value, pk'),
    of('pragma_foreign_key_list', '"from", "table", "to"'),
    `SELECT name, tbl_name, replace(replace(sql, char(10), ''), ' ', '') AS sql FROM sqlite_schema WHERE type <> 'table' ORDER BY 1`,
  ].map(text => sqliteRows(file, text))
}

function postgresShape(url: string) {
  const ours = `'public'::regnamespace`
  const queries = [
    `SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY 1, 2`,
    `SELECT indexname, tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    `SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = ${ours} ORDER BY 1`,
    `SELECT proname FROM pg_proc WHERE pronamespace = ${ours} ORDER BY 1`,
    'SELECT DISTINCT trigger_name FROM information_schema.triggers ORDER BY 1',
  ]
  return Promise.all(queries.map(text => rowsOf(url, text)))
}
