/** Who decided on a lead last. Told to a colleague whose own decision is based on what the lead looked like before. */

import { leadActions } from '../../domain/lead-actions.ts'
import type { Calendar } from '../settings/calendar.ts'
import type { DoNotCallEntry } from '../store/do-not-call/stops.ts'
import type { LeadDetails } from '../store/leads/lead-records.ts'

/** "Maria Lopez rejected this at 1:13 PM." Null if nobody has decided anything. */
export function describeLastDecision(
  { history }: Pick<LeadDetails, 'history'>,
  entries: readonly DoNotCallEntry[],
  { calendar, now }: { readonly calendar: Calendar; readonly now: number },
): string | null {
  const decisions = history.flatMap(({ at, event, detail }) => {
    const did = Object.values(leadActions).find(action => action.event === event)?.did ?? null
    const { by } = JSON.parse(detail) as { readonly by?: string }
    return did === null || by === undefined ? [] : [{ at, by, did }]
  })
  // Someone may have added the person from another lead or in the terminal.
  const { did: added = '' } = leadActions['do not call']
  const additions = entries.map(({ at, by }) => ({ at, by: by ?? 'Someone', did: added }))
  const last = [...decisions, ...additions].toSorted((a, b) => a.at - b.at).at(-1)
  return last ? `${last.by} ${last.did} ${calendar.spoken(last.at, now)}.` : null
}
