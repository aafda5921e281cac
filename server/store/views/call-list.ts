/** The call list: whom to call next, who has whom open, and why the others have to wait. */
import { whereabouts } from '../../../domain/calling/area-codes.ts'
import { orderCalls } from '../../../domain/calling/call-order.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import type { CallGroup, CallKind, WaitReason } from '../../../domain/calling/list.ts'
import { type CallBlock, type CallSituation, mayWeCall, spokenUntil } from '../../../domain/calling/may-we-call.ts'
import { nextCall } from '../../../domain/calling/plan.ts'
import { queuedCall } from '../../../domain/calling/queued-call.ts'
import { LISTED_MS, PROMISE_MS } from '../../../domain/calling/standing.ts'
import type { Claim } from '../../../domain/calling/whose-call.ts'
import { namesAmong } from '../../../domain/leads/people.ts'
import { claimsAt } from '../facts/calls/claims.ts'
import { isListed, type Listed, openNumbers } from '../facts/calls/listed-numbers.ts'
import { numberNow, numberOf, situationOf } from '../facts/calls/numbers.ts'
import { removedPeople } from '../facts/desk-people.ts'
import { storedLeads } from '../facts/leads/lead-rows.ts'
import { phoneMarkOfKey } from '../facts/leads/person-keys.ts'
import { isAccepted } from '../facts/leads/states.ts'
import type { Sql, SqlPort } from '../sql.ts'
import { peopleOn } from './people-on-number.ts'

/** Keeps a number that someone submitted thousands of times from making a list that nobody can read. */
const MOST_LEADS = 1000
/** Someone who hasn't been called for this long needs attention. */
const LONG_WAIT_MS = 30 * 60_000
/** How many of the people who wait longest are named. */
const LONGEST_WAITS = 3

interface CallListRequest {
  readonly personId: string
  readonly hours: CallingHours
  /** How many people to name in each part. */
  readonly limit: number
  /** When today ends for the operator. */
  readonly dayEnds: number
  /** Only these people. */
  readonly only?: CallGroup | null
}

/** For badges in lists of leads. */
export interface LeadCalls {
  readonly kind: CallKind
  readonly dueAt: number
  readonly tries: number
  /** How the calling ended; null while the lead is on the list. */
  readonly ended: string | null
  readonly lastOutcome: string | null
}

