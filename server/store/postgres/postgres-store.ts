/** The store for many machines: any number of replicas over one PostgreSQL. */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStore } from '../create-store.ts'
import { number } from '../rows.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'
import type { Store } from '../store.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { type Connections, connectTo, QUERY_TIMEOUT_MS } from './connections.ts'
import { createDueSignal } from './due-signal.ts'
import { asStoreError, isConnectionError } from './errors.ts'
import { migrate, verifyVersion } from './migrate.ts'
import { NOW, sqlOn, transact, transactPatiently, withConnection } from './transactions.ts'

export interface PostgresOptions {
  /** `owner`: a server, which creates and upgrades the tables. A `client` runs beside servers. */
  readonly access?: 'owner' | 'client'
  /** The tables were missing, and were created. */
  readonly onCreated?: (place: string) => void
  /** Called after every commit of captures with the number of leads it stored. */
  readonly onCommit?: (leads: number) => void
  /** How long to wait for a database that doesn't answer. */
  readonly patienceMs?: number
  /** For a store that is only read: PostgreSQL ends queries that take longer. */
  readonly giveUpAfterMs?: number
}

/** Machines that start together don't all come up at once: wait for the database. */
const START_PATIENCE_MS = 20_000

export const dialect: Dialect = {
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  // Without three letters in a row there is no trigram: for LIKE, the planner might then read the whole index and all leads.
  searchTextHas: (word, parameter) =>
    /[a-z0-9]{3}/.test(word)
      ? `leads.search_text LIKE ${parameter(`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)}`
      : `strpos(leads.search_text, ${parameter(word)}) > 0`,
  hasTrigramTable: false,
  storeBytes: 'SELECT pg_database_size(current_database()) AS bytes',
  lockLeads: 'FOR NO KEY UPDATE OF leads',
  skipLockedDeliveries: 'FOR UPDATE SKIP LOCKED',
  // Two numbers that nobody else in the database is likely to lock.
  soleRunner: 'SELECT pg_try_advisory_xact_lock(833243, 2966)::integer AS locked',
  historyId: 'id',
  rowsOf: (json, { text, bigint }) => {
    const typed = [...text.map(name => `${name} text`), ...bigint.map(name => `${name} bigint`)]
    return `(SELECT * FROM json_to_recordset(${json}::json) AS rows (${typed.join(', ')}))`
  },
  async lockPeople(sql, personKeys) {
    // Always in one order: two groups that lock the same people crosswise would wait for each other.
    const locks = personKeys.map(key => hash('sha256', key, 'buffer').readBigInt64BE())
    const sorted = [...new Set(locks)].toSorted((a, b) => (a < b ? -1 : 1))
    await sql('SELECT pg_advisory_xact_lock(lock) FROM unnest($1::bigint[]) AS lock', [`{${sorted.join()}}`])
  },
  jsonField: (column, name) => `(${column}::jsonb ->> '${name.replaceAll("'", "''")}')`,
}

export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { access = 'owner', onCreated, onCommit, giveUpAfterMs = 0 } = options
  // Given up by the database, rather than left behind by us while it goes on.
  const patienceMs = options.patienceMs ?? Math.max(QUERY_TIMEOUT_MS, giveUpAfterMs * 1.2)
  const connections = connectTo(url, patienceMs, giveUpAfterMs)
  try {
    const created = await prepare(connections, access)
    if (created) onCreated?.(placeOf(url))
  } catch (error) {
    await connections.pool.end()
    throw asStoreError(error)
  }
  return createPostgresStore(connections, { ...(onCommit && { onCommit }), patienceMs })
}

/** Where the store is, without the password. */
export function placeOf(url: string): string {
  return url.replace(/^(\w+:\/\/)[^@/]*@/, '$1').replace(/\?.*$/s, '')
}

/** True when the store was made by this call. */
async function prepare(connections: Connections, access: 'owner' | 'client'): Promise<boolean> {
  if (access === 'owner') return bringUpToDate(connections)
  await verify(connections)
  return false
}

async function bringUpToDate({ single }: Connections): Promise<boolean> {
  const giveUpAt = performance.now() + START_PATIENCE_MS
  for (;;) {
    try {
      const client = await single()
      try {
        return await migrate(client)
      } finally {
        await client.end().catch(() => {})
      }
    } catch (error) {
      if (!isConnectionError(error) || performance.now() >= giveUpAt) throw error
      await sleep(500)
    }
  }
}

/** Nobody waits for a machine to start here, but each of the hosts is asked. On a connection that goes on to be used. */
async function verify({ pool, hosts }: Connections): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await withConnection(pool, verifyVersion)
    } catch (error) {
      if (!isConnectionError(error) || tries >= hosts) throw error
    }
  }
}

/** While one group waits for the disk, the next is on its way. More only make the groups smaller. */
const CAPTURE_WRITERS = 2

function createPostgresStore(
  connections: Connections,
  { onCommit, patienceMs }: Pick<PostgresOptions, 'onCommit'> & { readonly patienceMs: number },
): Store {
  const { pool } = connections
  const due = createDueSignal(connections)
  const query = sqlOn(pool)
  const read: Sql = (text, parameters) => query(text, parameters).catch(rethrow)
  const port: SqlPort = {
    read,
    transact: change => transact(pool, change).catch(rethrow),
    async now() {
      const [row] = await read(`SELECT ${NOW} AS now`)
      return number(row, 'now')
    },
    nowIn: () => NOW,
    dialect,
  }
  return createStore({
    port,
    captures: {
      writers: CAPTURE_WRITERS,
      now: connections.now,
      onCommit,
      transact: change => transactPatiently(pool, patienceMs, change).catch(rethrow),
      isUnavailable: error => error instanceof StoreUnavailable,
    },
    due,
    async close() {
      await due.close()
      await pool.end()
    },
  })
}

function rethrow(error: unknown): never {
  throw asStoreError(error)
}
