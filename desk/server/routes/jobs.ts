/** Changes of many leads: counted first, then carried out behind the scenes and told of. */
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
import type { StoredJob } from '../../../server/store/bulk-jobs.ts'
import { type JobAnswer, type JobCount, jobActions } from '../../api/jobs.ts'
import { LONGEST_REASON } from '../../api/lead.ts'
import { MOST_COUNTED } from '../../api/leads.ts'
import { wouldHappenTo } from '../jobs/job-rules.ts'
import type { JobRunner } from '../jobs/job-runner.ts'
import { filterBody, frozenAt, storeFilter } from '../leads/filter.ts'
import type { LeadFinder } from '../leads/finder.ts'
import { Refused } from '../refusal.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'

const order = {
  action: picklist(jobActions),
  leads: union([object({ ids: pipe(array(pipe(string(), maxLength(40))), maxLength(MOST_COUNTED)) }), filterBody]),
  again: exactOptional(boolean()),
  reason: exactOptional(pipe(string(), trim(), maxLength(LONGEST_REASON))),
}
const countBody = object(order)
const jobBody = object({ ...order, frozenAt: pipe(number(), safeInteger(), minValue(0)) })

export function createJobRoutes(
  { store, reader }: DeskServices,
  finder: LeadFinder,
  runner: JobRunner,
): Hono<DeskRequest> {
  async function choose({ action, leads, again = false }: InferOutput<typeof countBody>, frozen: number) {
    const chosen = 'ids' in leads ? leads.ids : await finder.ids(frozenAt(storeFilter(leads.filter), frozen))
    const tooMany = chosen.length > MOST_COUNTED
    if (tooMany) return { would: [], skipped: 0, tooMany }
    const found = await reader.leadsWithIds(chosen)
    const able = found.filter(lead => wouldHappenTo(lead, { action, again, now: frozen })).map(({ id }) => id)
    // Whoever asked not to be called is sent to the webhook by a decision about that one lead, never among many.
    const listed = new Set(action === 'reject' ? [] : await reader.suppressedLeads(able))
    const would = able.filter(id => !listed.has(id))
    return { would, skipped: chosen.length - would.length, tooMany }
  }

  return new Hono<DeskRequest>()
    .post('/count', jsonBody(countBody), async context => {
      const now = await reader.storeTime()
      const { would, skipped, tooMany } = await choose(context.req.valid('json'), now)
      return context.json<JobCount>({ would: would.length, skipped, tooMany, frozenAt: now })
    })
    .post('/', jsonBody(jobBody), async context => {
      const { frozenAt: frozen, ...ordered } = context.req.valid('json')
      const { action, again = false, reason = '' } = ordered
      if (action === 'reject' && reason === '') throw new Refused('bad request', 'Say why they are rejected.')
      const { would, skipped, tooMany } = await choose(ordered, frozen)
      if (tooMany) {
        const most = MOST_COUNTED.toLocaleString('en-US')
        throw new Refused(
          'changed meanwhile',
          `One job changes ${most} leads at most. Narrow the list, and begin again.`,
        )
      }
      if (would.length === 0) {
        throw new Refused('changed meanwhile', 'None of these leads can be changed so any more. Load the list again.')
      }
      const { name: by } = context.get('person')
      const words = action === 'reject' ? reason : null
      const job = await store.startJob({ action, by, leadIds: would, skipped, reason: words, again })
      runner.wake()
      return context.json<JobAnswer>(jobAnswer(job))
    })
    .get('/:id', async context => {
      const job = await reader.job(context.req.param('id'))
      if (!job) throw new Refused('not found', 'There is no such job any more.')
      return context.json<JobAnswer>(jobAnswer(job))
    })
}

function jobAnswer({ message, ...job }: StoredJob): JobAnswer {
  const state = job.finishedAt === null ? 'running' : message === null ? 'done' : 'stopped'
  return { ...job, state, message }
}
