/**
 * Moves an embedded store to PostgreSQL, table by table, and compares every row with PostgreSQL's copy. It all happens
 * in one transaction: if it's interrupted, PostgreSQL stays empty and the next attempt starts over.
 */
import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { syncToDisk } from '../files.ts'
import { storable } from '../operations/leads/capture.ts'
import { connectTo, sqlOn, transact } from '../postgres/connections.ts'
import { asStoreError } from '../postgres/errors.ts'
import { migrate } from '../postgres/migrate.ts'
import { postgresDdl, schema, type Table } from '../schema.ts'
import { type Row, rowsFrom, type Sql } from '../sql.ts'
import { movedStore } from '../sqlite/files.ts'
import { openChecked, openExclusively } from '../sqlite/open-file.ts'
import { StoreUnusable } from '../store-errors.ts'
import { defaultSettings } from '../upgrades/used-settings.ts'

const notCopied: ReadonlySet<Table> = new Set<Table>([
  // Short-lived. People sign in again with their passkey.
  'desk_invitations',
  'desk_challenges',
  'desk_sessions',
  'call_claims',
  // Each store has its own row.
  'readiness',
  'last_backup',
  // Rebuilt from the leads.
  'lead_counts',
  'rolled_up_days',
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
    await single(client => migrate(client, defaultSettings))
    const total = Number(source.prepare('SELECT COUNT(*) AS total FROM leads').get()?.['total'])
    await transact(pool, async sql => {
      // A server that uses this database waits from here on, so we don't overwrite leads that it's storing right now.
      await sql(`LOCK TABLE ${copiedTables.join()} IN ACCESS EXCLUSIVE MODE`)
      if (await hasPeople(sql)) throw new StoreUnusable(await describeConflict(source, sql, file, total))
      await sql(`TRUNCATE ${copiedTables.join()} CASCADE`)
      for (const table of copiedTables) await copyTable(source, sql, table)
    })
    // The store is still locked, so a server that starts now either waits or finds no store.
    const oldStore = movedStore(file)
    renameSync(file, oldStore)
    syncToDisk(dirname(file))
    // Otherwise, autovacuum does this about a minute later. Until then, the planner would assume the tables are empty.
    await sqlOn(pool)(`VACUUM (ANALYZE) ${copiedTables.join()}`).catch(() => {})
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
async function hasPeople(sql: Sql): Promise<boolean> {
  const people = await sql(
    'SELECT 1 FROM (SELECT id FROM leads UNION ALL SELECT id FROM desk_people) AS people LIMIT 1',
  )
  return people.length > 0
}

/** If a move was killed between its commit and the rename, the database has everything, and a server may have used it since. */
async function describeConflict(source: DatabaseSync, target: Sql, file: string, total: number): Promise<string> {
  const here = await target<{ id: string }>('SELECT id FROM leads')
  const ids = new Set(here.map(({ id }) => id))
  const isMissing = ({ id }: Readonly<Record<string, unknown>>) => !ids.has(String(id))
  if (total === 0 || source.prepare('SELECT id FROM leads').all().some(isMissing)) {
    return 'The database already has other leads or desk accounts. Move to an empty database.'
  }
  const choices = `Rename the file to ${movedStore(file)} or, if a server has used the file since, move to an empty database.`
  return `The database already has every lead in ${file}: an earlier move was interrupted after copying. ${choices}`
}

async function copyTable(source: DatabaseSync, target: Sql, table: Table): Promise<void> {
  const named = source.prepare('SELECT name FROM pragma_table_info(?)').all(table)
  const columns = named.map(({ name }) => String(name)).join()
  let batch: Row[] = []
  const send = async () => {
    const stored = await target<Row>(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1) RETURNING ${columns}`,
      [JSON.stringify(batch)],
    )
    const sent = rowsFrom(
      columns.split(','),
      batch.map(row => Object.values(row)),
    )
    if (!isDeepStrictEqual(stored, sent)) {
      throw new StoreUnusable(`Table ${table} doesn’t match after copying. PostgreSQL was left empty.`)
    }
    batch = []
  }
  for (const found of source.prepare(`SELECT ${columns} FROM ${table}`).iterate()) {
    if (batch.push(storable(found as Row)) === BATCH_SIZE) await send()
  }
  if (batch.length > 0) await send()
}
