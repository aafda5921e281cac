/** The call list: whom to call next, who has whom open, and why the others have to wait. */
import { whereabouts } from '../../../domain/calling/area-codes.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import type { CallGroup, CallKind, WaitReason } from '../../../domain/calling/list.ts'
import { isClosedByList } from '../do-not-call.ts'
import { addHistory } from '../history.ts'
import { type Dialect, insert, type Sql, type SqlPort } from '../sql.ts'
import { blockNow, type CallRefused, type CallRequest, startOf } from './attempts.ts'
import {
  type Caller,
  CLAIM_MS,
  claimColumns,
  claimNumber,
  claimOn,
  holdsAt,
  leadToCall,
  type StoredClaim,
  whyClosed,
} from './claims.ts'
import { clockOf, LONG_WAIT_MS, lastDaysCalls, STANDING, waitingTimeOf } from './limits.ts'
import { type CallSituation, type OpenCall, OWN_CALLBACK_MS, orderCalls, type PlacedCall } from './order.ts'
import { callOf, queuedCall } from './queue.ts'

/** A skipped call isn't offered to the same person again for this long. */
const SKIP_MS = 15 * 60_000
/** A call that nobody made for this long after it was due leaves the list. */
export const LISTED_MS = 30 * 24 * 60 * 60_000

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

interface OwnCall {
  readonly leadId: string
  readonly personId: string
}

interface LeadChange<Value> {
  readonly leadId: string
  readonly value: Value
  readonly by: string
}

/** SQL: the person's claim on the lead's number. They may have opened it for another lead with the number. */
const OWN_CLAIM = 'phone = (SELECT phone FROM leads WHERE id = $1) AND person_id = $2'

