/** Corrects a lead's name, email address, or phone number. The store keeps what was submitted. */
import { boolean, exactOptional, type InferOutput, maxLength, nonEmpty, object, pipe, string, trim } from 'valibot'
import { ENGLISH } from '../../../domain/languages.ts'
import { errorMessages, parseContact } from '../../../domain/lead.ts'
import { phoneDigits } from '../../../domain/phone.ts'
import { copyIn } from '../../../server/http/site-manifest.ts'
import type { CorrectionResult } from '../../../server/store/leads/correct-lead.ts'
import type { LeadDetails } from '../../../server/store/leads/lead-records.ts'
import type { DeskPerson } from '../../../server/store/people/desk-people.ts'
import { MAX_REASON_LENGTH } from '../../limits.ts'
import { ApiError } from '../api-error.ts'
import { saveSpokenConsent } from '../phone-people.ts'
import type { DeskServices } from '../services.ts'
import { spokenLanguage } from './lead.ts'

const field = pipe(string(), trim(), maxLength(300))
const contact = object({ firstName: field, lastName: field, email: field, phone: field })
export const correctionBody = object({
  /** As the user saw it. If a colleague has corrected it since, this is refused. */
  seen: object({ firstName: string(), lastName: string(), email: string(), phone: string() }),
  corrected: contact,
  reason: pipe(string(), trim(), nonEmpty(), maxLength(MAX_REASON_LENGTH)),
  /** For another number: they said yes to the sentence. */
  saidYes: exactOptional(boolean()),
})

type Order = InferOutput<typeof correctionBody>

/** Null if it was corrected; otherwise, what's wrong with the values. Throws if it's refused. */
export async function correct(
  { store, site, now }: DeskServices,
  lead: LeadDetails,
  { seen, corrected, reason, saidYes = false }: Order,
  { id, name }: DeskPerson,
): Promise<Readonly<Record<string, string>> | null> {
  const given = { ...corrected, dateOfBirth: lead.dateOfBirth ?? '' }
  // Someone who called us may have given neither.
  const parsed = parseContact(given, new Date(now()).getUTCFullYear(), [
    'dateOfBirth',
    ...(lead.email ? [] : (['email'] as const)),
  ])
  const { dateOfBirth: _, ...errors } = parsed.valid ? {} : parsed.errors
  if (Object.keys(errors).length > 0) return errorMessages(errors, copyIn(site().copy, ENGLISH).contactMessages)
  const isOtherNumber = phoneDigits(corrected.phone) !== phoneDigits(seen.phone)
  const consentVersion =
    isOtherNumber && saidYes ? await saveSpokenConsent({ store, site }, spokenLanguage(lead)) : null
  const order = { leadId: lead.id, person: { id, name }, seen, corrected, reason, consentVersion }
  const refusal = messageOf(await store.correctLead(order))
  if (refusal !== null) throw new ApiError('conflict', refusal)
  return null
}

function messageOf(result: CorrectionResult): string | null {
  if (result.kind === 'corrected') return null
  if (result.kind === 'refused') return result.message
  if (result.kind === 'changed') {
    return 'A colleague has corrected this lead since you opened it. Check what it says now.'
  }
  const kind = result.stops.some(({ contact }) => contact === 'phone') ? 'number' : 'email address'
  return `This ${kind} is on the do-not-call list. If they want calls, an editor has to take it off the list first.`
}
