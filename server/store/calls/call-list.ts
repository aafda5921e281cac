/** The call list: whom to call next, who has whom open, and why the others have to wait. */
import { whereabouts } from '../../../domain/calling/area-codes.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import type { CallGroup, CallKind, WaitReason } from '../../../domain/calling/list.ts'
import {
  type CallSituation,
  mayWeCall,
  type NumberToCall,
  orderCalls,
  type Placed,
  placeOf,
} from '../../../domain/calling/may-we-call.ts'
import { nextCall } from '../../../domain/calling/plan.ts'
import { PROMISE_MS } from '../../../domain/calling/story.ts'
import { isStopped } from '../do-not-call/stops.ts'
import { phoneMarkOfKey } from '../leads/repeats.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'
import { openDialOf } from './calling.ts'
import { claimNumber, claimsAt, type StoredClaim } from './claims.ts'
import { type CallRequest, numberOf, numberToCall, situationOf } from './numbers.ts'
import { leadsWithIds, nameOf, onOtherNumbers } from './same-person.ts'
import { type PlanRow, planColumns, planOfRow } from './stories.ts'
import { queuedCall } from './views.ts'

/** A call that nobody made for this long after it was due leaves the list. */
const LISTED_MS = 30 * 24 * 60 * 60_000
/** Someone who hasn't been called for this long needs attention. */
const LONG_WAIT_MS = 30 * 60_000

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

/** A number on the list. */
export interface ListedNumber extends NumberToCall {
  readonly storyId: string
  readonly leadId: string
}

type Listed = Placed<ListedNumber>

