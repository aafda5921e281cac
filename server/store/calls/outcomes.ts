/** What came of calls, and taking that back. */
import { randomUUID } from 'node:crypto'
import { placeId } from '../../../domain/calling/area-codes.ts'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import { type CallSituation, mayWeCall, type NumberToCall } from '../../../domain/calling/may-we-call.ts'
import { type CallOutcomeName, callOutcomes, UNDONE } from '../../../domain/calling/outcomes.ts'
import { type Answered, type Call, meantBy, type Said } from '../../../domain/calling/story.ts'
import type { DoNotCall } from '../../../domain/do-not-call.ts'
import { queueEvent } from '../deliveries/messages.ts'
import { contactsOfCall, stopIn, takeBackIn } from '../do-not-call/do-not-call.ts'
import { entryOf, lockContacts } from '../do-not-call/stops.ts'
import { hideNote, insertNote } from '../leads/notes.ts'
import type { Dialect, Sql, SqlPort, Tx } from '../sql.ts'
import { type CallRefused, ERASED, openDialOf } from './calling.ts'
import { claimNumber, claimOn, endClaim, type StoredClaim } from './claims.ts'
import { type CallRequest, type LeadToCall, lockNumber, numberOf, numberToCall, situationOf } from './numbers.ts'
import { leadsWithIds, nameOf, onOtherNumbers } from './same-person.ts'
import { addEvents, type StoredStory, storyOf, storyWithId } from './stories.ts'
import { type QueuedCall, queuedCall } from './views.ts'

/** Later, an outcome can't be taken back. */
export const UNDO_MS = 60 * 60_000
/** A mistyped year would take the person off the list for good. */
const FARTHEST_CALLBACK_MS = 366 * 24 * 60 * 60_000
/** A call on another phone can be recorded for this long. */
const RECORDED_LATER_MS = 7 * 24 * 60 * 60_000

interface SavedOutcome {
  readonly outcome: CallOutcomeName
  /** For a callback: when. */
  readonly callbackAt: number | null
  readonly note: string | null
  /** For a call on another phone: when; null if unknown. Missing: when it was opened here. */
  readonly calledAt?: number | null
  /** The leads it was about; missing: all open ones with the number. */
  readonly about?: readonly string[]
  /** The number, as the page shows it. It may be erased during the call. */
  readonly phone?: string
  /** Tell the webhook. */
  readonly announce?: boolean
}

export interface NamedLead {
  readonly leadId: string
  readonly firstName: string
  readonly lastName: string
}

interface SavedCall {
  readonly kind: 'saved'
  readonly attemptId: string
  readonly call: QueuedCall
  /** False: a colleague reached the person after this call, so the callback isn't planned. */
  readonly isScheduled: boolean
  /** The same people's leads with other numbers, which this answers, too. */
  readonly alsoAnswered: readonly NamedLead[]
  /** Other people with this number, who won't be called anymore either. */
  readonly alsoStopped: readonly NamedLead[]
  /** What went on the do-not-call list. */
  readonly blocked: readonly string[]
}

/** We can't call at the promised time, or nobody could have called at the time it was said to be. */
interface TimeRefused {
  readonly kind: 'callback refused' | 'time refused'
  readonly message: string
  readonly next: number | null
}

interface UndoRequest extends Pick<SavedOutcome, 'announce'> {
  readonly attemptId: string
  readonly person: CallRequest['person']
  readonly hours: CallingHours
}

