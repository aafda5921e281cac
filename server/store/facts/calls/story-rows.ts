/** Stories as rows: events, as evidence, and what is made from them for figures and lists, which can be made again. */
import { placeOfId } from '../../../../domain/calling/area-codes.ts'
import type { CallingHours } from '../../../../domain/calling/hours.ts'
import { type CallOutcomeName, isReached } from '../../../../domain/calling/outcomes.ts'
import { dueOf, type Plan } from '../../../../domain/calling/plan.ts'
import { nextKind, type Standing } from '../../../../domain/calling/standing.ts'
import type { Call, Story } from '../../../../domain/calling/story.ts'
import type { StoryEvent } from '../../../../domain/calling/story-events.ts'
import { columnOf, insertAll, type Row, type Tx, type Value } from '../../sql.ts'
import { waitingTimeOf } from './calling-clocks.ts'

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

/** A plan, and what an index needs of it. */
export interface PlanRow {
  readonly plan: string | null
  readonly listedAt: number | null
  readonly newAt: number | null
  readonly retryAt: number | null
  readonly promisedAt: number | null
  readonly promisedBy: string | null
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

/** For stories that are open. */
export const planOfRow = ({ plan }: Pick<PlanRow, 'plan'>): Plan => JSON.parse(plan ?? '')

/** The columns that identify a row, after the story's. */
const keys = { calls: ['n'], call_leads: ['n', 'leadId'], promises: ['n', 'leadId'], standings: ['leadId'] } as const
type Made = keyof typeof keys

/** `hours`: without them, first calls have no waiting time. */
function madeFrom(storyId: string, story: Story, hours: CallingHours | null): Readonly<Record<Made, readonly Row[]>> {
  const isCalled = ({ last, tried, answer, promise }: Standing) =>
    last !== null || tried.length > 0 || answer !== null || promise !== null
  return {
    calls: story.calls.map(call => callRow(storyId, call, hours)),
    call_leads: story.calls.flatMap(({ n, at, by, incoming, leads }) =>
      leads.map(({ leadId, outcome }) => ({
        storyId,
        n,
        leadId,
        outcome,
        at,
        personId: by.id,
        incoming: Number(incoming),
      })),
    ),
    promises: story.promises.map(({ n, leadId, at, by, kept }) => ({
      storyId,
      n,
      leadId,
      personId: by.id,
      personName: by.name,
      at,
      kept: kept === null ? null : Number(kept),
    })),
    standings: [...story.standings.values()].filter(isCalled).map(standing => standingRow(storyId, standing)),
  }
}

/** Figures count the lead that took its place. */
const uncounted = ', called = 0, reached = 0, going_ahead = 0, wrong_number = 0, never_call = 0'

/** Writes only what has changed. A lead that was erased or replaced keeps its row, so its record finds the story. */
export async function saveMade(
  tx: Tx,
  storyId: string,
  { before, after, hours }: { readonly before: Story; readonly after: Story; readonly hours: CallingHours | null },
): Promise<void> {
  const [old, current] = [madeFrom(storyId, before, hours), madeFrom(storyId, after, hours)]
  for (const table of Object.keys(keys) as Made[]) {
    const keyOf = (row: Row) => keys[table].map(name => row[name] ?? null)
    const textOf = (rows: readonly Row[]) => new Map(rows.map(row => [keyOf(row).join(' '), JSON.stringify(row)]))
    const [known, now] = [textOf(old[table]), textOf(current[table])]
    const changed = current[table].filter(row => known.get(keyOf(row).join(' ')) !== JSON.stringify(row))
    const gone = old[table].filter(row => !now.has(keyOf(row).join(' ')))
    for (const row of [...gone, ...changed]) {
      const isKey = keys[table].map((name, index) => `${columnOf(name)} = $${index + 2}`).join(' AND ')
      const isLeft = table === 'standings' && !after.standings.has(`${row['leadId']}`)
      const closed = `UPDATE standings SET kind = NULL, promised_at = NULL${after.replaced.has(`${row['leadId']}`) ? uncounted : ''}`
      await tx(`${isLeft ? closed : `DELETE FROM ${table}`} WHERE story_id = $1 AND ${isKey}`, [storyId, ...keyOf(row)])
    }
    const rows = table === 'standings' ? await withCampaigns(tx, changed) : changed
    await insertAll(tx, table, rows)
  }
}

/** Of stories whose plans were made again. */
export async function replaceMade(
  tx: Tx,
  stories: readonly { readonly id: string; readonly story: Story; readonly hours: CallingHours | null }[],
): Promise<void> {
  const made = stories.map(({ id, story, hours }) => madeFrom(id, story, hours))
  const ids = stories.map(({ id }) => id)
  for (const table of ['calls', 'call_leads', 'promises'] as const) {
    await tx(`DELETE FROM ${table} WHERE story_id = ANY($1)`, [ids])
    await insertAll(
      tx,
      table,
      made.flatMap(each => each[table]),
    )
  }
  const standings = made.flatMap(each => each.standings)
  await tx('DELETE FROM standings WHERE lead_id = ANY($1)', [standings.map(row => row['leadId'] ?? null)])
  await insertAll(tx, 'standings', await withCampaigns(tx, standings))
}

async function withCampaigns(tx: Tx, rows: readonly Row[]): Promise<readonly Row[]> {
  if (rows.length === 0) return []
  const campaigns = await tx<{ id: string; key: string }>(
    `SELECT id, campaign_key AS key FROM leads WHERE id = ANY($1)`,
    [rows.map(row => row['leadId'] ?? null)],
  )
  const campaignOf = new Map(campaigns.map(({ id, key }) => [id, key]))
  return rows.map(row => ({ ...row, campaignKey: campaignOf.get(`${row['leadId']}`) ?? '' }))
}

function callRow(storyId: string, call: Call, hours: CallingHours | null): Row {
  const { n, at, by, outcome, incoming, place, waitingSince } = call
  const hasWaited = hours !== null && waitingSince !== null && place !== null
  return {
    storyId,
    n,
    at,
    personId: by.id,
    personName: by.name,
    outcome,
    incoming: Number(incoming),
    waitedMs: hasWaited ? waitingTimeOf(hours)(placeOfId(place), waitingSince, at) : null,
  }
}

function standingRow(storyId: string, standing: Standing): Row {
  const { leadId, tried, answer, promise, outcomes, last } = standing
  const has = (outcome: CallOutcomeName) => Number(outcomes.includes(outcome))
  return {
    leadId,
    storyId,
    kind: nextKind(standing),
    dueAt: dueOf(standing),
    tries: tried.length,
    answer,
    promisedAt: promise?.at ?? null,
    called: Number(last !== null),
    reached: Number(outcomes.some(isReached)),
    goingAhead: has('going ahead'),
    wrongNumber: has('wrong number'),
    neverCall: has('never call again'),
    lastAt: last?.at ?? null,
    lastOutcome: last?.outcome ?? null,
    lastBy: last?.by.id ?? null,
  }
}