export function createCalls(port: SqlPort) {
  const { read, transact, now, dialect } = port

  /** Names, and what happened so far. */
  async function withDetails(calls: readonly PlacedCall[], at: number) {
    const ids = JSON.stringify(calls.map(({ leadId }) => leadId))
    const [leads, attempts, claims] = await Promise.all([
      read<{ id: string; contact: string }>(
        `SELECT id, contact FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND contact IS NOT NULL`,
        [ids],
      ),
      read<{ leadId: string; outcome: string; at: number }>(
        `SELECT lead_id AS "leadId", outcome, saved_at AS at FROM call_attempts
         WHERE lead_id IN ${dialect.valuesOf('$1')} AND ${STANDING} ORDER BY saved_at`,
        [ids],
      ),
      read<StoredClaim & { phone: string }>(`SELECT phone, ${claimColumns} FROM call_claims WHERE ${holdsAt('$1')}`, [
        at,
      ]),
    ])
    const contacts = new Map(leads.map(({ id, contact }) => [id, JSON.parse(contact) as Record<string, string>]))
    const attemptsOf = Map.groupBy(attempts, ({ leadId }) => leadId)
    return calls.map(call => {
      const { firstName = '', lastName = '' } = contacts.get(call.leadId) ?? {}
      const made = attemptsOf.get(call.leadId) ?? []
      const last = made.at(-1)
      return {
        ...call,
        ...{ firstName, lastName },
        attempts: made.length,
        last: last ? { outcome: last.outcome, at: last.at } : null,
        claim: claims.find(({ phone }) => phone === call.phone) ?? null,
      }
    })
  }

  /** The lead may have been put on hold or erased, or a colleague may have picked it from the list. */
  async function claimIfOpen(sql: Sql, at: number, call: PlacedCall, person: Caller): Promise<boolean> {
    const lead = await leadToCall(sql, dialect, call.leadId)
    return (await whyClosed(sql, lead)) === null && (await claimNumber(sql, at, call, person)) !== null
  }

  return {
    /** Picks whom to call next and claims the number, in one step. Null if nobody can be called now. */
    callNext: ({ person, hours }: Omit<CallRequest, 'leadId'>) =>
      transact(async (sql, at) => {
        // One at a time; otherwise, everyone would try to claim the same person.
        await dialect.lockKeys(sql, ['call next'])
        const situation = await situationOf(sql, at, person.id, hours)
        const others: PlacedCall[] = []
        for (const calls of inBatches(await dueCalls(sql, at))) {
          const ready = orderCalls(await openCalls(sql, dialect, at, calls), situation).filter(
            ({ wait }) => wait === null,
          )
          others.push(...ready.filter(({ speaks }) => !speaks))
          for (const call of ready) if (call.speaks && (await claimIfOpen(sql, at, call, person))) return call.leadId
        }
        for (const call of others) if (await claimIfOpen(sql, at, call, person)) return call.leadId
        return null
      }),

    /** Opens one person's call. `takeOver`: even if a colleague has it open. */
    claimCall: ({ leadId, person, takeOver }: Omit<CallRequest, 'hours'> & { readonly takeOver: boolean }) =>
      transact(async (sql, at): Promise<CallRefused | { readonly kind: 'open'; readonly claim: StoredClaim }> => {
        const lead = await leadToCall(sql, dialect, leadId)
        const closed = await whyClosed(sql, lead)
        if (!lead || closed !== null) return { kind: 'closed', message: closed ?? '' }
        const { phone } = lead
        const before = await claimOn(sql, phone, at)
        const claim = await claimNumber(sql, at, { leadId, phone }, person, takeOver)
        if (!claim) return { kind: 'claimed', claim: (await claimOn(sql, phone, at)) ?? (before as StoredClaim) }
        if (before && before.personId !== person.id) {
          const detail = { by: person.name, from: before.name }
          await addHistory(sql, { leadId, at, event: 'call taken over', detail })
        }
        return { kind: 'open', claim }
      }),

    /** While the page is open. Null if the person no longer has the call. */
    renewClaim: ({ leadId, personId }: OwnCall) =>
      transact(async (sql, at) => {
        const renew = `UPDATE call_claims SET expires_at = $3 WHERE ${OWN_CLAIM} RETURNING ${claimColumns}`
        return (await sql<StoredClaim>(renew, [leadId, personId, at + CLAIM_MS]))[0] ?? null
      }),

    skipCall: ({ leadId, person }: Omit<CallRequest, 'hours'>) =>
      transact(async (sql, at) => {
        await sql(`DELETE FROM call_claims WHERE ${OWN_CLAIM}`, [leadId, person.id])
        // Together with colleagues who skipped it lately, or two people would be offered it in turns.
        const skippers = `CASE WHEN skipped_until > $4 THEN skipped_by || ' ' ELSE '' END || $2`
        const skip = `UPDATE calls SET skipped_by = ${skippers}, skipped_until = $3 WHERE lead_id = $1 RETURNING lead_id`
        if ((await sql(skip, [leadId, person.id, at + SKIP_MS, at])).length === 0) return
        await addHistory(sql, { leadId, at, event: 'call skipped', detail: { by: person.name } })
      }),

    /** Everything about one lead's calls, for its page. Null if there is no such lead, or it's erased. */
    async callState({ leadId, personId, hours }: OwnCall & { readonly hours: CallingHours }) {
      const at = await now()
      const [lead] = await read<{ phone: string; email: string; state: string; language: string }>(
        `SELECT phone, email, state, language FROM leads WHERE id = $1 AND state <> 'erased'`,
        [leadId],
      )
      if (!lead) return null
      const { phone, language } = lead
      const promised = 'SELECT name FROM desk_people JOIN calls ON callback_for = desk_people.id WHERE lead_id = $1'
      const chosenPlace = 'SELECT place, set_by AS "by" FROM call_places WHERE phone = $1'
      const [[chosen = null], row, claim, start, closed, [promiser]] = await Promise.all([
        read<{ place: string; by: string }>(chosenPlace, [phone]),
        callOf(read, leadId),
        claimOn(read, phone, at),
        startOf(read, leadId, personId),
        whyClosed(read, lead),
        read<{ name: string }>(promised, [leadId]),
      ])
      const { place } = whereabouts(phone, chosen?.place ?? null)
      return {
        ...{ at, phone, language, closed, claim, chosen },
        call: row && queuedCall(row),
        /** Who promised to call back. */
        callbackBy: promiser?.name ?? null,
        /** When this person dialed, if they haven't said what happened. */
        startedAt: start?.at ?? null,
        block: await blockNow(read, { at, phone, place, clock: clockOf(hours) }, start),
      }
    },

    /** Where the calling stands, by lead. Leaves out leads that were never on the list. */
    async callsOfLeads(ids: readonly string[]): Promise<ReadonlyMap<string, LeadCalls>> {
      const among = `lead_id IN ${dialect.valuesOf('$1')}`
      const last = `SELECT outcome FROM call_attempts WHERE call_attempts.lead_id = calls.lead_id AND ${STANDING}
        ORDER BY saved_at DESC LIMIT 1`
      const rows = await read<LeadCalls & { leadId: string }>(
        `SELECT lead_id AS "leadId", kind, due_at AS "dueAt", tries, ended, (${last}) AS "lastOutcome" FROM calls WHERE ${among}`,
        [JSON.stringify(ids)],
      )
      return new Map(rows.map(({ leadId, ...call }) => [leadId, call]))
    },

    /** Counts, the first people to call now, and the first who have to wait. Without `only`, the person's own calls are apart. */
    async callList({ personId, hours, limit, dayEnds, only = null }: CallListRequest) {
      const at = await now()
      const calls = await openCalls(read, dialect, at)
      const ordered = orderCalls(calls, await situationOf(read, at, personId, hours))
      const isCallbackToday = ({ kind, dueAt }: PlacedCall) => kind === 'callback' && dueAt < dayEnds
      const isOwn = ({ claimedBy }: PlacedCall) => claimedBy === personId
      const isListed =
        only === null
          ? (call: PlacedCall) => !isOwn(call)
          : only === 'callbacks'
            ? isCallbackToday
            : await neglected(read, at, hours, only)
      const listed = ordered.filter(isListed)
      const ready = listed.filter(({ wait }) => wait === null)
      const waiting = listed.slice(ready.length)
      const reasons = new Map<WaitReason, { count: number; next: number | null }>()
      for (const { wait } of waiting) {
        if (!wait) continue
        const { count, next } = reasons.get(wait.why) ?? { count: 0, next: wait.until }
        reasons.set(wait.why, { count: count + 1, next })
      }
      return {
        at,
        now: { count: ready.length, new: ready.filter(({ kind }) => kind === 'new').length },
        callbacksToday: ordered.filter(isCallbackToday).length,
        mine: await withDetails(ordered.filter(isOwn), at),
        /** `next`: when the first of them can be called, if that's known. */
        waiting: [...reasons].map(([why, { count, next }]) => ({ why, count, next })),
        ready: await withDetails(ready.slice(0, limit), at),
        later: await withDetails(waiting.slice(0, limit), at),
      }
    },

    /** Where the person is, for all leads with this number. Null: where their area code is. False if the lead was erased. */
    setCallPlace: ({ leadId, value: place, by }: LeadChange<string | null>) =>
      transact(async (sql, at) => {
        const lead = await leadToCall(sql, dialect, leadId)
        if (!lead) return false
        const { phone } = lead
        const update =
          'ON CONFLICT (phone) DO UPDATE SET place = excluded.place, set_by = excluded.set_by, set_at = excluded.set_at'
        if (place !== null) await insert(sql, 'call_places', { phone, place, set_by: by, set_at: at }, update)
        else await sql('DELETE FROM call_places WHERE phone = $1', [phone])
        await addHistory(sql, { leadId, at, event: 'place set', detail: { by, place } })
        return true
      }),

    setLeadLanguage: ({ leadId, value: language, by }: LeadChange<string>) =>
      transact(async (sql, at) => {
        if (!(await leadToCall(sql, dialect, leadId))) return false
        await sql('UPDATE leads SET language = $2 WHERE id = $1', [leadId, language])
        await addHistory(sql, { leadId, at, event: 'language set', detail: { by, language } })
        return true
      }),
  }
}

