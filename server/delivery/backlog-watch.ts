/** Says loudly in the log when leads do not reach the webhook: counts only, and at most once a minute. */
import type { Database } from '../leads/database.ts'
import type { log } from '../log.ts'
import { backlog } from './outbox.ts'

const MINUTE = 60_000
const LONGEST_QUIET_AGE = 10 * MINUTE

interface WatchOptions {
  readonly database: Database
  readonly now: () => number
  readonly log: typeof log
}

export interface BacklogWatch {
  /** Looks if the last look is a minute old. News of a dead delivery need not wait for that, only for the last alert. */
  look(newlyDead: boolean): Promise<void>
}

export function createBacklogWatch({ database, now, log }: WatchOptions): BacklogWatch {
  let lookedAt = Number.NEGATIVE_INFINITY
  let alertedAt = Number.NEGATIVE_INFINITY
  return {
    async look(newlyDead) {
      const at = now()
      if (at - (newlyDead ? alertedAt : lookedAt) < MINUTE) return
      lookedAt = at
      const { pending, oldestPendingAgeMs, dead } = await backlog(database, at)
      if (oldestPendingAgeMs <= LONGEST_QUIET_AGE && dead === 0) return
      alertedAt = at
      const oldestPendingMinutes = Math.floor(oldestPendingAgeMs / MINUTE)
      log('leads do not reach the webhook', { level: 'alert', pending, oldestPendingMinutes, dead })
    },
  }
}
