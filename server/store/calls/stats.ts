/** Figures about calls, for managers: from the calls that weren't undone or taken back. */
import { callOutcomeNames, isReached, REDIALED, UNRECORDED } from '../../../domain/calling/outcomes.ts'
import { PROMISE_MS } from '../../../domain/calling/standing.ts'
import { MINUTE } from '../../../domain/durations.ts'
import { isStillPromised } from '../do-not-call/stops.ts'
import { firstIdAt } from '../leads/lead-id.ts'
import type { SqlPort } from '../sql.ts'

interface StatsPeriod {
  readonly since: number
  readonly until: number
}

/** The time to the first call, in calling hours where the person is. `of`: how many first calls there were. */
export interface MedianTime {
  readonly minutes: number
  readonly of: number
}

export interface AgentStats {
  readonly id: string
  readonly name: string
  readonly calls: number
  /** Those whose calls they took. */
  readonly peopleWhoCalled: number
  /** Calls that they took from numbers that no lead has. */
  readonly unknownCallers: number
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

/** A call that a colleague takes within this time is the same one. */
const PASSED_ON_MS = 30 * MINUTE

const outcomes = [...callOutcomeNames, UNRECORDED, REDIALED] as const
type Outcome = (typeof outcomes)[number]

/** One person's calls: how many had each outcome, and the minutes until each first call. */
interface CallsOfPerson {
  readonly id: string
  readonly name: string
  readonly counts: Readonly<Record<Outcome, number>>
  readonly waits: readonly number[]
}

export function createCallStats({ read, now }: SqlPort) {
  /**
   * Includes calls without an outcome. One look at an index for each person and outcome: to group a hundred thousand calls, a database
   * would sort them.
   */
  async function callsByPerson({ since, until }: StatsPeriod): Promise<readonly CallsOfPerson[]> {
    const own = 'FROM calls WHERE person_id = people.id AND at >= $1 AND at < $2'
    const ours = `${own} AND incoming = 0`
    const counts = outcomes.map((outcome, index) => `(SELECT COUNT(*) ${ours} AND outcome = '${outcome}') AS c${index}`)
    const rows = await read<Record<string, string | number | null>>(
      `WITH RECURSIVE people (id) AS (
         SELECT MIN(person_id) FROM calls WHERE incoming = 0
         UNION ALL SELECT (SELECT MIN(person_id) FROM calls WHERE person_id > people.id AND incoming = 0) FROM people WHERE id IS NOT NULL
       )
       SELECT id, (SELECT person_name ${ours} LIMIT 1) AS name, ${counts.join()},
         (SELECT string_agg(CAST(waited_ms / ${MINUTE} AS TEXT), ' ') ${own} AND waited_ms IS NOT NULL) AS waits
       FROM people WHERE id IS NOT NULL`,
      [since, until],
    )
    const called = rows.filter(({ name }) => name !== null)
    return called.map(row => ({
      id: String(row['id']),
      name: String(row['name']),
      counts: Object.fromEntries(
        outcomes.map((outcome, index) => [outcome, row[`c${index}`]]),
      ) as CallsOfPerson['counts'],
      waits: row['waits'] === null ? [] : String(row['waits']).split(' ').map(Number),
    }))
  }

  /** The people who called us, in total and by who took their calls: the same leads as in the list that a filter makes. */
  async function incomingCalls({ since, until }: StatsPeriod) {
    const taken = 'incoming = 1 AND calls.at >= $1 AND calls.at < $2'
    const people = `COUNT(DISTINCT lead_id) AS people FROM calls
      JOIN call_leads ON call_leads.story_id = calls.story_id AND call_leads.n = calls.n WHERE ${taken}`
    // Someone who passes a call on to a colleague doesn't save an outcome. It's one call.
    const passedOn = `outcome = '${UNRECORDED}' AND EXISTS (SELECT 1 FROM calls AS next WHERE next.story_id = calls.story_id
      AND next.n > calls.n AND next.incoming = 1 AND next.person_id <> calls.person_id AND next.at < calls.at + ${PASSED_ON_MS})`
    const calls = `SELECT COUNT(*) AS calls FROM calls WHERE ${taken} AND NOT (${passedOn})`
    const by = `SELECT person_id AS id, MAX(person_name) AS name, ${people} GROUP BY person_id`
    const unknown = await read<{ id: string; name: string; calls: number }>(
      `SELECT person_id AS id, MAX(person_name) AS name, COUNT(*) AS calls FROM unknown_callers
       WHERE at >= $1 AND at < $2 GROUP BY person_id`,
      [since, until],
    )
    return {
      unknown,
      calls: (await read<{ calls: number }>(calls, [since, until]))[0]?.calls ?? 0,
      people: (await read<{ people: number }>(`SELECT ${people}`, [since, until]))[0]?.people ?? 0,
      by: await read<{ id: string; name: string; people: number }>(by, [since, until]),
    }
  }

  /**
   * Promised for a time in the period, but not called within the time that a promise belongs to its agent. What falls due after they
   * were removed isn't theirs. In two parts, because PostgreSQL would look for either in all stories.
   */
  const missedCallbacks = ({ since, until }: StatsPeriod, at: number) =>
    read<{ personId: string; name: string; missed: number }>(
      `SELECT person_id, MAX(person_name) AS name, COUNT(DISTINCT story_id || ' ' || CAST(n AS TEXT)) AS missed FROM (
         SELECT person_id, person_name, story_id, n, at FROM promises WHERE at >= $1 AND at < $2 AND kept = 0
         UNION ALL SELECT person_id, person_name, story_id, n, at FROM promises JOIN stories ON stories.id = promises.story_id
         WHERE at >= $1 AND at < $2 AND kept IS NULL AND ${isStillPromised}
       ) AS missed
       WHERE NOT EXISTS (SELECT 1 FROM desk_people WHERE desk_people.id = missed.person_id AND dismissed_at <= missed.at)
       GROUP BY person_id`,
      [since, Math.min(until, at - PROMISE_MS)],
    )

  /** Of the leads received in the period, those that were called until now. */
  const campaigns = ({ since, until }: StatsPeriod) =>
    read<CampaignCalls>(
      `SELECT campaign_key AS campaign, SUM(called) AS called, SUM(reached) AS reached, SUM(going_ahead) AS going_ahead,
         SUM(wrong_number) AS wrong_number, SUM(never_call) AS never_call
       FROM standings WHERE called = 1 AND lead_id >= $1 AND lead_id < $2
       GROUP BY campaign_key`,
      [firstIdAt(since), firstIdAt(until)],
    )

  async function peopleCalled({ since, until }: StatsPeriod): Promise<number> {
    // Their last calls in the period: to count different numbers would take ten times as long.
    const people =
      'SELECT COUNT(*) AS people FROM calls WHERE incoming = 0 AND at >= $1 AND at < $2 AND (next_at IS NULL OR next_at >= $2)'
    return (await read<{ people: number }>(people, [since, until]))[0]?.people ?? 0
  }

  return {
    campaignCalls: campaigns,
    /** The calls in a period: how many, how soon, with what result, and by whom. */
    async callStats(period: StatsPeriod) {
      const at = await now()
      const people = await callsByPerson(period)
      const incoming = await incomingCalls(period)
      const missed = new Map((await missedCallbacks(period, at)).map(row => [row.personId, row]))
      const names = new Map([
        ...[...missed].map(([id, { name }]) => [id, name] as const),
        ...[...incoming.by, ...incoming.unknown].map(({ id, name }) => [id, name] as const),
        ...people.map(({ id, name }) => [id, name] as const),
      ])
      const agents = [...names].map(([id, name]): AgentStats => {
        const own = people.filter(person => person.id === id)
        return {
          id,
          name,
          calls: totalOf(own),
          unknownCallers: incoming.unknown.find(taken => taken.id === id)?.calls ?? 0,
          peopleWhoCalled: incoming.by.find(taken => taken.id === id)?.people ?? 0,
          reached: totalOf(own, outcomes.filter(isReached)),
          firstCalls: medianOf(own),
          missedCallbacks: missed.get(id)?.missed ?? 0,
        }
      })
      const unknownCallers = incoming.unknown.reduce((sum, taken) => sum + taken.calls, 0)
      return {
        at,
        calls: totalOf(people),
        /** Calls from people to us. */
        incoming: incoming.calls + unknownCallers,
        unknownCallers,
        peopleWhoCalled: incoming.people,
        people: await peopleCalled(period),
        firstCalls: medianOf(people),
        outcomes: outcomes.map(outcome => ({ outcome, calls: totalOf(people, [outcome]) })),
        agents: agents.toSorted((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
        campaigns: await campaigns(period),
      }
    },
  }
}

const totalOf = (people: readonly CallsOfPerson[], among: readonly Outcome[] = outcomes) =>
  people.flatMap(({ counts }) => among.map(outcome => counts[outcome])).reduce((sum, count) => sum + count, 0)

/** The lower one of two in the middle. */
function medianOf(people: readonly CallsOfPerson[]): MedianTime | null {
  const waits = people.flatMap(person => person.waits).toSorted((a, b) => a - b)
  const minutes = waits[Math.ceil(waits.length / 2) - 1]
  return minutes === undefined ? null : { minutes, of: waits.length }
}
