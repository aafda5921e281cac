/** Calls and what came of them. Attempts are evidence: one row each, never changed, corrected only by another row. */
import { randomUUID } from 'node:crypto'
import { placeId as idOf, type Place, placeOfId } from '../../../domain/calling/area-codes.ts'
import { nextTry } from '../../../domain/calling/attempts.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import { type CallOutcomeName, callOutcomes, NOT_CALLED, UNDONE, UNRECORDED } from '../../../domain/calling/outcomes.ts'
import { addToDoNotCallIn, contactOfEntry, type DoNotCallOrder, undoDoNotCallIn } from '../do-not-call.ts'
import { queueEvent } from '../messages.ts'
import { hideNote, insertNote } from '../notes.ts'
import { type Dialect, insert, type Sql, type SqlPort } from '../sql.ts'
import {
  type Caller,
  CLAIM_MS,
  claimColumns,
  claimNumber,
  claimOn,
  type LeadToCall,
  leadToCall,
  type StoredClaim,
  whyClosed,
} from './claims.ts'
import { blockAt, blockByHours, type CallBlock, type CallTime, clockOf, STANDING, waitingTimeOf } from './limits.ts'
import { type CallRow, callOf, NO_PROMISE, newCall, type QueuedCall, queuedCall, retried, saveRow } from './queue.ts'

export interface CallRequest {
  readonly leadId: string
  readonly person: Caller
  readonly hours: CallingHours
}

export interface CallAttempt {
  readonly id: string
  readonly leadId: string
  readonly personId: string
  readonly by: string
  readonly startedAt: number
  readonly savedAt: number
  /** Where we thought the person was: `FL Central or Eastern`. */
  readonly place: string | null
  readonly outcome: string
  readonly callbackAt: number | null
  readonly overrideReason: string | null
  /** The attempt that this one undoes. */
  readonly corrects: string | null
}

/** `closed`: this lead isn't to be called; `message` says why. */
export type CallRefused =
  | { readonly kind: 'closed'; readonly message: string }
  | { readonly kind: 'claimed'; readonly claim: StoredClaim }

type Started = { readonly kind: 'started'; readonly at: number } | ({ readonly kind: 'blocked' } & CallBlock)

/** We can't call at the promised time. */
interface CallbackRefused {
  readonly kind: 'callback refused'
  readonly message: string
  readonly next: number | null
}

interface SavedOutcome {
  readonly outcome: CallOutcomeName
  /** For a callback: when. */
  readonly callbackAt: number | null
  readonly note: string | null
  /** Tell the webhook. */
  readonly announce?: boolean
}

interface UndoRequest extends Pick<SavedOutcome, 'announce'> {
  readonly attemptId: string
  readonly person: Caller
}

interface SavedCall {
  readonly kind: 'saved'
  readonly attemptId: string
  readonly call: QueuedCall
  readonly blocked: DoNotCallOrder
}

interface UndoableAttempt extends CallAttempt {
  readonly phone: string | null
  /** 1 if they dialed. */
  readonly dialed: number
  readonly noteId: string | null
  readonly callBefore: string | null
}

export interface CallPeriod {
  readonly since: number
  readonly until: number
  /** The last call on the previous page; null for the first page. */
  readonly after: Pick<CallAttempt, 'id' | 'savedAt'> | null
  readonly limit: number
}

interface CallStart {
  readonly id: string
  readonly at: number
  readonly place: string | null
  readonly overrideReason: string | null
}

export const attemptColumns = `id, lead_id AS "leadId", person_id AS "personId", person_name AS "by", started_at AS "startedAt",
  saved_at AS "savedAt", place, outcome, callback_at AS "callbackAt", override_reason AS "overrideReason", corrects`

/** Calls without an outcome yet, with the same columns. */
export const unfinishedAsAttempts = `SELECT id, lead_id, person_id, person_name, started_at, started_at, place, '${UNRECORDED}', NULL,
  override_reason, NULL FROM call_starts`

const placeId = (place: Place | null) => place && idOf(place)

