/** Group commit: changes that wait at the same time share one transaction and one disk sync. */
import { statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from '../sql.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { asUnavailable, isBusy, isUnavailable } from './errors.ts'
import { BUSY_RETRY_MS } from './open-file.ts'

/** Await only your own statements; this blocks every other writer. */
export type Change<T> = (sql: Sql) => Promise<T>

export interface GroupCommitOptions {
  readonly busyTimeoutMs: number
  /** Called after every commit with the number of changes in it. */
  readonly onCommit?: ((changes: number) => void) | undefined
}

/** Runs SQL with `$1` parameters, each text prepared once. */
export function sqlOn(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  return async <R>(text: string, parameters: Parameters<Sql>[1] = []) => {
    let statement = statements.get(text)
    if (!statement) {
      // SQLite takes `$1` for the name of a parameter; `?1` is its first one.
      statement = database.prepare(text.replaceAll(/\$(\d+)/g, '?$1'))
      statements.set(text, statement)
    }
    return statement.all(...parameters) as R[]
  }
}

interface PendingChange {
  readonly change: Change<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How many changes may share one commit: enough for every connection of a busy moment, few enough to stay quick. */
const MOST_IN_A_GROUP = 256

export function createGroupCommit(writer: DatabaseSync, file: string, { busyTimeoutMs, onCommit }: GroupCommitOptions) {
  const begin = beginOn(writer, file, busyTimeoutMs)
  const savepoint = savepointOn(writer)
  const sql = sqlOn(writer)
  const waiting: PendingChange[] = []
  let flushing = false

  async function flush(): Promise<void> {
    if (flushing) return
    flushing = true
    try {
      while (waiting.length > 0) {
        await commitGroup(writer, begin, savepoint, sql, waiting, onCommit)
        // Answer this group before the next one begins.
        await nextTurn()
      }
    } finally {
      flushing = false
    }
  }

  return {
    /** Does all of a change or nothing of it, and resolves only when it is on disk. */
    write: <T>(change: Change<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ change, resolve: resolve as (value: unknown) => void, reject })
        if (!flushing) setImmediate(flush)
      }),
    /** When nothing is left to write. */
    async idle() {
      while (flushing || waiting.length > 0) await nextTurn()
    },
  }
}

/** After what arrived in the meantime has been read. */
const nextTurn = () => new Promise(resolve => setImmediate(resolve))

/**
 * One transaction for all changes that wait, and for those that arrive while it is running; one that throws is rolled back
 * alone. It ends when nothing more has arrived, so no one waits for an unnecessary second disk sync.
 */
async function commitGroup(
  writer: DatabaseSync,
  begin: () => Promise<void>,
  savepoint: Savepoint,
  sql: Sql,
  waiting: PendingChange[],
  onCommit: GroupCommitOptions['onCommit'],
): Promise<void> {
  const group = waiting.splice(0, MOST_IN_A_GROUP)
  const done: (() => void)[] = []
  try {
    await begin()
    for (let arrived: readonly PendingChange[] = group; arrived.length > 0; ) {
      for (const { change, resolve, reject } of arrived) {
        savepoint.set()
        try {
          const value = await change(sql)
          savepoint.release()
          done.push(() => resolve(value))
        } catch (error) {
          if (!writer.isTransaction) throw error
          savepoint.rollBack()
          savepoint.release()
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

type Savepoint = Readonly<Record<'set' | 'release' | 'rollBack', () => void>>

/** Around every change, so each is parsed once only. */
function savepointOn(writer: DatabaseSync): Savepoint {
  const [set, release, back] = ['SAVEPOINT change', 'RELEASE change', 'ROLLBACK TO change'].map(text =>
    writer.prepare(text),
  ) as [StatementSync, StatementSync, StatementSync]
  return { set: () => void set.run(), release: () => void release.run(), rollBack: () => void back.run() }
}

/** Starts a transaction when no other process writes, and only in the file that an operator would find. */
function beginOn(writer: DatabaseSync, file: string, busyTimeoutMs: number): () => Promise<void> {
  const opened = statSync(file, { throwIfNoEntry: false })
  return async () => {
    // A rollback that failed must not make every later transaction fail.
    rollBack(writer)
    const giveUpAt = performance.now() + busyTimeoutMs
    for (;;) {
      try {
        writer.exec('BEGIN IMMEDIATE')
        break
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error
        await new Promise(resolve => setTimeout(resolve, BUSY_RETRY_MS))
      }
    }
    // Only now: the program that we waited for may have moved the file. SQLite would go on writing into the moved one, and
    // every lead in it would be lost.
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.ino !== opened?.ino || found?.dev !== opened?.dev) {
      throw new StoreUnavailable('the store’s file was moved or replaced.')
    }
  }
}

function rollBack(writer: DatabaseSync): void {
  try {
    if (writer.isTransaction) writer.exec('ROLLBACK')
  } catch {
    // The disk failed, or the store is closed: the changes are rejected all the same.
  }
}
