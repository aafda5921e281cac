/** Transactions on the embedded store, one at a time. capture.ts groups captures before they get here. */
import { statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Parameter, rowsFrom, type Sql, type Value } from '../sql.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { dialect } from './dialect.ts'
import { asUnavailable, isBusy } from './errors.ts'
import { isSameFile } from './files.ts'
import { BUSY_RETRY_MS } from './open-file.ts'

/** SQLite treats `$1` as a parameter name; `?1` is its first positional parameter. It reads lists from JSON. */
export const inSqlite = (text: string): string =>
  text
    .replaceAll(/= ANY\(\$(\d+)\)/g, 'IN (SELECT value FROM json_each(?$1))')
    .replaceAll(/<> ALL\(\$(\d+)\)/g, 'NOT IN (SELECT value FROM json_each(?$1))')
    .replaceAll(/\$(\d+)/g, '?$1')

export const bind = (parameters: readonly Parameter[]): Value[] =>
  parameters.map(value => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value))

/** Prepares each statement once. */
export function sqlOn(database: DatabaseSync): Sql {
  const statements = new Map<string, { readonly run: StatementSync; readonly columns: readonly string[] }>()
  function prepared(text: string) {
    const known = statements.get(text)
    if (known) return known
    const run = database.prepare(inSqlite(text))
    run.setReturnArrays(true)
    const statement = { run, columns: run.columns().map(({ name }) => name) }
    statements.set(text, statement)
    return statement
  }
  const sql = async <R>(text: string, parameters: readonly Parameter[] = []) => {
    const { run, columns } = prepared(text)
    return rowsFrom<R>(columns, run.all(...bind(parameters)) as unknown as unknown[][])
  }
  return Object.assign(sql, { dialect })
}

export function createTransactions(writer: DatabaseSync, file: string, busyTimeoutMs: number) {
  const opened = statSync(file)
  const sql = sqlOn(writer)
  const beginStatement = writer.prepare('BEGIN IMMEDIATE')
  const commitStatement = writer.prepare('COMMIT')
  let last: Promise<unknown> = Promise.resolve()

  /** Waits for the lock here, because SQLite's own wait would block the thread. */
  async function begin(): Promise<void> {
    // Otherwise, one failed rollback would make every later transaction fail.
    rollBack(writer)
    const deadline = performance.now() + busyTimeoutMs
    for (;;) {
      try {
        beginStatement.run()
        break
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error
        await new Promise(resolve => setTimeout(resolve, BUSY_RETRY_MS))
      }
    }
    // Check this now, because the program we waited for may have moved the file. SQLite would keep writing to the moved file,
    // and every lead in it would be lost.
    if (!isSameFile(opened, statSync(file, { throwIfNoEntry: false }))) {
      throw new StoreUnavailable('the store’s file was moved or replaced.')
    }
  }

  async function run<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
    try {
      await begin()
      const result = await change(sql)
      commitStatement.run()
      return result
    } catch (error) {
      rollBack(writer)
      throw asUnavailable(error)
    }
  }

  return {
    /** Commits the whole change or rolls it back. Resolves once it's on disk. */
    write<T>(change: (sql: Sql) => Promise<T>): Promise<T> {
      const result = last.then(() => run(change))
      // Send the result before the next transaction begins.
      const sent = () => new Promise(resolve => setImmediate(resolve))
      last = result.then(sent, sent)
      return result
    },
    /** Runs between two transactions. */
    async between<T>(work: () => T): Promise<T> {
      const result = last.then(work)
      last = result.catch(() => {})
      return result
    },
    /** Resolves when nothing is left to write. */
    async idle() {
      for (let waited: unknown; waited !== last; await waited) waited = last
    },
  }
}

function rollBack(writer: DatabaseSync): void {
  try {
    if (writer.isTransaction) writer.exec('ROLLBACK')
  } catch {
    // The disk failed, or the store is closed. The change is rejected anyway.
  }
}
