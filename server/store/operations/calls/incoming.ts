/** Calls that come in: anyone may call us, at any time, as often as they like. */
import { randomUUID } from 'node:crypto'
import { placeId } from '../../../../domain/calling/area-codes.ts'
import { placeOf } from '../../../../domain/calling/may-we-call.ts'
import type { NewEvent } from '../../../../domain/calling/story-events.ts'
import { type CallRequest, lockNumber, numberNow } from '../../facts/calls/numbers.ts'
import type { SqlPort } from '../../sql.ts'
import { claimNumber } from '../../tables/call-claims.ts'
import { addHistory } from '../../tables/history.ts'
import { addEvents } from '../../tables/stories.ts'
import { type CallRefused, ERASED } from './calling.ts'

export function createIncomingCalls({ transact }: SqlPort) {
  return {
    /**
     * The person called us, and this desk user takes the call. Takes the number over from a colleague who only has it open: they can't
     * reach someone who is on the phone. A colleague who dialed keeps it, to say what came of that.
     */
    takeCall: ({ leadId, person, hours }: CallRequest) =>
      transact(async (tx): Promise<CallRefused | { readonly kind: 'taken'; readonly at: number }> => {
        const found = await lockNumber(tx, leadId, { hours })
        const { lead, stored } = found ?? {}
        if (!found || !lead || lead.phone === null) return ERASED
        if (lead.state !== 'accepted' || !stored) {
          return {
            kind: 'closed',
            message: 'You can’t take a call on this lead. Press “Someone called us” and enter the number.',
          }
        }
        const { whose, claim: before } = await numberNow(tx, found, { at: tx.at, personId: person.id })
        const taken = whose.kind === 'started' && whose.call.incoming ? whose.call : null
        // Pressed twice, or in two tabs.
        if (taken?.leadId === leadId) return { kind: 'taken', at: taken.at }
        const from = before && before.personId !== person.id && before.dialed === 0 ? before.name : null
        const number = { storyId: stored.id, leadId }
        await claimNumber(tx, number, person, { dialedAt: tx.at, takeOver: from !== null })
        const place = placeOf(lead.phone, stored.plan)
        const incoming = { kind: 'incoming', id: randomUUID(), at: tx.at, by: person, leadId } as const
        const takenOver: NewEvent[] = from === null ? [] : [{ kind: 'taken over', at: tx.at, leadId, by: person, from }]
        // The same call: it turned out to be someone else's.
        const corrected = taken
          ? [{ kind: 'corrected', id: randomUUID(), at: tx.at, by: person, corrects: taken.n } as const]
          : []
        await addEvents(tx, stored, [...takenOver, ...corrected, { ...incoming, place: place && placeId(place) }])
        if (from !== null) {
          await addHistory(tx, { leadId, event: { kind: 'call taken over', by: person.name, from } })
        }
        return { kind: 'taken', at: tx.at }
      }),
  }
}
