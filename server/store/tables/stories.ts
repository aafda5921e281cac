/** The stories of phone numbers: adds events, which are evidence, and saves the new plan in the same transaction. What follows is decided in domain/calling/. */
import { setImmediate } from 'node:timers/promises'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import type { Plan } from '../../../domain/calling/plan.ts'
import type { NewEvent, StoryEvent } from '../../../domain/calling/story-events.ts'
import {
  inOrder,
  lockOfStory,
  READ_WHOLE,
  type StoredStory,
  type StoryRow,
  storyOf,
  withEvents,
  withPlan,
} from '../facts/calls/stories.ts'
import { type EventRow, eventColumns, type PlanRow } from '../facts/calls/story-rows.ts'
import { contactKeys } from '../facts/do-not-call/stops.ts'
import { createLeadId } from '../facts/leads/lead-id.ts'
import { phoneMark } from '../facts/leads/person-keys.ts'
import { insert, insertAll, type Row, type Sql, type SqlPort, type Tx, updateAll, type Value } from '../sql.ts'
import { forgetCampaign, keepStanding, replaceMade, saveMade } from './made-calls.ts'

/** The number must be locked. */
export async function openStory(tx: Tx, phone: string): Promise<StoredStory> {
  const known = await storyOf(tx, phone)
  if (known) return known
  const id = createLeadId(tx.at)
  await insert(tx, 'stories', { id, mark: phoneMark(phone), phone, counter: 0 })
  return withPlan({ id, phone, counter: 0 }, [], null)
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
    const whole = eventsOf.get(row.id)
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

/** In the order of the columns, all of them, because rows are inserted together. What has no column is in `detail`. */
export function rowOfEvent(storyId: string, event: StoryEvent): Row {
  const { n, kind, at, ...given } = event
  const fields: Record<string, unknown> = given
  const take = (name: string): Value => {
    const value = (fields[name] ?? null) as Value
    delete fields[name]
    return value
  }
  const by = (fields['by'] ?? null) as { readonly id?: string; readonly name: string } | null
  delete fields['by']
  const columns = {
    leadId: take('leadId'),
    personId: by?.id ?? null,
    personName: by?.name ?? null,
    id: take('id'),
    refersTo: kind === 'corrected' ? take('corrects') : take('dial'),
    calledAt: take('calledAt'),
    outcome: take('outcome'),
    callbackAt: take('callbackAt'),
    place: take('place'),
    reason: take('reason'),
  }
  const rest = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  const detail = rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest))
  return { storyId, n, kind, at, ...columns, detail }
}

/** Nothing, if there's nobody to call. `listedAt`: when the last of its calls is due. */
export function planRow(plan: Plan): PlanRow & Row {
  const { calls, promises } = plan
  const [promise] = promises
  const dueAt = (kind: string) => calls.find(call => call.kind === kind)?.notBefore ?? null
  const times = [...calls.map(({ notBefore }) => notBefore), ...promises.map(({ at }) => at)]
  const isOpen = times.length > 0
  return {
    plan: isOpen ? JSON.stringify(plan) : null,
    listedAt: isOpen ? Math.max(...times) : null,
    newAt: dueAt('new'),
    retryAt: dueAt('retry'),
    promisedAt: promise?.at ?? null,
    promisedBy: promise?.by.id ?? null,
  }
}

/**
 * Call after the lead's own columns were erased. While another lead has the number, its story goes on; with the last one, it loses the number.
 * A claim stays: someone may be on the phone.
 */
export async function eraseFromStory(tx: Tx, leadId: string, phone: string, isLast: boolean): Promise<void> {
  await forgetCampaign(tx, leadId)
  const stored = await storyOf(tx, phone)
  if (!stored) return
  const { id, story } = stored
  if (story.standings.has(leadId)) await addEvents(tx, stored, [{ kind: 'erased', at: tx.at, leadId }])
  // A reason may be about the person.
  await tx('UPDATE story_events SET reason = NULL WHERE story_id = $1 AND lead_id = $2', [id, leadId])
  if (!isLast) return
  const nothing =
    'plan = NULL, listed_at = NULL, new_at = NULL, retry_at = NULL, promised_at = NULL, promised_by = NULL'
  await tx(`UPDATE stories SET mark = NULL, phone = NULL, ${nothing} WHERE id = $1`, [id])
  // Keeps the way from an erased lead to its calls.
  if (story.calls.length === 0) return
  await keepStanding(tx, leadId, id)
}
