/** Decides whether a lead is a repeat of an earlier one or replaces one on hold. */
import { hash } from 'node:crypto'
import { phoneDigits } from '../../../../domain/contact/phone.ts'
import { DO_NOT_CALL } from '../../../../domain/leads/hold-reasons.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import type { LeadState } from '../../../../domain/leads/lead-states.ts'
import { canonicalName } from '../../../../domain/leads/people.ts'
import type { MessageState } from './states.ts'

/** Another lead from the same person within this time is a repeat. */
export const REPEAT_WINDOW_MS = 30 * 24 * 60 * 60 * 1000

/** Every key starts with this. Changing how keys are built requires a new prefix and an upgrade. */
const KEY_VERSION = 'v2 '

/** Only these fields identify a person. */
type Identity = Pick<Contact, 'firstName' | 'lastName' | 'dateOfBirth' | 'email' | 'phone'>

/**
 * Leads with the same email, phone, name, and date of birth are from the same person. If we compared fewer fields, a stranger
 * who knows someone's email and number could submit them under another name, and the person's own lead would count as a repeat.
 *
 * The key starts with five hash digits each for the email and the phone, so indexes can find either. Thousands of emails and
 * numbers share the same digits, so the indexes neither contain nor reveal personal data.
 */
export function personKeyOf({ firstName, lastName, dateOfBirth, email, phone }: Identity): string {
  const whole = JSON.stringify([
    canonicalEmail(email),
    phoneDigits(phone),
    canonicalName(firstName),
    canonicalName(lastName),
    dateOfBirth,
  ])
  return `${KEY_VERSION}${emailMark(email)}${phoneMark(phone)}${hash('sha256', whole, 'base64url').slice(0, 22)}`
}

const MARK_DIGITS = 5
/** SQL: the phone's hash digits in a key. SQL counts from 1. The index `leads_of_a_number` has the same expression. */
export const phoneMarkOfKey = `substr(person_key, ${KEY_VERSION.length + MARK_DIGITS + 1}, ${MARK_DIGITS})`

const emailMark = (email: string) => markOf(canonicalEmail(email))

export function phoneMark(phone: string): string {
  return markOf(phoneDigits(phone))
}

/** How keys begin that have this email. */
export const keyPrefixOf = (email: string): string => `${KEY_VERSION}${emailMark(email)}`

/** SQL: a lead has this email address. Given `emailParameters`, so that an index finds it. */
export const hasEmail = ([from, to, email]: readonly string[] = ['$1', '$2', '$3']): string =>
  `person_key >= ${from} AND person_key < ${to} AND email = ${email}`

export function emailParameters(email: string): readonly [string, string, string] {
  const prefix = keyPrefixOf(email)
  return [prefix, `${prefix}~`, canonicalEmail(email)]
}

/** FNV-1a. A stronger hash would cost each capture more than the rest of the key, and we compare the actual values anyway. */
function markOf(text: string): string {
  let mark = 0x811c9dc5
  for (let index = 0; index < text.length; index++) mark = Math.imul(mark ^ text.charCodeAt(index), 0x01000193)
  return ((mark ^ (mark >>> 12)) & 0xfffff).toString(16).padStart(MARK_DIGITS, '0')
}

export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** The person's oldest accepted or held lead within the window. */
export interface EarlierLead {
  readonly id: string
  readonly state: LeadState
  /** The state of its delivery, if it has one. */
  readonly delivery: MessageState | null
}

export interface Disposition {
  readonly state: 'accepted' | 'repeat' | 'held'
  readonly heldReason: string | null
  readonly repeatOf: string | null
  /** The held lead that becomes a repeat of this one. */
  readonly replaces: string | null
  /** An earlier lead whose delivery failed. We retry it because the person submitted again. */
  readonly reopens: string | null
  /** An earlier lead that goes back to the top of the call list. */
  readonly callAgain: string | null
  /** Whether to put it into the outbox. */
  readonly isToSend: boolean
}

export function decideLead(
  known: EarlierLead | null,
  { holdReason, announceRepeat }: { readonly holdReason: string | null; readonly announceRepeat: boolean },
): Disposition {
  // Always review a lead from someone on the do-not-call list: they may want a call now.
  const earlier = holdReason === DO_NOT_CALL && known?.state !== 'held' ? null : known
  // If a person's lead is on hold, no one has called them, so a clean lead from the same person replaces it.
  const replaces = earlier?.state === 'held' && holdReason === null ? earlier.id : null
  const repeatOf = replaces ? null : (earlier?.id ?? null)
  const state = repeatOf ? 'repeat' : holdReason ? 'held' : 'accepted'
  const callAgain = earlier?.state === 'accepted' && holdReason === null ? repeatOf : null
  const reopens = state === 'repeat' && earlier?.delivery === 'dead' && holdReason === null ? repeatOf : null
  // Announce only repeats of accepted leads, and never a lead that would be put on hold.
  const announced = announceRepeat && state === 'repeat' && holdReason === null
  const isToSend = state === 'accepted' || announced
  return { state, heldReason: state === 'held' ? holdReason : null, repeatOf, replaces, reopens, callAgain, isToSend }
}
