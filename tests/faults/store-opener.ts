/** A process that opens a store at a given moment, writes its name into it, and reports the outcome. */
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'

export interface Opening {
  readonly file: string
  /** In milliseconds since the epoch: the same moment for several processes. */
  readonly at: number
  readonly name: string
}

process.on('message', async ({ file, at, name }: Opening) => {
  // Busy-wait: a timer would fire late by a different amount in each process.
  while (Date.now() < at);
  try {
    const store = openSqliteStore(file)
    await store.rememberConsent(name)
    await store.close()
    process.send?.('opened')
  } catch (error) {
    process.send?.(String(error))
  }
})
process.send?.('ready')
