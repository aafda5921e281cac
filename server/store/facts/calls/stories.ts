/**
 * Keeps the stories of phone numbers: loads one under its number's lock, adds events, and saves the new plan in the same transaction.
 * What happened and what follows is decided in domain/calling/.
 */
import { setImmediate } from 'node:timers/promises'
import type { CallingHours } from '../../../../domain/calling/hours.ts'
import { type Plan, planOf } from '../../../../domain/calling/plan.ts'
import { type Story, tell } from '../../../../domain/calling/story.ts'
import type { NewEvent, StoryEvent } from '../../../../domain/calling/story-events.ts'
import { insert, insertAll, type Sql, type SqlPort, type Tx, updateAll } from '../../sql.ts'
import { contactKeys } from '../do-not-call/stops.ts'
import { createLeadId } from '../leads/lead-id.ts'
import { phoneMark } from '../leads/person-keys.ts'
import { type EventRow, eventColumns, eventOf, planRow, replaceMade, rowOfEvent, saveMade } from './story-rows.ts'

/**
 * Planning reads this much of a story: anyone can submit a number ten thousand times. The first submissions are read, too, because they
 * came before the flood.
 */
const LATEST_SUBMISSIONS = 50
const FIRST_SUBMISSIONS = 10
/** Skips, and when visitors would like a call. */
const PASSING_EVENTS = 200
/** Calls, and what else staff say and set: a year of as many calls as the limits allow. */
const STAFF_EVENTS = 3000
/** A story with this many events is read whole, whatever they are. */
const READ_WHOLE = FIRST_SUBMISSIONS + LATEST_SUBMISSIONS

