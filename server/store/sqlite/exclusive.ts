/** Opens the embedded store for one program alone: while it is replaced or moved, nobody else may write to it. */
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../store-errors.ts'
import { isBusy } from './errors.ts'
import { openFile } from './open-file.ts'

export function storeInUse(): StoreUnavailable {
  return new StoreUnavailable('a server, a desk, or another program has the store open. Stop it first.')
}

/** Until it is closed, others can neither read nor write. */
export function openExclusively(file: string, busyTimeoutMs: number): DatabaseSync {
  const database = openFile(file, false, busyTimeoutMs)
  try {
    // Only the last one who has a store open can turn its write-ahead log off.
    const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = DELETE').get() ?? {}
    if (mode !== 'delete') throw storeInUse()
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    throw isBusy(error) ? storeInUse() : error
  }
}
