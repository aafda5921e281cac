/** Takes in what is moved from an embedded store, and compares what arrived with what was sent. */
import {
  type Batch,
  checksumOf,
  columnsOf,
  leadColumn,
  type MovedTable,
  type MoveTarget,
  movedTables,
} from '../move.ts'
import { viewColumns } from '../page-views.ts'
import { number, text } from '../rows.ts'
import type { Row, Sql } from '../sql.ts'
import { StoreUnusable } from '../store-errors.ts'
import { connectTo } from './connections.ts'
import { asStoreError } from './errors.ts'
import { migrate } from './migrate.ts'
import { sqlOn, transact } from './transactions.ts'

/** A batch is a large statement. */
const QUERY_TIMEOUT_MS = 120_000

const COUNTS_AT_A_TIME = 10_000

export async function openMoveTarget(url: string): Promise<MoveTarget> {
  const { pool, single } = connectTo(url, QUERY_TIMEOUT_MS)
  const inStoreErrors = <T>(work: Promise<T>) =>
    work.catch(error => {
      throw asStoreError(error)
    })
  try {
    const client = await single()
    await migrate(client)
    await client.end()
  } catch (error) {
    await pool.end()
    throw asStoreError(error)
  }
  return {
    takeShared: (table, rows) =>
      inStoreErrors(
        transact(pool, async sql => {
          const columns = columnsOf(table).join()
          await sql(
            `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)
             ON CONFLICT DO NOTHING`,
            [JSON.stringify(rows)],
          )
        }),
      ),
    takePageCounts: counts => inStoreErrors(transact(pool, sql => takePageCounts(sql, counts))),
    takeBatch: batch => inStoreErrors(transact(pool, sql => takeBatch(sql, batch))),
    async countOf(ids) {
      const rows = await inStoreErrors(
        sqlOn(pool)('SELECT COUNT(*) AS total FROM leads WHERE id = ANY ($1::text[])', [`{${ids.join()}}`]),
      )
      return number(rows[0], 'total')
    },
    // PostgreSQL does it by itself, but a minute later, and plans for empty tables until then: a search waits for minutes. It
    // looks at a sample, so this takes seconds, however many there are.
    takeStatistics: async () => void (await inStoreErrors(sqlOn(pool)(`ANALYZE ${movedTables.join()}, page_counts`))),
    close: () => pool.end(),
  }
}

/** The greater number counts: after a move that was interrupted, the same rows come again. */
async function takePageCounts(sql: Sql, counts: readonly Row[]): Promise<void> {
  const kept = viewColumns.map(name => `${name} = GREATEST(page_counts.${name}, excluded.${name})`)
  for (let start = 0; start < counts.length; start += COUNTS_AT_A_TIME) {
    await sql(
      `INSERT INTO page_counts (${viewColumns.join()})
       SELECT ${viewColumns.join()} FROM json_populate_recordset(NULL::page_counts, $1)
       ON CONFLICT (day, page, variant, campaign) DO UPDATE SET ${kept.join()}`,
      [JSON.stringify(counts.slice(start, start + COUNTS_AT_A_TIME))],
    )
  }
  // The leads that arrive may belong to days that were rolled up without them.
  await sql('DELETE FROM rolled_up_days')
}

/** A lead that is there came with all that belongs to it, in one transaction: only new ones are taken. */
async function takeBatch(sql: Sql, batch: Batch): Promise<number> {
  const added = new Set(
    (await insert(sql, 'leads', batch.leads, 'ON CONFLICT (id) DO NOTHING')).map(row => text(row, 'id')),
  )
  if (added.size === 0) return 0
  const of = (table: MovedTable) => batch[table].filter(row => added.has(text(row, leadColumn(table))))
  const sent = Object.fromEntries(movedTables.map(table => [table, of(table)])) as unknown as Batch
  for (const table of movedTables.slice(1)) await insert(sql, table, sent[table])
  const arrived: Partial<Record<MovedTable, readonly Row[]>> = {}
  for (const table of movedTables) {
    arrived[table] = await sql(
      `SELECT ${columnsOf(table).join()} FROM ${table} WHERE ${leadColumn(table)} = ANY ($1::text[])`,
      [`{${[...added].join()}}`],
    )
  }
  if (checksumOf(arrived as Batch) !== checksumOf(sent)) {
    throw new StoreUnusable('What arrived in PostgreSQL is not what was sent. Nothing of it was kept.')
  }
  return added.size
}

async function insert(sql: Sql, table: MovedTable, rows: readonly Row[], unless = ''): Promise<readonly Row[]> {
  const columns = columnsOf(table).join()
  return sql(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)
     ${unless} RETURNING ${leadColumn(table)}`,
    [JSON.stringify(rows)],
  )
}
