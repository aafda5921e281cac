/** Routes for leads: the list with its count and filters, exports, one lead with its actions, and the contact record. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { campaignParameters, OTHER_CAMPAIGNS } from '../../../domain/campaigns/campaign.ts'
import { roleAllows } from '../../../domain/roles.ts'
import { forPeople } from '../../../server/export/formats.ts'
import { csvFormat } from '../../../server/export/lead-formats.ts'
import { contactRecordOf, leadsInRecord } from '../../../server/record/contact-record.ts'
import { recordPage, recordPolicy } from '../../../server/record/record-page.ts'
import { createCalendar } from '../../../server/settings/calendar.ts'
import { sendsEvents } from '../../../server/settings/config.ts'
import { installationKey } from '../../../server/settings/installation-key.ts'
import type { FunnelLine } from '../../../server/store/views/funnel.ts'
import { timeAfterLeads } from '../../../server/store/views/leads.ts'
import { leadSorts } from '../../limits.ts'
import { ApiError } from '../api-error.ts'
import { sendCsv } from '../download.ts'
import { jsonBody, query } from '../request-body.ts'
import { type DeskRequest, showsCalls } from '../services.ts'
import type { RouteServices } from '../views.ts'
import { actionBody, performAction } from './actions.ts'
import { correct, correctionBody } from './correction.ts'
import { filterBody, filterSchema, frozenAt, storeFilter } from './filter.ts'
import type { LeadFinder } from './finder.ts'
import { leadLines, readLead } from './lead.ts'

const PAGE_SIZE = 50
const MAX_PER_PAGE = 200
const CHOICES_DAYS = 90
const MAX_CHOICES = 100

const LEAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const pageBody = v.object({
  filter: filterSchema,
  sort: v.exactOptional(v.picklist(leadSorts)),
  /** `next` from the previous page. */
  after: v.exactOptional(v.nullable(v.string())),
  limit: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_PER_PAGE))),
})

/** `refresh`: an open page is refreshing itself, which isn't another view. */
const viewQuery = v.object({ refresh: v.exactOptional(v.string()) })

