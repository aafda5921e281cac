/**
 * Moves an embedded store to PostgreSQL, table by table, and compares every row with PostgreSQL's copy. It all happens
 * in one transaction: if it's interrupted, PostgreSQL stays empty and the next attempt starts over.
 */
import { renameSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { storable } from './capture.ts'
import { connectTo, sqlOn, transact } from './postgres/connections.ts'
import { asStoreError } from './postgres/errors.ts'
import { migrate } from './postgres/migrate.ts'
import { postgresDdl, schema } from './schema.ts'
import type { Sql, Value } from './sql.ts'
import { openChecked, openExclusively } from './sqlite/open-file.ts'
import { StoreUnusable } from './store-errors.ts'

type Table = keyof ReturnType<typeof schema>
type Row = Readonly<Record<string, Value>>

const notCopied: ReadonlySet<Table> = new Set<Table>([
  // Short-lived. People sign in again with their passkey.
  'desk_invitations',
  'desk_challenges',
  'desk_sessions',
  // Each store has its own row.
  'readiness',
  'last_backup',
  // Rebuilt from the leads.
  'lead_counts',
  'rolled_up_days',
  'dirty_days',
  'lead_search',
])

/** The schema lists referenced tables first. */
const copiedTables = (Object.keys(schema(postgresDdl)) as Table[]).filter(table => !notCopied.has(table))

const BATCH_SIZE = 1000
const QUERY_TIMEOUT_MS = 600_000

/** Returns how many leads were moved and where the old store is now. */
export async function moveToPostgres(file: string, databaseUrl: string, busyTimeoutMs: number) {
  openChecked(file, 'write', busyTimeoutMs).close()
  const source = openExclusively(file, busyTimeoutMs)
  const { pool, single } = connectTo(databaseUrl, QUERY_TIMEOUT_MS)
  try {
    await single(migrate)
    const total = Number(source.prepare('SELECT COUNT(*) AS total FROM leads').get()?.['total'])
    await transact(pool, async sql => {
      await clear(sql)
      for (const table of copiedTables) await copyTable(source, sql, table)
    })
    // Autovacuum would do this about a minute later. Until then, the planner would assume the tables are empty.
    await sqlOn(pool)(`VACUUM (ANALYZE) ${copiedTables.join()}`)
    // The store is still locked, so a server that starts now either waits or finds no store.
    const oldStore = `${file}.moved`
    renameSync(file, oldStore)
    return { leads: total, oldStore }
  } catch (error) {
    throw asStoreError(error)
  } finally {
    await pool.end()
    if (source.isTransaction) source.exec('ROLLBACK')
    source.close()
    rmSync(`${file}-journal`, { force: true })
  }
}

/** If a server has already used this database, there are a few rows in it, but none about people. */
async function clear(sql: Sql): Promise<void> {
  const people = await sql(
    'SELECT 1 FROM (SELECT id FROM leads UNION ALL SELECT id FROM desk_people) AS people LIMIT 1',
  )
  if (people.length > 0) {
    throw new StoreUnusable('The database already has leads or desk accounts. Move to an empty database.')
  }
  await sql(`TRUNCATE ${copiedTables.join()} CASCADE`)
}

async function copyTable(source: DatabaseSync, target: Sql, table: Table): Promise<void> {
  const columns = source
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
    .join()
  let batch: Row[] = []
  const send = async () => {
    const stored = await target<Row>(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1) RETURNING ${columns}`,
      [JSON.stringify(batch)],
    )
    if (!isDeepStrictEqual(stored, batch)) {
      throw new StoreUnusable(`Table ${table} doesn’t match after copying. PostgreSQL was left empty.`)
    }
    batch = []
  }
  for (const found of source.prepare(`SELECT ${columns} FROM ${table}`).iterate()) {
    if (batch.push(storable(found as Row)) === BATCH_SIZE) await send()
  }
  if (batch.length > 0) await send()
}
