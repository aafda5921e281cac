/**
 * Keeps the stories of phone numbers: loads one under its number's lock, adds events, and saves the new plan in the same transaction.
 * What happened and what follows is decided in domain/calling/.
 */
import { isDeepStrictEqual } from 'node:util'
import { placeOfId } from '../../../domain/calling/area-codes.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import { type CallOutcomeName, CORRECTED, callOutcomes } from '../../../domain/calling/outcomes.ts'
import { dueOf, type Plan, planOf } from '../../../domain/calling/plan.ts'
import {
  type Call,
  type Caller,
  kindOfRequest,
  type MovedPromise,
  type NewEvent,
  type Request,
  type Story,
  type StoryEvent,
  tell,
} from '../../../domain/calling/story.ts'
import { contactKeys } from '../do-not-call/stops.ts'
import { createLeadId } from '../leads/lead-id.ts'
import { phoneMark } from '../leads/repeats.ts'
import { type Dialect, insert, insertAll, type Sql, type Value } from '../sql.ts'
import { waitingTimeOf } from './clocks.ts'

/** Planning reads this much of a story: anyone can submit a number ten thousand times. */
const SUBMISSIONS = 50
const OTHER_EVENTS = 200

export interface StoredStory {
  readonly id: string
  /** Null once no lead has the number. */
  readonly phone: string | null
  readonly counter: number
  /** The latest ones, oldest first. */
  readonly events: readonly StoryEvent[]
  readonly story: Story
  readonly plan: Plan
}

export async function storyOf(sql: Sql, dialect: Dialect, phone: string): Promise<StoredStory | null> {
  const found = 'SELECT id, phone, counter FROM stories WHERE mark = $1 AND phone = $2'
  const [row] = await sql<Pick<StoredStory, 'id' | 'phone' | 'counter'>>(found, [phoneMark(phone), phone])
  return row ? withEvents(sql, dialect, row) : null
}

/** The number must be locked. */
export async function openStory(sql: Sql, dialect: Dialect, at: number, phone: string): Promise<StoredStory> {
  const known = await storyOf(sql, dialect, phone)
  if (known) return known
  const id = createLeadId(at)
  await insert(sql, 'stories', { id, mark: phoneMark(phone), phone, counter: 0 })
  return withPlan({ id, phone, counter: 0 }, [])
}

/** For a number that no lead has anymore. */
export async function storyWithId(sql: Sql, dialect: Dialect, id: string): Promise<StoredStory | null> {
  const found = 'SELECT id, phone, counter FROM stories WHERE id = $1'
  const [row] = await sql<Pick<StoredStory, 'id' | 'phone' | 'counter'>>(found, [id])
  return row ? withEvents(sql, dialect, row) : null
}

async function withEvents(
  sql: Sql,
  dialect: Dialect,
  row: Pick<StoredStory, 'id' | 'phone' | 'counter'>,
): Promise<StoredStory> {
  const events = `${latest(dialect, 1, SUBMISSIONS)} UNION ALL ${latest(dialect, 0, OTHER_EVENTS)}`
  const rows = await sql<EventRow>(events, [row.id])
  return withPlan(row, inOrder(rows))
}

/** SQL. The index `story_events_by_kind` has the same expression; without it, one number's ten thousand submissions would all be read. */
const isSubmission = `CASE WHEN kind = 'submitted' THEN 1 ELSE 0 END`

const latest = ({ by }: Dialect, submission: 0 | 1, limit: number) =>
  `SELECT * FROM (SELECT ${eventColumns} FROM story_events ${by('story_events_by_kind')}
     WHERE story_id = $1 AND ${isSubmission} = ${submission} ORDER BY n DESC LIMIT ${limit}) AS latest`

/** The story's latest events other than submissions. */
export async function eventsOfCalls(
  sql: Sql,
  dialect: Dialect,
  storyId: string,
  limit: number,
): Promise<readonly StoryEvent[]> {
  return inOrder(await sql<EventRow>(latest(dialect, 0, limit), [storyId]))
}

const inOrder = (rows: readonly EventRow[]) => rows.toSorted((one, other) => one.n - other.n).map(eventOf)

function withPlan(row: Pick<StoredStory, 'id' | 'phone' | 'counter'>, events: readonly StoryEvent[]): StoredStory {
  const story = tell(events)
  return { ...row, events, story, plan: planOf(story) }
}

