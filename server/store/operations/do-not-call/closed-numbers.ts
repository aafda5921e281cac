/** Numbers that emails on the list stop, and the leads that are closed with them. */
import type { Contact } from '../../../../domain/leads/lead.ts'
import { leadsWithNumbers } from '../../facts/do-not-call/requests.ts'
import { closedByEmails, entriesOf, isGiven, kindOf } from '../../facts/do-not-call/stops.ts'
import type { Tx } from '../../sql.ts'
import { stopNumbers } from '../../tables/do-not-call.ts'
import { tellOfStop } from './tell-crm.ts'

/** The leads that entries of one kind close. For emails, remembers the numbers that they stop. */
export async function closedBy(tx: Tx, entries: readonly string[]): Promise<string[]> {
  const numbers = await closedByEmails(
    tx,
    entries.filter(entry => kindOf(entry) === 'email'),
  )
  await stopNumbers(tx, numbers)
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  return leadsWithNumbers(tx, [...phones, ...numbers.map(({ phone }) => phone)])
}

interface NewLead extends Pick<Contact, 'email' | 'phone'> {
  readonly id: string
  /** The contacts of leads whose place it takes. */
  readonly replacing: readonly string[]
}

/** Which of these leads the list closes. An email on the list closes their numbers, and the CRM hears of leads that it has there. */
export async function closeNewLeads(tx: Tx, leads: readonly NewLead[]): Promise<ReadonlySet<string>> {
  const contacts = leads.map(lead => {
    const { email: emails = [], phone: phones = [] } = Object.groupBy(
      [...entriesOf(lead), ...lead.replacing].filter(isGiven),
      kindOf,
    )
    return { id: lead.id, number: entriesOf(lead)[1], emails, phones }
  })
  const rows = await tx<{ contact: string }>(
    `SELECT contact FROM do_not_call WHERE contact = ANY($1)
     UNION ALL SELECT phone FROM stopped_numbers WHERE phone = ANY($1)`,
    [contacts.flatMap(({ number, emails }) => [number, ...emails])],
  )
  if (rows.length === 0) return new Set()
  const onList = new Set(rows.map(({ contact }) => contact))
  const closed = contacts.filter(({ number, emails }) => [number, ...emails].some(contact => onList.has(contact)))
  const numbers = closed.flatMap(({ phones, emails }) =>
    emails.filter(email => onList.has(email)).flatMap(email => phones.map(phone => ({ phone, email }))),
  )
  const leadIds = await leadsWithNumbers(tx, await stopNumbers(tx, numbers))
  await tellOfStop(tx, { leadIds, contact: 'email' })
  return new Set(closed.map(({ id }) => id))
}