export function createCallAttempts(port: SqlPort) {
  const { read, transact, dialect } = port

  return {
    /** Records that the person is dialing. `overrideReason`: why an editor calls although it's not allowed now. */
    startCall: ({ leadId, person, hours, overrideReason }: CallRequest & { readonly overrideReason: string | null }) =>
      transact(async (sql, at): Promise<CallRefused | Started> => {
        const lead = await leadToCall(sql, dialect, leadId)
        const closed = await whyClosed(sql, lead)
        if (!lead || closed !== null) return { kind: 'closed', message: closed ?? '' }
        const { phone, place } = lead
        if (!(await claimNumber(sql, at, { leadId, phone }, person))) return refusedBy(sql, at, phone, person.id)
        const started = await startOf(sql, leadId, person.id)
        const block = await blockNow(sql, { at, phone, place, clock: clockOf(hours) }, started)
        if (block && overrideReason === null) return { kind: 'blocked', ...block }
        if (started && !block && isSameCall(started, at)) return { kind: 'started', at: started.at }
        await insert(sql, 'call_starts', {
          ...{ id: randomUUID(), lead_id: leadId, phone, person_id: person.id, person_name: person.name },
          ...{ started_at: at, place: placeId(place), override_reason: block ? overrideReason : null },
        })
        return { kind: 'started', at }
      }),

    /** Calls that this person dialed without saying what happened, oldest first. */
    async unfinishedCalls(personId: string) {
      const rows = await read<{ leadId: string; at: number; contact: string }>(
        `SELECT lead_id AS "leadId", started_at AS at, contact FROM call_starts JOIN leads ON leads.id = call_starts.lead_id
         WHERE person_id = $1 AND leads.contact IS NOT NULL ORDER BY started_at`,
        [personId],
      )
      return rows.map(({ leadId, at, contact }) => {
        const { firstName, lastName } = JSON.parse(contact) as Record<'firstName' | 'lastName', string>
        return { leadId, at, firstName, lastName }
      })
    },

    /** The person dialed by mistake. False if there's no such call. */
    withdrawCall: ({ leadId, person }: Omit<CallRequest, 'hours'>) =>
      transact(async (sql, at) => {
        // Locks the lead, because the call may be saved or withdrawn in another tab.
        const lead = await leadToCall(sql, dialect, leadId)
        const started = await startOf(sql, leadId, person.id)
        if (!lead || !started) return false
        const phone = await takeStart(sql, started.id)
        await insert(sql, 'call_attempts', {
          ...{ id: started.id, lead_id: leadId, phone, person_id: person.id, person_name: person.name },
          ...{ started_at: started.at, saved_at: at, place: started.place, override_reason: started.overrideReason },
          ...{ dialed: 1, outcome: NOT_CALLED, corrects: started.id },
        })
        return true
      }),

    /**
     * Saves what happened and decides what follows. The person must have dialed, or have the call open. A request never to be
     * called again goes on the do-not-call list in the same transaction.
     */
    async saveCall({ leadId, person, hours, outcome, callbackAt, note, announce }: CallRequest & SavedOutcome) {
      const { follows, blocks } = callOutcomes[outcome]
      const saved = await transact(async (sql, at): Promise<CallRefused | CallbackRefused | SavedCall> => {
        const lead = await leadToCall(sql, dialect, leadId)
        if (!lead) return { kind: 'closed', message: 'This person’s data was erased.' }
        const { phone, place } = lead
        const started = await startOf(sql, leadId, person.id)
        const [claim] = await sql<StoredClaim>(
          `SELECT ${claimColumns} FROM call_claims WHERE phone = $1 AND person_id = $2`,
          [phone, person.id],
        )
        if (!started && !claim) return refusedBy(sql, at, phone, person.id)
        const clock = clockOf(hours)
        // If nobody dialed in the desk, all we know is that the call was made by now.
        const startedAt = started?.at ?? at
        const refused =
          callbackAt === null ? null : await refuseCallback(sql, at, { at: callbackAt, phone, place, clock }, startedAt)
        if (refused) return refused

        if (started) await takeStart(sql, started.id)
        await sql('DELETE FROM call_claims WHERE phone = $1 AND person_id = $2', [phone, person.id])
        const before = await callOf(sql, leadId)
        const noted = note === null ? null : { leadId, at, by: person.name, text: note }
        const attemptId = started?.id ?? randomUUID()
        const calledPlace = started ? started.place : placeId(place)
        // The call was about an earlier submission, so this one is still to be called.
        const hasSubmittedAgain = before?.kind === 'new' && before.due_at > (started?.at ?? claim?.since ?? at)
        const isFirst = before?.kind === 'new' && !hasSubmittedAgain && calledPlace !== null
        const waited = isFirst ? waitingTimeOf(hours)(placeOfId(calledPlace), before.due_at, startedAt) : null
        await insert(sql, 'call_attempts', {
          ...{ id: attemptId, lead_id: leadId, phone, person_id: person.id, person_name: person.name },
          ...{ started_at: startedAt, saved_at: at, dialed: started ? 1 : 0, outcome, callback_at: callbackAt },
          ...{ place: calledPlace, waited_ms: waited },
          override_reason: started?.overrideReason ?? null,
          note_id: noted && (await insertNote(sql, noted, 'call note added')).id,
          call_before: before && JSON.stringify(before),
        })
        if (announce)
          await announceCall(sql, dialect, at, {
            id: attemptId,
            leadId,
            by: person.name,
            startedAt,
            outcome,
            callbackAt,
          })
        const row = before ?? newCall(at)
        const calls = await lastAttempts(sql, leadId, row.tries + 1)
        const later = started && (await laterOutcome(sql, leadId, started.at))
        // A later call decided, or the calling has ended: an unanswered call doesn't bring the person back.
        const isSettled = later
          ? follows === 'retry' || callOutcomes[later].reached
          : follows === 'retry' && row.ended_at !== null
        const promise = callbackAt !== null && {
          callback_at: callbackAt,
          callback_place: placeId(place),
          callback_for: person.id,
        }
        const next: CallRow = isSettled
          ? row
          : hasSubmittedAgain
            ? { ...row, ...promise }
            : promise
              ? { ...newCall(promise.callback_at), ...promise, kind: 'callback' }
              : follows === 'retry'
                ? retried(row, nextTry(calls.map(call => call.at).toReversed(), place, clock), at)
                : { ...row, ...NO_PROMISE, ended_at: at, ended: outcome }
        await saveRow(sql, leadId, next)
        const source = outcome === 'wrong number' ? ('wrong number' as const) : ('call' as const)
        const blocked = { contacts: blocks.map(kind => contactOf(kind, lead)), by: person.name, leadId, source }
        await addToDoNotCallIn(sql, dialect, at, blocked)
        return { kind: 'saved', attemptId, call: queuedCall(next), blocked }
      })
      return saved
    },

    /**
     * Undoes the person's own outcome, if it's the lead's latest. The call is on the list as before, open, and without an outcome;
     * if they hadn't dialed, it's not a call.
     * Returns the text of the note that was saved with it, and the entries that it took off the do-not-call list (`allowed`). Null if
     * there's nothing to undo.
     */
    undoCall: ({ attemptId, person, announce }: UndoRequest) =>
      transact(async (sql, at) => {
        const leadOf = 'SELECT lead_id AS "leadId" FROM call_attempts WHERE id = $1'
        const [{ leadId } = { leadId: '' }] = await sql<{ leadId: string }>(leadOf, [attemptId])
        const lead = await leadToCall(sql, dialect, leadId)
        const [latest] = await lastAttempts(sql, leadId, 1)
        const [attempt] = await sql<UndoableAttempt>(
          `SELECT ${attemptColumns}, phone, dialed, note_id AS "noteId", call_before AS "callBefore" FROM call_attempts
           WHERE id = $1 AND person_id = $2`,
          [attemptId, person.id],
        )
        if (!lead || !attempt || latest?.id !== attemptId) return null
        const { phone, startedAt: started_at, place, savedAt, noteId } = attempt
        await restoreRow(sql, leadId, attempt)
        const call = { lead_id: leadId, phone, person_id: person.id, person_name: person.name, started_at, place }
        const correction = { id: randomUUID(), ...call, saved_at: at, outcome: UNDONE, corrects: attemptId }
        await insert(sql, 'call_attempts', correction)
        if (announce) {
          const { id, outcome, corrects } = correction
          const undone = { id, leadId, by: person.name, startedAt: started_at, outcome, callbackAt: null, corrects }
          await announceCall(sql, dialect, at, undone)
        }
        const override_reason = attempt.overrideReason
        if (attempt.dialed) await insert(sql, 'call_starts', { id: randomUUID(), ...call, override_reason })
        await claimNumber(sql, at, { leadId, phone: lead.phone }, person)
        // Since the call, because the person may have submitted again since then: see `hasSubmittedAgain`.
        const since = 'UPDATE call_claims SET since = $3 WHERE phone = $1 AND person_id = $2'
        await sql(since, [lead.phone, person.id, started_at])
        const allowed = await removeOwnEntries(sql, dialect, { leadId, lead, savedAt, at, by: person.name })
        return { leadId, note: noteId && (await hideNote(sql, at, { leadId, noteId, by: person.name })), allowed }
      }),

    /** All of a lead's calls, oldest first, with corrections and calls without an outcome yet. */
    callAttempts: (leadId: string) =>
      read<CallAttempt>(
        `SELECT ${attemptColumns} FROM call_attempts WHERE lead_id = $1
         UNION ALL ${unfinishedAsAttempts} WHERE lead_id = $1
         ORDER BY "savedAt", id`,
        [leadId],
      ),

    /** Calls saved in a period, oldest first, starting after `after`. */
    savedCalls: ({ since, until, after, limit }: CallPeriod) =>
      read<CallAttempt>(
        `SELECT ${attemptColumns} FROM call_attempts WHERE saved_at >= $1 AND saved_at < $2 AND (saved_at, id) > ($3, $4)
         ORDER BY saved_at, id LIMIT $5`,
        [since, until, after?.savedAt ?? 0, after?.id ?? '', limit],
      ),
  }
}

