/** Routes for the do-not-call list: search it, and add or remove someone who has no lead, or whose lead nobody has open. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { formatPhone } from '../../domain/contact/phone.ts'
import { addDays, isCalendarDate } from '../../domain/dates.ts'
import {
  type DoNotCall,
  parseDoNotCall,
  removalNotice,
  type StopFilter,
  stopFilters,
  stopText,
} from '../../domain/do-not-call/do-not-call.ts'
import { type DeskRole, roleAllows } from '../../domain/roles.ts'
import { BYTE_ORDER_MARK, csvLine, timeHeading } from '../../server/export/formats.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { sendsEvents } from '../../server/settings/config.ts'
import { findKey } from '../../server/settings/installation-key.ts'
import { asOneRequest, contactOfEntry, type EntryRow } from '../../server/store/facts/do-not-call/stops.ts'
import type { EntryMark } from '../../server/store/views/do-not-call-list.ts'
import { ApiError } from './api-error.ts'
import { sendCsv } from './download.ts'
import { contact, day, id, reason, text } from './fields.ts'
import { enteredStop, listedEntry, removalRequest, undoDoNotCall, undoRemoval } from './leads/actions.ts'
import { jsonBody, query } from './request-body.ts'
import type { DeskRequest } from './services.ts'
import { idsOf, type RouteServices } from './views.ts'

const PAGE_SIZE = 100
const EXPORT_BATCH = 1000
/** For an address that many leads have. */
const MOST_NAMES = 9
const MAX_NAME = 100
const MAX_ENTRY = 320
/** Named one by one before they're taken back; all others stay. */
const MAX_STAYING = 200

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
/** What came in from the website, or one person's work. `since`: in the office's time zone, such as 2030-01-31T09:30. */
const work = v.object({
  person: v.nullable(text(MAX_NAME)),
  since: v.pipe(
    v.string(),
    v.regex(/^.{10}T([01]\d|2[0-3]):[0-5]\d$/),
    v.check(time => isCalendarDate(time.slice(0, 10))),
  ),
})
const ids = v.array(v.pipe(v.string(), v.maxLength(MAX_ENTRY)))
const takeBackBody = v.object({
  chosen: v.union([
    v.object({ requests: v.pipe(ids, v.minLength(1), v.maxLength(PAGE_SIZE)) }),
    /** `until`: from the preview. What came in later wasn't on it. */
    v.object({ ...work.entries, until: v.number() }),
  ]),
  /** Requests that go, too, although there's a reason to keep them. */
  also: v.pipe(ids, v.maxLength(MAX_STAYING)),
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

  /** After a stop: about the leads that the CRM is told of. Agents have no access to it. */
  async function crmNotice(told: readonly string[], role: DeskRole) {
    if (told.length === 0) return null
    if (!roleAllows(role, 'editor')) return sendsEvents(config) ? null : 'Your manager will tell the CRM.'
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
        const { after = null, ...matching } = context.req.valid('json')
        const wanted = periodOf(matching)
        const { requests, next } = await reader.stopRequests({ ...wanted, before: after, limit: PAGE_SIZE })
        const entries = requests.flatMap(request => request.entries)
        const chosen = { requests: requests.map(({ id }) => id) }
        const known = await reader.requestsToTakeBack({ chosen, key: findKey(config) })
        const strangers = new Set(known.filter(({ stays }) => stays === null).map(({ id }) => id))
        const people = await Promise.all(requests.map(request => peopleOf(request.entries)))
        await views.list(context.get('person').name, [...entries, ...people.flatMap(idsOf)])
        return context.json({
          /** How many match, with the first page. */
          total: after === null ? await reader.countStopRequests(wanted) : null,
          requests: requests.map(({ id, at, askedOn, by, source, entries: covered }, index) => ({
            id,
            entries: covered.map(entry => ({ entry, shown: shown(entry) })),
            /** The person has or had a lead, or someone else confirmed it: removed one at a time, with who asked. */
            isOwn: !strangers.has(id),
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
          const added = timeHeading('Added', calendar)
          yield BYTE_ORDER_MARK + csvLine(['Request', 'Entry (phone or email)', added, 'How it came in', 'Added by'])
          // The last number is the count of requests on the page and in the log.
          const numbers = new Map<string, number>()
          let last = 0
          for (let before: EntryMark | null = null; ; ) {
            const page: readonly EntryRow[] = await reader.newestEntries({ ...wanted, before, limit: EXPORT_BATCH })
            for (const { entry, requestId, at, source, askedOn, by } of page) {
              const number = (requestId === null ? undefined : numbers.get(requestId)) ?? ++last
              if (requestId !== null) numbers.set(requestId, number)
              yield csvLine([number, entry, calendar.withoutZone(at), source && stopText(source, askedOn), by])
            }
            if (page.length < EXPORT_BATCH) return
            before = page.at(-1) ?? null
          }
        }
        return sendCsv(services, context, { name: `do-not-call-${calendar.dateOf(now())}.csv`, pieces: lines() })
      })
      .post('/', jsonBody(addBody), async context => {
        const { contact: typed, asked } = context.req.valid('json')
        const { requestId, contacts } = asOneRequest([contactIn(typed)])
        const { name: by, role } = context.get('person')
        const { added, told } = await store.addToDoNotCall({ contacts, by, ...asked })
        /** Null if it was on the list. */
        return context.json({ requestId: added.length > 0 ? requestId : null, notice: await crmNotice(told, role) })
      })
      .post('/undo', jsonBody(undoBody), async context => {
        const { requestId } = context.req.valid('json')
        const { name: by, role } = context.get('person')
        const notice = await undoDoNotCall(services, { requestId, by }, role)
        return context.json({ notice })
      })
      /** Whose work can be taken back. */
      .get('/colleagues', async context => {
        const names = await reader.changedListBy()
        return context.json({ names: names.filter(name => name !== 'website' && name !== 'CRM') })
      })
      .post('/take-back/preview', jsonBody(work), async context => {
        const { person, since } = context.req.valid('json')
        const until = (await store.storeTime()) + 1
        const chosen = { person, since: calendar.instantOf(since), until }
        const requests = await reader.requestsToTakeBack({ chosen, key: findKey(config) })
        const staying = requests.filter(({ stays }) => stays !== null)
        const named = staying.slice(0, MAX_STAYING)
        await views.list(
          context.get('person').name,
          named.flatMap(request => request.entries),
        )
        return context.json({
          until,
          going: requests.length - staying.length,
          /** Entries that this person removed, to put back. */
          restored: person === null ? 0 : await reader.countRemovalsBy({ ...chosen, removedBy: person, by: '' }),
          staying: named.map(({ id, at, entries: covered, source, askedOn, stays }) => ({
            id,
            at,
            entries: covered.map(shown),
            how: source && stopText(source, askedOn),
            why: stays,
          })),
          /** Not named. */
          more: staying.length - named.length,
        })
      })
      .post('/take-back', jsonBody(takeBackBody), async context => {
        const { chosen, also, reason: why } = context.req.valid('json')
        const order = { by: context.get('person').name, reason: why }
        if ('requests' in chosen) {
          const { removed, crm } = await store.takeBackRequests({ ...order, chosen, also: [], key: findKey(config) })
          return context.json({
            removed: removed.length,
            restored: 0,
            notice: removalNotice(crm, context.get('person').role),
          })
        }
        const { person, until } = chosen
        const period = { person, since: calendar.instantOf(chosen.since), until }
        // First what they removed, so what was on the list before isn't taken for theirs.
        const { restored } =
          person === null ? { restored: [] } : await store.restoreRemovals({ ...order, ...period, removedBy: person })
        // What came in from the website is a stranger's, or removed at someone's request.
        const allowed = person === null ? [] : also
        const taken = { ...order, chosen: period, also: allowed, key: findKey(config) }
        const { removed, crm } = await store.takeBackRequests(taken)
        return context.json({
          removed: removed.length,
          restored: restored.length,
          notice: removalNotice(crm, context.get('person').role),
        })
      })
      .post('/remove', jsonBody(removeBody), async context => {
        const { entries, request } = context.req.valid('json')
        const by = context.get('person').name
        const order = { contacts: entries.map(contactOfEntry), by, request, source: 'desk' as const }
        const { removed, crm } = await store.removeFromDoNotCall(order)
        if (removed.length === 0)
          throw new ApiError('conflict', 'This entry is no longer on the list. A colleague may have removed it.')
        return context.json({ notice: removalNotice(crm, context.get('person').role) })
      })
      .post('/restore', jsonBody(restoreBody), async context => {
        const contacts = context.req.valid('json').entries.map(contactOfEntry)
        await undoRemoval(store, { contacts, by: context.get('person').name })
        return context.json({})
      })
  )
}

const shown = (entry: string) => (entry.includes('@') ? entry : formatPhone(entry))

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
