/**
 * A lead: the contact fields, how they are parsed, and the query string they travel in.
 * The browser and the receiver use this one module, so they can never disagree about what is valid.
 */
import { formatPhone, PHONE_DIGITS } from './phone.ts'

export const contactFields = ['firstName', 'lastName', 'dateOfBirth', 'email', 'phone'] as const
export type ContactField = (typeof contactFields)[number]
export type Contact = Readonly<Record<ContactField, string>>

/** What can be wrong with a field. content/panel/contact-form.ts has the words. */
export type ContactErrorCode =
  | 'firstNameRequired'
  | 'lastNameRequired'
  | 'nameTooLong'
  | 'dateOfBirthRequired'
  | 'ageOutOfBounds'
  | 'emailRequired'
  | 'emailTooLong'
  | 'emailInvalid'
  | 'phoneRequired'
  | 'phoneInvalid'
export type ContactErrors = Readonly<Partial<Record<ContactField, ContactErrorCode>>>
export type ContactMessages = Readonly<Record<ContactErrorCode, string>>

export const AGE_BOUNDS = { least: 18, most: 120 } as const
export const NAME_LIMIT = 100
/** The longest address that mail can be sent to (RFC 5321). */
export const EMAIL_LIMIT = 254

export const CERTIFICATE_FIELD = 'xxTrustedFormCertUrl'

/** Whether an independent service certifies the consent; `sandbox` is for trials. */
export const trustedFormModes = ['off', 'sandbox', 'on'] as const
export type TrustedFormMode = (typeof trustedFormModes)[number]

interface Check {
  readonly passes: (text: string, currentYear: number) => boolean
  readonly code: ContactErrorCode
}

const filled = (code: ContactErrorCode): Check => ({ passes: text => text !== '', code })

const notLongerThan = (limit: number, code: ContactErrorCode): Check => ({ passes: text => text.length <= limit, code })

/** Something to be seen is in it: neither spaces nor what Unicode shows as nothing, such as U+200B, make a name. */
const visible = (code: ContactErrorCode): Check => ({ passes: text => /[^\s\p{DI}]/u.test(text), code })

/** What each field must pass, in this order: the first that it does not pass is the field's error. */
const checks: Readonly<Record<ContactField, readonly Check[]>> = {
  firstName: [visible('firstNameRequired'), notLongerThan(NAME_LIMIT, 'nameTooLong')],
  lastName: [visible('lastNameRequired'), notLongerThan(NAME_LIMIT, 'nameTooLong')],
  dateOfBirth: [
    { passes: isCalendarDate, code: 'dateOfBirthRequired' },
    { passes: hasAllowedAge, code: 'ageOutOfBounds' },
  ],
  email: [
    filled('emailRequired'),
    notLongerThan(EMAIL_LIMIT, 'emailTooLong'),
    { passes: text => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), code: 'emailInvalid' },
  ],
  phone: [
    filled('phoneRequired'),
    { passes: text => text.replace(/\D/g, '').length === PHONE_DIGITS, code: 'phoneInvalid' },
  ],
}

/** YYYY-MM-DD, and a day that exists: February 30 would be read as March 2. */
function isCalendarDate(input: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(input) && new Date(`${input}T00:00Z`).getUTCDate() === Number(input.slice(8))
}

/** Age is the difference in calendar years: the birthday of this year need not have come. */
function hasAllowedAge(date: string, currentYear: number): boolean {
  const age = currentYear - Number(date.slice(0, 4))
  return age >= AGE_BOUNDS.least && age <= AGE_BOUNDS.most
}

/** The first and the last date that the date field offers. */
export function dateOfBirthBounds(currentYear: number): { min: string; max: string } {
  return { min: `${currentYear - AGE_BOUNDS.most}-01-01`, max: `${currentYear - AGE_BOUNDS.least}-12-31` }
}

export type ParsedContact =
  | { readonly valid: true; readonly contact: Contact }
  | { readonly valid: false; readonly errors: ContactErrors }

export function parseContact(input: Readonly<Record<string, unknown>>, currentYear: number): ParsedContact {
  const contact = { firstName: '', lastName: '', dateOfBirth: '', email: '', phone: '' }
  const errors: Partial<Record<ContactField, ContactErrorCode>> = {}
  let valid = true
  for (const field of contactFields) {
    const text = cleanText(input[field])
    const failed = checks[field].find(({ passes }) => !passes(text, currentYear))
    contact[field] = text
    if (!failed) continue
    valid = false
    errors[field] = failed.code
  }
  return valid ? { valid, contact: { ...contact, phone: formatPhone(contact.phone) } } : { valid, errors }
}

/** The errors as the visitor reads them. */
export function inWords(errors: ContactErrors, messages: ContactMessages): Partial<Record<ContactField, string>> {
  return Object.fromEntries(Object.entries(errors).map(([field, code]) => [field, messages[code]]))
}

/** Text from outside: control characters become spaces, broken surrogates become U+FFFD, the ends are trimmed. */
function cleanText(input: unknown): string {
  if (typeof input !== 'string') return ''
  // With the u flag, \p{Cs} matches only broken surrogates.
  return input
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
}

/** The lead as a query string. The certificate is sent only when there is one. */
export function leadQuery(contact: Contact, certificateUrl?: string): string {
  const query = new URLSearchParams(contactFields.map(field => [field, contact[field]]))
  if (certificateUrl) query.set(CERTIFICATE_FIELD, certificateUrl)
  return query.toString()
}
