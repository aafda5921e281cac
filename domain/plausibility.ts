/**
 * Finds leads that pass the form's validation but can't be right. They go on hold for review, so the call team doesn't call
 * numbers that don't exist.
 */
import { suggestEmail } from './email-suggestion.ts'
import type { HoldReason } from './hold-reasons.ts'
import type { Contact } from './lead.ts'
import { phoneDigits } from './phone.ts'

/** The ages that the questionnaire asks about, as in "between 55 and 64". */
export interface AgeRange {
  readonly from: number
  readonly to: number
}

/** People round their age or answer a few weeks before a birthday. */
const TOLERANCE_YEARS = 1

/** `ages` is the range an eligible visitor confirmed, or null if the questionnaire doesn't ask about age. */
export function implausible(
  { dateOfBirth, email, phone }: Contact,
  ages: AgeRange | null,
  now: Date,
): HoldReason | null {
  if (/^[01]|^...[01]/.test(phoneDigits(phone))) return 'phone number cannot exist'
  if (contradictsAges(dateOfBirth, ages, now)) return 'age contradicts an answer'
  return suggestEmail(email) === null ? null : 'email looks misspelled'
}

/** The forms ask about such a date before they send it. */
export function contradictsAges(dateOfBirth: string, ages: AgeRange | null, now: Date): boolean {
  const age = ageAt(now, dateOfBirth)
  return ages !== null && (age < ages.from - TOLERANCE_YEARS || age > ages.to + TOLERANCE_YEARS)
}

/** Age in full years, from dates as numbers such as 19651210. */
function ageAt(now: Date, dateOfBirth: string): number {
  const today = now.getUTCFullYear() * 10_000 + (now.getUTCMonth() + 1) * 100 + now.getUTCDate()
  return Math.floor((today - Number(dateOfBirth.replaceAll('-', ''))) / 10_000)
}
