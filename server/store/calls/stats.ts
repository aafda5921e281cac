/** Figures about calls, for managers. Attempts that were undone or withdrawn don't count. */
import { whereabouts } from '../../../domain/calling/area-codes.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import type { CallKind } from '../../../domain/calling/list.ts'
import { MINUTE } from '../../../domain/calling/local-time.ts'
import { callOutcomeNames, callOutcomes, UNRECORDED } from '../../../domain/calling/outcomes.ts'
import { isClosedByList } from '../do-not-call.ts'
import { firstIdAt } from '../lead-id.ts'
import type { SqlPort } from '../sql.ts'
import { LISTED_MS } from './call-list.ts'
import { LONG_WAIT_MS, STANDING, waitingTimeOf } from './limits.ts'
import { OWN_CALLBACK_MS } from './order.ts'

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

const named = (outcomes: readonly string[]) => outcomes.map(outcome => `'${outcome}'`).join()
const reachedOutcomes = named(callOutcomeNames.filter(name => callOutcomes[name].reached))

/** Attempts that were neither undone nor withdrawn. A period has many attempts and few corrections, so read those once. */
const standing = 'corrects IS NULL AND id NOT IN (SELECT corrects FROM call_attempts WHERE corrects IS NOT NULL)'
const inPeriod = `started_at >= $1 AND started_at < $2 AND ${standing}`

interface CalledLeads extends Omit<CampaignCalls, 'campaign'> {
  /** Null for leads received before the period. */
  readonly campaign: string | null
  /** How many of them were called in the period, not only after it. */
  readonly inPeriod: number
}

interface CallCount {
  readonly personId: string
  readonly name: string
  readonly outcome: string
  readonly waited: number | null
  readonly calls: number
}

