/**
 * Who looks like one person among leads that share a phone number. Nobody stores it: it's decided when it's read, and an agent can
 * say otherwise. A wrong guess costs a second tick, never a call that nobody makes.
 */

import { canonicalEmail } from '../contact/email.ts'
import type { Contact } from './lead.ts'
import type { LeadState } from './lead-states.ts'

export interface Named {
  readonly firstName: string
  readonly lastName: string
  /** Empty if it's not known. */
  readonly dateOfBirth: string
}

/** Lowercase letters and digits only, without accents: people write José, JOSE, and jose, Mary-Ann and Mary Ann. */
export function canonicalName(name: string): string {
  // Fast path: most names are plain letters.
  if (/^[A-Za-z]+$/.test(name)) return name.toLowerCase()
  const lower = name.normalize('NFKD').toLowerCase()
  // If there are no letters or digits, compare everything else.
  return lower.replaceAll(/[^\p{L}\p{N}]/gu, '') || lower.trim()
}

const hasNamesOf = (one: Named) => (other: Named) =>
  canonicalName(one.firstName) === canonicalName(other.firstName) &&
  canonicalName(one.lastName) === canonicalName(other.lastName)

/**
 * Groups leads that look like one person: the same first name and date of birth, or the same names with one date missing and only one
 * candidate. A father and a son of one name have different dates, so someone of that name without a date is a third row.
 */
export function peopleAmong<Lead extends Named>(leads: readonly Lead[]): readonly (readonly Lead[])[] {
  const dated = Map.groupBy(
    leads.filter(({ dateOfBirth }) => dateOfBirth !== ''),
    ({ firstName, dateOfBirth }) => `${canonicalName(firstName)} ${dateOfBirth}`,
  )
  const people = [...dated.values()]
  for (const lead of leads.filter(({ dateOfBirth }) => dateOfBirth === '')) {
    const [candidate, ...others] = [...dated.values()].filter(person => person.some(hasNamesOf(lead)))
    if (candidate && others.length === 0) candidate.push(lead)
    else people.push([lead])
  }
  const order = new Map(leads.map((lead, index) => [lead, index]))
  const placeOf = (lead: Lead | undefined) => order.get(lead as Lead) ?? 0
  return people
    .map(person => person.toSorted((one, other) => placeOf(one) - placeOf(other)))
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
}

export const lookLikeOnePerson = (one: Named, other: Named): boolean => peopleAmong([one, other]).length === 1

/** A lead as calling needs it. Contacts are null once it's erased. */
export interface LeadToCall {
  readonly id: string
  readonly state: LeadState
  /** Ten digits. */
  readonly phone: string | null
  /** Lowercase, or empty. */
  readonly email: string | null
  readonly contact: Contact | null
  readonly language: string
  readonly receivedAt: number
  readonly repeatOf: string | null
  readonly replacedBy: string | null
}

export interface NamedLead {
  readonly leadId: string
  readonly firstName: string
  readonly lastName: string
}

export const named = ({ id, contact }: LeadToCall): readonly NamedLead[] =>
  contact ? [{ leadId: id, firstName: contact.firstName, lastName: contact.lastName }] : []

/** Each person once, with their first lead. */
export function namesAmong(leads: readonly LeadToCall[]): readonly NamedLead[] {
  const people = peopleAmong(leads.flatMap(lead => (lead.contact ? { ...lead.contact, lead } : [])))
  return people.flatMap(([first]) => (first ? named(first.lead) : []))
}

/** As for repeats, apart from the phone number: José and JOSE are the same, Bob and Robert aren't. */
export const identityOf = ({ email, firstName, lastName, dateOfBirth }: Contact): string =>
  JSON.stringify([canonicalEmail(email), canonicalName(firstName), canonicalName(lastName), dateOfBirth])