export function createOutcomes({ transact, dialect }: SqlPort, onDue: () => void) {
  /** An outcome can queue what the CRM is to hear. */
  const signalDue = <Result>(result: Result): Result => {
    onDue()
    return result
  }
  return {
    /**
     * Saves what happened and decides what follows. The person must have dialed, or have the number open. A request never to be called
     * again goes on the do-not-call list in the same transaction.
     */
    saveCall: (request: CallRequest & SavedOutcome) =>
      transact(async (sql, at): Promise<CallRefused | TimeRefused | SavedCall> => {
        const { leadId, person, hours, outcome, callbackAt, announce } = request
        const { answersOtherNumbers, blocks } = callOutcomes[outcome]
        const found = await lockNumber(sql, dialect, leadId, await contactsToLock(sql, dialect, request))
        if (!found) return ERASED
        const { lead, stored } = found
        const dial = stored && openDialOf(stored.story, person.id)
        const claim = stored && (await claimOf(sql, stored.id, person.id))
        if (!stored || !(dial || claim)) return refusedBy(sql, at, stored, person.id)
        const { closed, number } = await numberToCall(sql, found, { at, personId: person.id })
        const calledAt = dial ? null : request.calledAt === undefined ? (claim?.since ?? null) : request.calledAt
        const refused =
          refuseTime(at, calledAt) ??
          (callbackAt !== null && number
            ? refuseCallback(
                number,
                dial?.incoming ? null : (dial?.at ?? calledAt ?? at),
                callbackAt,
                await situationOf(sql, at, person.id, hours),
              )
            : null)
        if (refused) return refused
        // The list would keep us from keeping the promise.
        if (callbackAt !== null && dial?.incoming && closed !== null) {
          return { kind: 'callback refused', message: `${closed} They can ask to be taken off it.`, next: null }
        }

        const said = await saidOf({ sql, at, request, lead, stored, dial, calledAt, number })
        const after = await addEvents(sql, dialect, stored, [said], hours)
        await endClaim(sql, stored.id, person.id)
        const meant = await leadsWithIds(sql, dialect, meantBy(after.events, said))
        const elsewhere = answersOtherNumbers ? await onOtherNumbers(sql, meant) : []
        for (const [phone, leads] of Map.groupBy(elsewhere, other => other.phone ?? '')) {
          const story = await storyOf(sql, dialect, phone)
          const answered = {
            kind: 'answered',
            at,
            id: said.id,
            by: person,
            outcome,
            leads: leads.map(({ id }) => id),
          } as const
          if (story) await addEvents(sql, dialect, story, [answered])
        }
        const phone = lead.phone ?? request.phone
        const contacts: DoNotCall[] = blocks.flatMap((kind): DoNotCall[] =>
          kind === 'phone' ? (phone ? [{ phone }] : []) : meant.flatMap(({ email }) => (email ? [{ email }] : [])),
        )
        const source = outcome === 'wrong number' ? ('wrong number' as const) : ('call' as const)
        if (contacts.length > 0) await stopIn(sql, { contacts, by: person.name, leadId, source, callId: said.id })
        if (announce)
          for (const { id } of meant) await announceCall(sql, id, { ...said, ...callStart(dial, calledAt ?? at) })
        return {
          kind: 'saved',
          attemptId: said.id,
          call: queuedCall(after, leadId),
          isScheduled:
            callbackAt === null ||
            [...after.story.requests.values()].some(({ promise }) => promise?.call === (dial?.n ?? said.n)),
          alsoAnswered: elsewhere.flatMap(named),
          alsoStopped: blocks.length > 0 ? await othersOn(sql, dialect, after, meant) : [],
          blocked: contacts.map(entryOf),
        }
      }).then(signalDue),

    /**
     * Undoes the person's own outcome, for an hour, with everything it brought. The call is open again, and without an outcome if they
     * dialed. Returns the text of its note, and the requests not to be called that stay, because a colleague confirmed them. Null if
     * there's nothing to undo.
     */
    undoCall: ({ attemptId, person, hours, announce }: UndoRequest) =>
      transact(async (sql, at) => {
        const ofCall = `SELECT DISTINCT story_id AS id FROM story_events WHERE id = $1 AND kind IN ('said', 'answered')`
        const load = async () => {
          const rows = await sql<{ id: string }>(ofCall, [attemptId])
          return (await Promise.all(rows.map(({ id }) => storyWithId(sql, dialect, id)))).filter(
            stored => stored !== null,
          )
        }
        const found = await load()
        const requests = found.flatMap(({ story }) => [...story.requests.keys()])
        const people = (await leadsWithIds(sql, dialect, requests)).flatMap(contactsOf)
        await lockContacts(sql, [
          ...people,
          ...found.flatMap(({ phone }) => phone ?? []),
          ...(await contactsOfCall(sql, attemptId)),
        ])
        const stories = await load()
        const undone = stories.flatMap(stored => {
          const event = standing(stored).find(
            each => (each.kind === 'said' || each.kind === 'answered') && each.id === attemptId,
          )
          return event ? [{ stored, event: event as Said | Answered }] : []
        })
        const call = undone.find(({ event }) => event.kind === 'said')
        if (call?.event.kind !== 'said' || call.event.by.id !== person.id || call.event.at <= at - UNDO_MS) return null
        const { stored, event: said } = call
        const ids = meantBy(stored.events, said)
        // What it promised went on with another number, and can't be taken back from here.
        if (stored.events.some(event => event.kind === 'moved out' && event.n > said.n && ids.includes(event.leadId)))
          return null
        const meant = await leadsWithIds(sql, dialect, ids)
        const correction = { kind: 'corrected', id: randomUUID(), at, by: person } as const
        for (const { stored: each, event } of undone)
          await addEvents(sql, dialect, each, [{ ...correction, corrects: event.n }], hours)
        const { leadId } = said
        const dial = stored.events.find(({ n }) => n === said.dial)
        await claimNumber(sql, at, { storyId: stored.id, leadId }, person, dial ? { dialedAt: dial.at } : {})
        const startedAt = dial?.at ?? said.calledAt ?? said.at
        if (announce) {
          const start = callStart(dial?.kind === 'incoming' ? { at: dial.at, incoming: true } : null, startedAt)
          const corrected = {
            ...said,
            ...start,
            id: correction.id,
            outcome: UNDONE,
            callbackAt: null,
            corrects: attemptId,
          }
          for (const { id } of meant) await announceCall(sql, id, corrected)
        }
        const { kept, removed: allowed, crm } = await takeBackIn(sql, { callId: said.id, by: person.name, leadId })
        const note = said.noteId && (await hideNote(sql, at, { leadId, noteId: said.noteId, by: person.name }))
        return { leadId, note, kept, allowed, crm }
      }).then(signalDue),
  }
}

