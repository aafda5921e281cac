/** Routes for the do-not-call list: search it, and add or remove someone who has no lead, or whose lead nobody has open. */
import { Hono } from 'hono'
import { exactOptional, maxLength, nullable, object, pipe, string } from 'valibot'
import { parseDoNotCall, removalNotice, stopSources } from '../../domain/do-not-call.ts'
import { formatPhone } from '../../domain/phone.ts'
import { sendsEvents } from '../../server/settings/config.ts'
import { contactOfEntry } from '../../server/store/do-not-call/stops.ts'
import { ApiError } from './api-error.ts'
import { listedEntry, removalRequest, undoDoNotCall } from './leads/actions.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest } from './services.ts'
import type { RouteServices } from './views.ts'

const PAGE_SIZE = 100

const text = pipe(string(), maxLength(320))
const searchBody = object({ search: text, after: exactOptional(nullable(text)) })
const addBody = object({ contact: text })
/** `entry`: as listed. */
const removeBody = object({ entry: listedEntry, request: removalRequest })

export function createDoNotCallRoutes(services: RouteServices) {
  const { config, store, reader, views } = services
  return new Hono<DeskRequest>()
    .post('/search', jsonBody(searchBody), async context => {
      const { search, after = null } = context.req.valid('json')
      const entries = await reader.doNotCallList({ after: after ?? '', limit: PAGE_SIZE, search })
      const people = await Promise.all(
        entries.map(({ contact }) => (contact.includes('@') ? [] : reader.peopleWithNumber(contact))),
      )
      await views.list(context.get('person').name, [
        ...entries.map(({ contact }) => contact),
        ...people.flat().map(({ leadId }) => leadId),
      ])
      return context.json({
        entries: entries.map(({ contact, addedAt, by, source }, index) => ({
          contact,
          /** Whose number it is, as far as we know. */
          people: people[index]?.map(({ leadId, firstName, lastName }) => ({ leadId, firstName, lastName })) ?? [],
          shown: contact.includes('@') ? contact : formatPhone(contact),
          addedAt,
          /** A person; null if nobody here added it. */
          by: source === 'web' || source === 'crm' ? null : by,
          /** How it came in; null if that's not known. */
          source: source && stopSources[source],
        })),
        next: entries.length < PAGE_SIZE ? null : (entries.at(-1)?.contact ?? null),
      })
    })
    .post('/', jsonBody(addBody), async context => {
      const contact = contactIn(context.req.valid('json'))
      const order = { contacts: [contact], by: context.get('person').name, source: 'desk' as const }
      const { added, told } = await store.addToDoNotCall(order)
      return context.json({
        isNew: added.length > 0,
        /** If the CRM has or may have leads: whether it's told, or can't be. */
        crm: told.length === 0 ? null : sendsEvents(config) ? ('told' as const) : ('to tell' as const),
      })
    })
    .post('/undo', jsonBody(addBody), async context => {
      const contacts = [contactIn(context.req.valid('json'))]
      const notice = await undoDoNotCall(services, { contacts, by: context.get('person').name })
      return context.json({ notice })
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

function contactIn({ contact: typed }: { readonly contact: string }) {
  const contact = parseDoNotCall(typed)
  if (contact === null) throw new ApiError('bad request', 'Enter a US phone number with 10 digits or an email address.')
  return contact
}
