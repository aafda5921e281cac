/** The list of leads: a page of it, how many there are, what the filters offer, and all of it as a file. */
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import {
  exactOptional,
  maxValue,
  minValue,
  nullable,
  number,
  object,
  picklist,
  pipe,
  safeInteger,
  string,
} from 'valibot'
import { campaignParameters, OTHER_CAMPAIGNS } from '../../../domain/campaign.ts'
import { createCalendar } from '../../../server/calendar.ts'
import { exportFormats, leadFormats } from '../../../server/export/lead-formats.ts'
import { describeError } from '../../../server/log.ts'
import type { FunnelLine } from '../../../server/store/funnel.ts'
import { type LeadsAnswer, type LeadsChoices, type LeadsCount, leadSorts } from '../../api/leads.ts'
import { filterBody, filterSchema, frozenAt, storeFilter } from '../leads/filter.ts'
import type { LeadFinder } from '../leads/finder.ts'
import { leadLine } from '../leads/lead-line.ts'
import { Refused } from '../refusal.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'

const PAGE = 50
const MOST_ON_A_PAGE = 200
const CHOICES_DAYS = 90
const MOST_CHOICES = 100

const pageBody = object({
  filter: filterSchema,
  sort: exactOptional(picklist(leadSorts)),
  after: exactOptional(nullable(string())),
  limit: exactOptional(pipe(number(), safeInteger(), minValue(1), maxValue(MOST_ON_A_PAGE))),
})

const exportBody = object({ filter: filterSchema, format: picklist(exportFormats) })

export function createLeadsRoutes(
  { config, store, reader, now, log }: DeskServices,
  finder: LeadFinder,
): Hono<DeskRequest> {
  /** A file that cannot be finished must not look as if it were. */
  function cutOff(context: Context, controller: ReadableStreamDefaultController, error: unknown): void {
    if (!(error instanceof Refused)) log('request_failed', describeError(error))
    const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>
    // Without a word: the server's library would write an error to the log with all that it holds.
    if (outgoing) outgoing.destroy()
    else controller.error(error)
  }

  return new Hono<DeskRequest>()
    .post('/search', jsonBody(pageBody), async context => {
      const { filter, sort = 'newest', after = null, limit = PAGE } = context.req.valid('json')
      const { leads, next, count } = await finder.page(storeFilter(filter), { sort, after, limit })
      return context.json<LeadsAnswer>({ leads: leads.map(leadLine), next, count })
    })
    .post('/count', jsonBody(filterBody), async context =>
      context.json<LeadsCount>(await finder.count(storeFilter(context.req.valid('json').filter))),
    )
    .get('/choices', async context => {
      const { timeZone } = config
      const calendar = createCalendar(timeZone)
      const until = calendar.dateOf(now())
      const days = { since: calendar.daysAfter(until, 1 - CHOICES_DAYS), until, timeZone }
      const lines = await reader.funnel({ ...days, by: ['page', 'campaign'] })
      return context.json<LeadsChoices>({
        pages: choicesOf(lines.page),
        campaigns: choicesOf(lines.campaign).filter(key => key !== OTHER_CAMPAIGNS),
      })
    })
    .post('/export', jsonBody(exportBody), async context => {
      const { filter, format: name } = context.req.valid('json')
      const calendar = createCalendar(config.timeZone)
      const parameters = [...new Set([...campaignParameters, ...config.campaignParameters])]
      const format = leadFormats[name](calendar, parameters)
      // Leads that come meanwhile are left out: an export of a busy store would else have no end.
      const chosen = frozenAt(storeFilter(filter), await reader.storeTime())
      const { total, exact } = await finder.count(chosen)
      const counted = exact ? total : await reader.count(chosen)
      const { name: by } = context.get('person')
      const sessionStands = context.get('sessionStands')
      // Before anything leaves. What was searched for is personal data and stays out of the record.
      const { search, ...recorded } = filter
      await store.recordExport({
        by,
        format: name,
        filter: JSON.stringify({ ...recorded, ...(search && { search: '(hidden)' }) }),
        leads: counted,
      })
      const batches = finder.batches(chosen)[Symbol.asyncIterator]()
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        start: controller => controller.enqueue(encoder.encode(format.head)),
        async pull(controller) {
          try {
            const { done, value: leads } = await batches.next()
            if (done) return controller.close()
            // Whoever is dismissed takes nothing more away, not even of a file that has begun.
            if (!(await sessionStands())) throw new Refused('not signed in', 'The session has ended.')
            controller.enqueue(encoder.encode(leads.map(format.line).join('')))
          } catch (error) {
            cutOff(context, controller, error)
          }
        },
        cancel: () => void batches.return?.(),
      })
      return context.body(body, 200, {
        'content-type': name === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
        'content-disposition': `attachment; filename="leads-${calendar.dateOf(now())}.${name}"`,
        'x-leads-total': String(counted),
      })
    })
}

/** Those that brought leads, the most first. */
function choicesOf(lines: readonly FunnelLine[]): readonly string[] {
  return lines
    .filter(({ submitted }) => submitted > 0)
    .toSorted((a, b) => b.submitted - a.submitted)
    .slice(0, MOST_CHOICES)
    .map(({ key }) => key)
}