export function createCallList({ read, transact, now, dialect }: SqlPort) {
  /** Names, and what happened so far. */
  async function withDetails(calls: readonly Listed[], claims: ReadonlyMap<string, StoredClaim>) {
    const leads = await leadsWithIds(
      read,
      dialect,
      calls.map(({ leadId }) => leadId),
    )
    const contacts = new Map(leads.map(({ id, contact, language }) => [id, { ...contact, language }]))
    const made = await read<{ storyId: string; outcome: string; at: number }>(
      `SELECT story_id AS "storyId", outcome, at FROM calls
       WHERE story_id IN ${dialect.valuesOf('$1')} AND incoming IS NOT NULL ORDER BY n`,
      [JSON.stringify(calls.map(({ storyId }) => storyId))],
    )
    const callsOf = Map.groupBy(made, ({ storyId }) => storyId)
    return calls.map(({ plan, ...call }) => {
      const { firstName = '', lastName = '', language = 'en' } = contacts.get(call.leadId) ?? {}
      const last = callsOf.get(call.storyId)?.at(-1)
      return {
        ...call,
        firstName,
        lastName,
        language,
        promise: plan.promise,
        attempts: callsOf.get(call.storyId)?.length ?? 0,
        last: last ? { outcome: last.outcome, at: last.at } : null,
        claim: claims.get(call.storyId) ?? null,
      }
    })
  }

  return {
    /**
     * Picks whom to call next and claims the number, in one step. Someone who has a call open gets that one. Null if nobody can be
     * called now.
     */
    callNext: ({ person, hours }: Omit<CallRequest, 'leadId'>) =>
      transact(async (sql, at) => {
        // One at a time; otherwise, everyone would try to claim the same person.
        await dialect.lockKeys(sql, ['call next'])
        const situation = await situationOf(sql, at, person.id, hours)
        const claims = new Map((await claimsAt(sql, at)).map(claim => [claim.storyId, claim]))
        const own = [...claims.values()].find(({ personId, dialed }) => personId === person.id && dialed === 0)
        if (own) {
          const [open] = await openNumbers(sql, dialect, at, claims, [own.storyId])
          if (open && mayWeCall('dial', open, situation) === null && (await claimNumber(sql, at, open, person)))
            return own.leadId
        }
        const others: Listed[] = []
        for (const ids of inBatches(await dueStories(sql, at, person.id))) {
          const ordered = orderCalls(await openNumbers(sql, dialect, at, claims, ids), situation)
          const ready = ordered.filter(({ wait }) => wait === null)
          const speaks = ({ plan }: Listed) =>
            plan.promise?.by.id === person.id || plan.languages.some(language => situation.languages.includes(language))
          others.push(...ready.filter(call => !speaks(call)))
          for (const call of ready) if (speaks(call) && (await claimNumber(sql, at, call, person))) return call.leadId
        }
        for (const call of others) if (await claimNumber(sql, at, call, person)) return call.leadId
        return null
      }),

    /** Counts, the first people to call now, and the first who have to wait. Without `only`, the person's own calls are apart. */
    async callList({ personId, hours, limit, dayEnds, only = null }: CallListRequest) {
      const at = await now()
      const situation = await situationOf(read, at, personId, hours)
      const claims = new Map((await claimsAt(read, at)).map(claim => [claim.storyId, claim]))
      const ordered = orderCalls(await openNumbers(read, dialect, at, claims), situation)
      const isOwn = ({ claim }: Listed) => claim?.id === personId
      const isCallbackToday = ({ plan }: Listed) => plan.promise !== null && plan.promise.at < dayEnds
      const groups: Readonly<Record<CallGroup, (call: Listed) => boolean>> = {
        callbacks: isCallbackToday,
        missed: call => isMissed(call, situation),
        waiting: call => waitOf(call, situation) >= LONG_WAIT_MS,
        new: ({ kind }) => kind === 'new',
      }
      const listed = ordered.filter(only === null ? call => !isOwn(call) : groups[only])
      const ready = listed.filter(({ wait }) => wait === null)
      const waiting = listed.slice(ready.length)
      const reasons = new Map<WaitReason, { count: number; next: number | null }>()
      for (const { wait } of waiting) {
        if (!wait || wait.why === 'closed') continue
        const { count, next } = reasons.get(wait.why) ?? { count: 0, next: wait.next }
        reasons.set(wait.why, { count: count + 1, next })
      }
      return {
        at,
        now: { count: ready.length, new: ready.filter(({ kind }) => kind === 'new').length },
        callbacksToday: ordered.filter(isCallbackToday).length,
        mine: await withDetails(ordered.filter(isOwn), claims),
        /** `next`: when the first of them can be called, if that's known. */
        waiting: [...reasons].map(([why, { count, next }]) => ({ why, count, next })),
        ready: await withDetails(ready.slice(0, limit), claims),
        later: await withDetails(waiting.slice(0, limit), claims),
      }
    },

    /** Who is waiting right now: the same people as on the list. Times count only calling hours where the person is. */
    async callsWaiting(hours: CallingHours) {
      const at = await now()
      const situation = await situationOf(read, at, '', hours)
      const numbers = await openNumbers(read, dialect, at, new Map())
      // When to retry takes the longest to find, and nobody asks for it here.
      const fresh = numbers.flatMap(number => {
        const next = number.plan.kind === 'new' ? nextCall(number.plan, number.place, situation) : null
        return next?.kind === 'new' ? [{ ...number, ...next }] : []
      })
      const waits = fresh.filter(({ place }) => place !== null).map(call => waitOf(call, situation))
      return {
        /** People who haven't been called yet. */
        people: fresh.length,
        longestMs: waits.reduce((longest, wait) => Math.max(longest, wait), 0),
        long: waits.filter(wait => wait >= LONG_WAIT_MS).length,
        /** Of `people`: people who can't be called until someone sets their place. */
        withoutPlace: fresh.length - waits.length,
        missedCallbacks: numbers.filter(call => isMissed(call, situation)).length,
      }
    },

    /** Whether anyone is on the list, or has a call open. */
    async hasOpenCalls() {
      const at = await now()
      const open = `SELECT 1 FROM stories WHERE kind IS NOT NULL AND phone IS NOT NULL AND listed_at > $1 AND NOT ${isStopped('stories.phone')} LIMIT 1`
      return (await read(open, [at - LISTED_MS])).length > 0 || (await claimsAt(read, at)).length > 0
    },

    /** Everything about one lead's calls, for its page. Null if there is no such lead, or it's erased. */
    async callState({ leadId, personId, hours }: { leadId: string; personId: string; hours: CallingHours }) {
      const at = await now()
      const found = await numberOf(read, dialect, leadId)
      if (!found || found.lead.phone === null) return null
      const { lead, stored } = found
      const { claim, closed, number } = await numberToCall(read, found, { at, personId })
      const situation = await situationOf(read, at, personId, hours)
      const block = number && mayWeCall('dial', { ...number, closed: null, claim: null }, situation)
      const chosen = stored?.plan.place ?? null
      const open = [...(stored?.story.requests.values() ?? [])].filter(({ answer }) => answer === null)
      const people = await leadsWithIds(
        read,
        dialect,
        open.map(request => request.leadId),
      )
      const elsewhere = await onOtherNumbers(read, [lead])
      const dial = stored && openDialOf(stored.story, personId)
      return {
        at,
        phone: found.lead.phone,
        language: lead.language,
        closed,
        claim,
        chosen,
        call: stored && queuedCall(stored, leadId),
        /** When this person dialed or took the call, if they haven't said what happened. */
        startedAt: dial?.at ?? null,
        /** They called us, and this person took the call. */
        incoming: dial?.incoming ?? false,
        block,
        ...whereabouts(found.lead.phone, chosen?.id ?? null),
        /** Open requests with this number. If their names differ, the caller says for whom an outcome is. */
        requests: people.flatMap(({ id, contact, language }) => {
          const request = stored?.story.requests.get(id)
          if (!contact || !request) return []
          const { firstName, lastName } = contact
          const { submittedAt, tried, promise } = request
          return [
            {
              leadId: id,
              firstName,
              lastName,
              language,
              submittedAt,
              tries: tried.length,
              promisedAt: promise?.at ?? null,
            },
          ]
        }),
        namesDiffer: new Set(people.flatMap(({ contact }) => (contact ? [nameOf(contact)] : []))).size > 1,
        /** The same person's leads with other numbers. */
        otherNumbers: elsewhere.flatMap(({ id, phone }) => (phone ? [{ leadId: id, phone }] : [])),
      }
    },

    /** Where the calling stands, by lead. Leaves out leads that were never on the list. */
    async callsOfLeads(ids: readonly string[]): Promise<ReadonlyMap<string, LeadCalls>> {
      const among = dialect.valuesOf('$1')
      const called = await read<LeadCalls & { leadId: string }>(
        `SELECT lead_id AS "leadId", COALESCE(kind, 'retry') AS kind, due_at AS "dueAt", tries, answer AS ended,
           last_outcome AS "lastOutcome"
         FROM requests WHERE lead_id IN ${among} AND (kind IS NOT NULL OR answer IS NOT NULL)`,
        [JSON.stringify(ids)],
      )
      const fresh = await read<LeadCalls & { leadId: string }>(
        `SELECT leads.id AS "leadId", 'new' AS kind, leads.received_at AS "dueAt", 0 AS tries, NULL AS ended, NULL AS "lastOutcome"
         FROM leads JOIN stories ON stories.mark = ${phoneMarkOfKey} AND stories.phone = leads.phone
         WHERE leads.id IN ${among} AND leads.state = 'accepted' AND stories.kind IS NOT NULL`,
        [JSON.stringify(ids)],
      )
      return new Map([...fresh, ...called].map(({ leadId, ...call }) => [leadId, call]))
    },
  }
}

