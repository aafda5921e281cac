/** No lead is lost when PostgreSQL stops, freezes, loses a response, or confirms a commit too early. */
import { type AddressInfo, connect, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { createDatabase, type PostgresServer, rowsOf, startPostgres } from '../../../tests/support/postgres-server.ts'
import { asOneRequest } from '../facts/do-not-call/stops.ts'
import { inspectStore } from '../open-store.ts'
import type { CapturedLead } from '../operations/leads/capture.ts'
import type { Store } from '../store.ts'
import { StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import { openPostgresStore } from './postgres-store.ts'

/** A dedicated server, because these tests stop it. */
let server: PostgresServer
let url: string
let removeDatabase: () => Promise<void>
const stores: Store[] = []

/** For tests that wait for a query to time out. */
const SHORT_TIMEOUT_MS = 2000

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())
beforeEach(async () => {
  const database = await createDatabase(server.url)
  url = database.url
  removeDatabase = database.remove
})
afterEach(async () => {
  await Promise.all(stores.splice(0).map(store => store.close()))
  await removeDatabase()
})

async function open(
  at = url,
  timeoutMs = 60_000,
): Promise<{ capture: (name: string) => Promise<CapturedLead>; store: Store }> {
  const store = await openPostgresStore(at, { timeoutMs })
  stores.push(store)
  const consentVersion = await store.saveConsentText('I agree')
  return { store, capture: name => store.capture(submissionOf(name, consentVersion)) }
}

const leads = () => rowsOf(url, 'SELECT id, state FROM leads ORDER BY id')

/** Runs the next statement that contains this text, but breaks the connection before the response arrives. */
function loseResponseTo(text: string): { readonly wasLost: () => boolean } {
  let lost = false
  const query = pg.Client.prototype.query as (...parameters: unknown[]) => Promise<unknown>
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (this: pg.Client, ...sent) {
    const result = await query.apply(this, sent)
    if (lost || !JSON.stringify(sent[0]).includes(text)) return result
    lost = true
    this.connection.stream.destroy()
    throw new Error('Connection terminated unexpectedly')
  } as typeof query)
  onTestFinished(() => spy.mockRestore())
  return { wasLost: () => lost }
}

test.each([
  ['before the commit, the retry stores the lead', 'pg_advisory_xact_lock'],
  ['before the commit’s response arrives, the lead is stored once and isn’t a repeat', 'COMMIT'],
])('if the connection is lost %s', async (_, request) => {
  const { capture } = await open()
  await capture('before')
  const { wasLost } = loseResponseTo(request)
  const lead = await capture('ada')
  expect(wasLost()).toBe(true)
  expect(lead.state).toBe('accepted')
  expect(await leads()).toEqual([expect.anything(), { id: lead.id, state: 'accepted' }])
  expect(await rowsOf(url, 'SELECT id FROM outbox WHERE id = $1', [lead.id])).toHaveLength(1)
})

const contacts = [{ phone: '2125550187' }]
test.each([
  ['the website', 'pg_advisory_xact_lock'],
  ['the website', 'COMMIT'],
  ['the CRM', 'COMMIT'],
])('a stop from %s is recorded once if the connection is lost with the answer to %s', async (door, statement) => {
  const { store } = await open()
  const { wasLost } = loseResponseTo(statement)
  if (door === 'the CRM') await store.stopFromCrm({ webhookId: 'msg_1', contacts, leadId: null })
  else {
    const order = { ...asOneRequest(contacts), by: 'website', source: 'web' as const }
    expect(await store.addToDoNotCall(order)).toMatchObject({ added: ['2125550187'] })
  }
  expect(wasLost()).toBe(true)
  const recorded = await rowsOf(url, 'SELECT contact, event FROM do_not_call_history')
  expect(recorded).toEqual([{ contact: '2125550187', event: 'added' }])
})

test('a lead isn’t acknowledged until the standby has confirmed its commit', async () => {
  const { capture } = await open()
  await capture('before')
  await configure(`SET synchronous_standby_names = 'nobody'`)
  const letStandbyReturn = () => configure('RESET synchronous_standby_names')
  await expect
    .poll(() => rowsOf(server.url, 'SHOW synchronous_standby_names'))
    .toMatchObject([{ synchronous_standby_names: 'nobody' }])
  try {
    let acknowledged = false
    const capturing = capture('ada').then(lead => {
      acknowledged = true
      return lead
    })
    // When the wait is canceled, the database reports the commit as successful, with just a warning.
    await cancelWaitForStandby()
    await cancelWaitForStandby()
    await expect.poll(() => rowsOf(server.url, `SELECT pid ${waitsForStandby}`)).not.toEqual([])
    expect(await leads()).toHaveLength(2)
    expect(acknowledged).toBe(false)
    await letStandbyReturn()
    expect(await capturing).toMatchObject({ state: 'accepted' })
  } finally {
    await letStandbyReturn()
  }
})

async function configure(change: string): Promise<void> {
  await rowsOf(server.url, `ALTER SYSTEM ${change}`)
  await rowsOf(server.url, 'SELECT pg_reload_conf()')
}

const waitsForStandby = `FROM pg_stat_activity WHERE wait_event = 'SyncRep'`

async function cancelWaitForStandby(): Promise<void> {
  await expect.poll(() => rowsOf(server.url, `SELECT pg_cancel_backend(pid) ${waitsForStandby}`)).not.toEqual([])
}

