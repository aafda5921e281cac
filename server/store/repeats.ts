/** When a lead repeats an earlier one, and when it replaces one on hold. The same for both engines. */
import { hash } from 'node:crypto'
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'

/** The same person again within this time is a repeat. */
export const REPEAT_WINDOW_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Keys of earlier versions were email addresses, which have no space: so keys that an old server writes during an upgrade are
 * found and replaced.
 */
export const KEY_VERSION = 'v2 '

/** Not every contact field: the others don’t make someone another person. */
type Identity = Pick<Contact, 'firstName' | 'lastName' | 'dateOfBirth' | 'email' | 'phone'>

/**
 * Identifies a person: the same email, phone, name, and date of birth. With less, a stranger who knows an address and a
 * number could send them under another name, and the real lead would then count as a repeat.
 *
 * The key starts with five hash digits each for email and phone, by which the index finds people. A thousand addresses and
 * ten thousand numbers share them, so the index reveals nobody's data.
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
/** Where the phone's digits start in a key, counted from 1 like SQL. */
export const PHONE_MARK = { from: KEY_VERSION.length + MARK_DIGITS + 1, digits: MARK_DIGITS } as const

export function emailMark(email: string): string {
  return markOf(canonicalEmail(email))
}

export function phoneMark(phone: string): string {
  return markOf(phoneDigits(phone))
}

/** FNV-1a: what it leads to is compared anyway, and a digest for each would cost every capture more than the key itself. */
function markOf(text: string): string {
  let mark = 0x811c9dc5
  for (let index = 0; index < text.length; index++) mark = Math.imul(mark ^ text.charCodeAt(index), 0x01000193)
  return ((mark ^ (mark >>> 12)) & 0xfffff).toString(16).padStart(MARK_DIGITS, '0')
}

export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Letters and digits only, small and without accents: people write José, JOSE and jose, Mary-Ann and Mary Ann. */
function canonicalName(name: string): string {
  // Most names are plain letters.
  if (/^[A-Za-z]+$/.test(name)) return name.toLowerCase()
  const small = name.normalize('NFKD').toLowerCase()
  // What has no letter in it is told apart by what it has.
  return small.replaceAll(/[^\p{L}\p{N}]/gu, '') || small.trim()
}

/** Why a lead of somebody on the do-not-call list is held. */
export const DO_NOT_CALL = 'on the do-not-call list'

/** The oldest accepted or held lead of the person within the window. */
export interface EarlierLead {
  readonly id: string
  readonly state: string
  /** How its delivery stands, if it has one. */
  readonly delivery: string | null
}

export interface Disposition {
  readonly state: 'accepted' | 'repeat' | 'held'
  readonly heldReason: string | null
  readonly repeatOf: string | null
  /** The held lead that becomes a repeat of this one. */
  readonly replaces: string | null
  /** The lead whose delivery was given up, and is tried again because its person has come back. */
  readonly reopens: string | null
  /** Whether it goes into the outbox. */
  readonly delivered: boolean
}

export function decideLead(
  earlier: EarlierLead | null,
  { holdReason, announceRepeat }: { readonly holdReason: string | null; readonly announceRepeat: boolean },
): Disposition {
  // A person must review leads from the do-not-call list, even repeats: they may now want a call.
  if (holdReason === DO_NOT_CALL && earlier?.state !== 'held') {
    return { state: 'held', heldReason: holdReason, repeatOf: null, replaces: null, reopens: null, delivered: false }
  }
  // Nobody has called a person whose lead is held: the same person without the fault must not wait behind it.
  const replaces = earlier?.state === 'held' && holdReason === null ? earlier.id : null
  const repeatOf = replaces ? null : (earlier?.id ?? null)
  const state = repeatOf ? 'repeat' : holdReason ? 'held' : 'accepted'
  const reopens = state === 'repeat' && earlier?.delivery === 'dead' && holdReason === null ? repeatOf : null
  // The webhook knows only what was delivered to it. And what would have been held does not get out as a repeat.
  const announced = announceRepeat && state === 'repeat' && earlier?.state === 'accepted' && holdReason === null
  const delivered = state === 'accepted' || announced
  return { state, heldReason: state === 'held' ? holdReason : null, repeatOf, replaces, reopens, delivered }
}
