/**
 * Erases leads that are older than LEAD_RETENTION_DAYS, a few at a time, with the same remains as an erasure by hand. Of several
 * servers on one store, one does it at a time.
 */
import type { Store } from '../store/store.ts'

const DAY = 24 * 60 * 60 * 1000
/** Few enough that captures, which wait meanwhile, hardly notice. */
const BATCH = 20

export interface RetentionOptions {
  readonly store: Pick<Store, 'eraseBefore'>
  readonly days: number
  readonly key: string
  readonly now: () => number
  /** Lets others have the store between two batches. */
  readonly pause: () => Promise<void>
}

/** Once through all that is too old. Answers with how many leads were erased. */
export async function eraseOldLeads({ store, days, key, now, pause }: RetentionOptions): Promise<number> {
  const before = now() - days * DAY
  let total = 0
  for (let after = ''; ; ) {
    const { leads, last } = await store.eraseBefore({ before, after, limit: BATCH, key })
    total += leads
    if (last === null) return total
    after = last
    await pause()
  }
}
