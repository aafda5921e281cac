/** Where the calling of a lead stands, for its page and for badges in lists. */
import type { CallKind } from './list.ts'
import { dueOf } from './plan.ts'
import { nextKind, type Standing } from './standing.ts'
import type { Story } from './story.ts'
import type { PreferredTime } from './story-events.ts'

/** What's next for a lead. */
export interface QueuedCall {
  /** Null: no call. */
  readonly kind: CallKind | null
  readonly dueAt: number
  /** Calls since the person last submitted or was reached. */
  readonly tries: number
  /** When, in whose time, and by whom. `hasLeft`: that colleague was removed. */
  readonly promise: {
    readonly at: number
    readonly place: string | null
    readonly by: string
    readonly hasLeft?: boolean
  } | null
  /** When the person would like the first call. */
  readonly preferred: PreferredTime | null
  /** How the calling ended; null while it's open. */
  readonly ended: string | null
}

/** Where calling someone stands: what we promised them, or what else is open. */
export function callOfPerson(stored: { readonly story: Story }, leadIds: readonly string[]): QueuedCall {
  const rank = ({ promise, ended, kind }: QueuedCall) => (promise ? 0 : ended === null && kind !== null ? 1 : 2)
  const [call] = leadIds.map(id => queuedCall(stored, id)).toSorted((one, other) => rank(one) - rank(other))
  return call ?? queuedCall(stored, '')
}

export function queuedCall({ story }: { readonly story: Story }, leadId: string): QueuedCall {
  const standing = story.standings.get(leadId) ?? story.replaced.get(leadId)?.standing
  return standing ? queued(standing) : { kind: null, dueAt: 0, tries: 0, promise: null, preferred: null, ended: null }
}

const queued = (standing: Standing): QueuedCall => {
  const { promise, tried, preferred, answer } = standing
  return {
    kind: nextKind(standing),
    dueAt: dueOf(standing),
    tries: tried.length,
    promise: promise && { at: promise.at, place: promise.place, by: promise.by.name },
    preferred,
    ended: answer,
  }
}
