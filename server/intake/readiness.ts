/** Whether the store takes leads, found out by writing. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'

/** Probes may come often, and each look costs a trip to the disk: one answer serves for a while. */
const LASTS_MS = 2000

/** A store that does not even answer takes no writes either. */
const LONGEST_LOOK_MS = 2000

export function createReadiness(probe: Store['probe']): () => Promise<boolean> {
  // By a clock that never goes back: when the machine's is set back, an old answer would serve for just as long.
  const now = () => performance.now()
  let lookedAt = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    if (now() - lookedAt >= LASTS_MS) {
      lookedAt = now()
      answer = takesWrites(probe)
    }
    return Promise.race([answer, sleep(LONGEST_LOOK_MS, false, { ref: false })])
  }
}

async function takesWrites(probe: Store['probe']): Promise<boolean> {
  try {
    await probe()
    return true
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
}
