/** An upgrade that is killed at any statement: the next start upgrades the store, and nothing is lost, doubled, or changed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { STORE_VERSION } from '../../server/store/schema.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { rowsOf as sqliteRows } from '../support/lead-fixtures.ts'
import { createDatabase, rowsOf as postgresRows, runOn } from '../support/postgres-server.ts'
import { PROGRAM_ENV } from '../support/processes.ts'

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

const moduleOf = (name: string) => join(import.meta.dirname, `../../server/store/${name}-store.ts`)
const fixture = (version: string, name: string) =>
  gunzipSync(readFileSync(new URL(`../fixtures/store-${version}.${name}.gz`, import.meta.url)))

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
  const child = spawn(process.execPath, ['--input-type=module', '-e', UPGRADE, ...args], {
    env: PROGRAM_ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  const [code] = await once(child, 'close')
  return { code, statements: Number(out) }
}

/** In any order: a restored table may have another. */
async function contentsOf(tables: readonly unknown[], rows: (text: string) => Promise<readonly object[]>) {
  // When it was upgraded, and the search index's own tables.
  const own = tables.map(String).filter(name => name !== 'migrations' && !name.startsWith('lead_search'))
  const all = own.map(async name => [
    name,
    (await rows(`SELECT * FROM ${name}`)).map(row => JSON.stringify(row)).toSorted(),
  ])
  return Object.fromEntries(await Promise.all(all))
}

const engines: Readonly<Record<string, (version: string) => Promise<OldStore>>> = {
  async SQLite(version) {
    const folder = mkdtempSync(join(tmpdir(), 'upgrade-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'leads.sqlite')
    writeFileSync(file, fixture(version, 'sqlite'))
    const rows = async (text: string) => sqliteRows(file, text)
    return {
      upgrade: dieAt => run('SQLite', 'sqlite/sqlite', file, dieAt),
      open: () => openSqliteStore(file).close(),
      version: async () => Number((await rows('PRAGMA user_version'))[0]?.['user_version']),
      contents: async () => {
        const tables = await rows(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
        expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
        return contentsOf(
          tables.map(({ name }) => name),
          rows,
        )
      },
    }
  },
  async PostgreSQL(version) {
    const { url, remove } = await createDatabase(inject('postgresUrl'))
    onTestFinished(remove)
    await runOn(url, fixture(version, 'postgres.sql').toString())
    const rows = (text: string) => postgresRows(url, text)
    return {
      upgrade: dieAt => run('PostgreSQL', 'postgres/postgres', url, dieAt),
      open: async () => (await openPostgresStore(url)).close(),
      version: async () => Number((await rows('SELECT MAX(step) AS step FROM migrations'))[0]?.['step']),
      contents: async () => {
        const tables = await rows(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)
        return contentsOf(
          tables.map(({ name }) => name),
          rows,
        )
      },
    }
  },
}

const versions = { '0.7.0': 22 } as const

test.each(Object.keys(engines).flatMap(engine => Object.keys(versions).map(version => [engine, version] as const)))(
  '%s: from %s',
  async (engine, version) => {
    const create = () => (engines[engine] as (typeof engines)[string])(version)
    const whole = await create()
    const { code, statements } = await whole.upgrade('never')
    expect({ code, version: await whole.version() }).toEqual({ code: 0, version: STORE_VERSION })
    const expected = await whole.contents()
    // Four statements at even distances, and the last ones: the commit, and what follows.
    const spread = [1, 2, 3, 4].map(part => Math.round((statements * part) / 5))
    const points = new Set([...spread, ...[2, 1, 0].map(before => statements - before)])
    const left = new Set<number>()
    for (const point of points) {
      const store = await create()
      const old = await store.contents()
      expect(await store.upgrade(point), `killed at ${point}`).toMatchObject({ code: null })
      const found = await store.version()
      left.add(found)
      // All or nothing.
      const unchanged = found === versions[version as keyof typeof versions] ? old : expected
      expect(await store.contents(), `killed at ${point}`).toEqual(unchanged)
      await store.open()
      expect(await store.version()).toBe(STORE_VERSION)
      expect(await store.contents(), `after a kill at ${point}`).toEqual(expected)
    }
    expect(left).toContain(versions[version as keyof typeof versions])
  },
)
