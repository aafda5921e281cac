/** How leads of one person, one email, or one phone number are found. */
import { hash } from 'node:crypto'
import { canonicalEmail } from '../../../../domain/contact/email.ts'
import { phoneDigits } from '../../../../domain/contact/phone.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { canonicalName } from '../../../../domain/leads/people.ts'

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
