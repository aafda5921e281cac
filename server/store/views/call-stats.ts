/** Figures about calls, for managers: from the calls that weren't undone or taken back. */
import { callOutcomeNames, isReached, isSaid, REDIALED, UNRECORDED } from '../../../domain/calling/outcomes.ts'
import { MINUTE } from '../../../domain/durations.ts'
import { isMissedPromise } from '../facts/calls/missed-promises.ts'
import { firstIdAt } from '../facts/leads/lead-id.ts'
import { type SqlPort, valuesOf } from '../sql.ts'
import { firstLeads } from './people-once.ts'

interface StatsPeriod {
  readonly since: number
  readonly until: number
}

/** The time to the first call, in calling hours where the person is. `of`: how many first calls there were. */
/** How long people waited for their first call. */
interface FirstCalls {
  /** The median; of two in the middle, the lower one. */
  readonly minutes: number
  readonly longest: number
  readonly of: number
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

/** A promise that nobody kept. `calledAt`: when someone called after all. */
interface MissedCallback {
  readonly leadId: string
  readonly name: string
  readonly at: number
  readonly calledAt: number | null
}

/** A call that a colleague takes within this time is the same one. */
const PASSED_ON_MS = 30 * MINUTE

const outcomes = [...callOutcomeNames, UNRECORDED, REDIALED] as const

/** How many missed callbacks are named. */
const MOST_MISSED = 50

const isInPeriod = 'at >= $1 AND at < $2'

/** Promised for a time in the period. The same people as in the list that a filter makes. */
const isMissedInPeriod = (promise: string) =>
  `${promise}.at >= $1 AND ${promise}.at < $2 AND ${isMissedPromise('$3', promise)}`

export function createCallStats({ read, now }: SqlPort) {
  /** How many people were called, or called us, by everything that happened to each: see `countPeople`. */
  async function peopleByCalls({ since, until }: StatsPeriod): Promise<readonly PeopleByCalls[]> {
    const firsts = await firstLeads(read, isInPeriod, [since, until])
    const callsOfLead = (isOne: string) =>
      `SELECT lead_id, string_agg(incoming || '/' || outcome || '/' || person_id, '\n') AS calls
       FROM call_leads WHERE ${isInPeriod} AND ${isOne} GROUP BY lead_id`
    const parameters = [since, until, [...firsts.keys()]]
    const withOneLead = await read<PeopleByCalls>(
      `SELECT calls, COUNT(*) AS people FROM (${callsOfLead('lead_id <> ALL($3)')}) AS called GROUP BY calls`,
      parameters,
    )
    const others = await read<{ leadId: string; calls: string }>(callsOfLead('lead_id = ANY($3)'), parameters)
    const withSeveral = Map.groupBy(others, ({ leadId }) => firsts.get(leadId))
    const together = [...withSeveral.values()].map(leads => leads.map(({ calls }) => calls).join('\n'))
    return [...withOneLead, ...together.map(calls => ({ calls, people: 1 }))]
  }

  /** How many calls each made, and how many minutes each first call took. */
  const callsByPerson = async ({ since, until }: StatsPeriod) =>
    read<MadeCalls>(
      `SELECT person_id AS id, MAX(person_name) AS name, COUNT(*) AS calls,
         string_agg(CAST(waited_ms / ${MINUTE} AS TEXT), ' ') AS minutes FROM calls
       WHERE incoming = 0 AND person_id = ANY($3) AND ${isInPeriod} GROUP BY person_id`,
      [since, until, await valuesOf(read, 'person_id', 'calls', 'incoming = 0')],
    )

  /** Calls to us, and who took those from numbers that no lead has. */
  async function incomingCalls({ since, until }: StatsPeriod) {
    // Someone who passes a call on to a colleague doesn't save an outcome. It's one call.
    const passedOn = `outcome = '${UNRECORDED}' AND EXISTS (SELECT 1 FROM calls AS next WHERE next.story_id = calls.story_id
      AND next.n > calls.n AND next.incoming = 1 AND next.person_id <> calls.person_id AND next.at < calls.at + ${PASSED_ON_MS})`
    const by = await read<{ id: string; name: string; calls: number }>(
      `SELECT person_id AS id, MAX(person_name) AS name, SUM(CASE WHEN ${passedOn} THEN 0 ELSE 1 END) AS calls FROM calls
       WHERE incoming = 1 AND ${isInPeriod} GROUP BY person_id`,
      [since, until],
    )
    const unknown = await read<{ id: string; name: string; calls: number }>(
      `SELECT person_id AS id, MAX(person_name) AS name, COUNT(*) AS calls FROM unknown_callers
       WHERE ${isInPeriod} GROUP BY person_id`,
      [since, until],
    )
    return { by, unknown }
  }

  /**
   * Each person once for each colleague who promised them one, as `missedByPerson` counts them: the latest. A dial of ours is a call to
   * everyone on the number, also if its outcome is about others.
   */
  const missedCallbacks = ({ since, until }: StatsPeriod, at: number) =>
    read<MissedCallback>(
      `SELECT lead_id, person_name AS name, latest.at, (SELECT MIN(calls.at) FROM calls
           WHERE calls.story_id = latest.story_id AND calls.at > latest.at AND (incoming = 0 OR EXISTS (
             SELECT 1 FROM call_leads
             WHERE call_leads.story_id = calls.story_id AND call_leads.n = calls.n
               AND call_leads.lead_id = latest.lead_id))) AS called_at
       FROM promises AS latest WHERE ${isMissedInPeriod('latest')} AND NOT EXISTS (
         SELECT 1 FROM promises AS later
         WHERE later.story_id = latest.story_id AND later.lead_id = latest.lead_id
           AND later.person_id = latest.person_id AND (later.at, later.n) > (latest.at, latest.n)
           AND ${isMissedInPeriod('later')})
       ORDER BY latest.at DESC LIMIT ${MOST_MISSED}`,
      [since, until, at],
    )

  /** How many people each promised a callback that nobody made in time. */
  const missedByPerson = ({ since, until }: StatsPeriod, at: number) =>
    read<{ id: string; name: string; people: number }>(
      `SELECT person_id AS id, MAX(person_name) AS name, COUNT(DISTINCT lead_id) AS people
       FROM promises WHERE ${isMissedInPeriod('promises')} GROUP BY person_id`,
      [since, until, at],
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

  return {
    campaignCalls: campaigns,

    /** The calls in a period: how many people, how soon, with what result, and by whom. */
    async callStats(period: StatsPeriod) {
      const at = await now()
      const rows = await peopleByCalls(period)
      const made = await callsByPerson(period)
      const incoming = await incomingCalls(period)
      const missed = await missedCallbacks(period, at)
      const missedBy = await missedByPerson(period, at)
      const byCampaign = await campaigns(period)
      const people = countPeople(rows)
      const names = new Map(
        [...missedBy, ...incoming.by, ...incoming.unknown, ...made].map(({ id, name }) => [id, name]),
      )
      const agents = [...names].map(([id, name]) => ({
        id,
        name,
        calls: made.find(each => each.id === id)?.calls ?? 0,
        people: people('called', id),
        /** With the people who called them. */
        everyone: people('all', id),
        /** People they talked to, no matter who called. */
        reached: people('reached', id),
        goingAhead: people('going ahead', id),
        /** People whose calls they took. */
        calledUs: people('us', id),
        /** Calls that they took from numbers that no lead has. */
        unknownCallers: incoming.unknown.find(each => each.id === id)?.calls ?? 0,
        firstCalls: firstCallsOf(made.filter(each => each.id === id)),
        /** Whom they promised a callback for this period that nobody made in time. */
        missedCallbacks: missedBy.find(each => each.id === id)?.people ?? 0,
      }))
      const unknownCallers = totalOf(incoming.unknown)
      return {
        at,
        calls: totalOf(made),
        people: people('called'),
        /** With the people who called us. */
        everyone: people('all'),
        reached: people('reached'),
        goingAhead: people('going ahead'),
        /** Calls from people to us. */
        incoming: totalOf(incoming.by) + unknownCallers,
        unknownCallers,
        calledUs: people('us'),
        firstCalls: firstCallsOf(made),
        outcomes: outcomes.map(outcome => ({ outcome, people: people(outcome) })),
        agents: agents.toSorted((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
        missed,
        campaigns: byCampaign,
      }
    },

    /** What a period is compared with. */
    async callTotals(period: StatsPeriod) {
      const people = countPeople(await peopleByCalls(period))
      const made = await callsByPerson(period)
      return {
        calls: totalOf(made),
        people: people('called'),
        goingAhead: people('going ahead'),
        firstCalls: firstCallsOf(made),
      }
    },
  }
}

interface PeopleByCalls {
  /** One line per call: whether they called us, its outcome, and who made or took it. */
  readonly calls: string
  readonly people: number
}

/** Returns how many people something happened to, in all or by someone. People, not calls, because these numbers open lists of people. */
function countPeople(rows: readonly PeopleByCalls[]) {
  const counts = new Map<string, number>()
  for (const { calls, people } of rows) {
    for (const key of new Set(calls.split('\n').flatMap(keysOfCall))) counts.set(key, (counts.get(key) ?? 0) + people)
  }
  return (what: string, personId = '') => counts.get(`${what}/${personId}`) ?? 0
}

function keysOfCall(call: string): readonly string[] {
  const [incoming, outcome = '', personId = ''] = call.split('/')
  const direction = incoming === '1' ? 'us' : 'called'
  // A call that came in is nobody's dial, so without an outcome, there's nothing to say about it.
  const said = incoming === '1' && !isSaid(outcome) ? [] : [outcome]
  const all = ['all', direction, ...said, ...(isReached(outcome) ? ['reached'] : [])]
  return all.flatMap(each => [`${each}/`, `${each}/${personId}`])
}

interface MadeCalls {
  readonly id: string
  readonly name: string
  readonly calls: number
  /** Separated by spaces; null if none was a first call. */
  readonly minutes: string | null
}

const totalOf = (people: readonly { readonly calls: number }[]) => people.reduce((sum, { calls }) => sum + calls, 0)

function firstCallsOf(made: readonly Pick<MadeCalls, 'minutes'>[]): FirstCalls | null {
  const sorted = Float64Array.from(made.flatMap(({ minutes }) => minutes?.split(' ').map(Number) ?? [])).toSorted()
  const minutes = sorted[Math.ceil(sorted.length / 2) - 1]
  return minutes === undefined ? null : { minutes, longest: sorted.at(-1) ?? minutes, of: sorted.length }
}