export function createCallList({ read, now }: SqlPort) {
  /** Who is on the number, and what happened so far. */
  async function withDetails(calls: readonly Listed[], claims: ReadonlyMap<string, Claim>, situation: CallSituation) {
    const people = await peopleWithNumbers(read, calls)
    const ids = calls.map(({ storyId }) => storyId)
    const listed = [...people.values()].flatMap(({ names }) => names.map(({ leadId }) => leadId))
    const made = await read<{ storyId: string; outcome: string | null; at: number }>(
      `SELECT calls.story_id, calls.at, MIN(call_leads.outcome) AS outcome FROM calls
       LEFT JOIN call_leads ON call_leads.story_id = calls.story_id AND call_leads.n = calls.n AND call_leads.lead_id = ANY($2)
       WHERE calls.story_id = ANY($1) GROUP BY calls.story_id, calls.n, calls.at ORDER BY calls.n`,
      [ids, listed],
    )
    const callsOf = Map.groupBy(made, ({ storyId }) => storyId)
    const removed = await removedPeople(read)
    return calls.map(({ plan, phone, storyId, leadId, kind, dueAt, place, wait, ...call }) => {
      const last = callsOf.get(storyId)?.at(-1)
      const { language = 'en', names = [] } = people.get(phone) ?? {}
      const [promise] = plan.promises
      return {
        leadId,
        /** Everyone on the number whom we want to reach, whose page it opens first. */
        people: names,
        language,
        kind,
        dueAt,
        /** In calling hours, for a first call. */
        waitedMs: waitOf({ kind, place, ...call }, situation),
        place,
        /** The earliest promised callback, which the next call may come before. */
        promise: promise
          ? {
              at: promise.at,
              place: promise.place,
              by: promise.by.name,
              hasLeft: removed.has(promise.by.name),
              leadId: promise.leadId,
            }
          : null,
        calls: callsOf.get(storyId)?.length ?? 0,
        /** `not recorded`: called, outcome unknown. Null: about someone else on the number. */
        last: last ? { outcome: last.outcome, at: last.at } : null,
        wait: wait && { why: wait.why as WaitReason, until: wait.next },
        claim: claims.get(storyId) ?? null,
      }
    })
  }

  return {
    /** Counts, the first people to call now, and the first who have to wait. Without `only`, the person's own calls are apart. */
    async callList({ personId, hours, limit, dayEnds, only = null }: CallListRequest) {
      const at = await now()
      const situation = await situationOf(read, at, personId, hours)
      const claims = new Map((await claimsAt(read, at)).map(claim => [claim.storyId, claim]))
      const ordered = orderCalls(await openNumbers(read, at, claims), situation)
      const isOwn = ({ claim }: Listed) => claim?.id === personId
      const isCallbackToday = (call: Listed) => isPromisedBefore(call, dayEnds)
      const isMine = ({ plan: { promises } }: Listed) => promises.some(({ by }) => by.id === personId)
      const removed = await removedPeople(read)
      const groups: Readonly<Record<CallGroup, (call: Listed) => boolean>> = {
        callbacks: isCallbackToday,
        mine: isMine,
        missed: call => isPromisedBefore(call, at - PROMISE_MS),
        waiting: call => waitOf(call, situation) >= LONG_WAIT_MS,
        new: ({ kind }) => kind === 'new',
        left: ({ plan: { promises } }) => promises.some(({ by }) => removed.has(by.name)),
      }
      const listed = ordered.filter(only === null ? call => !isOwn(call) : groups[only])
      if (only === 'waiting' || only === 'new') listed.sort((a, b) => waitOf(b, situation) - waitOf(a, situation))
      const ready = listed.filter(({ wait }) => wait === null)
      const waiting = listed.filter(({ wait }) => wait !== null)
      const reasons = new Map<WaitReason, number>()
      for (const { wait } of waiting)
        if (wait && wait.why !== 'closed') reasons.set(wait.why, (reasons.get(wait.why) ?? 0) + 1)
      return {
        at,
        now: { count: ready.length, new: ready.filter(({ kind }) => kind === 'new').length },
        callbacksToday: ordered.filter(isCallbackToday).length,
        ownCallbacks: ordered.filter(isMine).length,
        mine: await withDetails(ordered.filter(isOwn), claims, situation),
        waiting: [...reasons].map(([why, count]) => ({ why, count })),
        ready: await withDetails(ready.slice(0, limit), claims, situation),
        later: await withDetails(waiting.slice(0, limit), claims, situation),
      }
    },

    /** Who is waiting right now: the same people as on the list. Times count only calling hours where the person is. */
    async callsWaiting(hours: CallingHours) {
      const at = await now()
      const situation = await situationOf(read, at, '', hours)
      const [missed] = await read<{ numbers: number }>(
        `SELECT COUNT(*) AS numbers FROM stories WHERE ${isListed} AND promised_at < $2`,
        [at - LISTED_MS, at - PROMISE_MS],
      )
      const [last] = await read<{ at: number }>('SELECT at FROM call_leads WHERE incoming = 0 ORDER BY at DESC LIMIT 1')
      const numbers = await openNumbers(read, at, new Map(), 'new_at IS NOT NULL')
      const fresh = numbers.flatMap(number => {
        const next = nextCall(number.plan, number.place, situation)
        return next?.kind === 'new' ? [{ ...number, ...next }] : []
      })
      const placed = fresh.filter(({ place }) => place !== null)
      const waits = placed
        .map(call => ({ leadId: call.leadId, ms: waitOf(call, situation) }))
        .toSorted((a, b) => b.ms - a.ms)
      return {
        /** People who haven't been called yet. */
        people: fresh.length,
        longest: waits.filter(({ ms }) => ms > 0).slice(0, LONGEST_WAITS),
        long: waits.filter(({ ms }) => ms >= LONG_WAIT_MS).length,
        /** Of `people`: people who can't be called until someone sets their place. */
        withoutPlace: fresh.length - waits.length,
        missedCallbacks: missed?.numbers ?? 0,
        /** When anyone was called last; null if nobody ever was. */
        lastCallAt: last?.at ?? null,
      }
    },

    /** Whether anyone is on the list, or has a call open. */
    async hasOpenCalls() {
      const at = await now()
      const open = `SELECT 1 FROM stories WHERE ${isListed} LIMIT 1`
      return (await read(open, [at - LISTED_MS])).length > 0 || (await claimsAt(read, at)).length > 0
    },

    /** Everything about one lead's calls, for its page. Null if there is no such lead, or it's erased. */
    async callState({ leadId, personId, hours }: { leadId: string; personId: string; hours: CallingHours }) {
      const at = await now()
      const found = await numberOf(read, leadId)
      if (!found || found.lead.phone === null) return null
      const { lead, stored } = found
      const { closed, number, whose } = await numberNow(read, found, { at, personId })
      const situation = await situationOf(read, at, personId, hours)
      const chosen = stored?.plan.place ?? null
      return {
        at,
        phone: found.lead.phone,
        language: lead.language,
        whose,
        chosen,
        placeBefore: stored?.plan.placeBefore ?? null,
        call: stored && queuedCall(stored, leadId),
        /** To anyone on the number, at the earliest. */
        next: number && nextCall(number.plan, number.place, situation),
        /** Until when a yes on the phone allows calls. Null if someone there sent the form. */
        spokenUntil: stored && spokenUntil(stored.plan),
        /** Why nobody can dial now, apart from a colleague who has it open. */
        block: number ? mayWeCall('dial', { ...number, claim: null }, situation) : notCallable(closed),
        ...whereabouts(found.lead.phone, chosen?.id ?? null),
        ...(number?.place && { place: number.place }),
        /** Everyone on the number, the person whose page it is first. */
        people: stored ? await peopleOn(read, stored, lead) : [],
      }
    },

    /** Where the calling stands, by lead. Leaves out leads that were never on the list. */
    async callsOfLeads(ids: readonly string[]): Promise<ReadonlyMap<string, LeadCalls>> {
      const called = await read<LeadCalls & { leadId: string }>(
        `SELECT lead_id, COALESCE(kind, 'retry') AS kind, due_at, tries, answer AS ended,
           last_outcome
         FROM standings WHERE lead_id = ANY($1) AND (kind IS NOT NULL OR answer IS NOT NULL)`,
        [ids],
      )
      const fresh = await read<LeadCalls & { leadId: string }>(
        `SELECT leads.id AS lead_id, 'new' AS kind, leads.received_at AS due_at, 0 AS tries, NULL AS ended, NULL AS last_outcome
         FROM leads JOIN stories ON stories.mark = ${phoneMarkOfKey} AND stories.phone = leads.phone
         WHERE leads.id = ANY($1) AND ${isAccepted} AND stories.listed_at IS NOT NULL`,
        [ids],
      )
      return new Map([...fresh, ...called].map(({ leadId, ...call }) => [leadId, call]))
    },
  }
}

