/**
 * Finds leads that pass the form's validation but can't be right. They are put on hold for review, so that the call team
 * doesn't call numbers that don't exist.
 */
import { suggestEmail } from './email-suggestion.ts'
import type { HoldReason } from './hold-reasons.ts'
import type { Contact } from './lead.ts'
import { phoneDigits } from './phone.ts'

/** The ages that the questionnaire asks for, as in "between 55 and 64". */
export interface AgeRange {
  readonly from: number
  readonly to: number
}

/** Tolerance: people round their age or answer a few weeks before a birthday. */
const YEARS_TOLERATED = 1

/** `ages` is the range an eligible visitor confirmed, or null if the questionnaire doesn't ask. */
export function implausible(
  { dateOfBirth, email, phone }: Contact,
  ages: AgeRange | null,
  today: string,
): HoldReason | null {
  if (/^[01]|^...[01]/.test(phoneDigits(phone))) return 'phone number cannot exist'
  const age = ageOn(today, dateOfBirth)
  if (ages && (age < ages.from - YEARS_TOLERATED || age > ages.to + YEARS_TOLERATED)) return 'age contradicts an answer'
  return suggestEmail(email) === null ? null : 'email looks misspelled'
}

/** Age in full years. Both dates are YYYY-MM-DD. */
function ageOn(today: string, dateOfBirth: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
