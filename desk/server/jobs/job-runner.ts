/**
 * Carries out jobs, a few leads at a time, until none is left. A job is in the store with what is done of it, so one that a
 * restart has cut short goes on here or in another desk. A lead that was changed in the moment of the restart counts as skipped.
 */
import { describeError, type Log } from '../../../server/log.ts'
import type { JobOutcome, LeasedJob } from '../../../server/store/bulk-jobs.ts'
import type { Store } from '../../../server/store/store.ts'
import { StoreUnavailable } from '../../../server/store/store-errors.ts'

/** Longer than a few leads take. When a desk is gone, another takes its job after this time. */
const LEASE_MS = 60_000
/** A job may be left over from a desk that was stopped: its lease ends later, and nobody says so. */
export const POLL_MS = 5000

type JobStore = Pick<Store, 'leaseJob' | 'settleJobLeads' | 'finishJob' | 'release' | 'reject' | 'redeliver'>

export interface JobRunner {
  /** There may be something to do. */
  wake(): void
}

export function createJobRunner({ store, log }: { readonly store: JobStore; readonly log: Log }): JobRunner {
  let running = false

  async function run(): Promise<void> {
    for (let job = await next(); job; job = await next()) {
      if (job.leadIds.length === 0) await store.finishJob({ id: job.id, message: null })
      else if (job.isDismissed) await store.finishJob({ id: job.id, message: dismissed(job.by) })
      else await store.settleJobLeads({ jobId: job.id, outcomes: await carryOut(store, job) })
    }
  }
  const next = () => store.leaseJob({ leaseMs: LEASE_MS })

  function wake(): void {
    if (running) return
    running = true
    run()
      .catch(error => {
        if (!(error instanceof StoreUnavailable)) log('request_failed', describeError(error))
      })
      .finally(() => {
        running = false
      })
  }
  setInterval(wake, POLL_MS).unref()
  wake()
  return { wake }
}

/** What they have ordered does not go on without them. */
const dismissed = (by: string) => `${by} was dismissed before it was done. What was done until then stays.`

/** At the same time: they share a trip to the disk. */
function carryOut(store: JobStore, job: LeasedJob) {
  const { action, by, reason, again } = job
  const change = (id: string): Promise<number> => {
    if (action === 'release') return store.release({ ids: [id], by })
    if (action === 'reject') return store.reject({ ids: [id], reason: reason ?? '', by })
    return store.redeliver({ ids: [id], by, again, leaveOutSuppressed: true })
  }
  return Promise.all(
    job.leadIds.map(async leadId => {
      try {
        const outcome: JobOutcome = (await change(leadId)) > 0 ? 'changed' : 'skipped'
        return { leadId, outcome }
      } catch (error) {
        // The store is away: nothing is settled, and all of them are tried again.
        if (error instanceof StoreUnavailable) throw error
        return { leadId, outcome: 'failed' as const }
      }
    }),
  )
}