/** `hours`: only what happens on calls needs them. */
export async function addEvents(
  sql: Sql,
  dialect: Dialect,
  stored: StoredStory,
  added: readonly NewEvent[],
  hours: CallingHours | null = null,
): Promise<StoredStory> {
  const events = added.map((event, index) => ({ ...event, n: stored.counter + index + 1 }) as StoryEvent)
  const rows = events.map(event => rowOf(stored.id, event))
  await insertAll(sql, dialect, 'story_events', rows)
  const row = { id: stored.id, phone: stored.phone, counter: stored.counter + events.length }
  const after = withPlan(row, [...stored.events, ...events])
  await savePlan(sql, after)
  await saveDifferences(sql, dialect, after, stored.story, hours)
  return after
}

export interface NewSubmission {
  readonly phone: string
  readonly leadId: string
  readonly at: number
  readonly desk: boolean
  readonly language: string
}

/** Adds accepted leads, and repeats of them, to their numbers' stories, oldest first. The numbers must be locked. */
export async function addSubmissions(sql: Sql, dialect: Dialect, submissions: readonly NewSubmission[]): Promise<void> {
  if (submissions.length === 0) return
  const byPhone = Map.groupBy(submissions, ({ phone }) => phone)
  const phones = [...byPhone.keys()]
  const found = await sql<{ phone: string }>(
    `SELECT phone FROM stories WHERE mark IN ${dialect.valuesOf('$1')} AND phone IN ${dialect.valuesOf('$2')}`,
    [JSON.stringify(phones.map(phoneMark)), JSON.stringify(phones)],
  )
  const known = new Set(found.map(({ phone }) => phone))
  // Nearly every number is new and submitted once, so all of those take two statements.
  const first: { readonly story: ReturnType<typeof newStory>; readonly event: ReturnType<typeof rowOf> }[] = []
  for (const [phone, ofNumber] of byPhone) {
    const events = ofNumber.map(
      ({ leadId, at, desk, language }) => ({ kind: 'submitted', at, leadId, desk, language }) as const,
    )
    const [only] = events
    if (known.has(phone) || events.length > 1 || !only) {
      await addEvents(sql, dialect, await openStory(sql, dialect, only?.at ?? 0, phone), events)
      continue
    }
    const event = { ...only, n: 1 }
    const story = newStory(phone, event)
    first.push({ story, event: rowOf(story.id, event) })
  }
  await insertAll(
    sql,
    dialect,
    'stories',
    first.map(({ story }) => story),
  )
  await insertAll(
    sql,
    dialect,
    'story_events',
    first.map(({ event }) => event),
  )
}

function newStory(phone: string, event: StoryEvent) {
  const id = createLeadId(event.at)
  const { plan } = withPlan({ id, phone, counter: 1 }, [event])
  return { id, mark: phoneMark(phone), phone, counter: 1, ...planRow(plan) }
}

/** Makes the plans of up to `limit` stories that an upgrade has filled. Returns how many there were. */
export async function planStale(sql: Sql, dialect: Dialect, limit: number, hours: CallingHours): Promise<number> {
  // One server at a time.
  await dialect.lockKeys(sql, ['plan stories'])
  const stale = await sql<{ id: string; phone: string | null }>(
    `SELECT id, phone FROM stories WHERE stale = 1 ORDER BY id LIMIT ${limit}`,
  )
  const phones = stale.flatMap(({ phone }) => phone ?? [])
  if (phones.length > 0) await dialect.lockKeys(sql, contactKeys(phones))
  const ids = JSON.stringify(stale.map(({ id }) => id))
  await sql(`DELETE FROM calls WHERE story_id IN ${dialect.valuesOf('$1')}`, [ids])
  for (const { id } of stale) {
    const stored = await storyWithId(sql, dialect, id)
    if (!stored) continue
    await savePlan(sql, stored)
    await saveDifferences(sql, dialect, stored, tell([]), hours)
  }
  await sql(`UPDATE stories SET stale = 0 WHERE id IN ${dialect.valuesOf('$1')}`, [ids])
  return stale.length
}

async function savePlan(sql: Sql, { id, counter, plan }: StoredStory): Promise<void> {
  const row = { counter, ...planRow(plan) }
  const columns = Object.keys(row).map((name, index) => `${name} = $${index + 2}`)
  await sql(`UPDATE stories SET ${columns.join()} WHERE id = $1`, [id, ...Object.values(row)])
}

