/** Inspects the embedded store for the operator: version, integrity, durability, and whether it accepts writes. */
import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { StoreHealth, UsableStore } from '../health.ts'
import { StoreUnusable } from '../store-errors.ts'
import { explain, isUnavailable } from './errors.ts'
import { openChecked, openFile } from './open-file.ts'

/** Writes only the time of the last health check. */
export function inspectSqliteStore(file: string, busyTimeoutMs: number): StoreHealth {
  if (!existsSync(file)) return { kind: 'missing', place: file }
  try {
    return inspect(file, busyTimeoutMs)
  } catch (error) {
    if (error instanceof StoreUnusable) return { kind: 'unusable', message: error.message }
    throw error
  }
}

function inspect(file: string, busyTimeoutMs: number): UsableStore {
  // Read-only: opening it the way the server does would turn the write-ahead log on.
  const database = openChecked(file, { readOnly: true, joining: true, busyTimeoutMs })
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  try {
    return {
      kind: 'usable',
      place: file,
      version: Number(pragma('user_version')),
      bytes: statSync(file).size,
      durability: durabilityIn(String(pragma('journal_mode'))),
      search: { indexed: true },
      intact: pragma('quick_check(1)') === 'ok',
      writeFault: tryToWrite(file, busyTimeoutMs),
    }
  } finally {
    database.close()
  }
}

/** According to the file. The server turns the write-ahead log on and refuses to start without it. */
function durabilityIn(journal: string): UsableStore['durability'] {
  const safe = journal === 'wal'
  const words = safe
    ? 'Leads are on disk before they are acknowledged (write-ahead log, full sync).'
    : `Leads may be lost in a power outage (journal mode ${journal}). Restart the server to turn on the write-ahead log.`
  return { safe, words }
}

/** The same write as the server's health check: only a real write reveals a full disk. */
function tryToWrite(file: string, busyTimeoutMs: number): UsableStore['writeFault'] {
  let database: DatabaseSync | undefined
  try {
    database = openFile(file, false, busyTimeoutMs)
    database.exec('PRAGMA synchronous = FULL')
    database
      .prepare('INSERT INTO readiness VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET written_at = ?1')
      .run(Date.now())
    return null
  } catch (error) {
    if (isUnavailable(error)) return explain(error)
    throw error
  } finally {
    database?.close()
  }
}