interface ToSay {
  readonly sql: Sql
  readonly at: number
  readonly request: CallRequest & SavedOutcome
  readonly lead: LeadToCall
  readonly stored: StoredStory
  readonly dial: Call | null
  readonly calledAt: number | null
  readonly number: NumberToCall | null
}

async function saidOf({ sql, at, request, lead, stored, dial, calledAt, number }: ToSay): Promise<Said> {
  const { leadId, person, outcome, callbackAt, note, about } = request
  const noted = note !== null && lead.phone !== null ? { leadId, at, by: person.name, text: note } : null
  const saved = {
    kind: 'said',
    n: stored.counter + 1,
    at,
    id: randomUUID(),
    by: person,
    leadId,
    dial: dial?.n ?? null,
    calledAt,
    place: dial ? dial.place : ((number?.place && placeId(number.place)) ?? null),
    outcome,
    callbackAt,
    leads: about ?? null,
    noteId: noted && (await insertNote(sql, noted, 'call note added')).id,
  } as const
  // What was promised is in the time where we think the person is now.
  return callbackAt !== null && number?.place ? { ...saved, place: placeId(number.place) } : saved
}

const standing = ({ events }: StoredStory) => {
  const corrected = new Set(events.flatMap(event => (event.kind === 'corrected' ? [event.corrects] : [])))
  return events.filter(({ n }) => !corrected.has(n))
}

const named = ({ id, contact }: LeadToCall): readonly NamedLead[] =>
  contact ? [{ leadId: id, firstName: contact.firstName, lastName: contact.lastName }] : []

/** The contacts to lock beside the lead's number: what may go on the list, and the same people's other numbers. */
async function contactsToLock(sql: Sql, dialect: Dialect, { leadId, outcome }: CallRequest & SavedOutcome) {
  const found = callOutcomes[outcome].follows === 'end' ? await numberOf(sql, dialect, leadId) : null
  if (!found) return []
  const people = await leadsWithIds(sql, dialect, [leadId, ...(found.stored?.story.requests.keys() ?? [])])
  return [...people, ...(await onOtherNumbers(sql, people))].flatMap(contactsOf)
}

