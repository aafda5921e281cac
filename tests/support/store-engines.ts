/** Stores for unit tests: on both engines, or one SQLite store per test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, inject } from 'vitest'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import type { Store } from '../../server/store/store.ts'
import { createStore } from './lead-fixtures.ts'
import { createDatabase, rowsOf } from './postgres-server.ts'

export interface OpenEngine {
  readonly store: Store
  /** Opens the same store again, as another process would. */
  again(): Promise<Store>
  /** Runs SQL directly, bypassing the store. */
  change(sql: string): Promise<void>
  remove(): Promise<void>
}

export interface Engine {
  readonly name: string
  open(): Promise<OpenEngine>
}

/** A busy machine may take longer than a visitor would wait. */
const PATIENCE_MS = 60_000

export const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'store-'))
      const file = join(folder, 'leads.sqlite')
      const store = openSqliteStore(file)
      return opened(
        store,
        async () => openSqliteStore(file, { access: 'write' }),
        async sql => {
          const database = new DatabaseSync(file)
          database.exec(sql)
          database.close()
        },
        async () => {
          rmSync(folder, { recursive: true })
        },
      )
    },
  },
  {
    name: 'PostgreSQL',
    async open() {
      const database = await createDatabase(inject('postgresUrl'), inject('storeTemplate'))
      const store = await openPostgresStore(database.url, { timeoutMs: PATIENCE_MS })
      return opened(
        store,
        () => openPostgresStore(database.url, { access: 'client', timeoutMs: PATIENCE_MS }),
        async sql => void (await rowsOf(database.url, sql)),
        database.remove,
      )
    },
  },
]

function opened(
  store: Store,
  another: () => Promise<Store>,
  change: OpenEngine['change'],
  removeData: () => Promise<void>,
): OpenEngine {
  const open = [store]
  return {
    store,
    change,
    async again() {
      const more = await another()
      open.push(more)
      return more
    },
    async remove() {
      await Promise.all(open.map(each => each.close()))
      await removeData()
    },
  }
}

/** A new SQLite store for each test in a file. */
export function storePerTest(): Awaited<ReturnType<typeof createStore>> {
  const store = {} as Awaited<ReturnType<typeof createStore>>
  beforeEach(async () => Object.assign(store, await createStore()))
  afterEach(() => store.remove())
  return store
}
