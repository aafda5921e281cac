/** Who is behind a number's leads: whose names differ, and which other numbers the same people gave. */
import type { Contact } from '../../../domain/lead.ts'
import { canonicalEmail, canonicalName, emailMark, KEY_VERSION, phoneMark } from '../leads/repeats.ts'
import type { Dialect, Sql } from '../sql.ts'
import { type LeadToCall, readLead } from './numbers.ts'

/** As for repeats, apart from the phone number: José and JOSE are the same, Bob and Robert aren't. */
const personOf = ({ email, firstName, lastName, dateOfBirth }: Contact): string =>
  JSON.stringify([canonicalEmail(email), canonicalName(firstName), canonicalName(lastName), dateOfBirth])

export const nameOf = ({ firstName, lastName }: Contact): string =>
  `${canonicalName(firstName)} ${canonicalName(lastName)}`

/** Keeps an email that someone submitted with thousands of numbers from making a call that takes minutes to save. */
const MOST_LEADS = 50

export async function leadsWithIds(
  sql: Sql,
  { valuesOf }: Dialect,
  ids: readonly string[],
): Promise<readonly LeadToCall[]> {
  const rows = await sql<LeadToCall & { contact: string | null }>(
    `SELECT id, state, phone, email, contact, language FROM leads WHERE id IN ${valuesOf('$1')} AND state <> 'erased' ORDER BY id`,
    [JSON.stringify(ids)],
  )
  return rows.map(readLead as (row: object) => LeadToCall)
}

/** Accepted leads of the same people with other phone numbers. */
export async function onOtherNumbers(sql: Sql, people: readonly LeadToCall[]): Promise<readonly LeadToCall[]> {
  const wanted = new Map(people.flatMap(({ contact, phone }) => (contact ? [[personOf(contact), phone]] : [])))
  // Without an email address, a name alone doesn't make two people the same.
  const searched = new Map(
    people.flatMap(({ email, phone }) => (email && phone ? [[`${email} ${phone}`, { email, phone }]] : [])),
  )
  const found: LeadToCall[] = []
  for (const { email, phone } of searched.values()) {
    const ofEmail = `${KEY_VERSION}${emailMark(email)}`
    const ofNumber = `${ofEmail}${phoneMark(phone)}`
    // Leaves out leads with the number: there may be ten thousand.
    const between = (from: string, to: string) => `SELECT id, state, phone, email, contact, language FROM leads
       WHERE person_key >= ${from} AND person_key < ${to} AND email = $1 AND state = 'accepted'`
    const rows = await sql<LeadToCall & { contact: string | null }>(
      `${between('$2', '$3')} UNION ALL ${between('$4', '$5')} LIMIT ${MOST_LEADS}`,
      [email, ofEmail, ofNumber, `${ofNumber}~`, `${ofEmail}~`],
    )
    found.push(...rows.map(readLead as (row: object) => LeadToCall))
  }
  return found.filter(({ contact, phone }) => {
    const known = contact && wanted.get(personOf(contact))
    return known !== undefined && known !== null && known !== phone
  })
}
