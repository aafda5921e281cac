/** Who is behind a number's leads, and which other numbers the same people gave. */
import { formatPhone } from '../../../../domain/contact/phone.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { identityOf, type LeadToCall, lookLikeOnePerson } from '../../../../domain/leads/people.ts'
import type { Sql } from '../../sql.ts'
import { readStored, storedColumns } from '../leads/lead-rows.ts'
import { emailParameters, hasEmail, keyPrefixOf, phoneMark, phoneMarkOfKey } from '../leads/person-keys.ts'
import { isAccepted, isLead } from '../leads/states.ts'

/** Keeps a number that someone submitted thousands of times from making a list that nobody can read. */
const MOST_ON_NUMBER = 100

/** Accepted leads first, then the newest. */
export async function leadsOnNumber(sql: Sql, phone: string): Promise<readonly string[]> {
  const rows = await sql<{ id: string }>(
    `SELECT id FROM leads WHERE ${phoneMarkOfKey} = $1 AND phone = $2 AND ${isLead('accepted', 'held', 'rejected')}
     ORDER BY CASE WHEN ${isAccepted} THEN 0 ELSE 1 END, id DESC LIMIT ${MOST_ON_NUMBER}`,
    [phoneMark(phone), phone],
  )
  return rows.map(({ id }) => id)
}

export const contactsOf = ({ phone, email }: LeadToCall): readonly string[] =>
  [phone, email].filter(contact => contact !== null && contact !== '') as string[]

export interface OtherNumber {
  readonly leadId: string
  readonly phone: string
}

export const otherNumber = ({ id, phone }: LeadToCall): readonly OtherNumber[] =>
  phone === null ? [] : [{ leadId: id, phone: formatPhone(phone) }]

/** Keeps an email that someone submitted with thousands of numbers from making a call that takes minutes to save. */
const MOST_LEADS = 50

/** Accepted leads of the same people with other phone numbers: the same email, names, and date of birth. */
export async function onOtherNumbers(sql: Sql, people: readonly LeadToCall[]): Promise<readonly LeadToCall[]> {
  const wanted = new Map(people.flatMap(({ contact, phone }) => (contact ? [[identityOf(contact), phone]] : [])))
  // Without an email address, a name alone doesn't make two people the same.
  const searched = new Map(
    people.flatMap(({ email, phone }) => (email && phone ? [[`${email} ${phone}`, { email, phone }]] : [])),
  )
  const found: LeadToCall[] = []
  for (const { email, phone } of searched.values()) {
    const ofEmail = keyPrefixOf(email)
    const ofNumber = `${ofEmail}${phoneMark(phone)}`
    // Leaves out leads with the number: there may be ten thousand.
    const between = (from: string, to: string) => `SELECT ${storedColumns} FROM leads
       WHERE person_key >= ${from} AND person_key < ${to} AND email = $1 AND ${isAccepted}`
    const query = `${between('$2', '$3')} UNION ALL ${between('$4', '$5')} LIMIT ${MOST_LEADS}`
    const range = [ofEmail, ofNumber, `${ofNumber}~`, `${ofEmail}~`]
    found.push(...(await readStored(sql, query, [email, ...range])))
  }
  return found.filter(({ contact, phone }) => {
    const known = contact && wanted.get(identityOf(contact))
    return known !== undefined && known !== null && known !== phone
  })
}

/** The addresses of these people that someone else gave, too, on any number. */
export async function sharedEmails(sql: Sql, people: readonly LeadToCall[]): Promise<ReadonlySet<string>> {
  const shared = new Set<string>()
  for (const email of new Set(people.flatMap(lead => lead.email || []))) {
    const leads = await readStored(
      sql,
      `SELECT ${storedColumns} FROM leads WHERE ${hasEmail()} ORDER BY id DESC LIMIT ${MOST_LEADS}`,
      emailParameters(email),
    )
    const own = people.filter(lead => lead.email === email).flatMap(({ contact }) => contact ?? [])
    const isOwn = (contact: Contact) => own.some(each => lookLikeOnePerson(each, contact))
    if (leads.some(({ contact }) => contact !== null && !isOwn(contact))) shared.add(email)
  }
  return shared
}