export function createLeadRoutes(services: RouteServices, finder: LeadFinder) {
  const { config, store, reader, site, now, views } = services
  const calendar = createCalendar(config.timeZone)

  /** Records the view before anything is shown. */
  async function leadFor(id: string, person: DeskRequest['Variables']['person']) {
    if (LEAD_ID.test(id)) await views.refresh(person.name, id)
    const request = {
      id,
      person,
      now: await reader.storeTime(),
      callList: await showsCalls({ config, reader }),
      calls: site().copy.calls,
      sendsEvents: sendsEvents(config),
    }
    const lead = LEAD_ID.test(id) ? await readLead(reader, request) : null
    if (!lead) throw noSuchLead()
    await views.list(person.name, shownIn(lead.others))
    return lead
  }

  return new Hono<DeskRequest>()
    .post('/search', jsonBody(pageBody), async context => {
      const { filter, sort = 'newest', after = null, limit = PAGE_SIZE } = context.req.valid('json')
      const at = await reader.storeTime()
      const { leads, next, count } = await finder.page(storeFilter(filter, calendar, at), { sort, after, limit })
      await views.list(context.get('person').name, shownIn(leads))
      return context.json({
        leads: await leadLines(reader, leads, await showsCalls({ config, reader })),
        next,
        count,
        at,
      })
    })
    .post('/count', jsonBody(filterBody), async context => {
      const { filter } = context.req.valid('json')
      await views.count(context.get('person').name, filter)
      return context.json(await finder.count(storeFilter(filter, calendar, now())))
    })
    .get('/lists', async context => {
      const [held, { pending, dead }] = await Promise.all([reader.count({ state: 'held' }), reader.backlog()])
      return context.json({ held, pending, dead })
    })
    .get('/choices', async context => {
      const until = calendar.dateOf(now())
      const since = calendar.daysAfter(until, 1 - CHOICES_DAYS)
      const lines = await reader.funnel({ since, until, timeZone: config.timeZone, by: ['page', 'campaign'] })
      return context.json({
        pages: choicesOf(lines.page),
        campaigns: choicesOf(lines.campaign).filter(key => key !== OTHER_CAMPAIGNS),
        /** Who may have called leads, also before they left or became a viewer. */
        agents: (await reader.deskPeople()).map(({ id, name }) => ({ id, name })),
      })
    })
    .post('/export', jsonBody(filterBody), async context => {
      const { filter } = context.req.valid('json')
      const parameters = [...new Set([...campaignParameters, ...config.campaignParameters])]
      const format = csvFormat(forPeople(calendar), parameters)
      // Exclude leads that arrive from now on; otherwise, the export might never end on a busy day.
      const frozenFilter = frozenAt(storeFilter(filter, calendar), await timeAfterLeads(reader))
      const { total, exact } = await finder.count(frozenFilter)
      const leads = exact ? total : await reader.count(frozenFilter)
      // Record the export before sending anything, but leave out the search text, which is personal data.
      const { search, ...recorded } = filter
      await store.recordExport({
        by: context.get('person').name,
        format: 'csv',
        filter: JSON.stringify({ ...recorded, ...(search && { search: '(hidden)' }) }),
        leads,
      })
      async function* lines() {
        yield format.head
        for await (const batch of finder.batches(frozenFilter)) yield await format.lines(reader, batch)
      }
      return sendCsv(services, context, { name: `leads-${calendar.dateOf(now())}.csv`, pieces: lines() })
    })
    .get('/:id/record', async context => {
      const lead = await reader.find(context.req.param('id'))
      if (lead === null) throw noSuchLead()
      const { name, role } = context.get('person')
      const isSaved = context.req.query('save') !== undefined
      const key = await installationKey(config, store, { signing: true })
      const leads = await leadsInRecord(reader, lead.id, key)
      await views.open(name, leads.shown)
      if (isSaved) await store.recordDownload({ leadId: lead.id, by: name })
      const withDevices = roleAllows(role, 'editor')
      const { headlines } = site().copy
      const record = await contactRecordOf(reader, { ...leads, at: now(), by: name, calendar, withDevices, headlines })
      return context.body(recordPage(record, key), 200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': recordPolicy,
        ...(isSaved && { 'content-disposition': `attachment; filename="contact-record-${lead.id}.html"` }),
      })
    })
    .get('/:id', query(viewQuery), async context => {
      const id = context.req.param('id')
      const person = context.get('person')
      const isRefresh = context.req.valid('query').refresh !== undefined
      if (!isRefresh && LEAD_ID.test(id)) await views.open(person.name, [id])
      return context.json(await leadFor(id, person))
    })
    .post('/:id/actions', jsonBody(actionBody), async context => {
      const person = context.get('person')
      const id = context.req.param('id')
      const lead = LEAD_ID.test(id) ? await store.find(id) : null
      if (!lead) throw noSuchLead()
      const done = await performAction(services, lead, context.req.valid('json'), person)
      return context.json({ lead: await leadFor(id, person), ...done })
    })
    .post('/:id/correction', jsonBody(correctionBody), async context => {
      const person = context.get('person')
      const id = context.req.param('id')
      const lead = LEAD_ID.test(id) ? await store.find(id) : null
      if (!lead) throw noSuchLead()
      const corrected = await correct(services, lead, context.req.valid('json'), person)
      const { errors, isHeld, leadId } =
        'errors' in corrected ? { ...corrected, isHeld: false, leadId: id } : { ...corrected, errors: null }
      /** With another number, another lead takes its place. `isHeld`: someone has to approve it. */
      return context.json({ errors, isHeld, lead: await leadFor(leadId, person) })
    })
}

/** Leads that still have a number. */
const shownIn = (leads: readonly { readonly id: string; readonly phone: string | null }[]) =>
  leads.filter(({ phone }) => phone !== null).map(({ id }) => id)

const noSuchLead = () => new ApiError('not found', 'Lead not found. Try searching by name.')

/** Pages or campaigns that brought in leads, most leads first. */
function choicesOf(lines: readonly FunnelLine[]): readonly string[] {
  return lines
    .filter(({ submitted }) => submitted > 0)
    .toSorted((a, b) => b.submitted - a.submitted)
    .slice(0, MAX_CHOICES)
    .map(({ key }) => key)
}