/** The people whom `callsWaiting` counts in stats.ts. */
async function neglected(sql: Sql, at: number, hours: CallingHours, group: 'missed' | 'waiting') {
  const started = await sql<{ leadId: string }>('SELECT lead_id AS "leadId" FROM call_starts')
  const dialed = new Set(started.map(({ leadId }) => leadId))
  const waitingTime = waitingTimeOf(hours)
  return ({ leadId, kind, dueAt, place }: PlacedCall) =>
    !dialed.has(leadId) &&
    (group === 'missed'
      ? kind === 'callback' && dueAt < at - OWN_CALLBACK_MS
      : kind === 'new' && place !== null && waitingTime(place, dueAt, at) >= LONG_WAIT_MS)
}

async function situationOf(sql: Sql, at: number, personId: string, hours: CallingHours): Promise<CallSituation> {
  const [own] = await sql<{ languages: string }>('SELECT languages FROM desk_people WHERE id = $1', [personId])
  const colleagues = await sql<{ languages: string }>(
    `SELECT DISTINCT languages FROM desk_people JOIN desk_sessions ON desk_sessions.person_id = desk_people.id
     WHERE desk_people.id <> $1 AND role <> 'viewer' AND dismissed_at IS NULL AND ends_at > $2`,
    [personId, at],
  )
  return {
    ...{ at, personId },
    languages: own?.languages.split(' ') ?? [],
    colleaguesSpeak: new Set(colleagues.flatMap(({ languages }) => languages.split(' '))),
    attempts: await lastDaysCalls(sql, at),
    clock: clockOf(hours),
  }
}

