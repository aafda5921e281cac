/** What happened to a lead, in its order: history with the attempts that belong to it, and who caused what. */
import type { LeadDossier } from '../../../server/store/lead-records.ts'
import type { TimelineEntry } from '../../api/lead.ts'

const ofAttempts = ['delivered', 'delivery failed', 'delivery dead']
/** After these it is sent because somebody wanted it so. */
const causes = ['released', 'put into the outbox again']

type Detail = Readonly<Record<string, string | number | null>>

export function timelineOf({ history, deliveryAttempts }: LeadDossier): readonly TimelineEntry[] {
  const attempts = [...deliveryAttempts]
  let causedBy: string | null = null
  return history.map(({ at, event, detail: stored }) => {
    const { by: named, ...detail } = JSON.parse(stored) as Detail
    // There it is the lead that took its place.
    const by = event === 'replaced' || typeof named !== 'string' ? null : named
    if (causes.includes(event)) causedBy = by
    const isAttempt = ofAttempts.includes(event)
    // Both are kept in the order in which they happened, and each attempt has its line.
    const made = isAttempt ? attempts.shift() : undefined
    return {
      at,
      event,
      by,
      detail: {
        ...detail,
        ...(event === 'replaced' && named !== undefined ? { replacedBy: named } : {}),
        ...(isAttempt && causedBy !== null ? { causedBy } : {}),
      },
      attempt: made ? { durationMs: made.durationMs, status: made.status, outcome: made.outcome } : null,
    }
  })
}
