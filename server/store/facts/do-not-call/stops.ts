/**
 * Whom the do-not-call list stops: read, never copied into leads. A number is stopped if it's on the list, or if an email on the list
 * belongs to one of its leads, past or future, or of those that took each other's place, and no further. The list is changed by
 * stop.ts, remove.ts, and take-back.ts in operations/do-not-call.
 */
import { randomUUID } from 'node:crypto'
import { canonicalEmail } from '../../../../domain/contact/email.ts'
import { phoneDigits } from '../../../../domain/contact/phone.ts'
import type { DoNotCall, StopSource } from '../../../../domain/do-not-call/do-not-call.ts'
import { DO_NOT_CALL } from '../../../../domain/leads/hold-reasons.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { type Sql, StaleLocks, type Tx } from '../../sql.ts'
import { contactsOfChains } from '../leads/chains.ts'
import { hadEmail } from '../leads/corrections.ts'
import { emailParameters, hasEmail } from '../leads/person-keys.ts'

export type ContactKind = 'email' | 'phone'

/** An entry on the list: when it was added and by whom, as far as we know. */
export interface DoNotCallEntry {
  readonly contact: ContactKind
  /** Ten digits, or a lowercase email address. */
  readonly entry: string
  readonly at: number
  readonly by: string | null
  readonly source: StopSource | null
  /** The date of a letter or an email. */
  readonly askedOn: string | null
}

/** An entry that closes a lead. */
export interface ClosingEntry extends DoNotCallEntry {
  /** Whether it's the lead's own phone number or email. If not, it's the email of another lead with the number. */
  readonly isOwn: boolean
}

/** Which of a lead's contacts are on the list, and emails of other leads with its number. Without an email, the number is all there is. */
export function listedContacts(entries: readonly ClosingEntry[], { email }: { readonly email: string | null }) {
  const isListed = (kind: ContactKind) =>
    entries.some(({ contact, isOwn }) => isOwn && contact === (email === '' ? 'phone' : kind))
  const others = entries.filter(({ isOwn }) => !isOwn).map(({ entry }) => entry)
  return { email: isListed('email'), phone: isListed('phone'), others }
}

export function entriesOf({ email, phone }: Pick<Contact, 'email' | 'phone'>): readonly [string, string] {
  return [canonicalEmail(email), phoneDigits(phone)]
}

export function entryOf(contact: DoNotCall): string {
  return 'email' in contact ? canonicalEmail(contact.email) : phoneDigits(contact.phone)
}

export function contactOfEntry(entry: string): DoNotCall {
  return entry.includes('@') ? { email: entry } : { phone: entry }
}

export type RequestedContact = DoNotCall & { readonly requestId?: string }

/** Makes them one row of the list. */
export function asOneRequest(contacts: readonly DoNotCall[], requestId: string = randomUUID()) {
  return { requestId, contacts: contacts.map((contact): RequestedContact => ({ ...contact, requestId })) }
}

export const kindOf = (entry: string): ContactKind => (entry.includes('@') ? 'email' : 'phone')

/** SQL: this number, a column or parameter, isn't to be called. */
export const isStopped = (phone: string): string =>
  `(EXISTS (SELECT 1 FROM do_not_call WHERE do_not_call.contact = ${phone})
    OR EXISTS (SELECT 1 FROM stopped_numbers WHERE stopped_numbers.phone = ${phone}))`

/** SQL: the callback that was promised to the number of this story is still to be made. */
export const isStillPromised = `stories.promised_at IS NOT NULL AND NOT ${isStopped('stories.phone')}`

/** SQL: the list closes the lead. It isn't called, sent, or approved. */
export const isClosedByList = isStopped('leads.phone')

/** SQL, for leads on hold: someone has to review it, as `isClosed` in domain/leads/hold-reasons.ts defines it. */
export const isUndecided = `(leads.held_reason = '${DO_NOT_CALL}' OR NOT ${isClosedByList})`

/** SQL: entries, with the requests that they stand for. */
export const selectEntries = `SELECT do_not_call.contact AS entry, do_not_call.added_at AS at, do_not_call.source,
    do_not_call.request_id, asked.done_by AS "by", asked.asked_on
  FROM do_not_call LEFT JOIN do_not_call_history AS asked ON asked.contact = do_not_call.contact AND asked.n = do_not_call.n`

export interface EntryRow extends Omit<DoNotCallEntry, 'contact'> {
  readonly requestId: string | null
}
const readEntry = ({ requestId: _, ...row }: EntryRow): DoNotCallEntry => ({ ...row, contact: kindOf(row.entry) })

/** The entries that stop a number: itself first, then emails. */
export async function stopsOf(sql: Sql, phone: string, email = ''): Promise<DoNotCallEntry[]> {
  const rows = await sql<EntryRow>(
    `${selectEntries}
     WHERE do_not_call.contact IN ($1, $2)
       OR do_not_call.contact IN (SELECT email FROM stopped_numbers WHERE phone = $1) ORDER BY entry`,
    [phone, email],
  )
  return rows.map(readEntry).toSorted((one, other) => Number(other.entry === phone) - Number(one.entry === phone))
}

/** Locks entries, so that adding, confirming, and taking back the same one, and a capture from the same person, wait for each other. */
export const contactKeys = (entries: readonly string[]): readonly string[] =>
  entries.filter(isGiven).map(entry => `contact ${entry}`)

/**
 * Locks entries to stop or take back, and the numbers that emails among them close: all in one sorted step, because two transactions
 * that take them in different orders would deadlock.
 */
export async function lockContacts(tx: Tx, entries: readonly string[]): Promise<void> {
  const emails = entries.filter(entry => isGiven(entry) && kindOf(entry) === 'email')
  const closed = await numbersOf(tx, emails)
  await tx.dialect.lockKeys(tx, [...new Set(contactKeys([...entries, ...closed]))])
  if (emails.length === 0) return
  // A lead with the address came in before we had the lock.
  if ([...(await numbersOf(tx, emails))].some(phone => !closed.has(phone))) throw new StaleLocks()
}

async function numbersOf(tx: Tx, emails: readonly string[]): Promise<ReadonlySet<string>> {
  if (emails.length === 0) return new Set()
  const remembered = await tx<{ phone: string }>(`SELECT phone FROM stopped_numbers WHERE email = ANY($1)`, [emails])
  return new Set([...remembered, ...(await closedByEmails(tx, emails))].map(({ phone }) => phone))
}

/** A number that an email on the list stops. */
export interface StoppedNumber {
  readonly phone: string
  readonly email: string
}

/** The numbers of leads that have these addresses, or had them before, and of their chains. */
export async function closedByEmails(sql: Sql, emails: readonly string[]): Promise<readonly StoppedNumber[]> {
  const closed: StoppedNumber[] = []
  for (const email of emails) {
    const leads = await sql<{ id: string }>(
      `SELECT id FROM leads WHERE ${hasEmail()} UNION ${hadEmail()}`,
      emailParameters(email),
    )
    if (leads.length === 0) continue
    const ids = leads.map(({ id }) => id)
    const found = (await contactsOfChains(sql, ids)).filter(contact => kindOf(contact) === 'phone')
    closed.push(...found.map(phone => ({ phone, email })))
  }
  return closed
}

/** Someone who called us may have given no email address. */
export const isGiven = (entry: string) => entry !== ''
