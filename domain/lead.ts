/**
 * A lead: the contact fields, how they are parsed, and the query string they travel in.
 * The browser and the receiver use this one module, so they can never disagree about what is valid.
 */
import * as v from 'valibot'
import { contactMessages as messages } from '../content/contact-form.ts'
import { formatPhone, PHONE_DIGITS } from './phone.ts'

export const contactFields = ['firstName', 'lastName', 'dateOfBirth', 'email', 'phone'] as const
export type ContactField = (typeof contactFields)[number]
export type Contact = Readonly<Record<ContactField, string>>
export type ContactErrors = Readonly<Partial<Record<ContactField, string>>>

export const AGE_BOUNDS = { least: 18, most: 120 } as const
export const NAME_LIMIT = 100
/** The longest address that mail can be sent to (RFC 5321). */
export const EMAIL_LIMIT = 254

export const CERTIFICATE_FIELD = 'xxTrustedFormCertUrl'

/** Whether an independent service certifies the consent; `sandbox` is for trials. */
export const trustedFormModes = ['off', 'sandbox', 'on'] as const
export type TrustedFormMode = (typeof trustedFormModes)[number]

/** Text from outside: control characters become spaces, broken surrogates become U+FFFD, the ends are trimmed. */
const text = v.pipe(
  v.fallback(v.string(), ''),
  v.transform(input =>
    input
      .replace(/\p{Cs}/gu, '\ufffd') // with the u flag, only broken surrogates match
      .replace(/\p{Cc}/gu, ' ')
      .trim(),
  ),
)

/** Something to be seen is in it: neither spaces nor what Unicode shows as nothing, such as U+200B, make a name. */
const name = (required: string) =>
  v.pipe(text, v.regex(/[^\s\p{DI}]/u, required), v.maxLength(NAME_LIMIT, messages.tooLong(NAME_LIMIT)))

const email = v.pipe(
  text,
  v.nonEmpty(messages.emailRequired),
  v.maxLength(EMAIL_LIMIT, messages.tooLong(EMAIL_LIMIT)),
  v.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, messages.emailInvalid),
)

const phone = v.pipe(
  text,
  v.nonEmpty(messages.phoneRequired),
  v.check(input => input.replace(/\D/g, '').length === PHONE_DIGITS, messages.phoneInvalid),
  v.transform(formatPhone),
)

const dateOfBirth = (currentYear: number) =>
  v.pipe(
    text,
    v.nonEmpty(messages.dateOfBirthRequired),
    v.check(isCalendarDate, messages.dateOfBirthRequired),
    v.check(date => hasAllowedAge(date, currentYear), messages.ageOutOfBounds),
  )

type ContactSchema = ReturnType<typeof makeContactSchema>

/** Of one year at a time: making a schema costs more than using it. */
let latest: { readonly year: number; readonly schema: ContactSchema } | undefined

function contactSchema(year: number): ContactSchema {
  if (latest?.year !== year) latest = { year, schema: makeContactSchema(year) }
  return latest.schema
}

function makeContactSchema(currentYear: number) {
  return v.object({
    firstName: name(messages.firstNameRequired),
    lastName: name(messages.lastNameRequired),
    dateOfBirth: dateOfBirth(currentYear),
    email,
    phone,
  })
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
  const { firstName = '', lastName = '', dateOfBirth = '', email = '', phone = '' } = input
  const fields = { firstName, lastName, dateOfBirth, email, phone }
  const result = v.safeParse(contactSchema(currentYear), fields, { abortPipeEarly: true })
  if (result.success) return { valid: true, contact: result.output }
  const errors: Partial<Record<ContactField, string>> = {}
  for (const issue of result.issues) {
    const field = issue.path?.[0]?.key as ContactField
    errors[field] ??= issue.message
  }
  return { valid: false, errors }
}

/** The lead as a query string. The certificate is sent only when there is one. */
export function leadQuery(contact: Contact, certificateUrl?: string): string {
  const query = new URLSearchParams(contactFields.map(field => [field, contact[field]]))
  if (certificateUrl) query.set(CERTIFICATE_FIELD, certificateUrl)
  return query.toString()
}
