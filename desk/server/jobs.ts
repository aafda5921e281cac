/**
 * Bulk jobs: counted first, then run in the background, a few leads at a time. The store records their progress, so an
 * interrupted job resumes after a restart or in another desk. A lead that was changed right before the interruption
 * counts as skipped.
 */
import { setTimeout as sleep } from 'node:timers/promises'
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
import { isClosed } from '../../domain/hold-reasons.ts'
import { bulkAction, bulkActionNames } from '../../domain/lead-actions.ts'
import { leadStates } from '../../domain/lead-states.ts'
import { describeError } from '../../server/process/log.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import type { Config } from '../../server/settings/config.ts'
import type { JobOutcome, LeasedJob, StoredJob } from '../../server/store/leads/bulk-jobs.ts'
import { timeAfterLeads } from '../../server/store/leads/leads.ts'
import { BATCH_PAUSE_MS } from '../../server/store/sql.ts'
import type { Store } from '../../server/store/store.ts'
import { StoreUnavailable } from '../../server/store/store-errors.ts'
import { MAX_COUNTED, MAX_REASON_LENGTH } from '../limits.ts'
import { ApiError } from './api-error.ts'
import { changes, destinationsOf } from './leads/actions.ts'
import { filterBody, frozenAt, storeFilter } from './leads/filter.ts'
import type { LeadFinder } from './leads/finder.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const selectedLead = object({ id: pipe(string(), maxLength(40)), state: picklist(leadStates) })
const jobFields = {
  action: picklist(bulkActionNames),
  /** Selected leads with the state the user saw, or all leads that match the filter. */
  leads: union([object({ selected: pipe(array(selectedLead), maxLength(MAX_COUNTED)) }), filterBody]),
  /** Also resend leads that were already delivered. */
  again: exactOptional(boolean()),
  /** Why the leads are being rejected. */
  reason: exactOptional(pipe(string(), trim(), maxLength(MAX_REASON_LENGTH))),
}
const countBody = object(jobFields)
/** `frozenAt` comes from the count. Leads that arrived later are excluded. */
const jobBody = object({ ...jobFields, frozenAt: pipe(number(), safeInteger(), minValue(0)) })

export function createJobRoutes(services: DeskServices, finder: LeadFinder) {
  const { config, store, reader } = services
  const calendar = createCalendar(config.timeZone)
  const wakeRunner = startRunner(services)

  async function selectLeads({ action, leads, again = false }: InferOutput<typeof countBody>, frozen: number) {
    const seen = 'selected' in leads ? new Map(leads.selected.map(({ id, state }) => [id, state])) : null
    const ids =
      'filter' in leads
        ? await finder.ids(frozenAt(storeFilter(leads.filter, calendar), frozen))
        : leads.selected.map(({ id }) => id)
    const tooMany = ids.length > MAX_COUNTED
    if (tooMany) return { would: [], skipped: 0, tooMany }
    const { applies, bulk } = bulkAction(action)
    const onList = await reader.leadsOnDoNotCallList(ids)
    const found = await reader.leadsWithIds(ids)
    // Rejected leads are approved only if someone selects them or opens the list of rejected leads.
    const skipsRejected = 'filter' in leads && leads.filter.state !== 'rejected'
    const would = found.filter(({ id, state, heldReason, delivery }) => {
      // A colleague may have decided since the user selected it.
      if (seen && seen.get(id) !== state) return false
      if (skipsRejected && state === 'rejected') return false
      if (bulk.again && delivery?.state === 'delivered' && !again) return false
      const doNotCall = { email: onList.has(id), phone: onList.has(id) }
      const closed = isClosed({ state, heldReason }, onList.has(id))
      return applies({ state, delivery, doNotCall, isClosed: closed }, frozen)
    })
    return { would, skipped: ids.length - would.length, tooMany }
  }

  return new Hono<DeskRequest>()
    .post('/count', jsonBody(countBody), async context => {
      const frozen = await timeAfterLeads(reader)
      const { would, skipped, tooMany } = await selectLeads(context.req.valid('json'), frozen)
      return context.json({ would: would.length, skipped, tooMany, frozenAt: frozen })
    })
    .post('/', jsonBody(jobBody), async context => {
      const { frozenAt: frozen, ...request } = context.req.valid('json')
      const { action, again = false, reason = '' } = request
      const asksReason = bulkAction(action).confirm?.asks === 'reason'
      if (asksReason && reason === '') throw new ApiError('bad request', 'Enter a reason.')
      const { would, skipped, tooMany } = await selectLeads(request, frozen)
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
      const reasonIfAsked = asksReason ? reason : null
      const job = await store.startJob({ action, by, leads: would, skipped, reason: reasonIfAsked, again })
      wakeRunner()
      return context.json(jobResponse(job))
    })
    .get('/:id', async context => {
      const job = await reader.job(context.req.param('id'))
      if (!job) throw new ApiError('not found', 'This bulk action no longer exists.')
      return context.json(jobResponse(job))
    })
}

/** A `stopped` job couldn't continue; `message` says why. Restarting the desk only delays a job. */
function jobResponse({ message, ...job }: StoredJob) {
  const state: 'running' | 'done' | 'stopped' =
    job.finishedAt === null ? 'running' : message === null ? 'done' : 'stopped'
  return { ...job, state, message }
}

/** Longer than one batch takes. If a desk dies, another one takes over its job after this long. */
const LEASE_MS = 60_000
/** Poll interval: a stopped desk can leave a job behind, and nothing notifies us when its lease expires. */
const POLL_MS = 5000

/** Returns a function to call when there might be work. */
function startRunner({ store, log, config }: DeskServices): () => void {
  let isRunning = false
  const next = () => store.leaseJob({ leaseMs: LEASE_MS })

  async function run(): Promise<void> {
    for (let job = await next(); job; job = await next()) {
      if (job.leads.length === 0) await store.finishJob({ id: job.id, message: null })
      else if (job.starterRemoved) await store.finishJob({ id: job.id, message: accessRemoved(job.by) })
      else {
        await store.settleJobLeads({ jobId: job.id, outcomes: await runBatch(store, job, config) })
        await sleep(BATCH_PAUSE_MS)
      }
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

const accessRemoved = (by: string) => `${by} no longer has access, so the remaining leads weren’t changed.`

/** Runs the changes in parallel, so they share a commit. */
function runBatch(
  store: Store,
  { action, by, reason, again, leads }: LeasedJob,
  config: Pick<Config, 'webhookUrl' | 'callList'>,
) {
  const change = { by, reason: reason ?? '', again, ...destinationsOf(config) }
  return Promise.all(
    leads.map(async ({ id: leadId, state }) => {
      try {
        const seen = state === null ? {} : { [leadId]: { state } }
        const outcome: JobOutcome =
          (await changes[action](store, { ...change, ids: [leadId], seen })) > 0 ? 'changed' : 'skipped'
        return { leadId, outcome }
      } catch (error) {
        // No outcome was recorded, so the whole batch will be retried.
        if (error instanceof StoreUnavailable) throw error
        return { leadId, outcome: 'failed' as const }
      }
    }),
  )
}