const contactsOf = ({ phone, email }: LeadToCall) => [phone, email].filter(contact => contact !== null)

async function claimOf(sql: Sql, storyId: string, personId: string): Promise<Pick<StoredClaim, 'since'> | null> {
  const own = 'SELECT since FROM call_claims WHERE story_id = $1 AND person_id = $2'
  return (await sql<Pick<StoredClaim, 'since'>>(own, [storyId, personId]))[0] ?? null
}

/** The person doesn't have the call open: a colleague does, or they saved it in another tab or before the connection was lost. */
async function refusedBy(sql: Sql, at: number, stored: StoredStory | null, personId: string): Promise<CallRefused> {
  const claim = stored && (await claimOn(sql, stored.id, at))
  if (claim) return { kind: 'claimed', claim }
  const isSaved =
    stored &&
    standing(stored).some(event => event.kind === 'said' && event.by.id === personId && event.at > at - UNDO_MS)
  return { kind: 'closed', message: isSaved ? 'You already saved this call.' : 'You no longer have this call open.' }
}

function refuseTime(at: number, calledAt: number | null): TimeRefused | null {
  if (calledAt === null || (calledAt <= at && calledAt > at - RECORDED_LATER_MS)) return null
  const message = calledAt > at ? 'That time is in the future.' : 'That’s more than a week ago.'
  return { kind: 'time refused', message, next: null }
}

/** We don't promise to call at a time when we can't. `calledAt`: the call that is being saved; null if they called us. */
function refuseCallback(
  number: NumberToCall,
  calledAt: number | null,
  callbackAt: number,
  situation: CallSituation,
): TimeRefused | null {
  const refuse = (message: string, next: number | null = null) => ({ kind: 'callback refused', message, next }) as const
  if (callbackAt <= situation.at) return refuse('That time is in the past.')
  if (callbackAt > situation.at + FARTHEST_CALLBACK_MS) return refuse('That’s more than a year away.')
  const dials =
    calledAt === null || number.plan.dials.includes(calledAt) ? number.plan.dials : [calledAt, ...number.plan.dials]
  const called = { ...number, redial: false, plan: { ...number.plan, dials } }
  const block = mayWeCall('promise', called, { ...situation, at: callbackAt })
  if (!block) return null
  const hours =
    number.place && block.why === 'hours' ? ` Calls are allowed ${situation.clock.describe(number.place)}.` : ''
  return refuse(`${block.message}${hours}`, block.next)
}

interface Announced extends Pick<Said, 'id' | 'by' | 'callbackAt'> {
  readonly outcome: string
  readonly startedAt: number
  readonly incoming: boolean
  readonly corrects?: string
}

const callStart = (call: Pick<Call, 'at' | 'incoming'> | null, otherwise: number) => ({
  startedAt: call?.at ?? otherwise,
  incoming: call?.incoming ?? false,
})

/** Contract: docs/webhook.md. */
async function announceCall(tx: Tx, leadId: string, call: Announced): Promise<void> {
  const { id: callId, outcome, startedAt, incoming, callbackAt, by, corrects = null } = call
  const iso = (time: number) => new Date(time).toISOString()
  const times = { startedAt: iso(startedAt), outcome, callbackAt: callbackAt === null ? null : iso(callbackAt) }
  await queueEvent(tx, {
    leadId,
    type: 'lead.called',
    detail: { callId, direction: incoming ? 'incoming' : 'outgoing', ...times, by: by.name, corrects },
  })
}

/** Other people with the number: a stop silences them, too. */
async function othersOn(
  sql: Sql,
  dialect: Dialect,
  { story }: StoredStory,
  meant: readonly LeadToCall[],
): Promise<readonly NamedLead[]> {
  const names = new Set(meant.flatMap(({ contact }) => (contact ? [nameOf(contact)] : [])))
  const others = await leadsWithIds(sql, dialect, [...story.requests.keys()])
  return others
    .filter(({ contact }) => {
      if (!contact || names.has(nameOf(contact))) return false
      names.add(nameOf(contact))
      return true
    })
    .flatMap(named)
}
