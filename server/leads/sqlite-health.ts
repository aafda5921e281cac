/** Looks at the embedded store for the operator: whether it is of our version, whole, durable and takes writes. */
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openChecked, openFile } from './open-sqlite.ts'
import { explain, isBusy, isUnavailable } from './sqlite-errors.ts'

export interface StoreHealth {
  readonly version: number
  readonly bytes: number
  /** As it stands in the file. The server turns the write-ahead log on, `wal`, and refuses to start without it. */
  readonly journalMode: string
  readonly whole: boolean
  /** Why no lead can be stored now, or null. */
  readonly writeFault: 'locked' | { readonly reason: string } | null
}

/** Fails with DatabaseUnusable when the store cannot be opened. Changes nothing but the time of the last trial write. */
export function inspectStore(file: string, busyTimeoutMs: number): StoreHealth {
  // Opened for reading alone: opened as the server does, every store would have its write-ahead log turned on.
  const database = openChecked(file, { readOnly: true, joining: true, busyTimeoutMs })
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  try {
    return {
      version: Number(pragma('user_version')),
      bytes: statSync(file).size,
      journalMode: String(pragma('journal_mode')),
      whole: pragma('quick_check(1)') === 'ok',
      writeFault: tryToWrite(file, busyTimeoutMs),
    }
  } finally {
    database.close()
  }
}

/** Writes what the server's own look at its readiness writes: a full disk shows only when something reaches it. */
function tryToWrite(file: string, busyTimeoutMs: number): StoreHealth['writeFault'] {
  let database: DatabaseSync | undefined
  try {
    database = openFile(file, false, busyTimeoutMs)
    database.exec('PRAGMA synchronous = FULL')
    database
      .prepare(
        'INSERT INTO readiness (id, written_at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at',
      )
      .run(Date.now())
    return null
  } catch (error) {
    if (isBusy(error)) return 'locked'
    if (isUnavailable(error)) return { reason: explain(error) }
    throw error
  } finally {
    database?.close()
  }
}
