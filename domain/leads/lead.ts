/**
 * Parses a lead's contact fields and builds its query string. The browser and the server share this module, so they always
 * agree on what's valid.
 */
import {
  type ContactErrorCode,
  type ContactField,
  contactFields,
  describeField,
  type FieldDescription,
  type RequiredField,
} from '../contact/contact-fields.ts'
import { isEmail } from '../contact/email.ts'
import { checkPhone, formatPhone } from '../contact/phone.ts'
import { isCalendarDate, joinDate } from '../dates.ts'
import { MAX_TYPED } from '../text/text.ts'

/** An optional field is empty if the visitor skipped it, and missing from leads stored before the field existed. */
export type Contact = Readonly<Record<RequiredField, string> & Partial<Record<ContactField, string>>>
export type ContactErrors = Readonly<Partial<Record<ContactField, ContactErrorCode>>>
export type ContactMessages = Readonly<Record<ContactErrorCode, string>>

export const AGE_BOUNDS = { min: 18, max: 120 } as const

export const CERTIFICATE_FIELD = 'xxTrustedFormCertUrl'

/** Whether TrustedForm certifies the consent; `sandbox` is for testing. */
export const trustedFormModes = ['off', 'sandbox', 'on'] as const
export type TrustedFormMode = (typeof trustedFormModes)[number]

export type Kind = FieldDescription['kind']

/** How a field's text is read before it's checked. */
export type ReadField = (typed: string, kind: Kind) => string

const isValid: Readonly<Record<Kind, (text: string, currentYear: number) => boolean>> = {
  text: () => true,
  email: text => isEmail(text),
  phone: text => checkPhone(text) === 'valid',
  date: (text, currentYear) => {
    const age = ageIn(currentYear, text)
    return age >= AGE_BOUNDS.min && age <= AGE_BOUNDS.max
  },
}

function errorOf(field: ContactField, text: string, currentYear: number): ContactErrorCode | undefined {
  const { kind, required, maxLength, tooLong, invalid, foreign, impossible } = describeField(field)
  if (required && isMissing(text)) return required
  if (text === '') return undefined
  if (tooLong && text.length > maxLength) return tooLong
  if (foreign && checkPhone(text) === 'foreign') return foreign
  if (impossible && !isCalendarDate(text)) return impossible
  return isValid[kind](text, currentYear) ? undefined : invalid
}

/** Names need a visible character: not just invisible ones such as variation selectors. */
const isMissing = (text: string) => !/[^\s\p{DI}]/u.test(text)

/** Age is the difference in calendar years, even before this year's birthday. */
function ageIn(currentYear: number, date: string): number {
  return currentYear - Number(date.slice(0, 4))
}

export type ParsedContact =
  | { readonly valid: true; readonly contact: Contact }
  | { readonly valid: false; readonly errors: ContactErrors }

/**
 * Accepts a date as YYYY-MM-DD or, from the forms, in three parts. `optional`: fields that can be empty anyway. The browser only trims
 * what's typed, because every visitor would load more; servers use `parseContact`.
 */
export function checkContact(
  input: Readonly<Record<string, unknown>>,
  currentYear: number,
  optional: readonly ContactField[] = [],
  read: ReadField = typed => typed.trim(),
): ParsedContact {
  const contact: Partial<Record<ContactField, string>> = {}
  const errors: Partial<Record<ContactField, ContactErrorCode>> = {}
  for (const field of contactFields) {
    const { kind } = describeField(field)
    const given = kind === 'date' ? (input[field] ?? joinDate(input, field, currentYear)) : input[field]
    const typed = typeof given === 'string' ? given : ''
    if (typed.length > MAX_TYPED) {
      const { tooLong, invalid } = describeField(field)
      errors[field] = tooLong ?? (invalid as ContactErrorCode)
      continue
    }
    const text = read(typed, kind)
    const error = text === '' && optional.includes(field) ? undefined : errorOf(field, text, currentYear)
    contact[field] = kind === 'phone' ? formatPhone(text) : text
    if (error) errors[field] = error
  }
  return Object.keys(errors).length > 0 ? { valid: false, errors } : { valid: true, contact: contact as Contact }
}

/** The messages that the visitor sees. */
export function errorMessages(errors: ContactErrors, messages: ContactMessages): Partial<Record<ContactField, string>> {
  return Object.fromEntries(Object.entries(errors).map(([field, code]) => [field, messages[code]]))
}

/** The lead as a query string, without empty optional fields or a missing certificate. */
export function leadQuery(contact: Contact, certificateUrl?: string): string {
  const sent = contactFields.filter(field => contact[field] || describeField(field).required)
  const query = new URLSearchParams(sent.map(field => [field, contact[field] as string]))
  if (certificateUrl) query.set(CERTIFICATE_FIELD, certificateUrl)
  return query.toString()
}
