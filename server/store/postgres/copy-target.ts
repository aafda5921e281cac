/** Takes a whole store into an empty PostgreSQL database, in one transaction. */
import { type CopyTarget, copiedTables } from '../copy.ts'
import type { Sql } from '../sql.ts'
import { StoreUnusable } from '../store-errors.ts'
import { connectTo } from './connections.ts'
import { asStoreError } from './errors.ts'
import { migrate } from './migrate.ts'
import { sqlOn, transact } from './transactions.ts'

const QUERY_TIMEOUT_MS = 600_000
const ROWS_AT_ONCE = 2000

/** Keeps what `fill` puts in, or nothing. */
export async function fillPostgres<T>(url: string, fill: (target: CopyTarget) => Promise<T>): Promise<T> {
  const { pool, single } = connectTo(url, QUERY_TIMEOUT_MS)
  try {
    const client = await single()
    await migrate(client).finally(() => client.end())
    const result = await transact(pool, async sql => {
      await clear(sql)
      return fill(targetOn(sql))
    })
    // PostgreSQL does this by itself, but a minute later, and plans for empty tables until then.
    await sqlOn(pool)(`ANALYZE ${copiedTables.join()}`)
    return result
  } catch (error) {
    throw asStoreError(error)
  } finally {
    await pool.end()
  }
}

/** A server that was started on it has left a few rows, but no people. */
async function clear(sql: Sql): Promise<void> {
  const people = await sql(
    'SELECT 1 FROM (SELECT id FROM leads UNION ALL SELECT id FROM desk_people) AS people LIMIT 1',
  )
  if (people.length > 0) {
    throw new StoreUnusable('The database already has leads or desk accounts in it. Move to an empty database.')
  }
  await sql(`TRUNCATE ${copiedTables.join()} CASCADE`)
}

function targetOn(sql: Sql): CopyTarget {
  return {
    async insert(table, columns, rows) {
      await sql(
        `INSERT INTO ${table} (${columns.join()}) SELECT ${columns.join()} FROM json_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows)],
      )
    },
    async *rows(table, columns) {
      await sql(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.join()} FROM ${table}`)
      for (;;) {
        const rows = await sql(`FETCH ${ROWS_AT_ONCE} FROM copied`)
        if (rows.length === 0) break
        yield rows
      }
      await sql('CLOSE copied')
    },
  }
}