/** The IDs of the leads to call now, best first: see order.ts. */
async function dueCalls(sql: Sql, at: number): Promise<readonly string[]> {
  const rows = await sql<{ id: string }>(
    `SELECT lead_id AS id FROM calls WHERE ended_at IS NULL AND due_at > $1 AND (due_at <= $2 OR kind = 'new')
     ORDER BY CASE kind WHEN 'callback' THEN 0 WHEN 'new' THEN 1 ELSE 2 END,
       CASE kind WHEN 'new' THEN -due_at ELSE due_at END, lead_id DESC`,
    [at - LISTED_MS, at],
  )
  return rows.map(({ id }) => id)
}

/** Usually, someone in the first batch can be called, so the others aren't read. */
const BATCH = 200

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += BATCH) yield ids.slice(start, start + BATCH)
}

/** All calls on the list, or those among `ids`. */
async function openCalls(
  sql: Sql,
  dialect: Dialect,
  at: number,
  ids?: readonly string[],
): Promise<readonly OpenCall[]> {
  const calls = await sql<Omit<OpenCall, 'claimedBy'>>(
    `SELECT calls.lead_id AS "leadId", leads.phone, leads.language, calls.kind, calls.due_at AS "dueAt",
       (SELECT id FROM desk_people WHERE id = calls.callback_for AND role <> 'viewer' AND dismissed_at IS NULL) AS "callbackFor",
       calls.skipped_by AS "skippedBy", calls.skipped_until AS "skippedUntil",
       call_places.place AS "chosenPlace"
     FROM calls JOIN leads ON leads.id = calls.lead_id
     LEFT JOIN call_places ON call_places.phone = leads.phone
     WHERE calls.ended_at IS NULL AND calls.due_at > $1 AND leads.state = 'accepted'
       AND NOT ${isClosedByList}
       ${ids ? `AND calls.lead_id IN ${dialect.valuesOf('$2')}` : ''}`,
    [at - LISTED_MS, ...(ids ? [JSON.stringify(ids)] : [])],
  )
  // Few numbers are claimed, so this is faster than a join.
  const claims = await sql<{ phone: string; by: string }>(
    `SELECT phone, person_id AS "by" FROM call_claims WHERE ${holdsAt('$1')}`,
    [at],
  )
  const claimedBy = new Map(claims.map(({ phone, by }) => [phone, by]))
  return calls.map(call => ({ ...call, claimedBy: claimedBy.get(call.phone) ?? null }))
}
