/** Corrects what a lead says about its person. The store keeps what was submitted. */
import * as v from 'valibot'
import { phoneDigits } from '../../../domain/contact/phone.ts'
import { parseContact } from '../../../domain/contact/read-contact.ts'
import { ENGLISH } from '../../../domain/languages.ts'
import { errorMessages } from '../../../domain/leads/lead.ts'
import { copyIn } from '../../../server/http/site-manifest.ts'
import type { DeskPerson } from '../../../server/store/facts/desk-people.ts'
import type { LeadDetails } from '../../../server/store/facts/leads/lead-records.ts'
import type { CorrectionResult } from '../../../server/store/operations/leads/correct-lead.ts'
import { ApiError } from '../api-error.ts'
import { spokenRequest } from '../calls/phone-people.ts'
import { reason, text } from '../fields.ts'
import type { DeskServices } from '../services.ts'
import { spokenLanguage } from './lead.ts'

const field = text(300)
const contact = v.object({ firstName: field, lastName: field, dateOfBirth: field, email: field, phone: field })
export const correctionBody = v.object({
  /** As the user saw it. If a colleague has corrected it since, this is refused. */
  seen: v.object({
    firstName: v.string(),
    lastName: v.string(),
    dateOfBirth: v.string(),
    email: v.string(),
    phone: v.string(),
  }),
  corrected: contact,
  reason,
  /** For another number: they said yes to the sentence. */
  saidYes: v.exactOptional(v.boolean()),
})

type Order = v.InferOutput<typeof correctionBody>

/** What's wrong with the values, or the lead to show: with another number, it's another one. Throws if it's refused. */
export async function correct(
  services: DeskServices,
  lead: LeadDetails,
  { seen, corrected, reason, saidYes = false }: Order,
  { id, name }: DeskPerson,
): Promise<
  { readonly errors: Readonly<Record<string, string>> } | { readonly leadId: string; readonly isHeld: boolean }
> {
  const { store, site, now } = services
  // Someone who called us may have given neither.
  const parsed = parseContact(corrected, new Date(now()).getUTCFullYear(), [
    ...(lead.dateOfBirth ? [] : (['dateOfBirth'] as const)),
    ...(lead.email ? [] : (['email'] as const)),
  ])
  // What the person submitted may not meet today's rules.
  const { dateOfBirth, ...others } = parsed.valid ? {} : parsed.errors
  const errors = corrected.dateOfBirth === seen.dateOfBirth || !dateOfBirth ? others : { ...others, dateOfBirth }
  if (Object.keys(errors).length > 0)
    return { errors: errorMessages(errors, copyIn(site().copy, ENGLISH).contactMessages) }
  const isOtherNumber = phoneDigits(corrected.phone) !== phoneDigits(seen.phone)
  const spoken = isOtherNumber && saidYes ? await spokenRequest(services, spokenLanguage(lead), name) : null
  const result = await store.correctLead({ leadId: lead.id, person: { id, name }, seen, corrected, reason, spoken })
  if (result.kind !== 'corrected') throw new ApiError('conflict', messageOf(result))
  return { leadId: result.leadId, isHeld: result.isHeld }
}

function messageOf(result: Exclude<CorrectionResult, { kind: 'corrected' }>): string {
  if (result.kind === 'refused') return result.message
  if (result.kind === 'changed') {
    return 'A colleague has corrected this lead since you opened it. Check what it says now.'
  }
  const kind = result.stops.some(({ contact }) => contact === 'phone') ? 'number' : 'email address'
  return `This ${kind} is on the do-not-call list. If they want calls, an editor has to take it off the list first.`
}
