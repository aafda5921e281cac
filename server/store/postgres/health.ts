/** Inspects a PostgreSQL store for the operator: version, durability, integrity, and whether it accepts writes. */
import type pg from 'pg'
import type { StoreHealth, UsableStore } from '../health.ts'
import { STORE_VERSION } from '../schema.ts'
import { StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import { connectTo, NOW } from './connections.ts'
import { asStoreError } from './errors.ts'
import { SEARCH_INDEX, verifyVersion } from './migrate.ts'
import { placeOf } from './postgres-store.ts'

/** Writes only the time of the last health check. */
export async function inspectPostgresStore(url: string): Promise<StoreHealth> {
  try {
    return await connectTo(url).single(async client => {
      await verifyVersion(client)
      return await inspect(client, url)
    })
  } catch (error) {
    return { kind: 'unusable', message: messageOf(error) }
  }
}

function messageOf(error: unknown): string {
  const reason = asStoreError(error)
  if (reason instanceof StoreUnusable) return reason.message
  if (reason instanceof StoreUnavailable) return `The store is unavailable: ${reason.message}`
  throw reason
}

type Facts = Record<'fsync' | 'full_page_writes' | 'standbys', string> & {
  readonly bytes: number
  readonly broken: number
  readonly search_indexed: boolean
}

async function inspect(client: pg.ClientBase, url: string): Promise<UsableStore> {
  const { rows } = await client.query<Facts>(
    `SELECT pg_database_size(current_database()) AS bytes, current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_standby_names') AS standbys,
       (SELECT COALESCE(SUM(checksum_failures), 0) FROM pg_stat_database) AS broken,
       to_regclass('leads_search') IS NOT NULL AS search_indexed`,
  )
  const facts = rows[0] as Facts
  return {
    kind: 'usable',
    place: placeOf(url),
    version: STORE_VERSION,
    bytes: facts.bytes,
    durability: durabilityIn(facts),
    intact: facts.broken === 0,
    search: facts.search_indexed ? { indexed: true } : { indexed: false, create: SEARCH_INDEX.join('; ') },
    writeFault: await tryToWrite(client),
  }
}

function durabilityIn({ fsync, full_page_writes, standbys }: Facts): UsableStore['durability'] {
  const off = Object.entries({ fsync, full_page_writes }).flatMap(([name, value]) => (value === 'off' ? [name] : []))
  if (off.length > 0) {
    const words = `Leads can be lost in a power cut: the server has ${off.join(' and ')} turned off. Turn it on in postgresql.conf.`
    return { safe: false, words }
  }
  const where = standbys === '' ? 'on disk' : 'on disk and on a standby'
  return { safe: true, words: `Leads are ${where} before they are acknowledged (synchronous commits).` }
}

async function tryToWrite(client: pg.ClientBase): Promise<UsableStore['writeFault']> {
  try {
    await client.query(`INSERT INTO readiness VALUES (1, ${NOW}) ON CONFLICT (id) DO UPDATE SET written_at = ${NOW}`)
    return null
  } catch (error) {
    const reason = asStoreError(error)
    if (reason instanceof StoreUnavailable) return reason.message
    throw reason
  }
}
