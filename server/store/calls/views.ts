/** Where the calling of a lead stands, for its page and for badges in lists. */
import type { CallKind } from '../../../domain/calling/list.ts'
import { dueOf } from '../../../domain/calling/plan.ts'
import { kindOfRequest, type PreferredTime } from '../../../domain/calling/story.ts'
import type { StoredStory } from './stories.ts'

/** What's planned for a lead's number. */
export interface QueuedCall {
  readonly kind: CallKind
  readonly dueAt: number
  /** Calls since the person last submitted or was reached. */
  readonly tries: number
  /** The earliest promised callback: for which lead, when, in whose time, and by whom. */
  readonly callback: {
    readonly at: number
    readonly place: string | null
    readonly by: string
    readonly leadId: string
  } | null
  /** When the person would like the first call. */
  readonly preferred: PreferredTime | null
  /** How the calling ended; null while there's someone to call. */
  readonly ended: string | null
}

export function queuedCall({ story, plan }: StoredStory, leadId: string): QueuedCall {
  const request = story.requests.get(leadId) ?? story.requests.get(plan.leadId ?? '')
  const own = request && kindOfRequest(request)
  const { promise } = plan
  return {
    kind: own ?? plan.kind ?? 'new',
    dueAt: request && own ? dueOf(request) : plan.notBefore,
    tries: request?.tried.length ?? 0,
    callback: promise && { at: promise.at, place: promise.place, by: promise.by.name, leadId: promise.leadId },
    preferred: request?.preferred ?? null,
    ended: plan.kind === null ? (request?.answer ?? null) : null,
  }
}