type AnnouncedCall = Pick<CallAttempt, 'id' | 'leadId' | 'by' | 'startedAt' | 'outcome' | 'callbackAt'> & {
  readonly corrects?: string
}

/** Contract: docs/webhook.md. */
async function announceCall(sql: Sql, dialect: Dialect, at: number, call: AnnouncedCall): Promise<void> {
  const { id: callId, leadId, startedAt, outcome, callbackAt, by, corrects = null } = call
  const iso = (time: number) => new Date(time).toISOString()
  const times = { startedAt: iso(startedAt), outcome, callbackAt: callbackAt === null ? null : iso(callbackAt) }
  await queueEvent(sql, dialect, at, { leadId, type: 'lead.called', detail: { callId, ...times, by, corrects } })
}

/** The person doesn't have the call open: a colleague does, or they saved it in another tab or before the connection was lost. */
async function refusedBy(sql: Sql, at: number, phone: string, personId: string): Promise<CallRefused> {
  const claim = await claimOn(sql, phone, at)
  if (claim) return { kind: 'claimed', claim }
  const saved = `SELECT 1 FROM call_attempts WHERE phone = $1 AND person_id = $2 AND saved_at > $3 AND ${STANDING} LIMIT 1`
  const isSaved = (await sql(saved, [phone, personId, at - CLAIM_MS])).length > 0
  return { kind: 'closed', message: isSaved ? 'You already saved this call.' : 'You no longer have this call open.' }
}

