/** Copies the store on a thread of its own: SQLite stops the thread that it copies on, and Ctrl+C would not be heard there. */
import { parentPort, workerData } from 'node:worker_threads'
import type { BackupResult } from '../../health.ts'
import { StoreUnusable } from '../../store-errors.ts'
import { explain } from '../errors.ts'
import { copyStore } from './backup.ts'

export interface BackupOrder {
  readonly store: string
  readonly copy: string
  readonly busyTimeoutMs: number
}

parentPort?.postMessage(backUp(workerData as BackupOrder))

function backUp({ store, copy, busyTimeoutMs }: BackupOrder): BackupResult | { readonly unusable: string } {
  try {
    return { leads: copyStore(store, copy, busyTimeoutMs) }
  } catch (error) {
    return error instanceof StoreUnusable ? { unusable: error.message } : { unwritable: explain(error) }
  }
}
