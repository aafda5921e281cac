/** Looks at the embedded store for the operator: whether it is of our version, whole, durable and free to write. */
import { statSync } from 'node:fs'
import { openChecked } from './open-sqlite.ts'
import { isBusy } from './sqlite-errors.ts'

export interface StoreHealth {
  readonly version: number
  readonly bytes: number
  readonly journalMode: string
  /** As every connection of ours sets it: 2 is FULL. */
  readonly synchronous: number
  readonly whole: boolean
  readonly locked: boolean
}

/** Fails with DatabaseUnusable when the store cannot be opened. Changes nothing. */
export function inspectStore(file: string, busyTimeoutMs: number): StoreHealth {
  const database = openChecked(file, { readOnly: false, joining: true, busyTimeoutMs })
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
  try {
    return {
      version: Number(pragma('user_version')),
      bytes: statSync(file).size,
      journalMode: String(pragma('journal_mode')),
      synchronous: Number(pragma('synchronous')),
      whole: pragma('quick_check(1)') === 'ok',
      locked: isLocked(() => database.exec('BEGIN IMMEDIATE; ROLLBACK')),
    }
  } finally {
    database.close()
  }
}

function isLocked(write: () => void): boolean {
  try {
    write()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  }
}
