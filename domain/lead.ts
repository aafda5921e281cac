/**
 * A lead: how its contact fields are parsed, and the query string they travel in.
 * The browser and the receiver use this one module, so they can never disagree about what is valid.
 */
import {
  type ContactErrorCode,
  type ContactField,
  contactFields,
  describeField,
  type FieldDescription,
  type RequiredField,
} from './contact-fields.ts'
import { joinDate } from './dates.ts'
import { formatPhone, PHONE_DIGITS } from './phone.ts'

/** An optional field is empty when a visitor left it out, and missing in leads from before it was added. */
export type Contact = Readonly<Record<RequiredField, string> & Partial<Record<ContactField, string>>>
export type ContactErrors = Readonly<Partial<Record<ContactField, ContactErrorCode>>>
export type ContactMessages = Readonly<Record<ContactErrorCode, string>>

export const AGE_BOUNDS = { least: 18, most: 120 } as const

export const CERTIFICATE_FIELD = 'xxTrustedFormCertUrl'

/** Whether an independent service certifies the consent; `sandbox` is for trials. */
export const trustedFormModes = ['off', 'sandbox', 'on'] as const
export type TrustedFormMode = (typeof trustedFormModes)[number]

type Kind = FieldDescription['kind']

/** Names need a visible character: not just spaces or invisible ones such as U+200B. */
const isMissing: Readonly<Record<Kind, (text: string) => boolean>> = {
  text: text => !/[^\s\p{DI}]/u.test(text),
  email: text => text === '',
  phone: text => text === '',
  date: text => !isCalendarDate(text),
}

const isValid: Readonly<Record<Kind, (text: string, currentYear: number) => boolean>> = {
  text: () => true,
  email: text => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  phone: text => text.replace(/\D/g, '').length === PHONE_DIGITS,
  date: hasAllowedAge,
}

function errorOf(field: ContactField, text: string, currentYear: number): ContactErrorCode | undefined {
  const { kind, required, maxLength, tooLong, invalid } = describeField(field)
  if (required && isMissing[kind](text)) return required
  if (text === '') return undefined
  if (tooLong && text.length > maxLength) return tooLong
  return isValid[kind](text, currentYear) ? undefined : invalid
}

/** YYYY-MM-DD, and a day that exists: JavaScript reads February 30 as March 2. */
function isCalendarDate(input: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(input) && new Date(`${input}T00:00Z`).getUTCDate() === Number(input.slice(8))
}

/** Age is the difference in calendar years, whether or not this year's birthday has passed. */
function hasAllowedAge(date: string, currentYear: number): boolean {
  const age = currentYear - Number(date.slice(0, 4))
  return age >= AGE_BOUNDS.least && age <= AGE_BOUNDS.most
}

export type ParsedContact =
  | { readonly valid: true; readonly contact: Contact }
  | { readonly valid: false; readonly errors: ContactErrors }

/** A date may come whole, as YYYY-MM-DD, or in three parts, as the forms have it. */
export function parseContact(input: Readonly<Record<string, unknown>>, currentYear: number): ParsedContact {
  const contact: Partial<Record<ContactField, string>> = {}
  const errors: Partial<Record<ContactField, ContactErrorCode>> = {}
  for (const field of contactFields) {
    const { kind } = describeField(field)
    const given = kind === 'date' ? (input[field] ?? joinDate(input, field, currentYear)) : input[field]
    const text = cleanText(given)
    const error = errorOf(field, text, currentYear)
    contact[field] = kind === 'phone' ? formatPhone(text) : text
    if (error) errors[field] = error
  }
  return Object.keys(errors).length > 0 ? { valid: false, errors } : { valid: true, contact: contact as Contact }
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

/** The lead as a query string. Optional fields and the certificate are sent only when there is something to send. */
export function leadQuery(contact: Contact, certificateUrl?: string): string {
  const sent = contactFields.filter(field => contact[field] || describeField(field).required)
  const query = new URLSearchParams(sent.map(field => [field, contact[field] as string]))
  if (certificateUrl) query.set(CERTIFICATE_FIELD, certificateUrl)
  return query.toString()
}