/** A mistyped year would take the person off the list for good. */
const FARTHEST_CALLBACK_MS = 366 * 24 * 60 * 60_000

/** We don't promise to call at a time when we can't. `calledAt`: the call that is being saved, which may not be in the store yet. */
async function refuseCallback(
  sql: Sql,
  now: number,
  time: CallTime,
  calledAt: number,
): Promise<CallbackRefused | null> {
  if (time.at <= now) return { kind: 'callback refused', message: 'That time is in the past.', next: null }
  if (time.at > now + FARTHEST_CALLBACK_MS) {
    return { kind: 'callback refused', message: 'That’s more than a year away.', next: null }
  }
  const block = await blockAt(sql, time, calledAt)
  if (!block) return null
  const hours = time.place && block.why === 'hours' ? ` Calls are allowed ${time.clock.describe(time.place)}.` : ''
  return { kind: 'callback refused', message: `${block.message}${hours}`, next: block.next }
}

/** A second tap on the number isn't another call, so the limits don't count it. The hours may have ended since the first. */
const isSameCall = (started: CallStart, at: number): boolean => started.at <= at && at < started.at + CLAIM_MS

/** Why this person can't dial now. `started`: their call without an outcome, if any. */
export async function blockNow(sql: Sql, time: CallTime, started: CallStart | null): Promise<CallBlock | null> {
  if (!started || !isSameCall(started, time.at)) return blockAt(sql, time)
  return started.overrideReason === null ? blockByHours(time) : null
}

