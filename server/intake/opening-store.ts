/** Stands in for the store while it is opened and checked: pages are served meanwhile, and leads are asked to come again. */
import { StoreUnavailable } from '../store/store-errors.ts'
import type { IntakeStore } from './refusal-watch.ts'

/** Nothing is wrong: the server has just started. */
export class StoreNotOpenYet extends StoreUnavailable {
  constructor() {
    super('the store is being opened.')
    this.name = 'StoreNotOpenYet'
  }
}

export interface OpeningStore {
  readonly store: IntakeStore
  /** From now on the real one is asked. */
  opened(store: IntakeStore): void
}

export function createOpeningStore(): OpeningStore {
  const notYet = () => Promise.reject(new StoreNotOpenYet())
  let current: IntakeStore = { capture: notYet, hasConsent: notYet, hasQuestionnaire: notYet, probe: notYet }
  return {
    store: {
      capture: submission => current.capture(submission),
      hasConsent: version => current.hasConsent(version),
      hasQuestionnaire: version => current.hasQuestionnaire(version),
      probe: () => current.probe(),
    },
    opened(store) {
      current = store
    },
  }
}
