/** Copies the store on a thread of its own: SQLite stops the thread that it copies on, and Ctrl+C would not be heard there. */
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseUnusable } from '../server/leads/database.ts'
import { backUpStore } from '../server/leads/sqlite-backup.ts'
import { explain } from '../server/leads/sqlite-errors.ts'

export interface BackupOrder {
  readonly store: string
  readonly copy: string
  readonly busyTimeoutMs: number
}

/** How many leads were copied, or why none were: words alone go from thread to thread. */
export type BackupResult = { readonly leads: number } | { readonly unusable: string } | { readonly unwritable: string }

parentPort?.postMessage(backUp(workerData as BackupOrder))

function backUp({ store, copy, busyTimeoutMs }: BackupOrder): BackupResult {
  try {
    return { leads: backUpStore(store, copy, busyTimeoutMs) }
  } catch (error) {
    return error instanceof DatabaseUnusable ? { unusable: error.message } : { unwritable: explain(error) }
  }
}
