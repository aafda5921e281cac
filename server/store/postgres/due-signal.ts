/** Notifies this replica and the others when deliveries become due. Best effort: workers also poll. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Connections } from './connections.ts'

const CHANNEL = 'deliveries_due'
const RECONNECT_MS = 1000

export function createDueSignal({ pool, single }: Connections) {
  const self = crypto.randomUUID()
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  let line: pg.Client | null = null
  let open: Promise<void> | null = null
  let telling = false

  function tellListeners(): void {
    for (const listener of listeners) listener()
  }

  /** Not in the captures' transaction: there, notifications would make commits wait for each other. */
  async function tellOthers(): Promise<void> {
    if (telling) return
    telling = true
    try {
      await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, self])
    } catch {
      // They also poll.
    }
    telling = false
  }

  async function keepLine(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        line = await single()
        // Closed while connecting: there was no connection to end yet.
        if (closing.signal.aborted) await line.end()
        line.on('notification', ({ payload }) => payload !== self && tellListeners())
        const ended = new Promise(resolve => line?.once('end', resolve))
        await line.query(`LISTEN ${CHANNEL}`)
        // Something may have come due while we weren't listening.
        tellListeners()
        await ended
      } catch {
        // The database is down, and so are its deliveries.
      }
      line = null
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  return {
    listen(listener: () => void) {
      listeners.add(listener)
      open ??= keepLine()
      return () => void listeners.delete(listener)
    },
    raise() {
      process.nextTick(tellListeners)
      void tellOthers()
    },
    async close() {
      closing.abort()
      await line?.end().catch(() => {})
      await open
    },
  }
}
