/** Repeats what may work later, such as opening a store whose database or disk isn't available yet. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Short, so leads are accepted within seconds after a database or a disk is back. */
const RETRY_MS = 5000

export interface Retried<T> {
  readonly attempt: () => Promise<T>
  /** Called after each failed attempt. */
  readonly onFailure: (error: unknown) => void
  /** Ends the retries. */
  readonly signal: AbortSignal
}

/** Resolves to the result of the first attempt that succeeds, or to null if the signal ended the retries. */
export async function retryUntilDone<T>({ attempt, onFailure, signal }: Retried<T>): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await attempt()
    } catch (error) {
      onFailure(error)
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
  return null
}
