/**
 * Retention in a thread with a connection of its own to the store: looking through the embedded store and emptying its log would
 * stop whatever else runs in the thread, and captures would wait.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { connectStore, type StoreSettings } from '../store/open-store.ts'
import { StoreUnavailable, StoreUnusable } from '../store/store-errors.ts'
import { eraseOldLeads } from './retention.ts'

export interface RetentionOrder extends StoreSettings {
  readonly days: number
  readonly key: string
}

/** What the thread tells the server after each time: how many it has erased, or why it could not. */
export type RetentionReport = { readonly leads: number } | { readonly reason: string }

const HOUR = 60 * 60 * 1000
const PAUSE_MS = 50

const server = parentPort as MessagePort
const order = workerData as RetentionOrder

for (;;) {
  server.postMessage(await eraseOnce())
  await sleep(HOUR)
}

async function eraseOnce(): Promise<RetentionReport> {
  try {
    const store = await connectStore(order, { access: 'write' })
    try {
      const { days, key } = order
      const pause = () => sleep(PAUSE_MS)
      return { leads: await eraseOldLeads({ store, days, key, now: Date.now, pause }) }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof StoreUnusable) return { reason: error.message }
    // The message is left out: it may quote what the store holds.
    return { reason: error instanceof Error ? error.name : 'unknown' }
  }
}
