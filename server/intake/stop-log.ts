/**
 * Logs stops from the website and the CRM in ERASURE_LIST, so restoring a backup doesn't undo them. They're already in the store,
 * so nobody waits for the log: it may be on a share that hangs. What a killed server didn't log is logged later (change-log.ts).
 */
import type { Alerts } from '../alerts/alerts.ts'
import { retryUntilDone } from '../process/retry.ts'
import { reasonOf } from '../store/store-errors.ts'
import { type Append, isLoggable, type LoggedChange } from '../store/upkeep/erasure-list.ts'

export interface StopLogOptions {
  readonly append: Append
  readonly alerts: Alerts
  /** Ends the retries. */
  readonly signal: AbortSignal
}

export function createStopLog({ append, alerts, signal }: StopLogOptions): Append {
  let waiting: LoggedChange[] = []
  let isWriting = false

  async function writeAll(file: string): Promise<void> {
    isWriting = true
    while (waiting.length > 0 && !signal.aborted) {
      const changes = waiting
      waiting = []
      await retryUntilDone({ attempt: () => append(file, changes), onFailure: raiseUnlogged(alerts), signal })
    }
    isWriting = false
  }

  return async (file, changes) => {
    // Trying again wouldn't help the others, and would keep every later stop from being logged.
    waiting.push(...changes.filter(isLoggable))
    if (!isWriting) void writeAll(file)
  }
}

export const raiseUnlogged = (alerts: Alerts) => (error: unknown) => {
  const reason = reasonOf(error)
  const text = `Requests not to be called, or erasures, are in the store, but not in ERASURE_LIST, so restoring a backup would undo them. ${reason}`
  alerts.raise('requests_unlogged', text, { detail: { reason } })
}
