/** The store for multiple machines: any number of replicas on one PostgreSQL database. */

import type { EngineHealth } from '../operations/upkeep/upkeep.ts'
import type { Parameter, Sql, SqlPort } from '../sql.ts'
import { createStore, type Store } from '../store.ts'
import { defaultSettings, type UsedSettings } from '../upgrades/used-settings.ts'
import { type Connections, connectTo, NOW, QUERY_TIMEOUT_MS, sqlOn, transact } from './connections.ts'
import { dialect } from './dialect.ts'
import { asStoreError } from './errors.ts'
import { migrate, SEARCH_INDEX, upgradeExisting, verifyVersion } from './migrate.ts'

export interface PostgresOptions {
  /** `owner`: a server, which creates and upgrades the tables. `restore`: only upgrades them. `client`: any other program. */
  readonly access?: 'owner' | 'restore' | 'client'
  /** Called after new tables are created. */
  readonly onCreated?: (location: string) => void
  readonly onUpgrade?: (() => void) | undefined
  readonly settings?: UsedSettings
  /** How long to wait for a database that doesn't respond. */
  readonly timeoutMs?: number
  /** For a read-only store: PostgreSQL cancels queries that take longer. */
  readonly statementTimeoutMs?: number
}

export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { access = 'owner', onCreated, onUpgrade, settings = defaultSettings, statementTimeoutMs = 0 } = options
  // Let the database cancel a query before we time out; otherwise, the query would keep running.
  const timeoutMs = options.timeoutMs ?? Math.max(QUERY_TIMEOUT_MS, statementTimeoutMs * 1.2)
  const connections = connectTo(url, timeoutMs, statementTimeoutMs)
  try {
    if (access === 'client') await connections.single(verifyVersion)
    else if (access === 'restore') await connections.single(client => upgradeExisting(client, settings))
    else if (await connections.single(client => migrate(client, settings, onUpgrade))) onCreated?.(locationOf(url))
  } catch (error) {
    await connections.pool.end()
    throw asStoreError(error)
  }
  return createPostgresStore(connections, timeoutMs, locationOf(url))
}

/** Where the store is, without the password. */
function locationOf(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?]*@/, '$1').replace(/\?.*$/s, '')
}

/** While one batch waits for the disk, we send the next. More writers would only make the batches smaller. */
const CAPTURE_WRITERS = 2

function createPostgresStore({ pool, now, single }: Connections, timeoutMs: number, location: string): Store {
  const sql = sqlOn(pool)
  const port: SqlPort = {
    read: Object.assign(
      <R extends object>(text: string, parameters?: readonly Parameter[]) => sql<R>(text, parameters).catch(rethrow),
      { dialect },
    ),
    transact: change => transact(pool, change).catch(rethrow),
    insist: change => transact(pool, change, timeoutMs).catch(rethrow),
    async now() {
      const [row] = await port.read<{ now: number }>(`SELECT ${NOW} AS now`)
      return row?.now ?? Date.now()
    },
    // Takes longer than the query timeout in a large database.
    analyze: () => single(async client => void (await client.query('ANALYZE'))).catch(rethrow),
  }
  return createStore({
    port,
    captures: { writers: CAPTURE_WRITERS, now },
    inspect: () => inspectPostgres(port.read, location),
    close: () => pool.end(),
  })
}

function rethrow(error: unknown): never {
  throw asStoreError(error)
}

interface Facts extends Record<'fsync' | 'fullPageWrites' | 'standbys', string> {
  readonly broken: number
  readonly searchIndexed: boolean
}

async function inspectPostgres(read: Sql, location: string): Promise<EngineHealth> {
  const rows = await read<Facts>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_standby_names') AS standbys,
       (SELECT COALESCE(SUM(checksum_failures), 0) FROM pg_stat_database) AS broken,
       to_regclass('leads_search') IS NOT NULL AS search_indexed`,
  )
  const facts = rows[0] as Facts
  return {
    location,
    durability: durabilityIn(facts),
    intact: facts.broken === 0,
    search: facts.searchIndexed ? { indexed: true } : { indexed: false, create: SEARCH_INDEX.join('; ') },
  }
}

function durabilityIn({ fsync, fullPageWrites, standbys }: Facts): EngineHealth['durability'] {
  const off = Object.entries({ fsync, full_page_writes: fullPageWrites }).flatMap(([name, value]) =>
    value === 'off' ? [name] : [],
  )
  if (off.length > 0) {
    const message = `Leads can be lost in a power outage: the server has ${off.join(' and ')} turned off. Turn it on in postgresql.conf.`
    return { safe: false, message }
  }
  const where = standbys === '' ? 'on disk' : 'on disk and on a standby'
  return { safe: true, message: `Leads are ${where} before they are acknowledged (synchronous commits).` }
}
