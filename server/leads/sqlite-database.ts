/** The embedded store: SQLite with a write-ahead log, a full sync at every commit, and group commit. */
import { statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Database, DatabaseUnavailable, type Row, type Sql } from './database.ts'
import { openChecked, openFile } from './open-sqlite.ts'
import { asUnavailable, isBusy, isUnavailable } from './sqlite-errors.ts'
import { forgetTraces } from './sqlite-forget.ts'

interface PendingWork {
  readonly work: (sql: Sql) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How many works may share one commit: enough for every connection of a busy moment, few enough to stay quick. */
const MOST_IN_A_GROUP = 256

/** How long to wait for another process, such as an operator's command, to finish writing. */
const BUSY_TIMEOUT_MS = 5000
const BUSY_RETRY_MS = 20

export interface SqliteOptions {
  readonly readOnly?: boolean
  /** For an operator's command that writes beside the server. */
  readonly joining?: boolean
  readonly busyTimeoutMs?: number
  /** Told after every commit how many works it brought to disk. */
  readonly onCommit?: (works: number) => void
}

export function openSqliteDatabase(file: string, options: SqliteOptions = {}): Database {
  const { readOnly = false, joining = false, busyTimeoutMs = BUSY_TIMEOUT_MS, onCommit } = options
  const writer = openChecked(file, { readOnly, joining, busyTimeoutMs })
  const reader = readOnly ? writer : openFile(file, true, busyTimeoutMs)
  // From here on a locked store is waited for in `begin`: SQLite's own waiting would stop the whole process.
  if (!readOnly) writer.exec('PRAGMA busy_timeout = 0')
  const begin = beginOn(writer, file, busyTimeoutMs)
  const sqlOn = statementRunner
  const runWrite = sqlOn(writer)
  const runRead = sqlOn(reader)
  const waiting: PendingWork[] = []
  let flushing = false

  async function flush(): Promise<void> {
    if (flushing) return
    flushing = true
    try {
      while (waiting.length > 0) {
        await commitGroup(writer, begin, runWrite, waiting, onCommit)
        // Those who waited are answered before the next group is begun.
        await nextTurn()
      }
    } finally {
      flushing = false
    }
  }

  return {
    lockRows: '',
    lock: async () => {},
    read: work =>
      work(runRead).catch(error => {
        throw asUnavailable(error)
      }),
    write: <T>(work: (sql: Sql) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
        if (!flushing) setImmediate(flush)
      }),
    forget: traces => forgetTraces(writer, file, traces, busyTimeoutMs),
    close: async () => {
      while (flushing || waiting.length > 0) await new Promise(resolve => setImmediate(resolve))
      if (reader !== writer) reader.close()
      writer.close()
    },
  }
}

/** When what has arrived at the sockets in the meantime has been read. */
const nextTurn = () => new Promise(resolve => setImmediate(resolve))

/**
 * One transaction for all works that wait, and for those that come while it is under way; a work that throws is rolled
 * back alone. It ends when nothing more has come, so that nobody waits for a second trip to the disk without need.
 */
async function commitGroup(
  writer: DatabaseSync,
  begin: () => Promise<void>,
  sql: Sql,
  waiting: PendingWork[],
  onCommit: SqliteOptions['onCommit'],
): Promise<void> {
  const group = waiting.splice(0, MOST_IN_A_GROUP)
  const done: (() => void)[] = []
  try {
    await begin()
    for (let arrived: readonly PendingWork[] = group; arrived.length > 0; ) {
      for (const { work, resolve, reject } of arrived) {
        writer.exec('SAVEPOINT work')
        try {
          const value = await work(sql)
          writer.exec('RELEASE work')
          done.push(() => resolve(value))
        } catch (error) {
          if (!writer.isTransaction) throw error
          writer.exec('ROLLBACK TO work')
          writer.exec('RELEASE work')
          if (isUnavailable(error)) throw error
          done.push(() => reject(error))
        }
      }
      await nextTurn()
      arrived = waiting.splice(0, MOST_IN_A_GROUP - group.length)
      group.push(...arrived)
    }
    writer.exec('COMMIT')
  } catch (error) {
    rollBack(writer)
    const reason = asUnavailable(error)
    for (const { reject } of group) reject(reason)
    return
  }
  onCommit?.(done.length)
  // Only now is it on disk.
  for (const settle of done) settle()
}

/** Starts a transaction when no other process writes, and only in the file that an operator would find. */
function beginOn(writer: DatabaseSync, file: string, busyTimeoutMs: number): () => Promise<void> {
  const opened = statSync(file, { throwIfNoEntry: false })
  return async () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.ino !== opened?.ino || found?.dev !== opened?.dev) {
      // SQLite would go on writing into the removed file, and every lead in it would be lost.
      throw new DatabaseUnavailable('the store’s file was moved or replaced.')
    }
    // A roll-back that failed must not make every later transaction fail.
    rollBack(writer)
    const giveUpAt = performance.now() + busyTimeoutMs
    for (;;) {
      try {
        return writer.exec('BEGIN IMMEDIATE')
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error
        await new Promise(resolve => setTimeout(resolve, BUSY_RETRY_MS))
      }
    }
  }
}

function rollBack(writer: DatabaseSync): void {
  try {
    if (writer.isTransaction) writer.exec('ROLLBACK')
  } catch {
    // The disk failed, or the store is closed: the works are rejected all the same.
  }
}

function statementRunner(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  return async (text, parameters = []) => {
    let statement = statements.get(text)
    if (!statement) {
      statement = database.prepare(numbered(text))
      statements.set(text, statement)
    }
    return statement.all(...parameters) as unknown as Row[]
  }
}

/** SQLite takes `$1` for the name of a parameter; `?1` is its first one. */
function numbered(text: string): string {
  return text.replaceAll(/\$(\d+)/g, '?$1')
}
