/**
 * Keeps the stories of phone numbers: loads one under its number's lock, adds events, and saves the new plan in the same transaction.
 * What happened and what follows is decided in domain/calling/.
 */
import type { CallingHours } from '../../../../domain/calling/hours.ts'
import { type Plan, planOf } from '../../../../domain/calling/plan.ts'
import { type Story, tell } from '../../../../domain/calling/story.ts'
import type { StoryEvent } from '../../../../domain/calling/story-events.ts'
import type { Sql } from '../../sql.ts'
import { phoneMark } from '../leads/person-keys.ts'
import { type EventRow, eventColumns, eventOf } from './story-rows.ts'

/**
 * Planning reads this much of a story: anyone can submit a number ten thousand times. The first submissions are read, too, because they
 * came before the flood.
 */
const LATEST_SUBMISSIONS = 50
const FIRST_SUBMISSIONS = 10
/** Skips, and when visitors would like a call. */
const PASSING_EVENTS = 200
/**
 * Calls, and what else staff say and set: a year of as many calls as the limits allow. An older answer is forgotten. Finding each open
 * lead's last one would take an index by lead, because an outcome's leads are in `detail`; reading this many takes 0.4 s.
 */
const STAFF_EVENTS = 3000
/** A story with this many events is read whole, whatever they are. */
export const READ_WHOLE = FIRST_SUBMISSIONS + LATEST_SUBMISSIONS

export interface StoryRow {
  readonly id: string
  /** Null once no lead has the number. */
  readonly phone: string | null
  readonly counter: number
}

export interface StoredStory extends StoryRow {
  /** Oldest first: as much as planning needs. */
  readonly events: readonly StoryEvent[]
  readonly story: Story
  readonly plan: Plan
  /** For the waiting times of first calls. Null: nothing that happens changes those. */
  readonly hours: CallingHours | null
}

/** What a story is locked by: its number or, once no lead has it, its ID. */
export const lockOfStory = ({ id, phone }: Pick<StoryRow, 'id' | 'phone'>): string => phone ?? id

export const found = 'SELECT id, phone, counter FROM stories WHERE'

export async function storyOf(sql: Sql, phone: string, hours: CallingHours | null = null): Promise<StoredStory | null> {
  const [row] = await sql<StoryRow>(`${found} mark = $1 AND phone = $2`, [phoneMark(phone), phone])
  return row ? withEvents(sql, row, hours) : null
}

/** For a number that no lead has anymore. */
export async function storyWithId(
  sql: Sql,
  id: string,
  hours: CallingHours | null = null,
): Promise<StoredStory | null> {
  const [row] = await sql<StoryRow>(`${found} id = $1`, [id])
  return row ? withEvents(sql, row, hours) : null
}

export async function withEvents(sql: Sql, row: StoryRow, hours: CallingHours | null): Promise<StoredStory> {
  const parts = [
    someEvents(sql, 'submission', `DESC LIMIT ${LATEST_SUBMISSIONS}`),
    someEvents(sql, 'submission', `LIMIT ${FIRST_SUBMISSIONS}`),
    someEvents(sql, 'passing', `DESC LIMIT ${PASSING_EVENTS}`),
    someEvents(sql, 'staff', `DESC LIMIT ${STAFF_EVENTS}`),
  ]
  return withPlan(row, inOrder(await sql<EventRow>(parts.join(' UNION '), [row.id])), hours)
}

/** SQL: what strangers can send any number of, what soon means nothing, and all else. The index `story_events_by_kind` has the same expression. */
const groupOf = `CASE WHEN kind = 'submitted' OR (kind = 'replaces' AND person_name = 'the visitor') THEN 1
  WHEN kind IN ('preferred', 'skipped', 'taken over') THEN 2 ELSE 0 END`
const groups = { staff: 0, submission: 1, passing: 2 } as const

const someEvents = ({ dialect }: Sql, group: keyof typeof groups, which: string) =>
  `SELECT * FROM (SELECT ${eventColumns} FROM story_events ${dialect.by('story_events_by_kind')}
     WHERE story_id = $1 AND ${groupOf} = ${groups[group]} ORDER BY n ${which}) AS ${group}`

/** The story's latest events of calls, and what else staff did. */
export async function eventsOfCalls(sql: Sql, storyId: string, limit: number): Promise<readonly StoryEvent[]> {
  return inOrder(await sql<EventRow>(someEvents(sql, 'staff', `DESC LIMIT ${limit}`), [storyId]))
}

export const inOrder = (rows: readonly EventRow[]) => rows.toSorted((one, other) => one.n - other.n).map(eventOf)

export function withPlan(row: StoryRow, events: readonly StoryEvent[], hours: CallingHours | null): StoredStory {
  const story = tell(events)
  return { ...row, events, story, plan: planOf(story), hours }
}
