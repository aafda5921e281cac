/**
 * Says in the log why leads are refused while the store takes no writes: at once, then at most once a minute, and one
 * line when it is over. Whatever asks the store notices, a probe of /readyz included: no lead has to be lost for it.
 */
import type { Log } from '../log.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'
import { StoreNotOpenYet } from './opening-store.ts'

const MINUTE = 60_000

/** What the intake needs of the store. */
export type IntakeStore = Pick<Store, 'capture' | 'hasConsent' | 'hasQuestionnaire' | 'probe'>

interface WatchOptions {
  readonly log: Log
  /** Of a clock that never goes back. */
  readonly now?: () => number
}

export function watchRefusals(store: IntakeStore, { log, now = () => performance.now() }: WatchOptions): IntakeStore {
  let alertedAt = Number.NEGATIVE_INFINITY
  let refusing = false

  function refused(error: unknown): never {
    const isTrouble = error instanceof StoreUnavailable && !(error instanceof StoreNotOpenYet)
    if (isTrouble && now() - alertedAt >= MINUTE) {
      alertedAt = now()
      refusing = true
      log('leads_refused', { level: 'alert', reason: error.message })
    }
    throw error
  }

  /** Only a write tells that leads are taken again. */
  function taken<T>(value: T): T {
    if (refusing) {
      refusing = false
      log('leads_taken_again')
    }
    return value
  }

  return {
    capture: submission => store.capture(submission).then(taken, refused),
    hasConsent: version => store.hasConsent(version).catch(refused),
    hasQuestionnaire: version => store.hasQuestionnaire(version).catch(refused),
    probe: () => store.probe().then(taken, refused),
  }
}
