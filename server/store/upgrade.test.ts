/** Upgrades stores created by 0.5.3 and 0.6.0, with leads in every state, and compares query results with what those versions returned. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { rowsOf as sqliteRows } from '../../tests/support/lead-fixtures.ts'
import { ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { createDatabase, rowsOf, runOn } from '../../tests/support/postgres-server.ts'
import type { Submission } from './capture.ts'
import type { FunnelGroup } from './funnel.ts'
import type { LeadRecord } from './lead-records.ts'
import { openPostgresStore } from './postgres/postgres-store.ts'
import { emailMark } from './repeats.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

const fixture = (version: string, name: string) =>
  gunzipSync(readFileSync(new URL(`../../tests/fixtures/store-${version}.${name}.gz`, import.meta.url)))

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const each of cleanUp.splice(0)) await each()
})

interface Opened {
  readonly store: Store
  /** Every column and index, as the database reports them. */
  shape(): Promise<unknown>
}

type From = '0.5.3' | '0.6.0' | 'nothing' | 'before 0.5.3'

const released = (from: From) => (from === '0.6.0' ? from : '0.5.3')

const engines = [
  {
    name: 'sqlite',
    async open(from: From = '0.5.3', change = ''): Promise<Opened> {
      const folder = mkdtempSync(join(tmpdir(), 'upgrade-'))
      cleanUp.push(() => rmSync(folder, { recursive: true }))
      const file = join(folder, 'leads.sqlite')
      if (from !== 'nothing') writeFileSync(file, fixture(released(from), 'sqlite'))
      const database = new DatabaseSync(file)
      database.exec(from === 'before 0.5.3' ? 'PRAGMA user_version = 18' : change)
      database.close()
      const store = openSqliteStore(file)
      cleanUp.unshift(() => store.close())
      return { store, shape: async () => sqliteShape(file) }
    },
  },
  {
    name: 'postgres',
    async open(from: From = '0.5.3', change = ''): Promise<Opened> {
      const database = await createDatabase(inject('postgresUrl'))
      cleanUp.push(database.remove)
      if (from !== 'nothing') await runOn(database.url, fixture(released(from), 'postgres.sql').toString())
      if (from === 'before 0.5.3') await runOn(database.url, 'DELETE FROM migrations WHERE step = 19')
      if (change !== '') await runOn(database.url, change)
      const store = await openPostgresStore(database.url)
      cleanUp.unshift(() => store.close())
      return { store, shape: () => postgresShape(database.url) }
    },
  },
]

describe.each(engines)('an old store on $name', ({ name, open }) => {
  test('is upgraded from 0.5.3 and returns the same results as before', async () => {
    const expected = expectedFrom053(name)
    const { store } = await open()
    expect(await resultsOf(store, expected)).toMatchObject(expected)
    const { pending } = expected.leads
    while ((await store.indexLeads({ limit: 2 })) > 0);
    const found = await store.page({ filter: { search: pending.email }, order: 'newest first', limit: 9, after: null })
    expect(found.map(({ id }) => id)).toContain(pending.id)
  })

  test('is upgraded from 0.6.0 and returns the same results as before', async () => {
    const expected = JSON.parse(fixture('0.6.0', `${name}.json`).toString())
    const { store } = await open('0.6.0')
    const { leads, notes, listedContacts, suppressions, people, lastBackup } = await resultsOf(store, expected)
    expect({ leads, notes, listedContacts, suppressions, people, lastBackup }).toMatchObject(expected)
  })

  test.each(['0.5.3', '0.6.0'] as const)(
    'has the same tables, columns, and indexes as a new one, from %s',
    async from => {
      const [upgraded, created] = [await open(from), await open('nothing')]
      expect(await upgraded.shape()).toEqual(await created.shape())
    },
  )

  test.each(['0.5.3', '0.6.0'] as const)(
    'has the last 30 days’ accepted leads on the call list, except those with a note, from %s',
    async from => {
      const daysAgo = (days: number) => Date.now() - days * 24 * 3_600_000
      const oldest = `(SELECT MIN(id) FROM leads WHERE state = 'accepted')`
      const { store } = await open(
        from,
        `UPDATE leads SET received_at = ${daysAgo(29)}; UPDATE leads SET received_at = ${daysAgo(31)} WHERE id = ${oldest}`,
      )
      const leads = await store.page({ filter: {}, order: 'oldest first', limit: 100, after: null })
      const notes = new Map(await Promise.all(leads.map(async ({ id }) => [id, await store.notesOf(id)] as const)))
      const accepted = leads.filter(({ state }) => state === 'accepted')
      const open30 = accepted.filter(({ receivedAt }) => receivedAt > daysAgo(30))
      const unmarked = open30.filter(({ id }) => notes.get(id)?.length === 0)
      expect([unmarked.length > 0, open30.length < accepted.length]).toEqual([true, true])
      const calls = await store.callsOfLeads(leads.map(({ id }) => id))
      expect([...calls.keys()].toSorted()).toEqual(unmarked.map(({ id }) => id).toSorted())
      expect(unmarked.map(({ id }) => calls.get(id)?.kind)).toEqual(unmarked.map(() => 'new'))
    },
  )

  test('still recognizes people: the same person is a repeat, and someone on the do-not-call list is held', async () => {
    const { leads } = expectedFrom053(name)
    const { store } = await open()
    const submit = (lead: LeadRecord & Submission) =>
      store.capture({
        ...lead,
        contact: lead as unknown as Submission['contact'],
        certificate: { kind: 'none' },
        language: 'en',
        holdReason: null,
        announceRepeat: false,
      })
    const again = await submit(leads.pending)
    // The fixture ages: after 30 days, a lead from the same person is no longer a repeat.
    const state = Date.now() - leads.pending.receivedAt < 30 * 24 * 3_600_000 ? 'repeat' : 'accepted'
    expect(again.state).toBe(state)
    expect(await store.leadsOfPerson({ phone: leads.pending.phone })).toHaveLength(2)
    expect((await submit({ ...leads.suppressed, firstName: 'Samuel' })).state).toBe('held')
  })

  test('finds a lead by its email, even if 0.5.3 stored it with capital letters such as Ñ', async () => {
    const key = `'v2 ${emailMark('ñoño@example.org')}' || substr(person_key, 9)`
    const change = `UPDATE leads SET email = 'ÑOÑO@example.org', person_key = ${key} WHERE first_name = 'Pia'`
    const { store } = await open('0.5.3', change)
    expect(await store.leadsOfPerson({ email: 'ñoño@example.org' })).toHaveLength(1)
  })

  test('is refused with instructions if it’s older than 0.5.3, or from a development version', async () => {
    await expect(open('before 0.5.3')).rejects.toThrow('Upgrade to 0.5.3 first')
    const version = 20
    const step = `INSERT INTO migrations VALUES (${version}, true, now())`
    const development = name === 'sqlite' ? `PRAGMA user_version = ${version}` : step
    await expect(open('0.5.3', development)).rejects.toThrow('can’t be upgraded')
  })
})