/** Calls and requests that aren't what they were before. An erased request stays, so its lead's record finds the story. */
async function saveDifferences(
  sql: Sql,
  dialect: Dialect,
  { id, story }: StoredStory,
  before: Story,
  hours: CallingHours | null,
): Promise<void> {
  const countedIn = ({ calls, movedPromises }: Story) => [...calls, ...movedPromises]
  const calls = differences(countedIn(before), countedIn(story), ({ n }) => n)
  const waits = new Map<number, number | null>()
  for (const { n } of [...calls.gone, ...calls.changed]) {
    const deleted = 'DELETE FROM calls WHERE story_id = $1 AND n = $2 RETURNING waited_ms AS waited'
    for (const { waited } of await sql<{ waited: number | null }>(deleted, [id, n])) waits.set(n, waited)
  }
  await insertAll(
    sql,
    dialect,
    'calls',
    calls.changed.map(call => ({
      ...callRow(id, call),
      waited_ms: hours ? waitOf(call, hours) : (waits.get(call.n) ?? null),
    })),
  )

  const isCalled = ({ last, answer, promise }: Request) => last !== null || answer !== null || promise !== null
  const called = ({ requests }: Story) => [...requests.values()].filter(isCalled)
  const requests = differences(called(before), called(story), ({ leadId }) => leadId)
  for (const { leadId } of [...requests.gone, ...requests.changed]) {
    const isErased = !story.requests.has(leadId)
    await sql(
      isErased
        ? 'UPDATE requests SET kind = NULL, promised_at = NULL WHERE lead_id = $1'
        : 'DELETE FROM requests WHERE lead_id = $1',
      [leadId],
    )
  }
  if (requests.changed.length === 0) return
  const campaigns = await sql<{ id: string; key: string }>(
    `SELECT id, campaign_key AS key FROM leads WHERE id IN ${dialect.valuesOf('$1')}`,
    [JSON.stringify(requests.changed.map(({ leadId }) => leadId))],
  )
  const campaignOf = new Map(campaigns.map(campaign => [campaign.id, campaign.key]))
  await insertAll(
    sql,
    dialect,
    'requests',
    requests.changed.map(request => requestRow(id, request, campaignOf.get(request.leadId) ?? '')),
  )
}

function differences<Item>(before: readonly Item[], after: readonly Item[], key: (item: Item) => string | number) {
  const [old, current] = [before, after].map(items => new Map(items.map(item => [key(item), item])))
  return {
    changed: after.filter(item => !isDeepStrictEqual(item, old?.get(key(item)))),
    gone: before.filter(item => !current?.has(key(item))),
  }
}

/** What a promise that moved here has in `calls`: missed ones are counted by its rows. */
const noCall = { outcome: CORRECTED, incoming: null, nextAt: null, place: null, waitingSince: null }

function callRow(story_id: string, call: Call | MovedPromise) {
  const { n, at, by, outcome, incoming, callbackAt, kept, nextAt } = { ...noCall, ...call }
  return {
    story_id,
    n,
    at,
    person_id: by.id,
    person_name: by.name,
    outcome,
    incoming: incoming === null ? null : Number(incoming),
    callback_at: callbackAt,
    kept: kept === null ? null : Number(kept),
    next_at: nextAt,
  }
}

/** For a first call: how long the person waited. Without the hours, it stays what it was. */
function waitOf(call: Call | MovedPromise, hours: CallingHours): number | null {
  const { at, place, waitingSince } = { ...noCall, ...call }
  if (waitingSince === null || place === null) return null
  return waitingTimeOf(hours)(placeOfId(place), waitingSince, at)
}

function requestRow(story_id: string, request: Request, campaign_key: string) {
  const { leadId, tried, answer, promise, outcomes, last } = request
  const isReached = outcomes.some(outcome => callOutcomes[outcome as CallOutcomeName]?.reached)
  const has = (outcome: CallOutcomeName) => Number(outcomes.includes(outcome))
  return {
    lead_id: leadId,
    story_id,
    campaign_key,
    kind: kindOfRequest(request),
    due_at: dueOf(request),
    tries: tried.length,
    answer,
    promised_at: promise?.at ?? null,
    called: Number(last !== null),
    reached: Number(isReached),
    going_ahead: has('going ahead'),
    wrong_number: has('wrong number'),
    never_call: has('never call again'),
    last_at: last?.at ?? null,
    last_outcome: last?.outcome ?? null,
    last_by: last?.by.id ?? null,
  }
}

/** What a plan's columns in `stories` hold. */
export interface PlanRow {
  readonly kind: Plan['kind']
  readonly lead_id: string | null
  readonly not_before: number
  readonly preferred_at: number | null
  readonly tried: string
  readonly promised_at: number | null
  readonly promised_place: string | null
  readonly promised_by: string | null
  readonly promised_name: string | null
  readonly promised_for: string | null
  readonly languages: string
  readonly dials: string
  readonly place: string | null
  readonly place_by: string | null
  readonly skips: string
}

