/** To which leads a job would happen. The store decides once more when it comes to each of them. */
import type { LeadRecord } from '../../../server/store/lead-records.ts'
import type { JobAction } from '../../api/jobs.ts'

/** A delivery that is due within this time is on its way already. */
const ON_ITS_WAY_MS = 60_000

export interface JobTerms {
  readonly action: JobAction
  readonly again: boolean
  readonly now: number
}

export function wouldHappenTo({ state, delivery }: LeadRecord, { action, again, now }: JobTerms): boolean {
  if (action === 'release') return state === 'held' || state === 'rejected'
  if (action === 'reject') return state === 'held'
  if (!delivery || (state !== 'accepted' && state !== 'repeat')) return false
  if (delivery.state === 'delivered') return again
  return delivery.state === 'dead' || delivery.nextAt > now + ON_ITS_WAY_MS
}
