/** One lead: whoever looks at it is written into its history, and so is whoever changes it. */
import { Hono } from 'hono'
import {
  array,
  boolean,
  exactOptional,
  literal,
  maxLength,
  minLength,
  nonEmpty,
  object,
  picklist,
  pipe,
  string,
  trim,
  variant,
} from 'valibot'
import { type LeadAnswer, LONGEST_NOTE, LONGEST_REASON } from '../../api/lead.ts'
import { readDossier } from '../leads/dossier.ts'
import { actOn } from '../leads/lead-actions.ts'
import { Refused } from '../refusal.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { SESSION_MS } from '../sign-in/session-cookie.ts'

/** Opening a lead is recorded again after this time. */
const LOOK_REST_MS = 5 * 60_000
/** An open page that refreshes itself is not another look. Nobody stays signed in for longer than this. */
const REFRESH_REST_MS = SESSION_MS

const LEAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const words = (longest: number) => pipe(string(), trim(), nonEmpty(), maxLength(longest))

const actionBody = variant('action', [
  object({ action: literal('release') }),
  object({ action: literal('reject'), reason: words(LONGEST_REASON) }),
  object({ action: literal('redeliver'), again: exactOptional(boolean()) }),
  object({
    action: picklist(['suppress', 'unsuppress']),
    contacts: pipe(array(picklist(['email', 'phone'])), minLength(1)),
  }),
  // A name may have ten thousand characters; whoever erases such a lead may type its id.
  object({ action: literal('erase'), confirmation: pipe(string(), maxLength(20_000)) }),
  object({ action: literal('add note'), text: words(LONGEST_NOTE) }),
  object({ action: literal('remove note'), note: pipe(string(), maxLength(100)) }),
])

const NO_SUCH_LEAD = 'There is no such lead. Look for it in the list.'

export function createLeadRoutes(services: DeskServices): Hono<DeskRequest> {
  const { store, reader, config } = services

  async function dossier(id: string, person: DeskRequest['Variables']['person']): Promise<LeadAnswer> {
    const now = await reader.storeTime()
    const answer = await readDossier(reader, { id, person, now, erasureKey: config.erasureKey })
    if (!answer) throw new Refused('not found', NO_SUCH_LEAD)
    return answer
  }

  return new Hono<DeskRequest>()
    .get('/:id', async context => {
      const id = context.req.param('id')
      const person = context.get('person')
      if (!LEAD_ID.test(id)) throw new Refused('not found', NO_SUCH_LEAD)
      const isRefresh = context.req.query('refresh') !== undefined
      // Recorded before anything is shown. A refresh is recorded too, unless the lead was opened in this session.
      await store.recordLook({ id, by: person.name, restMs: isRefresh ? REFRESH_REST_MS : LOOK_REST_MS })
      return context.json<LeadAnswer>(await dossier(id, person))
    })
    .post('/:id/actions', jsonBody(actionBody), async context => {
      const person = context.get('person')
      const lead = LEAD_ID.test(context.req.param('id')) ? await store.find(context.req.param('id')) : null
      if (!lead) throw new Refused('not found', NO_SUCH_LEAD)
      await actOn(services, lead, context.req.valid('json'), person.name)
      return context.json<LeadAnswer>(await dossier(lead.id, person))
    })
}