test.each(['leads', 'consents'])('commits wait for the disk even with synchronous_commit off (%s)', async table => {
  await rowsOf(server.url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
  const { capture, store } = await open()
  // Records the setting that each row was written with.
  await rowsOf(
    url,
    `CREATE TABLE settings (value TEXT);
     CREATE FUNCTION record_setting() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO settings VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
     CREATE TRIGGER record_setting AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION record_setting()`,
  )
  await capture('ada')
  await store.saveConsentText('other words')
  expect(await rowsOf(url, 'SELECT value FROM settings')).toEqual([{ value: 'on' }])
})

/** Sends a signal to the server and all its processes. */
function signalAll(name: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of [server.process.pid as number, ...pids]) {
    try {
      process.kill(pid, name)
    } catch {
      // The process has already exited.
    }
  }
}

test.each(['down', 'frozen'])(
  'while the database server is %s, leads are refused; afterward, they’re accepted',
  async state => {
    const { capture, store } = await open(url, SHORT_TIMEOUT_MS)
    const { id } = await capture('before')
    const pids = (await rowsOf(server.url, 'SELECT pid FROM pg_stat_activity')).map(({ pid }) => Number(pid))
    // Signal its child processes, too: they briefly outlive it and could still store a lead.
    signalAll(state === 'down' ? 'SIGKILL' : 'SIGSTOP', pids)
    try {
      await expect(capture('ada')).rejects.toThrow(StoreUnavailable)
      await expect(store.probe()).rejects.toThrow(StoreUnavailable)
      await expect(store.presentedVersions()).rejects.toThrow(StoreUnavailable)
    } finally {
      await (state === 'down' ? server.start() : signalAll('SIGCONT', pids))
    }
    await expect.poll(async () => (await capture('bob').catch(() => null))?.state).toBe('accepted')
    await store.probe()
    expect((await leads()).map(lead => lead['id'])).toContain(id)
  },
)

test('with multiple hosts, the store uses the first one that responds', async () => {
  const hosts = url.replace('@127.0.0.1', '@127.0.0.1:1,127.0.0.1')
  const { capture } = await open(hosts)
  expect((await capture('ada')).state).toBe('accepted')
  const client = await openPostgresStore(hosts, { access: 'client' })
  expect(await client.count({})).toBe(1)
  await client.close()
  expect(await inspectStore({ dataDir: '', databaseUrl: hosts })).toMatchObject({ kind: 'usable' })
})

test('a store upgraded by a newer version isn’t opened', async () => {
  await open()
  await rowsOf(url, 'INSERT INTO migrations VALUES (100, true, now())')
  await expect(open()).rejects.toThrow('upgraded by a newer version of this program (store version 100;')
})

test('a statement that takes too long ends in the database, too', async () => {
  const { store } = await open(url, SHORT_TIMEOUT_MS)
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  try {
    await other.query('BEGIN; LOCK TABLE readiness')
    await expect(store.probe()).rejects.toThrow(StoreUnavailable)
    const waiting = () => rowsOf(server.url, `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)
    await expect.poll(waiting).toEqual([])
  } finally {
    await other.end()
  }
})

/** A pooler in front of the server, which refuses connections with these startup parameters, as PgBouncer does by default. */
async function startPooler(refuses: (parameters: readonly string[]) => boolean): Promise<string> {
  const pooler = createServer(client => {
    client.once('data', startup => {
      // The length and the protocol version, then names and values, each ended by a zero.
      const names = startup
        .toString('latin1', 8)
        .split('\0')
        .filter((_, index) => index % 2 === 0)
      if (refuses(names)) return void client.end(poolerError)
      const upstream = connect(server.port, '127.0.0.1')
      for (const socket of [client, upstream]) socket.on('error', () => {})
      upstream.write(startup)
      client.pipe(upstream).pipe(client)
    })
  })
  await new Promise<void>(resolve => pooler.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void pooler.close())
  return url.replace(`:${server.port}`, `:${(pooler.address() as AddressInfo).port}`)
}

const fields = 'SFATAL\0C08P01\0Munsupported startup parameter\0\0'
const poolerError = Buffer.from(`E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`, 'latin1')

test('the store opens through PgBouncer with its default settings; if PgBouncer refuses, the error says where to look', async () => {
  const accepted = ['user', 'database', 'client_encoding', 'application_name', '']
  const { capture } = await open(await startPooler(names => names.some(name => !accepted.includes(name))))
  expect((await capture('ada')).state).toBe('accepted')
  await expect(openPostgresStore(await startPooler(() => true))).rejects.toThrow('Its log says why.')
})

test('the error for an unusable database names the setting but doesn’t show the password', async () => {
  const refusals: readonly [string, string][] = [
    [url.replace('for-tests-only', 'wrong'), 'PostgreSQL rejected the password in DATABASE_URL.'],
    [url.replace(':for-tests-only', ''), 'PostgreSQL asks for a password. Add it to DATABASE_URL.'],
    [`${url}x`, 'The database in DATABASE_URL doesn’t exist. Create it with createdb.'],
  ]
  for (const [wrong, message] of refusals) {
    const opening = openPostgresStore(wrong)
    await expect(opening).rejects.toThrow(StoreUnusable)
    await expect(opening).rejects.toThrow(message)
  }
  const client = openPostgresStore(url, { access: 'client' })
  await expect(client).rejects.toThrow('There is no store in the DATABASE_URL database')
  await rowsOf(url, 'CREATE TABLE leads (id INTEGER)')
  await expect(openPostgresStore(url)).rejects.toThrow('contains another program’s tables')
})
