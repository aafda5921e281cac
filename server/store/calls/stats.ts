/** Figures about calls, for managers: from the calls that weren't undone or taken back. */
import { MINUTE } from '../../../domain/calling/local-time.ts'
import { callOutcomeNames, callOutcomes, REDIALED, UNRECORDED } from '../../../domain/calling/outcomes.ts'
import { PROMISE_MS } from '../../../domain/calling/story.ts'
import { firstIdAt } from '../lead-id.ts'
import type { SqlPort } from '../sql.ts'
import { isStopped } from '../stops.ts'

interface StatsPeriod {
  readonly since: number
  readonly until: number
}

/** The time to the first call, in calling hours where the person is. `of`: how many first calls there were. */
export interface MedianTime {
  readonly minutes: number
  readonly of: number
}

export interface CallerStats {
  readonly id: string
  readonly name: string
  readonly calls: number
  /** Calls in which they talked to the person. */
  readonly reached: number
  readonly firstCalls: MedianTime | null
  /** Callbacks they promised for this period that nobody made in time. */
  readonly missedCallbacks: number
}

/** Of the leads received in the period, how many were called until now, and with what result. */
export interface CampaignCalls {
  readonly campaign: string
  readonly called: number
  readonly reached: number
  readonly goingAhead: number
  readonly wrongNumber: number
  readonly neverCall: number
}

interface CallCount {
  readonly personId: string
  readonly name: string
  readonly outcome: string
  readonly waited: number | null
  readonly calls: number
}

export function createCallStats({ read, now }: SqlPort) {
  /** Includes calls without an outcome. `waited`: minutes until a first call; null for later calls. */
  const callsBy = ({ since, until }: StatsPeriod) =>
    read<CallCount>(
      `SELECT person_id AS "personId", MAX(person_name) AS name, outcome, waited_ms / ${MINUTE} AS waited, COUNT(*) AS calls
       FROM calls WHERE at >= $1 AND at < $2 GROUP BY person_id, outcome, waited_ms / ${MINUTE}`,
      [since, until],
    )

  /** Promised for a time in the period, but not called within the time that a promise belongs to its caller. */
  const missedCallbacks = ({ since, until }: StatsPeriod, at: number) =>
    read<{ personId: string; name: string; missed: number }>(
      `SELECT person_id AS "personId", MAX(person_name) AS name, COUNT(*) AS missed FROM calls
       JOIN stories ON stories.id = calls.story_id
       WHERE callback_at >= $1 AND callback_at < $2
         AND (kept = 0 OR (kept IS NULL AND stories.promised_at IS NOT NULL AND NOT ${isStopped('stories.phone')}))
       GROUP BY person_id`,
      [since, Math.min(until, at - PROMISE_MS)],
    )

  /** Of the leads received in the period, those that were called until now. Without limits of the IDs, it would read all campaigns. */
  const campaigns = ({ since, until }: StatsPeriod) =>
    read<CampaignCalls>(
      `SELECT campaign_key AS campaign, SUM(called) AS called, SUM(reached) AS reached, SUM(going_ahead) AS "goingAhead",
         SUM(wrong_number) AS "wrongNumber", SUM(never_call) AS "neverCall"
       FROM requests JOIN leads ON leads.id = requests.lead_id
       WHERE called = 1 AND requests.lead_id >= $1 AND requests.lead_id < $2 AND leads.id >= $1 AND leads.id < $2
       GROUP BY campaign_key`,
      [firstIdAt(since), firstIdAt(until)],
    )

  async function peopleCalled({ since, until }: StatsPeriod): Promise<number> {
    const people = 'SELECT COUNT(DISTINCT story_id) AS people FROM calls WHERE at >= $1 AND at < $2'
    return (await read<{ people: number }>(people, [since, until]))[0]?.people ?? 0
  }

  return {
    campaignCalls: campaigns,
    /** The calls in a period: how many, how soon, with what result, and by whom. */
    async callStats(period: StatsPeriod) {
      const at = await now()
      const calls = await callsBy(period)
      const missed = await missedCallbacks(period, at)
      const outcomes = Map.groupBy(calls, ({ outcome }) => outcome)
      const names = new Map([...missed, ...calls].map(({ personId, name }) => [personId, name]))
      const byPerson = Map.groupBy(calls, ({ personId }) => personId)
      const callers = [...names].map(([id, name]): CallerStats => {
        const own = byPerson.get(id) ?? []
        return {
          ...{ id, name },
          calls: totalOf(own),
          reached: totalOf(own.filter(({ outcome }) => isReached(outcome))),
          firstCalls: medianOf(own),
          missedCallbacks: missed.find(({ personId }) => personId === id)?.missed ?? 0,
        }
      })
      return {
        at,
        calls: totalOf(calls),
        people: await peopleCalled(period),
        firstCalls: medianOf(calls),
        outcomes: [...callOutcomeNames, UNRECORDED, REDIALED].map(outcome => ({
          outcome,
          calls: totalOf(outcomes.get(outcome) ?? []),
        })),
        callers: callers.toSorted((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
        campaigns: await campaigns(period),
      }
    },
  }
}

const totalOf = (rows: readonly { readonly calls: number }[]) => rows.reduce((sum, { calls }) => sum + calls, 0)

const isReached = (outcome: string) => callOutcomes[outcome as keyof typeof callOutcomes]?.reached ?? false

function medianOf(calls: readonly CallCount[]): MedianTime | null {
  const callsByMinutes = new Map<number, number>()
  let of = 0
  for (const { waited, calls: count } of calls) {
    if (waited === null) continue
    callsByMinutes.set(waited, (callsByMinutes.get(waited) ?? 0) + count)
    of += count
  }
  let counted = 0
  for (const [minutes, count] of [...callsByMinutes].toSorted(([a], [b]) => a - b)) {
    counted += count
    if (counted * 2 >= of) return { minutes, of }
  }
  return null
}
