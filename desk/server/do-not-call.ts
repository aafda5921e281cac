/** Routes for the do-not-call list: search it, and add or remove someone who has no lead, or whose lead nobody has open. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { addDays } from '../../domain/dates.ts'
import { parseDoNotCall, removalNotice, type StopSource, stopSources, stopText } from '../../domain/do-not-call.ts'
import { formatPhone } from '../../domain/phone.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { sendsEvents } from '../../server/settings/config.ts'
import { findKey } from '../../server/settings/installation-key.ts'
import { contactOfEntry } from '../../server/store/do-not-call/stops.ts'
import { ApiError } from './api-error.ts'
import { contact, day, reason } from './fields.ts'
import { enteredStop, listedEntry, removalRequest, undoDoNotCall } from './leads/actions.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest } from './services.ts'
import type { RouteServices } from './views.ts'

const PAGE_SIZE = 100

const filter = {
  search: contact,
  source: v.exactOptional(v.picklist(Object.keys(stopSources) as [StopSource, ...StopSource[]])),
  since: v.exactOptional(day),
  /** The last day. */
  until: v.exactOptional(day),
}
const searchBody = v.object({
  ...filter,
  after: v.exactOptional(v.nullable(v.object({ addedAt: v.number(), contact }))),
})
const addBody = v.object({ contact, asked: v.exactOptional(enteredStop) })
const undoBody = v.object({ contact })
/** Selected entries, or all that match the filter. */
const takeBackBody = v.object({
  entries: v.exactOptional(v.pipe(v.array(contact), v.maxLength(PAGE_SIZE))),
  ...filter,
  reason,
})
/** `entry`: as listed. */
const removeBody = v.object({ entry: listedEntry, request: removalRequest })

export function createDoNotCallRoutes(services: RouteServices) {
  const { config, store, reader, views } = services
  const calendar = createCalendar(config.timeZone)
  const periodOf = ({ since, until, ...rest }: Period) => ({
    ...rest,
    since: since === undefined ? undefined : calendar.startOf(since),
    until: until === undefined ? undefined : calendar.startOf(addDays(until, 1)),
  })
  return new Hono<DeskRequest>()
    .post('/search', jsonBody(searchBody), async context => {
      const { after = null, ...chosen } = context.req.valid('json')
      const entries = await reader.newestEntries({ ...periodOf(chosen), before: after, limit: PAGE_SIZE })
      const own = await reader.ownEntries({ entries: entries.map(({ contact }) => contact), key: findKey(config) })
      const people = await Promise.all(
        entries.map(({ contact }) => (contact.includes('@') ? [] : reader.peopleWithNumber(contact))),
      )
      await views.list(context.get('person').name, [
        ...entries.map(({ contact }) => contact),
        ...people.flat().map(({ leadId }) => leadId),
      ])
      return context.json({
        entries: entries.map(({ contact, addedAt, askedOn, by, source }, index) => ({
          contact,
          /** Whose number it is, as far as we know. */
          people: people[index]?.map(({ leadId, firstName, lastName }) => ({ leadId, firstName, lastName })) ?? [],
          shown: contact.includes('@') ? contact : formatPhone(contact),
          addedAt,
          /** A person; null if nobody here added it. */
          by: source === 'web' || source === 'crm' ? null : by,
          /** How it came in; null if that's not known. */
          how: source && stopText(source, askedOn),
          /** The person has or had a lead, or someone else confirmed it: removed one at a time, with who asked. */
          isOwn: own.has(contact),
        })),
        next: entries.length < PAGE_SIZE ? null : markOf(entries.at(-1)),
      })
    })
    .post('/', jsonBody(addBody), async context => {
      const { asked = { source: 'desk' }, ...typed } = context.req.valid('json')
      const order = { contacts: [contactIn(typed)], by: context.get('person').name }
      const { added, told } = await store.addToDoNotCall({ ...order, ...asked })
      return context.json({
        isNew: added.length > 0,
        /** If the CRM has or may have leads: whether it's told, or can't be. */
        crm: told.length === 0 ? null : sendsEvents(config) ? ('told' as const) : ('to tell' as const),
      })
    })
    .post('/undo', jsonBody(undoBody), async context => {
      const contacts = [contactIn(context.req.valid('json'))]
      const notice = await undoDoNotCall(services, { contacts, by: context.get('person').name })
      return context.json({ notice })
    })
    .post('/take-back', jsonBody(takeBackBody), async context => {
      const { entries, reason: why, ...chosen } = context.req.valid('json')
      if (!entries && chosen.source === undefined) throw new ApiError('bad request', 'Choose how the entries came in.')
      const order = { by: context.get('person').name, reason: why, key: findKey(config) }
      const removed = await store.takeBackEntries({ ...order, chosen: entries ?? periodOf(chosen) })
      return context.json({ removed: removed.length })
    })
    .post('/remove', jsonBody(removeBody), async context => {
      const { entry, request } = context.req.valid('json')
      const by = context.get('person').name
      const order = { contacts: [contactOfEntry(entry)], by, request, source: 'desk' as const }
      const { removed, crm } = await store.removeFromDoNotCall(order)
      if (removed.length === 0)
        throw new ApiError('conflict', 'This entry is no longer on the list. A colleague may have removed it.')
      return context.json({ notice: removalNotice(crm) })
    })
}

interface Period {
  readonly search: string
  readonly source?: StopSource
  readonly since?: string
  readonly until?: string
}

const markOf = (last: { readonly addedAt: number; readonly contact: string } | undefined) =>
  last ? { addedAt: last.addedAt, contact: last.contact } : null

function contactIn({ contact: typed }: { readonly contact: string }) {
  const contact = parseDoNotCall(typed)
  if (contact === null) throw new ApiError('bad request', 'Enter a US phone number with 10 digits or an email address.')
  return contact
}