function expectedFrom053(name: string) {
  const json = fixture('0.5.3', `${name}.json`).toString()
  const renamed = json.replaceAll('"endsAt"', '"expiresAt"').replaceAll('OfThePerson"', 'BySamePerson"')
  return JSON.parse(renamed, withNewNames)
}

const newNames: Readonly<Record<string, string>> = {
  look: 'viewer',
  act: 'editor',
  release: 'approve',
  redeliver: 'resend',
}
function withNewNames(key: string, value: unknown): unknown {
  if (key === 'role' || key === 'action') return newNames[`${value}`] ?? value
  if (key !== 'alerts') return value
  return (value as { told: number }[]).map(({ told, ...alert }) => ({ ...alert, timesSent: told }))
}

type Expected = Record<string, Record<string, never>> & { readonly jobs?: readonly { id: string }[] }

/** The queries 0.5.3 ran when the fixture was made, except those that depend on today's date. */
async function resultsOf(store: Store, { leads, jobs, pause, backlog }: Expected) {
  const ids = Object.entries(leads ?? {}).map(([name, { id }]) => [name, id] as const)
  const forEachLead = async <T>(query: (id: string) => Promise<T>) =>
    Object.fromEntries(await Promise.all(ids.map(async ([name, id]) => [name, await query(id)])))
  const since = { timeZone: 'America/New_York', since: '2026-11-01' }
  const funnel = async (by: FunnelGroup, days: { timeZone: string; since: string; until: string }) =>
    (await store.funnel({ by: [by], ...days }))[by].toSorted((a, b) => (`${a.key}` < `${b.key}` ? -1 : 1))
  return {
    leads: await forEachLead(id => store.find(id)),
    notes: await forEachLead(id => store.notesOf(id)),
    listedContacts: await forEachLead(async id =>
      (await store.doNotCallEntriesOf(id)).map(({ contact }) => contact).toSorted(),
    ),
    suppressions: (await store.doNotCallList({ after: '', limit: 100 })).map(({ contact, addedAt }) => ({
      contact,
      addedAt,
    })),
    erasedLeads: (await store.erasedLeadsOf({ person: { email: 'erin.mixed@example.org' }, key: ERASURE_KEY })).ids,
    people: await store.deskPeople(),
    passkey: await store.passkey('passkey-Maria'),
    session: await store.session('session-Lou'),
    invitation: await store.invitation('invitation-New'),
    jobs: await Promise.all((jobs ?? []).map(({ id }) => store.job(id))),
    alerts: await store.alertsSince(0),
    pause: { ...(await store.deliveryPause()), ageMs: pause?.['ageMs'] },
    lastBackup: await store.lastBackup(),
    backlog: {
      ...(await store.backlog()),
      oldestPendingAgeMs: backlog?.['oldestPendingAgeMs'],
      oldestHeldAgeMs: backlog?.['oldestHeldAgeMs'],
      aheadMs: backlog?.['aheadMs'],
    },
    funnelByPage: await funnel('page', { ...since, since: '2030-01-01', until: '2030-12-31' }),
    funnelOfLeads: await funnel('campaign', { ...since, until: '2029-12-31' }),
    dealingSecret: await store.variantSecret('another'),
  }
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
