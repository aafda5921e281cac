/**
 * Bulk jobs: counted first, then carried out in the background, a few leads at a time. A job's progress is in the store, so
 * that an interrupted job resumes after a restart or in another desk. A lead that was changed just before the restart
 * counts as skipped.
 */
import { Hono } from 'hono'
import {
  array,
  boolean,
  exactOptional,
  type InferOutput,
  maxLength,
  minValue,
  number,
  object,
  picklist,
  pipe,
  safeInteger,
  string,
  trim,
  union,
} from 'valibot'
import { bulkAction, bulkActionNames } from '../../domain/lead-actions.ts'
import { createCalendar } from '../../server/calendar.ts'
import { describeError } from '../../server/log.ts'
import type { JobOutcome, LeasedJob, StoredJob } from '../../server/store/bulk-jobs.ts'
import type { Store } from '../../server/store/store.ts'
import { StoreUnavailable } from '../../server/store/store-errors.ts'
import { MAX_COUNTED, MAX_REASON_LENGTH } from '../limits.ts'
import { ApiError } from './api-error.ts'
import { changes } from './leads/actions.ts'
import { filterBody, frozenAt, storeFilter } from './leads/filter.ts'
import type { LeadFinder } from './leads/finder.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const order = {
  action: picklist(bulkActionNames),
  /** The selection, or everything that the filter finds. */
  leads: union([object({ ids: pipe(array(pipe(string(), maxLength(40))), maxLength(MAX_COUNTED)) }), filterBody]),
  /** Also resend leads that were delivered. */
  again: exactOptional(boolean()),
  /** For a rejection. */
  reason: exactOptional(pipe(string(), trim(), maxLength(MAX_REASON_LENGTH))),
}
const countBody = object(order)
/** `frozenAt` comes from the count: leads that arrived later are left out. */
const jobBody = object({ ...order, frozenAt: pipe(number(), safeInteger(), minValue(0)) })

export function createJobRoutes(services: DeskServices, finder: LeadFinder) {
  const { config, store, reader } = services
  const calendar = createCalendar(config.timeZone)
  const wakeRunner = startRunner(services)

  async function choose({ action, leads, again = false }: InferOutput<typeof countBody>, frozen: number) {
    const chosen = 'ids' in leads ? leads.ids : await finder.ids(frozenAt(storeFilter(leads.filter, calendar), frozen))
    const tooMany = chosen.length > MAX_COUNTED
    if (tooMany) return { would: [], skipped: 0, tooMany }
    const { applies, bulk, confirm } = bulkAction(action)
    const listed = new Set(confirm?.sends ? await reader.suppressedLeads(chosen) : [])
    const found = await reader.leadsWithIds(chosen)
    const would = found.filter(({ id, state, delivery }) => {
      // If someone asked not to be called, their lead is sent only if an editor decides on that one lead, never in bulk.
      if (listed.has(id) || (bulk.again && delivery?.state === 'delivered' && !again)) return false
      return applies({ state, delivery, doNotCall: { email: false, phone: false } }, frozen)
    })
    return { would: would.map(({ id }) => id), skipped: chosen.length - would.length, tooMany }
  }

  return new Hono<DeskRequest>()
    .post('/count', jsonBody(countBody), async context => {
      const now = await reader.storeTime()
      const { would, skipped, tooMany } = await choose(context.req.valid('json'), now)
      return context.json({ would: would.length, skipped, tooMany, frozenAt: now })
    })
    .post('/', jsonBody(jobBody), async context => {
      const { frozenAt: frozen, ...ordered } = context.req.valid('json')
      const { action, again = false, reason = '' } = ordered
      const asksReason = bulkAction(action).confirm?.asks === 'reason'
      if (asksReason && reason === '') throw new ApiError('bad request', 'Enter a reason.')
      const { would, skipped, tooMany } = await choose(ordered, frozen)
      if (tooMany) {
        const limit = MAX_COUNTED.toLocaleString('en-US')
        throw new ApiError(
          'conflict',
          `Bulk actions are limited to ${limit} leads. Filter the list (by date, for example) and work in batches.`,
        )
      }
      if (would.length === 0) {
        throw new ApiError('conflict', 'This no longer applies to any of these leads. Reload the list.')
      }
      const { name: by } = context.get('person')
      const kept = asksReason ? reason : null
      const job = await store.startJob({ action, by, leadIds: would, skipped, reason: kept, again })
      wakeRunner()
      return context.json(jobAnswer(job))
    })
    .get('/:id', async context => {
      const job = await reader.job(context.req.param('id'))
      if (!job) throw new ApiError('not found', 'This bulk action is no longer on file.')
      return context.json(jobAnswer(job))
    })
}

/** `stopped`: it couldn't continue, and `message` says why. Restarting the desk only delays a job. */
function jobAnswer({ message, ...job }: StoredJob) {
  const state: 'running' | 'done' | 'stopped' =
    job.finishedAt === null ? 'running' : message === null ? 'done' : 'stopped'
  return { ...job, state, message }
}

/** Longer than a few leads take. If a desk is gone, another one takes over its job after this time. */
const LEASE_MS = 60_000
/** Poll interval: a stopped desk can leave a job behind, and nothing notifies us when its lease ends. */
const POLL_MS = 5000

/** Returns a function to call when there might be work. */
function startRunner({ store, log }: DeskServices): () => void {
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
  return wake
}

const dismissed = (by: string) => `${by} no longer has access, so the remaining leads weren’t changed.`

/** All in parallel, so that they share a commit. */
function carryOut(store: Store, { action, by, reason, again, leadIds }: LeasedJob) {
  const order = { by, reason: reason ?? '', again, leaveOutSuppressed: true }
  return Promise.all(
    leadIds.map(async leadId => {
      try {
        const outcome: JobOutcome =
          (await changes[action](store, { ...order, ids: [leadId] })) > 0 ? 'changed' : 'skipped'
        return { leadId, outcome }
      } catch (error) {
        // Nothing was recorded, so all of them are tried again.
        if (error instanceof StoreUnavailable) throw error
        return { leadId, outcome: 'failed' as const }
      }
    }),
  )
}
