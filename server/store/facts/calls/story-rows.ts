/** Stories as rows: events, as evidence, and what is made from them for figures and lists, which can be made again. */
import type { Plan } from '../../../../domain/calling/plan.ts'
import type { StoryEvent } from '../../../../domain/calling/story-events.ts'

/** The columns that aren't fields of their own. */
export interface EventRow {
  readonly n: number
  readonly leadId: string | null
  readonly personId: string | null
  readonly personName: string | null
  readonly refersTo: number | null
  readonly detail: string | null
}

export const eventColumns = `n, kind, at, lead_id, person_id, person_name, id, refers_to, called_at, outcome,
  callback_at, place, reason, detail`

/** SQL: events of calls, which have an index by time. An engine uses that only if the query repeats its condition. */
export const isOfCall = (row = 'story_events') => `${row}.kind IN ('dialed', 'incoming', 'said', 'corrected')`

/** Before 0.9.0, an outcome was about one lead. */
export function eventOf(row: EventRow): StoryEvent {
  const { personId, personName, refersTo, detail, ...rest } = row
  const by = { id: personId ?? '', name: personName ?? '' }
  const named = { dial: refersTo, corrects: refersTo, by, with: null, leads: rest.leadId === null ? [] : [rest.leadId] }
  // Our own JSON.
  return { ...rest, ...named, noteId: null, ...(detail && JSON.parse(detail)) } as StoryEvent
}

/** A plan, and what an index needs of it. */
export interface PlanRow {
  readonly plan: string | null
  readonly listedAt: number | null
  readonly newAt: number | null
  readonly retryAt: number | null
  readonly promisedAt: number | null
  readonly promisedBy: string | null
}

/** For stories that are open. */
export const planOfRow = ({ plan }: Pick<PlanRow, 'plan'>): Plan => JSON.parse(plan ?? '')
