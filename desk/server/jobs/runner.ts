/**
 * Carries out bulk jobs, a few leads at a time. A job's progress is in the store, so that a job that was cut short goes on
 * after a restart or in another desk. A lead that was changed just before the restart counts as skipped.
 */
import { describeError, type Log } from '../../../server/log.ts'
import type { JobOutcome, LeasedJob } from '../../../server/store/bulk-jobs.ts'
import type { Store } from '../../../server/store/store.ts'
import { StoreUnavailable } from '../../../server/store/store-errors.ts'
import { changes } from '../leads/actions.ts'

/** Longer than a few leads take. If a desk is gone, another one takes over its job after this time. */
const LEASE_MS = 60_000
/** A job may be left over from a desk that was stopped: its lease ends later, and nobody says so. */
const POLL_MS = 5000

interface JobRunner {
  /** There may be something to do. */
  wake(): void
}

export function createJobRunner({ store, log }: { readonly store: Store; readonly log: Log }): JobRunner {
  let isRunning = false
  const next = () => store.leaseJob({ leaseMs: LEASE_MS })

  async function run(): Promise<void> {
    for (let job = await next(); job; job = await next()) {
      if (job.leadIds.length === 0) await store.finishJob({ id: job.id, message: null })
      else if (job.isDismissed) await store.finishJob({ id: job.id, message: dismissed(job.by) })
      else await store.settleJobLeads({ jobId: job.id, outcomes: await carryOut(store, job) })
    }
  }

  function wake(): void {
    if (isRunning) return
    isRunning = true
    run()
      .catch(error => {
        if (!(error instanceof StoreUnavailable)) log('request_failed', describeError(error))
      })
      .finally(() => {
        isRunning = false
      })
  }
  setInterval(wake, POLL_MS).unref()
  wake()
  return { wake }
}

const dismissed = (by: string) => `${by} no longer has access, so the remaining leads weren’t changed.`

/** All at once: they share a commit. */
function carryOut(store: Store, { action, by, reason, again, leadIds }: LeasedJob) {
  const order = { by, reason: reason ?? '', again, leaveOutSuppressed: true }
  return Promise.all(
    leadIds.map(async leadId => {
      try {
        const outcome: JobOutcome =
          (await changes[action](store, { ...order, ids: [leadId] })) > 0 ? 'changed' : 'skipped'
        return { leadId, outcome }
      } catch (error) {
        // Nothing is settled, and all of them are tried again.
        if (error instanceof StoreUnavailable) throw error
        return { leadId, outcome: 'failed' as const }
      }
    }),
  )
}
