/** kill -9 of the desk in the middle of a call. */
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_CALLING_HOURS as hours } from '../../domain/calling/hours.ts'
import type { StoreSettings } from '../../server/store/open-store.ts'
import type { Store } from '../../server/store/store.ts'
import { killAfterTest, newFolder } from '../support/after-test.ts'
import { createTestDesk, sessionHeaders } from '../support/desk.ts'
import { type OpenEngine, openLeadStore, saying, submissionOf } from '../support/lead-store.ts'
import { onDemand } from '../support/on-demand.ts'
import { runModule, spawnDesk } from '../support/processes.ts'
import { postgres } from '../support/store-engines.ts'

await onDemand('desk')

interface TestStore extends OpenEngine {
  readonly settings: StoreSettings
}

function openSqlite(): TestStore & { readonly dataDir: string } {
  const opened = openLeadStore()
  onTestFinished(opened.remove)
  const dataDir = dirname(opened.file)
  return { ...opened, dataDir, settings: { dataDir, databaseUrl: null } }
}

async function openPostgres(): Promise<TestStore> {
  const opened = await postgres.open()
  onTestFinished(opened.remove)
  return { ...opened, settings: { dataDir: newFolder(), databaseUrl: opened.url } }
}

const phone = '(212) 555-0101'

async function captureAda(store: Store): Promise<string> {
  const submission = submissionOf('Ada', await store.saveConsentText('I agree'))
  return (await store.capture({ ...submission, contact: { ...submission.contact, phone } })).id
}

test.each([
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const)('%s: the claim and the start of the call are there after a restart', async (_, open) => {
  const { store, settings } = await open()
  const id = await captureAda(store)
  const maria = await createTestDesk(store).signedIn('Maria')
  const start = async () => {
    const desk = killAfterTest(spawnDesk({ DATA_DIR: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' }))
    const url = await desk.url
    const headers = { ...sessionHeaders(maria), origin: url, 'content-type': 'application/json' }
    const send = async (path: string, body?: object) => {
      const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      return (await fetch(`${url}/api/calls/${path}`, request)).json()
    }
    return { desk, send }
  }

  const before = await start()
  expect(await before.send(`${id}/claim`, {})).toMatchObject({ kind: 'open' })
  // The test also runs at night.
  expect(await before.send(`${id}/start`, { overrideReason: 'a test' })).toMatchObject({ kind: 'started' })
  before.desk.child.kill('SIGKILL')
  await before.desk.exit

  const after = await start()
  expect(await after.send('unfinished')).toMatchObject({ calls: [{ leadId: id, firstName: 'Ada' }] })
  expect(await after.send(id)).toMatchObject({ situation: { kind: 'started', incoming: false } })
  expect(await after.send(`${id}/outcome`, { outcomes: [{ outcome: 'no answer', leads: [id] }] })).toMatchObject({
    kind: 'saved',
  })
  expect(await after.send('unfinished')).toEqual({ calls: [] })
})

/** Runs operations of the store one after another, and kills itself before this statement of the last: its number, `COMMIT`, or none. */
const OPERATIONS = `
  const [settings, pgModule, module, operations, dieAt] = process.argv.slice(1)
  const { connectStore } = await import(module)
  const store = await connectStore(JSON.parse(settings), { access: 'write' })
  let isLast = false
  let count = 0
  let commits = 0
  const step = text => {
    if (isLast && (++count === Number(dieAt) || text === dieAt)) process.kill(process.pid, 'SIGKILL')
    if (text === 'COMMIT') commits++
  }
  const { DatabaseSync } = await import('node:sqlite')
  const { default: pg } = await import(pgModule)
  const statement = Object.getPrototypeOf(new DatabaseSync(':memory:').prepare('SELECT 1'))
  for (const [owner, method] of [[statement, 'all'], [statement, 'run'], [pg.Client.prototype, 'query']]) {
    const original = owner[method]
    owner[method] = function (...args) {
      step(this.sourceSQL ?? args[0])
      return original.apply(this, args)
    }
  }
  const transactions = []
  let callId
  for (const [name, order] of JSON.parse(operations)) {
    commits = 0
    isLast = transactions.length === JSON.parse(operations).length - 1
    callId = (await store[name]({ callId, ...order })).callId ?? callId
    transactions.push([name, commits])
  }
  console.log(JSON.stringify(transactions))
  await store.close()`

const changedTables = [
  ...['stories', 'story_events', 'calls', 'call_leads', 'promises', 'standings', 'call_claims', 'notes', 'history'],
  ...['do_not_call', 'do_not_call_history', 'stopped_numbers', 'outbox'],
]

const MODULE = join(import.meta.dirname, '../../server/store/open-store.ts')

test.each([
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const)(
  '%s: killed while it’s saved, a call is as before; dialing, saving, undoing, and taking over are one transaction each',
  async (_, open) => {
    const { store, settings, rows } = await open()
    const leadId = await captureAda(store)
    const mine = { leadId, person: { id: 'maria', name: 'Maria' }, hours }
    await store.startCall({ ...mine, overrideReason: 'a test' })
    const save = ['saveCall', { ...mine, ...saying(leadId, 'never call again'), note: 'Asked twice.' }] as const
    const run = (operations: readonly (readonly [name: string, order: object])[], dieAt: 8 | 'COMMIT' | 'never') => {
      const [where, orders] = [settings, operations].map(value => JSON.stringify(value)) as [string, string]
      return runModule(OPERATIONS, where, import.meta.resolve('pg'), MODULE, orders, `${dieAt}`)
    }
    const contents = async () => {
      const tables: unknown[] = []
      for (const table of changedTables) tables.push(await rows(`SELECT * FROM ${table}`))
      return JSON.stringify(tables)
    }

    const before = await contents()
    for (const dieAt of [8, 'COMMIT'] as const) {
      expect(await run([save], dieAt)).toMatchObject({ out: '', signal: 'SIGKILL' })
      expect(await contents()).toBe(before)
    }
    const takeOver = ['claimCall', { leadId, person: { id: 'bob', name: 'Bob' }, takeOver: true }] as const
    const others = [
      ['undoCall', mine],
      takeOver,
      ['startCall', { ...mine, person: takeOver[1].person, overrideReason: 'a test' }],
    ] as const
    const { out } = await run([save, ...others], 'never')
    expect(JSON.parse(out)).toEqual([save, ...others].map(([name]) => [name, 1]))
    expect(await contents()).not.toBe(before)
  },
)
