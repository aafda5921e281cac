/** What commands do differently if the leads are in PostgreSQL. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openPostgresStore } from '../server/store/postgres/postgres-store.ts'
import type { Store } from '../server/store/store.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { submissionOf } from '../tests/support/lead-store.ts'
import { leads } from '../tests/support/leads-command.ts'
import {
  createDatabase,
  installedPrograms,
  type PostgresServer,
  runOn,
  startPostgres,
  type TestDatabase,
} from '../tests/support/postgres-server.ts'
import { databaseWithStore, emptyDatabase } from '../tests/support/shared-postgres.ts'

let database: TestDatabase
let folder: string
let store: Store
beforeEach(async () => {
  folder = newFolder()
  database = await databaseWithStore()
  store = await openPostgresStore(database.url)
})
afterEach(async () => {
  await store.close()
  await database.remove()
})

const command = (argv: readonly string[]) =>
  leads(argv, { env: { DATABASE_URL: database.url, ERASURE_LIST: join(folder, 'erasures.txt') }, now: Date.now() })

test('erase warns that PostgreSQL overwrites the old data later', async () => {
  const { id } = await store.capture(submissionOf('Ada', await store.saveConsentText('I agree')))
  const { err } = await command(['erase', '--id', id, '--yes', '--under-five-years'])
  expect(err).toContain('1 lead erased.')
  expect(err).toContain('PostgreSQL overwrites the old data later')
  expect(await store.find(id)).toMatchObject({ state: 'erased', email: null })
})

test('doctor checks the database, and never shows the password', async () => {
  const { out } = await command(['doctor'])
  expect(out).toMatch(/ok\s+Store .*postgres:\/\/127\.0\.0\.1/)
  // The tests' server doesn't wait for the disk.
  expect(out).toContain('Leads can be lost in a power outage: the server has fsync and full_page_writes turned off.')
  const wrong = await leads(['doctor'], { env: { DATABASE_URL: database.url.replace('for-tests-only', 'hush') } })
  expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('PostgreSQL rejected the password') })
  expect(out + wrong.out + wrong.err).not.toMatch(/for-tests-only|hush/)
})

test('an unreachable database prints one clear line', async () => {
  const unreachable = await leads(['people'], { env: { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/leads' } })
  expect(unreachable).toMatchObject({ code: 1, out: '' })
  expect(unreachable.err).toBe('The store is unavailable: the database can’t be reached (ECONNREFUSED).\n')
})

test('restore upgrades a database restored from a 0.7.0 backup, and nobody keeps access to the desk', async () => {
  const old = await emptyDatabase()
  onTestFinished(old.remove)
  const dump = new URL('../tests/fixtures/store-0.7.0.postgres.sql.gz', import.meta.url)
  await runOn(old.url, gunzipSync(readFileSync(dump)).toString())
  await runOn(
    old.url,
    `INSERT INTO desk_people VALUES ('1', 'Ann', 'ann', 'editor', 'handle', 0, NULL, 'en');
     INSERT INTO desk_passkeys VALUES ('passkey', '1', 'key', 0, '[]', 1, 0, NULL)`,
  )
  const env = { DATABASE_URL: old.url, DATA_DIR: folder, ERASURE_LIST: join(folder, 'erasures.txt') }
  expect(await leads(['restore', '--yes'], { env })).toMatchObject({
    code: 0,
    err: expect.stringContaining('by a new link'),
  })
  const restored = await openPostgresStore(old.url, { access: 'client' })
  const people = await restored.deskPeople()
  await restored.close()
  expect(people.map(({ role, passkeys, sessions }) => [role, passkeys, sessions])).toEqual(
    people.map(() => ['editor', 0, 0]),
  )
  expect(people.length).toBeGreaterThan(0)
})

test('restore refuses a database without a store, or while a server is connected, and asks', async () => {
  const empty = await emptyDatabase()
  onTestFinished(empty.remove)
  const missing = { code: 1, err: expect.stringContaining('There is no store in the DATABASE_URL database yet.') }
  expect(await leads(['restore', '--yes'], { env: { DATABASE_URL: empty.url } })).toMatchObject(missing)
  await store.probe()
  const refused = {
    code: 1,
    err: expect.stringMatching(/has the store open\. Stop it first\. Connections: 1 from 127/),
  }
  expect(await command(['restore', '--yes'])).toMatchObject(refused)
  await store.close()
  expect(await command(['restore'])).toMatchObject({ code: 2 })
  expect(await command(['restore', '--yes'])).toMatchObject({ code: 0 })
  store = await openPostgresStore(database.url)
})

test('after a backup that failed, backups are expected', async () => {
  vi.stubEnv('PATH', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await store.backupStatus()).toMatchObject({ ageMs: null, wasTried: false })
  expect(await command(['backup', join(folder, 'copy')])).toMatchObject({ code: 1 })
  expect(await store.backupStatus()).toMatchObject({ ageMs: null, wasTried: true })
  expect(await store.lastBackup()).toBeNull()
})

/** pg_dump can't dump a newer server, so these tests start the machine's own PostgreSQL. */
const programs = installedPrograms()
if (!programs) console.warn('NOT RUN: this machine has no PostgreSQL, so there is no pg_dump')
describe.runIf(programs)('a backup', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(programs ? { programs } : {})
  })
  afterAll(() => server.remove())

  test('is readable only by its owner, and pg_restore restores it', async () => {
    const source = await createDatabase(server.url)
    const target = await createDatabase(server.url)
    const original = await openPostgresStore(source.url)
    const { id } = await original.capture(submissionOf('Ada', await original.saveConsentText('I agree')))
    await original.close()
    const copy = join(folder, 'leads.dump')
    const { code, err } = await leads(['backup', copy], { env: { DATABASE_URL: source.url } })
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/^1 lead copied to /) })
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    execFileSync(join(programs ?? '', 'pg_restore'), ['--no-owner', '-d', target.url, copy])
    const inTarget = { env: { DATABASE_URL: target.url, ERASURE_LIST: join(folder, 'erasures.txt') }, now: Date.now() }
    expect((await leads(['export'], inTarget)).out).toContain('Ada')
    expect((await leads(['restore', copy], inTarget)).err).toContain('with pg_restore')
    writeFileSync(join(folder, 'erasures.txt'), `2030-01-16T12:00:00.000Z ${id}\n`)
    expect((await leads(['restore', '--yes'], inTarget)).err).toContain('Reapplied: 1 erasure,')
  })

  test('of another store is never deleted; this one’s are, after 30 days', async () => {
    vi.stubEnv('PATH', `${programs}:/usr/bin:/bin`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const urls: string[] = []
    for (const name of ['leads-ours.backup', 'leads-lost.backup']) {
      const { url } = await createDatabase(server.url)
      await (await openPostgresStore(url)).close()
      expect(await leads(['backup', join(folder, name)], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 })
      utimesSync(join(folder, name), 1, 1)
      urls.push(url)
    }
    writeFileSync(join(folder, 'leads-yesterday.backup'), '')
    const [ours = ''] = urls
    const nightly = ['backup', '--nightly', folder]
    expect(await leads(nightly, { env: { DATABASE_URL: ours }, now: Date.now() })).toMatchObject({ code: 0 })
    expect(readdirSync(folder)).toContain('leads-lost.backup')
    expect(readdirSync(folder)).not.toContain('leads-ours.backup')
    const opened = await openPostgresStore(ours, { access: 'client' })
    expect((await opened.backupStatus()).ofAnotherStore).toBe(join(folder, 'leads-lost.backup'))
    await opened.close()
  })

  test('passes the password to pg_dump in a file; without one in the URL, pg_dump uses its own', async () => {
    const source = await createDatabase(server.url)
    await (await openPostgresStore(source.url)).close()
    const recorded = join(folder, 'command-lines')
    const script = `#!/bin/sh\necho "$@" >> ${recorded}\nexec ${programs}/pg_dump "$@"\n`
    writeFileSync(join(folder, 'pg_dump'), script, { mode: 0o755 })
    writeFileSync(join(folder, 'pgpass'), '*:*:*:*:for-tests-only\n', { mode: 0o600 })
    vi.stubEnv('PATH', `${folder}:${programs}:/usr/bin:/bin`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const backUp = (name: string, url: string) => leads(['backup', join(folder, name)], { env: { DATABASE_URL: url } })
    const bare = source.url.replace(':for-tests-only@', '@')
    expect(await backUp('one', source.url)).toMatchObject({ code: 0 })
    expect(await backUp('two', `${bare}?password=for-tests-only`)).toMatchObject({ code: 0 })
    vi.stubEnv('PGPASSFILE', join(folder, 'pgpass'))
    expect(await backUp('three', bare)).toMatchObject({ code: 0 })
    const lines = readFileSync(recorded, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toContain('for-tests-only')
  })
})
