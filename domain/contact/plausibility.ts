/**
 * Finds values that pass the form's validation but are probably wrong. The forms ask about them once; sent again, they count.
 * Leads that come in without having been asked go on hold for review if they can't be right, so the call team doesn't call numbers
 * that don't exist.
 */

import type { HoldReason } from '../leads/hold-reasons.ts'
import type { Contact } from '../leads/lead.ts'
import { type ContactErrorCode, type ContactField, contactFields, describeField } from './contact-fields.ts'
import { suggestEmail } from './email-suggestion.ts'
import { phoneDigits } from './phone.ts'

/** The ages that the questionnaire asks about, as in "between 55 and 64". */
export interface AgeRange {
  readonly from: number
  readonly to: number
}

/** Doubts about values, by field. content/en.toml has the questions. */
export type Doubts = Readonly<Partial<Record<ContactField, ContactErrorCode>>>

/** People round their age or answer a few weeks before a birthday. */
const TOLERANCE_YEARS = 1

/** No area code or exchange starts with 0 or 1, and nobody has ten times the same digit, as in the form's example. */
const CANNOT_EXIST = /^[01]|^...[01]|^(\d)\1+$/
/** 800, 833, 844, and so on. People give us the number we print. */
const TOLL_FREE = /^8([02-8])\1/
/** The Dominican Republic, which is also +1. The desk doesn't know when to call other countries. */
const DOMINICAN = /^8[024]9/

/** `ages` is the range an eligible visitor confirmed, or null if the questionnaire doesn't ask about age. */
export function doubtsAbout(contact: Contact, ages: AgeRange | null, now: Date): Doubts {
  const isDoubtful = {
    text: (text: string) => /\d|^\P{L}*$/u.test(text),
    email: (text: string) => suggestEmail(text) !== null,
    phone: (text: string) => [CANNOT_EXIST, TOLL_FREE, DOMINICAN].some(pattern => pattern.test(phoneDigits(text))),
    date: (text: string) => contradictsAges(text, ages, now),
  }
  const doubts: Partial<Record<ContactField, ContactErrorCode>> = {}
  for (const field of contactFields) {
    const { kind, doubtful } = describeField(field)
    if (doubtful && isDoubtful[kind](contact[field] ?? '')) doubts[field] = doubtful
  }
  return doubts
}

/** The doubts about values that the visitor hasn't been asked about. `asked` has the values from when they were. */
export function unconfirmed(doubts: Doubts, contact: Contact, asked: Readonly<Partial<Contact>>): Doubts {
  const fields = contactFields.filter(field => doubts[field] && asked[field] !== contact[field])
  return Object.fromEntries(fields.map(field => [field, doubts[field]]))
}

/** Why a lead should be put on hold, if a field that the visitor didn't confirm can't be right. */
export function implausible(
  contact: Contact,
  confirmed: readonly string[],
  ages: AgeRange | null,
  now: Date,
): HoldReason | null {
  const doubts = doubtsAbout(contact, ages, now)
  const isOpen = (field: ContactField) => doubts[field] !== undefined && !confirmed.includes(field)
  if (isOpen('phone') && CANNOT_EXIST.test(phoneDigits(contact.phone))) return 'phone number cannot exist'
  if (isOpen('dateOfBirth')) return 'age contradicts an answer'
  return isOpen('email') ? 'email looks misspelled' : null
}

function contradictsAges(dateOfBirth: string, ages: AgeRange | null, now: Date): boolean {
  const age = ageAt(now, dateOfBirth)
  return ages !== null && (age < ages.from - TOLERANCE_YEARS || age > ages.to + TOLERANCE_YEARS)
}

/** Age in full years, from dates as numbers such as 19651210. */
function ageAt(now: Date, dateOfBirth: string): number {
  const today = now.getUTCFullYear() * 10_000 + (now.getUTCMonth() + 1) * 100 + now.getUTCDate()
  return Math.floor((today - Number(dateOfBirth.replaceAll('-', ''))) / 10_000)
}
