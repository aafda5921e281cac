/** Reads an embedded store out for a move to PostgreSQL, which nobody else may have open. */
import { renameSync, rmSync } from 'node:fs'
import type { CopySource } from '../copy.ts'
import type { Row } from '../sql.ts'
import { openExclusively } from './exclusive.ts'
import { openChecked } from './open-file.ts'

const ROWS_AT_ONCE = 1000

export interface SqliteSource extends CopySource {
  readonly leads: number
  /** Renames the store, so that no server goes on with it. Call when everything has arrived. Returns its new name. */
  putAway(): string
  close(): void
}

export function openSqliteSource(file: string, busyTimeoutMs: number): SqliteSource {
  openChecked(file, { readOnly: false, joining: true, busyTimeoutMs }).close()
  const database = openExclusively(file, busyTimeoutMs)
  return {
    leads: Number(database.prepare('SELECT COUNT(*) AS total FROM leads').get()?.['total']),
    columns: table =>
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name)),
    *rows(table, columns) {
      let batch: Row[] = []
      for (const row of database.prepare(`SELECT ${columns.join()} FROM ${table}`).iterate()) {
        batch.push(storable(row as Row))
        if (batch.length < ROWS_AT_ONCE) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    putAway() {
      const away = `${file}.moved`
      // Still locked: a server that starts now finds no store, or waits.
      renameSync(file, away)
      return away
    },
    close() {
      if (database.isTransaction) database.exec('ROLLBACK')
      database.close()
      rmSync(`${file}-journal`, { force: true })
    },
  }
}

/** PostgreSQL accepts neither NUL nor lone surrogates, which an early version may have stored. */
function storable(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
    ]),
  )
}
