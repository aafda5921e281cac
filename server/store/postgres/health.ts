/** What PostgreSQL reports about a store: durability, integrity, and whether search has its index. */
import type { EngineHealth } from '../health.ts'
import type { Sql } from '../sql.ts'
import { SEARCH_INDEX } from './migrate.ts'

interface Facts extends Record<'fsync' | 'full_page_writes' | 'standbys', string> {
  readonly broken: number
  readonly search_indexed: boolean
}

export async function inspectPostgres(read: Sql, place: string): Promise<EngineHealth> {
  const rows = await read<Facts>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_standby_names') AS standbys,
       (SELECT COALESCE(SUM(checksum_failures), 0) FROM pg_stat_database) AS broken,
       to_regclass('leads_search') IS NOT NULL AS search_indexed`,
  )
  const facts = rows[0] as Facts
  return {
    place,
    durability: durabilityIn(facts),
    intact: facts.broken === 0,
    search: facts.search_indexed ? { indexed: true } : { indexed: false, create: SEARCH_INDEX.join('; ') },
  }
}

function durabilityIn({ fsync, full_page_writes, standbys }: Facts): EngineHealth['durability'] {
  const off = Object.entries({ fsync, full_page_writes }).flatMap(([name, value]) => (value === 'off' ? [name] : []))
  if (off.length > 0) {
    const message = `Leads can be lost in a power cut: the server has ${off.join(' and ')} turned off. Turn it on in postgresql.conf.`
    return { safe: false, message }
  }
  const where = standbys === '' ? 'on disk' : 'on disk and on a standby'
  return { safe: true, message: `Leads are ${where} before they are acknowledged (synchronous commits).` }
}
