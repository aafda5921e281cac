/** Routes for calls that come in. The number is in the body, never in a URL. */
import { Hono } from 'hono'
import * as v from 'valibot'
import type { Agent } from '../../../domain/calling/story-events.ts'
import { checkPhone, formatPhone, phoneDigits } from '../../../domain/contact/phone.ts'
import { HOUR } from '../../../domain/durations.ts'
import { ENGLISH } from '../../../domain/languages.ts'
import { copyIn } from '../../../server/http/site-manifest.ts'
import type { PersonWithNumber } from '../../../server/store/views/people-on-number.ts'
import { ApiError } from '../api-error.ts'
import { id, text } from '../fields.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest } from '../services.ts'
import { idsOf, type RouteServices } from '../views.ts'

const numberBody = v.object({ phone: text(100) })
const leadBody = v.object({ leadId: id })

type FoundNumber =
  | { readonly kind: 'taken'; readonly leadId: string }
  | {
      readonly kind: 'choose'
      readonly phone: string
      /** Someone on hold or rejected can't be called from here, but they can be added. */
      readonly people: readonly PersonWithNumber[]
      /** When the number was put on the do-not-call list; null if it isn't on it. */
      readonly stoppedAt: number | null
    }

/** How long someone who called us is on the phone, at most. */
const CALL_MS = HOUR

/**
 * Which numbers a colleague just entered as calling us, or has on a call that came in. Only then may they take the number off the do-not-call list without an editor.
 * Another desk's process doesn't know; entering the number again does.
 */
export function createIncomingNumbers(now: () => number) {
  const enteredAt = new Map<string, number>()
  return {
    entered(personId: string, phone: string): void {
      for (const [key, at] of enteredAt) if (at <= now() - CALL_MS) enteredAt.delete(key)
      enteredAt.set(`${personId} ${phoneDigits(phone)}`, now())
    },
    isCalling: (personId: string, phone: string): boolean =>
      (enteredAt.get(`${personId} ${phoneDigits(phone)}`) ?? Number.NEGATIVE_INFINITY) > now() - CALL_MS,
  }
}

export type IncomingNumbers = ReturnType<typeof createIncomingNumbers>

export function createIncomingRoutes({ store, views, site, hours }: RouteServices, numbers: IncomingNumbers) {
  /** If one person has the number, the call is taken. An unknown number isn't stored. */
  async function findNumber(phone: string, person: Agent): Promise<FoundNumber> {
    const people = await store.peopleWithNumber(phone)
    const [only] = people
    if (only && people.length === 1 && only.state === 'accepted') {
      const { leadId } = only
      if ((await store.takeCall({ leadId, person, hours: hours() })).kind === 'taken') return { kind: 'taken', leadId }
    }
    await views.list(person.name, idsOf(people))
    const stops = await store.stopsOfContacts({ phone, email: '' })
    return { kind: 'choose', phone: formatPhone(phoneDigits(phone)), people, stoppedAt: stops[0]?.at ?? null }
  }

  return new Hono<DeskRequest>()
    .post('/number', jsonBody(numberBody), async context => {
      const { phone } = context.req.valid('json')
      const checked = checkPhone(phone)
      if (checked !== 'valid') {
        const { phoneInvalid, phoneForeign } = copyIn(site().copy, ENGLISH).contactMessages
        throw new ApiError('bad request', checked === 'invalid' ? phoneInvalid : phoneForeign)
      }
      const person = context.get('agent')
      numbers.entered(person.id, phone)
      return context.json(await findNumber(phone, person))
    })
    .post('/unknown', async context => {
      await store.recordUnknownCaller({ person: context.get('agent') })
      return context.json({})
    })
    .post('/', jsonBody(leadBody), async context => {
      const { leadId } = context.req.valid('json')
      const person = context.get('agent')
      const taken = await store.takeCall({ leadId, person, hours: hours() })
      if (taken.kind === 'closed') throw new ApiError('conflict', taken.message)
      numbers.entered(person.id, (await store.find(leadId))?.phone ?? '')
      return context.json({})
    })
}
