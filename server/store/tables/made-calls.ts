/** What is made from stories for figures and lists, and can be made again: calls, whom they were about, promises, and where each lead stands. */
import { placeOfId } from '../../../domain/calling/area-codes.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import { type CallOutcomeName, isReached } from '../../../domain/calling/outcomes.ts'
import { dueOf } from '../../../domain/calling/plan.ts'
import { nextKind, type Standing } from '../../../domain/calling/standing.ts'
import type { Call, Story } from '../../../domain/calling/story.ts'
import { waitingTimeOf } from '../facts/calls/calling-clocks.ts'
import { columnOf, insertAll, type Row, type Tx } from '../sql.ts'

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
    lastOutcome: last?.outcome ?? null,
  }
}

export const forgetCampaign = (tx: Tx, leadId: string) =>
  tx(`UPDATE standings SET campaign_key = '' WHERE lead_id = $1`, [leadId])

/** Keeps the way from an erased lead to its calls. */
export const keepStanding = (tx: Tx, leadId: string, storyId: string) =>
  tx(
    `INSERT INTO standings (lead_id, story_id, campaign_key, due_at, tries, called, reached, going_ahead, wrong_number, never_call)
     VALUES ($1, $2, '', 0, 0, 0, 0, 0, 0, 0) ON CONFLICT (lead_id) DO NOTHING`,
    [leadId, storyId],
  )
