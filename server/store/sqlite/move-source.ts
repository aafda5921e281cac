/** Reads an embedded store out for a move, and keeps everybody else from writing to it meanwhile. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { type Batch, columnsOf, leadColumn, type MoveSource, movedTables } from '../move.ts'
import { viewColumns } from '../page-views.ts'
import { number } from '../rows.ts'
import type { Row } from '../sql.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { runOn } from './connection.ts'
import { isBusy } from './errors.ts'
import { openChecked } from './open-file.ts'

export function openMoveSource(file: string, busyTimeoutMs: number): MoveSource {
  const database = openChecked(file, { readOnly: false, joining: true, busyTimeoutMs })
  try {
    // A lead that came in now would be left behind: until the move is over, a server that still runs asks visitors to wait.
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    database.close()
    if (isBusy(error)) throw new StoreUnavailable('another program is writing to the store. Stop the server first.')
    throw error
  }
  const run = runOn(database)
  const rows = (text: string, ...parameters: string[]) => run(text, parameters).map(storable)

  return {
    leads: number(run('SELECT COUNT(*) AS total FROM leads')[0], 'total'),
    shared: table => rows(`SELECT ${columnsOf(table).join()} FROM ${table}`),
    pageCounts: async () => rows(`SELECT ${viewColumns.join()} FROM page_counts`),
    batch(after, limit) {
      const leads = rows(
        `SELECT ${columnsOf('leads').join()} FROM leads WHERE id > $1 ORDER BY id LIMIT ${limit}`,
        after,
      )
      const [from, to] = [leads.at(0)?.['id'], leads.at(-1)?.['id']].map(String)
      const belonging = movedTables.slice(1).map(table => {
        const id = leadColumn(table)
        const select = `SELECT ${columnsOf(table).join()} FROM ${table} WHERE ${id} >= $1 AND ${id} <= $2 ORDER BY ${id}`
        return [table, leads.length === 0 ? [] : rows(select, from as string, to as string)]
      })
      return { leads, ...Object.fromEntries(belonging) } as Batch
    },
    putAway() {
      const away = `${file}.moved`
      // While nobody else can write: a server that still runs sees that its file is gone, and takes no lead into it.
      renameSync(file, away)
      return away
    },
    close() {
      // On a full disk SQLite has done so itself.
      if (database.isTransaction) database.exec('ROLLBACK')
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      // SQLite leaves them behind when the file they belong to has another name.
      if (!existsSync(file)) for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
    },
  }
}

/** What an earlier version may have stored, and PostgreSQL does not take. */
function storable(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
    ]),
  )
}