const notCallable = (closed: string | null): CallBlock | null =>
  closed === null ? null : { why: 'closed', message: closed, next: null }

const isPromisedBefore = ({ plan }: Listed, time: number) => plan.promises.some(promise => promise.at < time)

/** How long someone who hasn't been called yet has been waiting, in calling hours. */
const waitOf = (
  { kind, waitingSince, place }: Pick<Listed, 'kind' | 'waitingSince' | 'place'>,
  { at, waitingTime }: CallSituation,
) => (kind === 'new' && place ? waitingTime(place, waitingSince, at) : 0)

/**
 * By number: the people whom we want to reach, and the first one's language. The mark is an expression, because SQLite uses its index for
 * nothing that has a type; otherwise, it looks through all leads.
 */
async function peopleWithNumbers(sql: Sql, calls: readonly Listed[]) {
  const leads = await sql<{ phone: string; id: string; answer: string | null }>(
    `SELECT leads.phone, leads.id, standings.answer FROM stories
     JOIN leads ON stories.mark || '' = ${phoneMarkOfKey} AND stories.phone = leads.phone
     LEFT JOIN standings ON standings.lead_id = leads.id
     WHERE stories.id = ANY($1) AND ${isAccepted} ORDER BY leads.id DESC LIMIT ${MOST_LEADS}`,
    [calls.map(({ storyId }) => storyId)],
  )
  const open = leads.filter(({ answer }) => answer === null).map(({ id }) => id)
  const wanted = await storedLeads(sql, [...new Set([...calls.map(({ leadId }) => leadId), ...open])])
  const called = new Set(calls.map(({ leadId }) => leadId))
  const calledFirst = wanted.toSorted((one, other) => Number(called.has(other.id)) - Number(called.has(one.id)))
  return new Map(
    [...Map.groupBy(calledFirst, ({ phone }) => phone)].map(([phone, onNumber]) => [
      phone,
      { language: onNumber[0]?.language ?? 'en', names: namesAmong(onNumber) },
    ]),
  )
}
