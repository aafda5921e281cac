/** kill -9 of the desk in the middle of a call. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, inject, onTestFinished, test } from 'vitest'
import { DEFAULT_CALLING_HOURS as hours } from '../../domain/calling/hours.ts'
import { connectStore, type StoreSettings } from '../../server/store/open-store.ts'
import { killAfterTest } from '../support/after-test.ts'
import { createTestDesk } from '../support/desk.ts'
import { createStore, rowsOf as sqliteRows } from '../support/lead-fixtures.ts'
import { contactOf, submissionOf } from '../support/lead-store.ts'
import { createDatabase, rowsOf as postgresRows } from '../support/postgres-server.ts'
import { PROGRAM_ENV, spawnDesk } from '../support/processes.ts'

/** A store with a lead, and the cookie of an editor who's signed in. */
async function prepare(engine: string) {
  const database = engine === 'PostgreSQL' ? await createDatabase(inject('postgresUrl'), inject('storeTemplate')) : null
  if (database) onTestFinished(database.remove)
  const databaseUrl = database?.url ?? null
  const { dataDir, remove } = await createStore()
  onTestFinished(remove)
  const settings: StoreSettings = { dataDir, databaseUrl }
  const store = await connectStore(settings, { access: 'write' })
  const contact = { ...contactOf('Ada'), phone: '(212) 555-0101' }
  const submission = { ...submissionOf('Ada', await store.saveConsentText('I agree')), contact }
  const { id } = await store.capture(submission)
  const { cookie } = await createTestDesk(store).signedIn('Maria')
  await store.close()
  return { id, cookie, settings, env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' } }
}

test('the claim and the start of the call are there after a restart', async () => {
  const { id, cookie, env } = await prepare('SQLite')
  const start = async () => {
    const desk = killAfterTest(spawnDesk(env))
    const url = await desk.url
    const headers = { cookie, origin: url, 'content-type': 'application/json' }
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
  expect(await after.send(id)).toMatchObject({ claim: { name: 'Maria', mine: true }, startedAt: expect.any(Number) })
  expect(await after.send(`${id}/outcome`, { outcome: 'no answer' })).toMatchObject({ kind: 'saved' })
  expect(await after.send('unfinished')).toEqual({ calls: [] })
})

test('a request not to be called that a killed desk didn’t log is logged when it starts again', async () => {
  const { env } = await prepare('SQLite')
  // What's in the store if the desk is killed before it writes the line.
  const store = await connectStore({ dataDir: env.DATA_DIR, databaseUrl: null }, { access: 'write' })
  await store.addToDoNotCall({ contacts: [{ phone: '(212) 555-0101' }], by: 'Maria' })
  await store.close()
  const list = join(env.DATA_DIR, 'erasures.txt')
  await killAfterTest(spawnDesk({ ...env, ERASURE_LIST: list })).url
  expect(readFileSync(list, 'utf8')).toMatch(/^\S+ do-not-call 2125550101\n$/)
})

/** Runs one of the store's operations, and kills itself before this statement: its number, or `COMMIT`. */
const OPERATION = `
  const [settings, pgModule, module, name, request, dieAt] = process.argv.slice(1)
  const { connectStore } = await import(module)
  const store = await connectStore(JSON.parse(settings), { access: 'write' })
  let count = 0
  const step = text => {
    if (++count === Number(dieAt) || text === dieAt) process.kill(process.pid, 'SIGKILL')
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
  await store[name](JSON.parse(request))
  console.log('not killed')`

const changedTables = [
  ...['stories', 'story_events', 'calls', 'requests', 'call_claims', 'notes', 'history'],
  ...['do_not_call', 'do_not_call_history', 'stopped_numbers', 'outbox'],
]

test.each(['SQLite', 'PostgreSQL'])(
  '%s: killed while dialing, saving, undoing, or taking over, a call is as before',
  async engine => {
    const { id: leadId, settings, env } = await prepare(engine)
    const { databaseUrl } = settings
    const store = await connectStore(settings, { access: 'write' })
    onTestFinished(store.close)
    const module = join(import.meta.dirname, '../../server/store/open-store.ts')
    /** Returns what the process printed, and what ended it. */
    const kill = async (name: string, request: object, dieAt: 8 | 'COMMIT') => {
      const args = [
        JSON.stringify(settings),
        import.meta.resolve('pg'),
        module,
        name,
        JSON.stringify(request),
        `${dieAt}`,
      ]
      const child = spawn(process.execPath, ['--input-type=module', '-e', OPERATION, ...args], {
        env: PROGRAM_ENV,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [out, [, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
      return { out, signal }
    }
    const contents = async () => {
      const tables: unknown[] = []
      for (const table of changedTables) {
        const all = `SELECT * FROM ${table}`
        tables.push(
          databaseUrl ? await postgresRows(databaseUrl, all) : sqliteRows(join(env.DATA_DIR, 'leads.sqlite'), all),
        )
      }
      return JSON.stringify(tables)
    }
    // The operations are the same on both engines; only their transactions differ.
    const isKilled = (name: string) => engine === 'SQLite' || name === 'saveCall'

    const maria = { leadId, person: { id: 'maria', name: 'Maria' }, hours }
    let attemptId = ''
    for (const [name, request] of [
      ['startCall', () => ({ ...maria, overrideReason: 'a test' })],
      ['saveCall', () => ({ ...maria, outcome: 'never call again', callbackAt: null, note: 'Asked twice.' })],
      ['undoCall', () => ({ ...maria, attemptId })],
      ['claimCall', () => ({ leadId, person: { id: 'bob', name: 'Bob' }, takeOver: true })],
    ] as const) {
      const before = await contents()
      for (const dieAt of isKilled(name) ? ([8, 'COMMIT'] as const) : []) {
        expect(await kill(name, request(), dieAt)).toEqual({ out: '', signal: 'SIGKILL' })
        expect(await contents()).toBe(before)
      }
      const complete = Reflect.get(store, name) as (request: object) => Promise<{ readonly attemptId?: string }>
      attemptId = (await complete(request())).attemptId ?? attemptId
      expect(await contents()).not.toBe(before)
    }
  },
)
