/** Routes for the do-not-call list: search it, and add someone who has no lead, or whose lead nobody has open. */
import { Hono } from 'hono'
import { exactOptional, maxLength, nullable, object, pipe, string } from 'valibot'
import { parseDoNotCall } from '../../domain/do-not-call.ts'
import { formatPhone } from '../../domain/phone.ts'
import { ApiError } from './api-error.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const PAGE_SIZE = 100

const text = pipe(string(), maxLength(320))
const searchBody = object({ search: text, after: exactOptional(nullable(text)) })
const addBody = object({ contact: text })

export function createDoNotCallRoutes({ store, reader }: DeskServices) {
  return new Hono<DeskRequest>()
    .post('/search', jsonBody(searchBody), async context => {
      const { search, after = null } = context.req.valid('json')
      const entries = await reader.doNotCallList({ after: after ?? '', limit: PAGE_SIZE, search })
      return context.json({
        entries: entries.map(({ contact, addedAt }) => ({
          contact,
          shown: contact.includes('@') ? contact : formatPhone(contact),
          addedAt,
        })),
        next: entries.length < PAGE_SIZE ? null : (entries.at(-1)?.contact ?? null),
      })
    })
    .post('/', jsonBody(addBody), async context => {
      const contact = parseDoNotCall(context.req.valid('json').contact)
      if (contact === null)
        throw new ApiError('bad request', 'Enter a US phone number with 10 digits or an email address.')
      const { added } = await store.addToDoNotCall({ contacts: [contact], by: context.get('person').name })
      const leads = await reader.leadsOfPerson(contact)
      return context.json({
        isNew: added > 0,
        /** Leads that the CRM already has. */
        delivered: leads.filter(({ delivery }) => delivery?.state === 'delivered').length,
      })
    })
}
