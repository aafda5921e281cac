/** Who decided on a lead last. Told to a colleague whose own decision is based on what the lead looked like before. */

import { decisionIn, doneBy, readLeadEvent } from '../../domain/events/lead-events.ts'
import type { Calendar } from '../settings/calendar.ts'
import type { DoNotCallEntry } from '../store/facts/do-not-call/stops.ts'
import type { LeadDetails } from '../store/facts/leads/lead-records.ts'

/** "Maria Lopez rejected this at 1:13 PM." Null if nobody has decided anything. */
export function describeLastDecision(
  { history }: Pick<LeadDetails, 'history'>,
  entries: readonly DoNotCallEntry[],
  { calendar, now }: { readonly calendar: Calendar; readonly now: number },
): string | null {
  const ofLead = history.map(({ at, ...line }) => ({ at, event: readLeadEvent(line) }))
  // Someone may have added the person from another lead or in the terminal.
  const ofList = entries.map(({ at, by, contact }) => ({
    at,
    event: { kind: 'suppressed', contact, by: by ?? 'Someone' } as const,
  }))
  const decisions = [...ofLead, ...ofList].flatMap(({ at, event }) => {
    const [did, by] = [decisionIn(event), doneBy(event)]
    return did === null || by === null ? [] : [{ at, by, did }]
  })
  const last = decisions.toSorted((a, b) => a.at - b.at).at(-1)
  return last ? `${last.by} ${last.did} ${calendar.spoken(last.at, now)}.` : null
}
