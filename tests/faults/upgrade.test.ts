/** An upgrade that is killed at any statement: the next start upgrades the store, and nothing is lost, doubled, or changed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { STORE_VERSION } from '../../server/store/schema.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { newFolder } from '../support/after-test.ts'
import { rowsOf } from '../support/lead-fixtures.ts'
import { runOn } from '../support/postgres-server.ts'
import { runModule } from '../support/processes.ts'
import { emptyDatabase } from '../support/shared-postgres.ts'

/** Opens the store as a server does, statement by statement, and kills itself before the one with this number. */
const UPGRADE = `
  const [engine, module, pgModule, location, dieAt] = process.argv.slice(1)
  let count = 0
  const step = () => {
    if (++count === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
  }
  const statementsIn = text => text.replaceAll(/--.*/g, '').split(';').filter(each => each.trim() !== '')
  if (engine === 'SQLite') {
    const { DatabaseSync } = await import('node:sqlite')
    const { exec } = DatabaseSync.prototype
    DatabaseSync.prototype.exec = function (text) {
      for (const each of statementsIn(text)) {
        step()
        exec.call(this, each)
      }
    }
  } else {
    const { default: pg } = await import(pgModule)
    const { query } = pg.Client.prototype
    pg.Client.prototype.query = async function (text, ...rest) {
      let result
      for (const each of rest.length === 0 && typeof text === 'string' ? statementsIn(text) : [text]) {
        step()
        result = await query.call(this, each, ...rest)
      }
      return result
    }
  }
  const { openSqliteStore, openPostgresStore } = await import(module)
  const store = await (openSqliteStore ?? openPostgresStore)(location)
  const opened = count
  await store.close()
  console.log(opened)`

type Row = Readonly<Record<string, unknown>>

const moduleOf = (name: string) => join(import.meta.dirname, `../../server/store/${name}-store.ts`)
const OLD_VERSION = 22
const oldStore = (name: string) =>
  gunzipSync(readFileSync(new URL(`../fixtures/store-0.7.0.${name}.gz`, import.meta.url)))

/** A stop that the upgrade queues was created when it ran. */
const withoutTime = (row: Row): Row => (`${row['id']}`.startsWith('stop ') ? { ...row, created_at: null } : row)

interface OldStore {
  /** In a process that kills itself before this statement; `never` upgrades the whole store. Returns how many statements that took. */
  upgrade(dieAt: number | 'never'): Promise<{ code: number | null; statements: number }>
  /** Upgrades the whole store in this process. */
  open(): Promise<void>
  version(): Promise<number>
  /** Every row of every table. */
  contents(): Promise<unknown>
}

async function run(engine: string, name: string, location: string, dieAt: number | 'never') {
  const args = [engine, moduleOf(name), import.meta.resolve('pg'), location, `${dieAt}`]
  const { code, out } = await runModule(UPGRADE, ...args)
  return { code, statements: Number(out) }
}

/** In any order: a restored table may have another. */
async function contentsOf(tables: readonly Row[], rows: (query: string) => Promise<readonly Row[]>) {
  // When it was upgraded, and the search index's own tables.
  const names = tables.map(({ name }) => `${name}`).filter(name => !/^(?:migrations|lead_search)/.test(name))
  const contents: Record<string, readonly string[]> = {}
  for (const name of names)
    contents[name] = (await rows(`SELECT * FROM ${name}`)).map(row => JSON.stringify(withoutTime(row))).toSorted()
  return contents
}

function openSqlite(): OldStore {
  const file = join(newFolder(), 'leads.sqlite')
  writeFileSync(file, oldStore('sqlite'))
  const rows = async (query: string) => rowsOf(file, query)
  return {
    upgrade: dieAt => run('SQLite', 'sqlite/sqlite', file, dieAt),
    open: () => openSqliteStore(file).close(),
    version: async () => Number((await rows('PRAGMA user_version'))[0]?.['user_version']),
    async contents() {
      expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
      return contentsOf(await rows(`SELECT name FROM sqlite_schema WHERE type = 'table'`), rows)
    },
  }
}

async function openPostgres(restored: string): Promise<OldStore> {
  const { url, remove } = await emptyDatabase(restored)
  onTestFinished(remove)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const rows = async (query: string): Promise<Row[]> => (await client.query(query)).rows
  return {
    upgrade: dieAt => run('PostgreSQL', 'postgres/postgres', url, dieAt),
    open: async () => (await openPostgresStore(url)).close(),
    version: async () => Number((await rows('SELECT MAX(step) AS step FROM migrations'))[0]?.['step']),
    contents: async () =>
      contentsOf(await rows(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`), rows),
  }
}

async function killAtEachStep(create: () => OldStore | Promise<OldStore>): Promise<void> {
  const whole = await create()
  const { code, statements } = await whole.upgrade('never')
  expect({ code, version: await whole.version() }).toEqual({ code: 0, version: STORE_VERSION })
  const expected = await whole.contents()
  const left = new Set<number>()
  // Halfway, and the last ones: the commit, what precedes it, and what follows.
  for (const point of [Math.round(statements / 2), statements - 2, statements - 1, statements]) {
    const store = await create()
    const old = await store.contents()
    expect(await store.upgrade(point), `killed at ${point}`).toMatchObject({ code: null })
    const found = await store.version()
    left.add(found)
    // All or nothing.
    expect(await store.contents(), `killed at ${point}`).toEqual(found === OLD_VERSION ? old : expected)
    await store.open()
    expect(await store.version()).toBe(STORE_VERSION)
    expect(await store.contents(), `after a kill at ${point}`).toEqual(expected)
  }
  expect(left).toContain(OLD_VERSION)
}

test('SQLite: from 0.7.0', () => killAtEachStep(openSqlite))

test('PostgreSQL: from 0.7.0', async () => {
  const restored = await emptyDatabase()
  onTestFinished(restored.remove)
  await runOn(restored.url, oldStore('postgres.sql').toString())
  await killAtEachStep(() => openPostgres(restored.name))
})
