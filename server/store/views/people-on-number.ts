/** Everyone on a number as the call's page shows them: who looks like one person, where each stands, and whom a stop would silence. */
import { isReached } from '../../../domain/calling/outcomes.ts'
import { callOfPerson, type QueuedCall } from '../../../domain/calling/queued-call.ts'
import type { Story } from '../../../domain/calling/story.ts'
import { phoneDigits } from '../../../domain/contact/phone.ts'
import { type LeadToCall, peopleAmong } from '../../../domain/leads/people.ts'
import { leadsOnNumber, type OtherNumber, onOtherNumbers, otherNumber, sharedEmails } from '../facts/calls/people.ts'
import { storyOf } from '../facts/calls/stories.ts'
import { removedPeople } from '../facts/desk-people.ts'
import { storedLeads } from '../facts/leads/lead-rows.ts'
import type { Sql, SqlPort } from '../sql.ts'

export interface PersonOnNumber {
  /** Of leads that look like this person; the page's own first. */
  readonly leads: readonly string[]
  readonly firstName: string
  readonly lastName: string
  /** Empty if they didn't say. */
  readonly dateOfBirth: string
  readonly language: string
  readonly call: QueuedCall
  /** Someone talked to them on this number. */
  readonly wasReached: boolean
  /** The same email, names, and date of birth. */
  readonly otherNumbers: readonly OtherNumber[]
  /** Null if they gave none. */
  readonly email: string | null
  /** Someone else gave this address, too, so it isn't stopped together with this person. */
  readonly isEmailShared: boolean
}

/** The person whose page it is comes first. Those whose calling has ended are shown, too: they may pick up. */
export async function peopleOn(
  sql: Sql,
  stored: { readonly story: Story },
  page: LeadToCall,
): Promise<readonly PersonOnNumber[]> {
  const { standings } = stored.story
  const ids = [...new Set([page.id, ...standings.keys()])]
  const found = (await storedLeads(sql, ids)).filter(({ phone }) => phone === page.phone)
  const leads = found
    .toSorted((one, other) => Number(other.id === page.id) - Number(one.id === page.id))
    .flatMap(lead => (lead.contact ? { ...lead.contact, lead } : []))
  const elsewhere = await onOtherNumbers(sql, found)
  const removed = await removedPeople(sql)
  const people: PersonOnNumber[] = []
  for (const person of peopleAmong(leads)) {
    const [first] = person
    if (!first) continue
    const { firstName, lastName, dateOfBirth, lead } = first
    const own = person.map(each => each.lead)
    const shared = await sharedEmails(sql, own)
    const ids = own.map(({ id }) => id)
    const call = callOfPerson(stored, ids)
    people.push({
      leads: ids,
      firstName,
      lastName,
      dateOfBirth,
      language: lead.language,
      call: { ...call, promise: call.promise && { ...call.promise, hasLeft: removed.has(call.promise.by) } },
      wasReached: ids.some(id => standings.get(id)?.outcomes.some(isReached)),
      otherNumbers: elsewhere.filter(isNamedAs(own)).flatMap(otherNumber),
      email: own.find(({ email }) => email)?.email ?? null,
      isEmailShared: shared.size > 0,
    })
  }
  return people
}

function isNamedAs(people: readonly LeadToCall[]) {
  const nameOf = ({ contact }: LeadToCall) =>
    JSON.stringify([contact?.firstName, contact?.lastName, contact?.dateOfBirth])
  const names = new Set(people.map(nameOf))
  return (lead: LeadToCall) => names.has(nameOf(lead))
}

/** Someone who gave this number. */
export interface PersonWithNumber {
  /** The person's newest accepted lead or, without one, the newest. */
  readonly leadId: string
  readonly state: string
  readonly receivedAt: number
  readonly firstName: string
  readonly lastName: string
  readonly dateOfBirth: string
  readonly email: string
  readonly language: string
  readonly call: QueuedCall | null
}

export function createPeopleWithNumber({ read }: SqlPort) {
  return {
    /** One entry per person, accepted leads first, then the newest. */
    async peopleWithNumber(phone: string): Promise<readonly PersonWithNumber[]> {
      const order = new Map((await leadsOnNumber(read, phoneDigits(phone))).map((id, index) => [id, index]))
      const leads = (await storedLeads(read, [...order.keys()]))
        .toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0))
        .flatMap(({ contact, ...lead }) => (contact ? { ...contact, ...lead, email: contact.email } : []))
      const stored = await storyOf(read, phoneDigits(phone))
      return peopleAmong(leads).flatMap(person => {
        const [lead] = person
        if (!lead) return []
        const ids = person.map(({ id }) => id)
        const { id: leadId, state, receivedAt, language, firstName, lastName, dateOfBirth, email } = lead
        return {
          leadId,
          state,
          receivedAt,
          language,
          firstName,
          lastName,
          dateOfBirth,
          email,
          call: stored && callOfPerson(stored, ids),
        }
      })
    },
  }
}