export async function startOf(sql: Sql, leadId: string, personId: string): Promise<CallStart | null> {
  const [start] = await sql<CallStart>(
    `SELECT id, started_at AS at, place, override_reason AS "overrideReason" FROM call_starts
     WHERE lead_id = $1 AND person_id = $2 ORDER BY started_at DESC LIMIT 1`,
    [leadId, personId],
  )
  return start ?? null
}

/** Deletes the row, which becomes an attempt. Returns the number that was dialed. */
async function takeStart(sql: Sql, id: string): Promise<string | null> {
  const [start] = await sql<{ phone: string | null }>('DELETE FROM call_starts WHERE id = $1 RETURNING phone', [id])
  return start?.phone ?? null
}

/** Latest first. */
function lastAttempts(sql: Sql, leadId: string, limit: number) {
  return sql<{ id: string; at: number }>(
    `SELECT id, started_at AS at FROM call_attempts WHERE lead_id = $1 AND ${STANDING} ORDER BY saved_at DESC, id LIMIT $2`,
    [leadId, limit],
  )
}

/** What came of the last call that was made later than this one. Someone may say what happened hours after they dialed. */
async function laterOutcome(sql: Sql, leadId: string, startedAt: number): Promise<CallOutcomeName | null> {
  const [later] = await sql<{ outcome: CallOutcomeName }>(
    `SELECT outcome FROM call_attempts WHERE lead_id = $1 AND started_at > $2 AND ${STANDING} ORDER BY started_at DESC LIMIT 1`,
    [leadId, startedAt],
  )
  return later?.outcome ?? null
}

/** If the person submitted again since the attempt, they stay at the top, without what the attempt promised. */
async function restoreRow(sql: Sql, leadId: string, { callBefore }: UndoableAttempt): Promise<void> {
  const current = await callOf(sql, leadId)
  const isAtTop = current?.kind === 'new' && current.ended_at === null
  const before: CallRow | null = callBefore === null ? null : JSON.parse(callBefore)
  if (isAtTop) {
    const { callback_at, callback_place, callback_for } = before ?? NO_PROMISE
    await saveRow(sql, leadId, { ...current, callback_at, callback_place, callback_for })
  } else if (before) await saveRow(sql, leadId, before)
  else await sql('DELETE FROM calls WHERE lead_id = $1', [leadId])
}

const contactOf = (kind: 'phone' | 'email', { phone, email }: LeadToCall) => (kind === 'phone' ? { phone } : { email })

interface UndoneEntries {
  readonly leadId: string
  readonly lead: LeadToCall
  readonly savedAt: number
  readonly at: number
  readonly by: string
}

/** Removes the do-not-call entries that the attempt added, but nobody else's, and returns which. */
async function removeOwnEntries(sql: Sql, dialect: Dialect, undone: UndoneEntries): Promise<readonly string[]> {
  const { leadId, lead, savedAt, at, by } = undone
  const added = 'SELECT contact FROM do_not_call WHERE contact IN ($1, $2) AND added_at = $3'
  const entries = await sql<{ contact: string }>(added, [lead.phone, lead.email, savedAt])
  const contacts = entries.map(({ contact }) => contactOfEntry(contact))
  return (await undoDoNotCallIn(sql, dialect, at, { contacts, by, leadId })).undone
}