/** Promised, and nobody has called in time. */
const isMissed = ({ plan: { promise } }: Pick<Listed, 'plan'>, { at }: CallSituation) =>
  promise !== null && promise.at < at - PROMISE_MS

/** How long someone who hasn't been called yet has been waiting, in calling hours. */
const waitOf = (
  { kind, dueAt, place }: Pick<Listed, 'kind' | 'dueAt' | 'place'>,
  { at, waitingTime }: CallSituation,
) => (kind === 'new' && place ? waitingTime(place, dueAt, at) : 0)

/** The IDs of the stories with a call that may be due, best first: see `orderCalls`. */
async function dueStories(sql: Sql, at: number, personId: string): Promise<readonly string[]> {
  const isDue = 'promised_at <= $2'
  const rows = await sql<{ id: string }>(
    `SELECT id FROM stories WHERE kind IS NOT NULL AND listed_at > $1 AND (${isDue} OR kind = 'new' OR not_before <= $2)
     ORDER BY CASE WHEN ${isDue} AND promised_by = $3 AND promised_at > $2 - ${PROMISE_MS} THEN 0 WHEN ${isDue} THEN 1
         WHEN kind = 'new' THEN 2 ELSE 3 END,
       CASE WHEN ${isDue} THEN promised_at WHEN kind = 'new' THEN -not_before ELSE not_before END, lead_id DESC`,
    [at - LISTED_MS, at, personId],
  )
  return rows.map(({ id }) => id)
}

/** Usually, someone in the first batch can be called, so the others aren't read. At night, nobody can. */
const BATCH = 1000

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += BATCH) yield ids.slice(start, start + BATCH)
}

/** All numbers on the list, or those among `ids`. */
async function openNumbers(
  sql: Sql,
  dialect: Dialect,
  at: number,
  claims: ReadonlyMap<string, StoredClaim>,
  ids?: readonly string[],
): Promise<readonly ListedNumber[]> {
  const rows = await sql<PlanRow & { storyId: string; phone: string }>(
    `SELECT stories.id AS "storyId", stories.phone, ${planColumns} FROM stories
     WHERE stories.kind IS NOT NULL AND stories.phone IS NOT NULL AND stories.listed_at > $1 AND NOT ${isStopped('stories.phone')}
       ${ids ? `AND stories.id IN ${dialect.valuesOf('$2')}` : ''}`,
    [at - LISTED_MS, ...(ids ? [JSON.stringify(ids)] : [])],
  )
  // Without a rest of the row, which would copy thousands of them.
  return rows.map(row => {
    const { storyId, phone } = row
    const plan = planOfRow(row)
    const claim = claims.get(storyId)
    return {
      storyId,
      leadId: (plan.promise && plan.promise.at <= at ? plan.promise.leadId : plan.leadId) ?? '',
      plan,
      place: placeOf(phone, plan.place?.id ?? null),
      closed: null,
      claim: claim ? { id: claim.personId, name: claim.name } : null,
    }
  })
}