interface StoryRow {
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

const found = 'SELECT id, phone, counter FROM stories WHERE'

export async function storyOf(sql: Sql, phone: string, hours: CallingHours | null = null): Promise<StoredStory | null> {
  const [row] = await sql<StoryRow>(`${found} mark = $1 AND phone = $2`, [phoneMark(phone), phone])
  return row ? withEvents(sql, row, hours) : null
}

/** The number must be locked. */
export async function openStory(tx: Tx, phone: string): Promise<StoredStory> {
  const known = await storyOf(tx, phone)
  if (known) return known
  const id = createLeadId(tx.at)
  await insert(tx, 'stories', { id, mark: phoneMark(phone), phone, counter: 0 })
  return withPlan({ id, phone, counter: 0 }, [], null)
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

async function withEvents(sql: Sql, row: StoryRow, hours: CallingHours | null): Promise<StoredStory> {
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

const inOrder = (rows: readonly EventRow[]) => rows.toSorted((one, other) => one.n - other.n).map(eventOf)

function withPlan(row: StoryRow, events: readonly StoryEvent[], hours: CallingHours | null): StoredStory {
  const story = tell(events)
  return { ...row, events, story, plan: planOf(story), hours }
}

export async function addEvents(tx: Tx, stored: StoredStory, added: readonly NewEvent[]): Promise<StoredStory> {
  const events = added.map((event, index) => ({ ...event, n: stored.counter + index + 1 }) as StoryEvent)
  await insertAll(
    tx,
    'story_events',
    events.map(event => rowOfEvent(stored.id, event)),
  )
  const row = { id: stored.id, phone: stored.phone, counter: stored.counter + events.length }
  const after = withPlan(row, [...stored.events, ...events], stored.hours)
  await savePlan(tx, after)
  await saveMade(tx, stored.id, { before: stored.story, after: after.story, hours: stored.hours })
  return after
}

export interface NewSubmission {
  readonly phone: string
  readonly leadId: string
  readonly at: number
  /** When the person asked, if that was before. */
  readonly askedAt?: number
  readonly desk: boolean
  readonly language: string
  /** Said yes on the phone. */
  readonly spoken: boolean
}

/** Adds accepted leads, and repeats of them, to their numbers' stories, oldest first. The numbers must be locked. */
export async function addSubmissions(tx: Tx, submissions: readonly NewSubmission[]): Promise<void> {
  if (submissions.length === 0) return
  const byPhone = Map.groupBy(submissions, ({ phone }) => phone)
  const phones = [...byPhone.keys()]
  const rows = await tx<{ phone: string }>(`SELECT phone FROM stories WHERE mark = ANY($1) AND phone = ANY($2)`, [
    phones.map(phoneMark),
    phones,
  ])
  const known = new Set(rows.map(({ phone }) => phone))
  // Nearly every number is new and submitted once, so all of those take two statements.
  const first: { readonly story: ReturnType<typeof newStory>; readonly event: ReturnType<typeof rowOfEvent> }[] = []
  for (const [phone, ofNumber] of byPhone) {
    const events = ofNumber.map(({ at, leadId, desk, language, askedAt, spoken }) => {
      const isLater = askedAt !== undefined && askedAt !== at
      const submitted = { kind: 'submitted', at, leadId, desk, language } as const
      return { ...submitted, ...(isLater && { askedAt }), ...(spoken && { spoken }) }
    })
    const [only] = events
    if (known.has(phone) || events.length > 1 || !only) {
      await addEvents(tx, await openStory(tx, phone), events)
      continue
    }
    const event = { ...only, n: 1 }
    const story = newStory(phone, event)
    first.push({ story, event: rowOfEvent(story.id, event) })
  }
  const rowsOf = (name: 'story' | 'event') => first.map(each => each[name])
  await insertAll(tx, 'stories', rowsOf('story'))
  await insertAll(tx, 'story_events', rowsOf('event'))
}

function newStory(phone: string, event: StoryEvent) {
  const id = createLeadId(event.at)
  const { plan } = withPlan({ id, phone, counter: 1 }, [event], null)
  return { id, mark: phoneMark(phone), phone, counter: 1, ...planRow(plan) }
}

/** Stories whose plans are made at once. PostgreSQL has room for a few thousand locks. */
const BATCH = 1000

export function createStories({ transact }: SqlPort) {
  return {
    /**
     * Makes plans after an upgrade, before the server listens: a plan is code, so an upgrade only marks it as stale. If it's interrupted,
     * the next start goes on. Returns how many were made.
     */
    async planStaleStories(hours: CallingHours) {
      let planned = 0
      for (let made = BATCH; made === BATCH; planned += made) {
        made = await transact(tx => planStale(tx, hours))
        await setImmediate()
      }
      return planned
    },
  }
}

/** Returns how many there were. */
async function planStale(tx: Tx, hours: CallingHours): Promise<number> {
  // One server at a time.
  await tx.dialect.lockKeys(tx, ['plan stories'])
  const stale = 'SELECT id, phone FROM stories WHERE stale = 1 ORDER BY id LIMIT $1'
  const found = await tx<Pick<StoryRow, 'id' | 'phone'>>(stale, [BATCH])
  if (found.length > 0) await tx.dialect.lockKeys(tx, contactKeys(found.map(lockOfStory)))
  const stories = await storiesWithIds(
    tx,
    found.map(({ id }) => id),
    hours,
  )
  await updateAll(
    tx,
    'stories',
    stories.map(story => ({ id: story.id, stale: 0, ...plannedRow(story) })),
  )
  await replaceMade(tx, stories)
  return found.length
}

/** Most have one event, so they're read together. */
async function storiesWithIds(sql: Sql, ids: readonly string[], hours: CallingHours): Promise<readonly StoredStory[]> {
  const rows = await sql<StoryRow>(`SELECT id, phone, counter FROM stories WHERE id = ANY($1)`, [ids])
  const short = rows.filter(({ counter }) => counter <= READ_WHOLE).map(({ id }) => id)
  const events = await sql<EventRow & { readonly storyId: string }>(
    `SELECT story_id, ${eventColumns} FROM story_events WHERE story_id = ANY($1)`,
    [short],
  )
  const eventsOf = Map.groupBy(events, ({ storyId }) => storyId)
  const stories: StoredStory[] = []
  for (const row of rows) {
    const whole = eventsOf.get(row.id)?.map(({ storyId: _, ...event }) => event)
    stories.push(whole ? withPlan(row, inOrder(whole), hours) : await withEvents(sql, row, hours))
  }
  return stories
}

async function savePlan(tx: Tx, story: StoredStory): Promise<void> {
  await updateAll(tx, 'stories', [{ id: story.id, counter: story.counter, ...plannedRow(story) }])
}

/** Nobody can call a number that no lead has anymore. */
const plannedRow = ({ phone, plan }: StoredStory) =>
  planRow(phone === null ? { ...plan, calls: [], promises: [] } : plan)
