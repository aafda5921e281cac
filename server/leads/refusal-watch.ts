/**
 * Says in the log why leads are refused while the database takes no writes: at once, then at most once a minute, and one
 * line when it is over. Whatever asks the database notices, a probe of /readyz included: no lead has to be lost for it.
 */
import type { Log } from '../log.ts'
import { type Database, DatabaseUnavailable } from './database.ts'

const MINUTE = 60_000

interface WatchOptions {
  readonly log: Log
  /** Of a clock that never goes back. */
  readonly now?: () => number
}

export function watchRefusals(database: Database, { log, now = () => performance.now() }: WatchOptions): Database {
  let alertedAt = Number.NEGATIVE_INFINITY
  let refusing = false

  function refused(error: unknown): never {
    if (error instanceof DatabaseUnavailable && now() - alertedAt >= MINUTE) {
      alertedAt = now()
      refusing = true
      log('leads are refused', { level: 'alert', reason: error.message })
    }
    throw error
  }

  function taken(): void {
    if (!refusing) return
    refusing = false
    log('leads are taken again')
  }

  return {
    ...database,
    read: work => database.read(work).catch(refused),
    async write(work) {
      const value = await database.write(work).catch(refused)
      taken()
      return value
    },
  }
}
