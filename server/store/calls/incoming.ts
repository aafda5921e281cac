/** Calls that come in: who a number belongs to, and taking the call. Anyone may call us, at any time, as often as they like. */
import { randomUUID } from 'node:crypto'
import { placeId } from '../../../domain/calling/area-codes.ts'
import { placeOf } from '../../../domain/calling/may-we-call.ts'
import { CALL_MS } from '../../../domain/calling/plan.ts'
import type { NewEvent } from '../../../domain/calling/story.ts'
import { phoneDigits } from '../../../domain/phone.ts'
import { addHistory } from '../leads/history.ts'
import { phoneMark, phoneMarkOfKey } from '../leads/repeats.ts'
import { insert, type SqlPort } from '../sql.ts'
import { type CallRefused, ERASED, openDialOf } from './calling.ts'
import { claimNumber, claimOn } from './claims.ts'
import { type CallRequest, lockNumber, readLead } from './numbers.ts'
import { nameOf } from './same-person.ts'
import { addEvents } from './stories.ts'

/** Someone who gave this number. */
export interface PersonWithNumber {
  /** Their newest accepted lead or, without one, their newest. */
  readonly leadId: string
  readonly state: string
  readonly receivedAt: number
  readonly firstName: string
  readonly lastName: string
  readonly dateOfBirth: string
  readonly email: string
  readonly language: string
}

/** Keeps a number that someone submitted thousands of times from making a list that nobody can read. */
const MOST_LEADS = 100

type LeadRow = Parameters<typeof readLead>[0] & { readonly receivedAt: number }

export function createIncomingCalls({ read, transact, dialect }: SqlPort) {
  return {
    /** Accepted leads first, then the newest. One entry per name. */
    async peopleWithNumber(phone: string): Promise<readonly PersonWithNumber[]> {
      const rows = await read<LeadRow>(
        `SELECT id, state, phone, email, contact, language, received_at AS "receivedAt" FROM leads
         WHERE ${phoneMarkOfKey} = $1 AND phone = $2 AND state IN ('accepted', 'held', 'rejected')
         ORDER BY CASE state WHEN 'accepted' THEN 0 ELSE 1 END, id DESC LIMIT ${MOST_LEADS}`,
        [phoneMark(phone), phoneDigits(phone)],
      )
      const people = new Map<string, PersonWithNumber>()
      for (const { receivedAt, ...row } of rows) {
        const { id: leadId, state, language, contact } = readLead(row)
        if (!contact || people.has(nameOf(contact))) continue
        const { firstName, lastName, dateOfBirth, email } = contact
        people.set(nameOf(contact), {
          leadId,
          state,
          receivedAt,
          language,
          firstName,
          lastName,
          dateOfBirth,
          email,
        })
      }
      return [...people.values()]
    },

    /** Someone called whom we don't know: to ask something, or to be left alone. Only that there was a call. */
    recordUnknownCaller: ({ person: { id, name } }: Pick<CallRequest, 'person'>) =>
      transact(async (sql, at) => {
        await insert(sql, 'unknown_callers', { at, person_id: id, person_name: name })
      }),

    /**
     * The person called us, and this desk user takes the call. Takes the number over from a colleague who only has it open: they can't
     * reach someone who is on the phone. A colleague who dialed keeps it, to say what came of that.
     */
    takeCall: ({ leadId, person, hours }: CallRequest) =>
      transact(async (sql, at): Promise<CallRefused | { readonly kind: 'taken'; readonly at: number }> => {
        const found = await lockNumber(sql, dialect, leadId)
        const { lead, stored } = found ?? {}
        if (!lead || lead.phone === null) return ERASED
        if (lead.state !== 'accepted' || !stored) {
          return {
            kind: 'closed',
            message: 'You can’t take a call on this lead. Press “Someone called us” and enter the number.',
          }
        }
        // Pressed twice, or in two tabs.
        const open = openDialOf(stored.story, person.id)
        if (open?.incoming && open.at > at - CALL_MS) return { kind: 'taken', at: open.at }
        const before = await claimOn(sql, stored.id, at)
        const from = before && before.personId !== person.id && before.dialed === 0 ? before.name : null
        const number = { storyId: stored.id, leadId }
        await claimNumber(sql, at, number, person, { dialedAt: at, takeOver: from !== null })
        const place = placeOf(lead.phone, stored.plan.place?.id ?? null)
        const incoming: NewEvent = {
          kind: 'incoming',
          id: randomUUID(),
          at,
          by: person,
          leadId,
          place: place && placeId(place),
        }
        const takenOver: NewEvent[] = from === null ? [] : [{ kind: 'taken over', at, leadId, by: person, from }]
        await addEvents(sql, dialect, stored, [...takenOver, incoming], hours)
        if (from !== null) {
          await addHistory(sql, { leadId, at, event: { kind: 'call taken over', by: person.name, from } })
        }
        return { kind: 'taken', at }
      }),
  }
}
