/** Routes for the do-not-call list: search it, and add or remove someone who has no lead, or whose lead nobody has open. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { addDays } from '../../domain/dates.ts'
import {
  type DoNotCall,
  parseDoNotCall,
  removalNotice,
  type StopFilter,
  stopFilters,
  stopText,
} from '../../domain/do-not-call.ts'
import { formatPhone } from '../../domain/phone.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../server/export/formats.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { sendsEvents } from '../../server/settings/config.ts'
import { findKey } from '../../server/settings/installation-key.ts'
import type { EntryMark } from '../../server/store/do-not-call/requests.ts'
import { asOneRequest, contactOfEntry, type EntryRow } from '../../server/store/do-not-call/stops.ts'
import { ApiError } from './api-error.ts'
import { sendCsv } from './download.ts'
import { contact, day, id, reason } from './fields.ts'
import { enteredStop, listedEntry, removalRequest, undoDoNotCall, undoRemoval } from './leads/actions.ts'
import { jsonBody, query } from './request-body.ts'
import type { DeskRequest } from './services.ts'
import { idsOf, type RouteServices } from './views.ts'

const PAGE_SIZE = 100
const EXPORT_BATCH = 1000
/** For an address that many leads have. */
const MOST_NAMES = 9

/** How and when requests came in. */
const period = {
  source: v.exactOptional(v.picklist(Object.keys(stopFilters) as [StopFilter, ...StopFilter[]])),
  since: v.exactOptional(day),
  /** The last day. */
  until: v.exactOptional(day),
}
const filter = v.object({ search: contact, ...period })
type Filter = v.InferOutput<typeof filter>
const searchBody = v.object({
  ...filter.entries,
  after: v.exactOptional(v.nullable(v.object({ at: v.number(), entry: contact }))),
})
/** One person's: a session in the wrong hands can't stop all calling in a few requests. */
const addBody = v.object({ contact, asked: v.optional(enteredStop, { source: 'desk' }) })
const undoBody = v.object({ requestId: id })
/** Selected entries, or all that match the filter. */
const takeBackBody = v.object({
  entries: v.exactOptional(v.pipe(v.array(contact), v.maxLength(PAGE_SIZE))),
  ...filter.entries,
  reason,
})
/** As listed. */
const entries = v.pipe(v.array(listedEntry), v.minLength(1), v.maxLength(PAGE_SIZE))
const removeBody = v.object({ entries, request: removalRequest })
const restoreBody = v.object({ entries })