export function createCallStats({ read, now }: SqlPort) {
  /** Includes calls without an outcome yet. `waited`: minutes until a first call; null for later calls. */
  const callsBy = ({ since, until }: StatsPeriod) =>
    read<CallCount>(
      `SELECT person_id AS "personId", MAX(person_name) AS name, outcome, waited_ms / ${MINUTE} AS waited, COUNT(*) AS calls
       FROM call_attempts WHERE ${inPeriod} GROUP BY person_id, outcome, waited_ms / ${MINUTE}
       UNION ALL SELECT person_id, MAX(person_name), '${UNRECORDED}', NULL, COUNT(*) FROM call_starts
       WHERE started_at >= $1 AND started_at < $2 GROUP BY person_id`,
      [since, until],
    )

  /** Promised for a time in the period, but neither called by then, nor within the time it belongs to the person who promised it. */
  const missedCallbacks = ({ since, until }: StatsPeriod, at: number) =>
    read<{ personId: string; name: string; missed: number }>(
      `SELECT person_id AS "personId", MAX(person_name) AS name, COUNT(*) AS missed FROM call_attempts
       JOIN leads ON leads.id = call_attempts.lead_id
       WHERE callback_at >= $1 AND callback_at < $2 AND ${STANDING} AND leads.state = 'accepted'
         AND NOT EXISTS (SELECT 1 FROM call_attempts AS made WHERE made.lead_id = call_attempts.lead_id
           AND made.corrects IS NULL AND made.saved_at > call_attempts.saved_at
           AND made.started_at < call_attempts.callback_at + ${OWN_CALLBACK_MS})
         AND NOT EXISTS (SELECT 1 FROM call_starts AS made WHERE made.lead_id = call_attempts.lead_id
           AND made.started_at < call_attempts.callback_at + ${OWN_CALLBACK_MS})
         AND NOT EXISTS (SELECT 1 FROM do_not_call WHERE contact IN (leads.phone, leads.email)
           AND added_at < call_attempts.callback_at + ${OWN_CALLBACK_MS})
       GROUP BY person_id`,
      [since, Math.min(until, at - OWN_CALLBACK_MS)],
    )

  /** One pass over the calls: who was called, and what came of all calls to the leads received in the period. */
  const leadsCalled = ({ since, until }: StatsPeriod, at: number) => {
    const any = (condition: string) => `MAX(CASE WHEN ${condition} THEN 1 ELSE 0 END)`
    // Without both limits of the time, SQLite would read the calls of all leads; without those of the IDs, PostgreSQL their campaigns.
    return read<CalledLeads>(
      `SELECT campaign_key AS campaign, COUNT(*) AS called, SUM(in_period) AS "inPeriod", SUM(reached) AS reached,
         SUM(ahead) AS "goingAhead", SUM(wrong) AS "wrongNumber", SUM(never) AS "neverCall"
       FROM (SELECT lead_id, ${any('started_at < $2')} AS in_period, ${any(`outcome IN (${reachedOutcomes})`)} AS reached,
           ${any(`outcome = 'going ahead'`)} AS ahead, ${any(`outcome = 'wrong number'`)} AS wrong,
           ${any(`outcome = 'never call again'`)} AS never
         FROM call_attempts WHERE started_at >= $1 AND started_at < $5 AND ${standing} GROUP BY lead_id) AS called
       LEFT JOIN leads ON leads.id = called.lead_id AND leads.id >= $3 AND leads.id < $4 GROUP BY campaign_key`,
      [since, until, firstIdAt(since), firstIdAt(until), Math.max(until, at + 1)],
    )
  }

  /** People who were called, but no one has said yet what happened in any of their calls. */
  async function peopleOnlyDialed({ since, until }: StatsPeriod): Promise<number> {
    const [row] = await read<{ people: number }>(
      `SELECT COUNT(DISTINCT lead_id) AS people FROM call_starts WHERE started_at >= $1 AND started_at < $2
         AND NOT EXISTS (SELECT 1 FROM call_attempts WHERE call_attempts.lead_id = call_starts.lead_id AND ${STANDING}
           AND call_attempts.started_at >= $1 AND call_attempts.started_at < $2)`,
      [since, until],
    )
    return row?.people ?? 0
  }

  return {
    /** The calls in a period: how many, how soon, with what result, and by whom. */
    async callStats(period: StatsPeriod) {
      const at = await now()
      const calls = await callsBy(period)
      const missed = await missedCallbacks(period, at)
      const called = await leadsCalled(period, at)
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
        people: called.reduce((sum, { inPeriod }) => sum + inPeriod, await peopleOnlyDialed(period)),
        firstCalls: medianOf(calls),
        outcomes: [...callOutcomeNames, UNRECORDED].map(outcome => ({
          outcome,
          calls: totalOf(outcomes.get(outcome) ?? []),
        })),
        callers: callers.toSorted((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1)),
        campaigns: called.flatMap(({ campaign, inPeriod: _, ...counts }): CampaignCalls[] =>
          campaign === null ? [] : [{ campaign, ...counts }],
        ),
      }
    },

    /** Who is waiting right now. Times count only calling hours where the person is. */
    async callsWaiting(hours: CallingHours) {
      const at = await now()
      const waitingTime = waitingTimeOf(hours)
      const rows = await read<{ kind: CallKind; dueAt: number; phone: string; chosenPlace: string | null }>(
        `SELECT calls.kind, calls.due_at AS "dueAt", leads.phone, call_places.place AS "chosenPlace"
         FROM calls JOIN leads ON leads.id = calls.lead_id LEFT JOIN call_places ON call_places.phone = leads.phone
         WHERE calls.ended_at IS NULL AND calls.due_at > $1 AND (calls.kind = 'new' OR (calls.kind = 'callback' AND calls.due_at < $2))
           AND leads.state = 'accepted'
           AND NOT ${isClosedByList}
           AND NOT EXISTS (SELECT 1 FROM call_starts WHERE call_starts.lead_id = leads.id)`,
        [at - LISTED_MS, at - OWN_CALLBACK_MS],
      )
      const fresh = rows.filter(({ kind }) => kind === 'new')
      const waits = fresh.flatMap(({ dueAt, phone, chosenPlace }) => {
        const { place } = whereabouts(phone, chosenPlace)
        return place ? [waitingTime(place, dueAt, at)] : []
      })
      return {
        /** People who haven't been called yet. */
        people: fresh.length,
        longestMs: waits.reduce((longest, wait) => Math.max(longest, wait), 0),
        long: waits.filter(wait => wait >= LONG_WAIT_MS).length,
        /** Of `people`: people who can't be called until someone sets their place. */
        withoutPlace: fresh.length - waits.length,
        missedCallbacks: rows.length - fresh.length,
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
