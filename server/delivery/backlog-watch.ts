/**
 * Says in the log when leads do not reach the webhook: at once, when that gets worse, and else once an hour, since a
 * line that comes every minute is soon read by nobody. Counts only.
 */
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LONGEST_QUIET_AGE = 10 * MINUTE

interface WatchOptions {
  readonly store: Pick<Store, 'backlog'>
  readonly now: () => number
  readonly log: Log
}

interface Trouble {
  readonly dead: number
  /** How long the oldest lead has waited; zero while that is no reason to worry. */
  readonly lateMs: number
}

const none: Trouble = { dead: 0, lateMs: 0 }

export interface BacklogWatch {
  /** Looks if the last look is a minute old. News of a dead delivery need not wait for that, only for the last alert. */
  look(newlyDead: boolean): Promise<void>
}

export function createBacklogWatch({ store, now, log }: WatchOptions): BacklogWatch {
  let lookedAt = Number.NEGATIVE_INFINITY
  let alertedAt = Number.NEGATIVE_INFINITY
  let known = none

  return {
    async look(newlyDead) {
      const at = now()
      if (!hasPassed(MINUTE, newlyDead ? alertedAt : lookedAt, at)) return
      lookedAt = at
      const { pending, oldestPendingAgeMs, dead } = await store.backlog()
      const found: Trouble = { dead, lateMs: oldestPendingAgeMs > LONGEST_QUIET_AGE ? oldestPendingAgeMs : 0 }
      if (isWorse(found, known) || (!isOver(found) && hasPassed(HOUR, alertedAt, at))) {
        const oldestPendingMinutes = Math.floor(oldestPendingAgeMs / MINUTE)
        log('deliveries_stuck', { level: 'alert', pending, oldestPendingMinutes, dead })
        alertedAt = at
        known = found
        return
      }
      if (isOver(found) && !isOver(known)) log('deliveries_flow', { pending })
      // What has become better may become worse again, and is then news.
      known = { dead: Math.min(dead, known.dead), lateMs: Math.min(found.lateMs, known.lateMs) }
    },
  }
}

/** A clock that was set back says nothing about the time that has passed: better a line too many than an hour of silence. */
function hasPassed(ms: number, since: number, at: number): boolean {
  return at < since || at - since >= ms
}

/**
 * Every dead delivery is a person whom nobody calls until somebody acts. A backlog ages by itself: that it is twice as old
 * is news, and makes a handful of lines of an outage, however long.
 */
function isWorse(found: Trouble, known: Trouble): boolean {
  return found.dead > known.dead || found.lateMs > 2 * known.lateMs
}

function isOver({ dead, lateMs }: Trouble): boolean {
  return dead === 0 && lateMs === 0
}