export function createDoNotCallRoutes(services: RouteServices) {
  const { config, store, reader, now, views } = services
  const calendar = createCalendar(config.timeZone)
  const toldOrNot = sendsEvents(config) ? ' and will be told not to call.' : '. Stop calls there, too.'
  const periodOf = ({ since, until, ...rest }: Filter) => ({
    ...rest,
    since: since === undefined ? undefined : calendar.startOf(since),
    until: until === undefined ? undefined : calendar.startOf(addDays(until, 1)),
  })

  /** After a stop: about the leads that the CRM is told of. */
  async function crmNotice(told: readonly string[]) {
    if (told.length === 0) return null
    const sent = await store.sentToCrm(told)
    const has = told.every(id => sent.get(id) === 'yes') ? 'has' : 'may have'
    return `Your CRM ${has} this person’s lead${toldOrNot}`
  }

  /** Everyone on the numbers, or else with the address. */
  async function peopleOf(entries: readonly string[]) {
    const phones = entries.filter(entry => !entry.includes('@'))
    const people = (await Promise.all(phones.map(reader.peopleWithNumber))).flat()
    if (people.length > 0) return named(people)
    const emails = entries.filter(entry => entry.includes('@'))
    const leads = await Promise.all(
      emails.map(email => reader.page({ filter: { email }, order: 'newest first', limit: MOST_NAMES, after: null })),
    )
    return named(leads.flat().map(({ id: leadId, ...lead }) => ({ ...lead, leadId })))
  }

  return (
    new Hono<DeskRequest>()
      .post('/search', jsonBody(searchBody), async context => {
        const { after = null, ...chosen } = context.req.valid('json')
        const wanted = periodOf(chosen)
        const { requests, next } = await reader.stopRequests({ ...wanted, before: after, limit: PAGE_SIZE })
        const entries = requests.flatMap(request => request.entries)
        const own = await reader.ownEntries({ entries, key: findKey(config) })
        const people = await Promise.all(requests.map(request => peopleOf(request.entries)))
        await views.list(context.get('person').name, [...entries, ...people.flatMap(idsOf)])
        return context.json({
          /** How many match, with the first page. */
          total: after === null ? await reader.countStopRequests(wanted) : null,
          requests: requests.map(({ id, at, askedOn, by, source, entries: covered }, index) => ({
            id,
            entries: covered.map(entry => ({
              entry,
              shown: entry.includes('@') ? entry : formatPhone(entry),
              /** The person has or had a lead, or someone else confirmed it: removed one at a time, with who asked. */
              isOwn: own.has(entry),
            })),
            /** Who asked, as far as we know. */
            people: people[index] ?? [],
            at,
            /** A person; null if nobody here added it. */
            by: source === 'web' || source === 'crm' ? null : by,
            /** How it came in; null if that's not known. */
            how: source && stopText(source, askedOn),
          })),
          next,
        })
      })
      /** Without the search, which is personal data and would be in the URL. */
      .get('/export', query(v.object(period)), async context => {
        const chosen = context.req.valid('query')
        const wanted = periodOf({ search: '', ...chosen })
        await store.recordExport({
          by: context.get('person').name,
          format: 'csv',
          filter: JSON.stringify({ list: 'do-not-call', ...chosen }),
          leads: await reader.countStopRequests(wanted),
        })
        async function* lines() {
          yield BYTE_ORDER_MARK + csvLine(['Phone or email', 'Added', 'How it came in', 'Added by'])
          for (let before: EntryMark | null = null; ; ) {
            const page: readonly EntryRow[] = await reader.newestEntries({ ...wanted, before, limit: EXPORT_BATCH })
            for (const { entry, at, source, askedOn, by } of page)
              yield csvLine([entry, calendar.iso(at), source && stopText(source, askedOn), by])
            if (page.length < EXPORT_BATCH) return
            before = page.at(-1) ?? null
          }
        }
        return sendCsv(services, context, { name: `do-not-call-${calendar.dateOf(now())}.csv`, pieces: lines() })
      })
      .post('/', jsonBody(addBody), async context => {
        const { contact: typed, asked } = context.req.valid('json')
        const { requestId, contacts } = asOneRequest([contactIn(typed)])
        const { added, told } = await store.addToDoNotCall({ contacts, by: context.get('person').name, ...asked })
        /** Null if it was on the list. */
        return context.json({ requestId: added.length > 0 ? requestId : null, notice: await crmNotice(told) })
      })
      .post('/undo', jsonBody(undoBody), async context => {
        const { requestId } = context.req.valid('json')
        const notice = await undoDoNotCall(services, { requestId, by: context.get('person').name })
        return context.json({ notice })
      })
      .post('/take-back', jsonBody(takeBackBody), async context => {
        const { entries, reason: why, ...chosen } = context.req.valid('json')
        if (!entries && chosen.source === undefined)
          throw new ApiError('bad request', 'Choose how the entries came in.')
        const order = { by: context.get('person').name, reason: why, key: findKey(config) }
        const removed = await store.takeBackEntries({ ...order, chosen: entries ?? periodOf(chosen) })
        return context.json({ removed: removed.length })
      })
      .post('/remove', jsonBody(removeBody), async context => {
        const { entries, request } = context.req.valid('json')
        const by = context.get('person').name
        const order = { contacts: entries.map(contactOfEntry), by, request, source: 'desk' as const }
        const { removed, crm } = await store.removeFromDoNotCall(order)
        if (removed.length === 0)
          throw new ApiError('conflict', 'This entry is no longer on the list. A colleague may have removed it.')
        return context.json({ notice: removalNotice(crm) })
      })
      .post('/restore', jsonBody(restoreBody), async context => {
        const contacts = context.req.valid('json').entries.map(contactOfEntry)
        await undoRemoval(store, { contacts, by: context.get('person').name })
        return context.json({})
      })
  )
}

interface Named {
  readonly leadId: string
  readonly firstName: string | null
  readonly lastName: string | null
}

/** Each name once. */
function named(people: readonly Named[]): readonly Named[] {
  const byName = new Map(
    people.map(({ leadId, firstName, lastName }) => [`${firstName} ${lastName}`, { leadId, firstName, lastName }]),
  )
  return [...byName.values()]
}

function contactIn(typed: string): DoNotCall {
  const contact = parseDoNotCall(typed)
  if (contact === null) throw new ApiError('bad request', 'Enter a US phone number with 10 digits or an email address.')
  return contact
}
