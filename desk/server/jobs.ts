/**
 * Bulk jobs: counted first, then run by this process, a few leads at a time, also if the page that started one is closed. If the
 * desk is restarted, the rest stays as it was, and the list shows it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import * as v from 'valibot'
import { HOUR } from '../../domain/durations.ts'
import { isClosed } from '../../domain/leads/hold-reasons.ts'
import { type BulkActionName, bulkAction, bulkActionNames } from '../../domain/leads/lead-actions.ts'
import { type LeadState, leadStates } from '../../domain/leads/lead-states.ts'
import { roleAllows } from '../../domain/roles.ts'
import { MAX_REASON_LENGTH } from '../../domain/text/text.ts'
import { describeError } from '../../server/process/log.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import type { DeskPerson } from '../../server/store/facts/desk-people.ts'
import { BATCH_PAUSE_MS } from '../../server/store/sql.ts'
import { StoreUnavailable } from '../../server/store/store-errors.ts'
import { timeAfterLeads } from '../../server/store/views/leads.ts'
import { MAX_COUNTED } from '../limits.ts'
import { ApiError } from './api-error.ts'
import { id, text } from './fields.ts'
import { changes, destinationsOf } from './leads/actions.ts'
import { filterBody, frozenAt, storeFilter } from './leads/filter.ts'
import type { LeadFinder } from './leads/finder.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'
import type { RouteServices } from './views.ts'

const selectedLead = v.object({ id, state: v.picklist(leadStates) })
const jobFields = {
  action: v.picklist(bulkActionNames),
  /** Selected leads with the state the user saw, or all leads that match the filter. */
  leads: v.union([v.object({ selected: v.pipe(v.array(selectedLead), v.maxLength(MAX_COUNTED)) }), filterBody]),
  /** Also resend leads that were already delivered. */
  again: v.exactOptional(v.boolean()),
  /** Why the leads are being rejected. */
  reason: v.exactOptional(text(MAX_REASON_LENGTH)),
}
const countBody = v.object(jobFields)
/** `frozenAt` comes from the count. Leads that arrived later are excluded. */
const jobBody = v.object({ ...jobFields, frozenAt: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) })

export function createJobRoutes(services: RouteServices, finder: LeadFinder) {
  const { config, reader, views } = services
  const calendar = createCalendar(config.timeZone)
  const jobs = createJobs(services)

  async function selectLeads(
    { action, leads, again = false }: v.InferOutput<typeof countBody>,
    frozen: number,
    { name }: DeskPerson,
  ) {
    if ('filter' in leads) await views.count(name, leads.filter)
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
      const { would, skipped, tooMany } = await selectLeads(context.req.valid('json'), frozen, context.get('person'))
      return context.json({ would: would.length, skipped, tooMany, frozenAt: frozen })
    })
    .post('/', jsonBody(jobBody), async context => {
      const { frozenAt: frozen, ...request } = context.req.valid('json')
      const { action, again = false, reason = '' } = request
      const asksReason = bulkAction(action).confirm?.asks === 'reason'
      if (asksReason && reason === '') throw new ApiError('bad request', 'Enter a reason.')
      const { would, skipped, tooMany } = await selectLeads(request, frozen, context.get('person'))
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
      return context.json(
        jobs.start({
          action,
          person: context.get('person'),
          leads: would,
          skipped,
          reason: asksReason ? reason : '',
          again,
        }),
      )
    })
    .get('/:id', context => {
      const job = jobs.find(context.req.param('id'))
      if (!job) throw new ApiError('not found', 'The desk was restarted. Reload the list to see what’s left.')
      return context.json(job)
    })
}

interface NewJob {
  readonly action: BulkActionName
  readonly person: DeskPerson
  /** Each lead with its state when the user selected it. */
  readonly leads: readonly { readonly id: string; readonly state: LeadState }[]
  /** Leads that were selected but left out from the start. */
  readonly skipped: number
  readonly reason: string
  readonly again: boolean
}

/** `changed`, `skipped` (the lead had changed, so the action no longer applied), and `failed` add up to `total` in the end. */
interface Job {
  readonly id: string
  readonly action: BulkActionName
  readonly total: number
  state: 'running' | 'done' | 'stopped'
  changed: number
  skipped: number
  failed: number
  /** Why it stopped early. */
  message: string | null
}

/** Small, because captures wait for each batch. */
const BATCH = 10
/** How long the result of a finished job can be read. */
const KEEP_MS = HOUR

function createJobs({ store, log, config }: DeskServices) {
  const jobs = new Map<string, Job>()

  /** Null if they may go on. */
  async function lostAccess({ id, name }: DeskPerson): Promise<string | null> {
    const person = (await store.deskPeople()).find(each => each.id === id)
    const isAllowed = person?.dismissedAt === null && roleAllows(person.role, 'editor')
    return isAllowed ? null : `${name} no longer has access, so the remaining leads weren’t changed.`
  }

  async function run(job: Job, { leads, person, reason, again }: NewJob): Promise<void> {
    const order = { by: person.name, reason, again, ...destinationsOf(config) }
    for (let start = 0; start < leads.length; start += BATCH) {
      job.message = await lostAccess(person)
      if (job.message !== null) return
      // In parallel, so they share a commit.
      const changed = await Promise.all(
        leads.slice(start, start + BATCH).map(async ({ id, state }) => {
          try {
            return (await changes[job.action](store, { ...order, ids: [id], seen: { [id]: { state } } })) > 0
          } catch (error) {
            if (error instanceof StoreUnavailable) throw error
            log('request_failed', describeError(error))
            return null
          }
        }),
      )
      job.changed += changed.filter(each => each === true).length
      job.skipped += changed.filter(each => each === false).length
      job.failed += changed.filter(each => each === null).length
      await sleep(BATCH_PAUSE_MS)
    }
  }

  return {
    find: (id: string) => jobs.get(id),
    start(order: NewJob): Job {
      const { action, leads, skipped } = order
      const counts = { total: leads.length + skipped, changed: 0, skipped, failed: 0 }
      const job: Job = { id: randomUUID(), action, state: 'running', message: null, ...counts }
      jobs.set(job.id, job)
      run(job, order)
        .catch(error => {
          job.message = 'The database can’t be reached. Repeat the action for the remaining leads later.'
          if (!(error instanceof StoreUnavailable)) log('request_failed', describeError(error))
        })
        .finally(() => {
          job.state = job.message === null ? 'done' : 'stopped'
          setTimeout(() => jobs.delete(job.id), KEEP_MS).unref()
        })
      return job
    },
  }
}