export const planColumns = `stories.kind, stories.lead_id, not_before, preferred_at, tried, promised_at, promised_place, promised_by, promised_name, promised_for,
  languages, dials, stories.place, place_by, skips`

function planRow({
  kind,
  leadId,
  notBefore,
  preferredAt,
  tried,
  promise,
  languages,
  dials,
  place,
  skips,
}: Plan): PlanRow & {
  readonly listed_at: number
} {
  return {
    kind,
    lead_id: leadId,
    not_before: notBefore,
    preferred_at: preferredAt,
    listed_at: Math.max(notBefore, promise?.at ?? notBefore),
    tried: tried.join(' '),
    promised_at: promise?.at ?? null,
    promised_place: promise?.place ?? null,
    promised_by: promise?.by.id ?? null,
    promised_name: promise?.by.name ?? null,
    promised_for: promise?.leadId ?? null,
    languages: languages.join(' '),
    dials: dials.join(' '),
    place: place?.id ?? null,
    place_by: place?.by ?? null,
    skips: skips.map(({ by, until }) => `${by} ${until}`).join(' '),
  }
}

const words = (text: string) => (text === '' ? [] : text.split(' '))

export function planOfRow(row: PlanRow): Plan {
  const { kind, lead_id: leadId, not_before: notBefore, place, promised_at: at, promised_for: promisedFor } = row
  const skips = words(row.skips)
  return {
    kind,
    leadId,
    notBefore,
    preferredAt: row.preferred_at,
    tried: words(row.tried).map(Number),
    promise:
      at === null
        ? null
        : {
            at,
            place: row.promised_place,
            by: { id: row.promised_by ?? '', name: row.promised_name ?? '' },
            leadId: promisedFor ?? '',
          },
    languages: words(row.languages),
    dials: words(row.dials).map(Number),
    place: place === null ? null : { id: place, by: row.place_by ?? '' },
    skips: skips.flatMap((by, index) => (index % 2 === 0 ? [{ by, until: Number(skips[index + 1]) }] : [])),
  }
}

export interface EventRow {
  readonly n: number
  readonly kind: string
  readonly at: number
  readonly leadId: string | null
  readonly personId: string | null
  readonly personName: string | null
  readonly id: string | null
  readonly refersTo: number | null
  readonly calledAt: number | null
  readonly outcome: string | null
  readonly callbackAt: number | null
  readonly place: string | null
  readonly reason: string | null
  readonly detail: string | null
}

export const eventColumns = `n, kind, at, lead_id AS "leadId", person_id AS "personId", person_name AS "personName", id,
  refers_to AS "refersTo", called_at AS "calledAt", outcome, callback_at AS "callbackAt", place, reason, detail`

export function eventOf(row: EventRow): StoryEvent {
  const { personId, personName, refersTo, detail, ...rest } = row
  const by = { id: personId ?? '', name: personName ?? '' }
  const named = { dial: refersTo, corrects: refersTo, by }
  // Our own JSON.
  return { ...rest, ...named, leads: null, noteId: null, ...(detail && JSON.parse(detail)) } as StoryEvent
}

/** In the order of the columns, all of them, because rows are inserted together. */
function rowOf(story_id: string, event: StoryEvent): Readonly<Record<string, Value>> {
  const one = (name: string) => (event as unknown as Readonly<Record<string, Value>>)[name] ?? null
  const by: Partial<Caller> | null = 'by' in event ? event.by : null
  return {
    story_id,
    n: event.n,
    kind: event.kind,
    at: event.at,
    lead_id: one('leadId'),
    person_id: by?.id ?? null,
    person_name: by?.name ?? null,
    id: one('id'),
    refers_to: event.kind === 'corrected' ? event.corrects : one('dial'),
    called_at: one('calledAt'),
    outcome: one('outcome'),
    callback_at: one('callbackAt'),
    place: one('place'),
    reason: one('reason'),
    detail: detailOf(event),
  }
}

const details = ['desk', 'language', 'leads', 'noteId', 'from', 'dueAt', 'time', 'request'] as const

function detailOf(event: StoryEvent): string | null {
  const given = details.flatMap(name => {
    const value = (event as Partial<Record<(typeof details)[number], unknown>>)[name]
    return value === undefined || value === null ? [] : [[name, value]]
  })
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given))
}
