/** What came of calls, and taking that back. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type CallToSave,
  type CallUnclear,
  decideOutcome,
  type OutcomeDecision,
  type OutcomeFacts,
  type TimeRefused,
} from '../../../../domain/calling/decide-outcome.ts'
import { correctionsAmong, standingAmong } from '../../../../domain/calling/made-calls.ts'
import { callOutcomes, SOMEONE_ELSE, UNDO_MS, UNDONE } from '../../../../domain/calling/outcomes.ts'
import { type NextCall, nextCall } from '../../../../domain/calling/plan.ts'
import { type QueuedCall, queuedCall } from '../../../../domain/calling/queued-call.ts'
import { openStandings } from '../../../../domain/calling/story.ts'
import type { Answered, Corrected, NewEvent, Said, StoryEvent } from '../../../../domain/calling/story-events.ts'
import type { WhoseCall } from '../../../../domain/calling/whose-call.ts'
import { type LeadToCall, type NamedLead, named } from '../../../../domain/leads/people.ts'
import { clockOf } from '../../facts/calls/calling-clocks.ts'
import {
  type CallRequest,
  type LeadNumber,
  lockFound,
  lockNumber,
  numberNow,
  numberOf,
  situationOf,
} from '../../facts/calls/numbers.ts'
import { contactsOf, onOtherNumbers, sharedEmails } from '../../facts/calls/people.ts'
import { lockOfStory, type StoredStory, storyOf, storyWithId } from '../../facts/calls/stories.ts'
import { leadsForCrm } from '../../facts/deliveries/sent-to-crm.ts'
import { contactOfEntry } from '../../facts/do-not-call/stops.ts'
import { chainOf, leadsAfter } from '../../facts/leads/chains.ts'
import { storedLeads } from '../../facts/leads/lead-rows.ts'
import type { Sql, SqlPort, Tx } from '../../sql.ts'
import { claimNumber, endClaim } from '../../tables/call-claims.ts'
import { hideNote, insertNote } from '../../tables/notes.ts'
import { queueEvents } from '../../tables/outbox.ts'
import { addEvents } from '../../tables/stories.ts'
import { contactsOfRequest, takeBackIn } from '../do-not-call/remove.ts'
import { stopIn } from '../do-not-call/stop.ts'
import { tellOfStop } from '../do-not-call/tell-crm.ts'
import { markReached, unmarkWithCall } from '../leads/clients.ts'
import { type CallRefused, ERASED } from './calling.ts'
import { takenOverNow } from './enter-story.ts'

interface SaveRequest extends CallRequest, CallToSave {
  readonly note: string | null
  /** The day on which the person that it's about became a client. */
  readonly client?: string
  /** Tell the webhook. */
  readonly announce?: boolean
}

interface SavedCall {
  readonly kind: 'saved'
  readonly callId: string
  readonly call: QueuedCall
  /** False: a colleague reached the person after this call, or they were erased, so the callback isn't planned. */
  readonly isScheduled: boolean
  /** To anyone on the number. */
  readonly next: NextCall | null
  /** What went on the do-not-call list. */
  readonly blocked: readonly string[]
}

interface UndoRequest extends Pick<SaveRequest, 'person' | 'hours' | 'announce'> {
  readonly callId: string
}

export function createOutcomes({ transact }: SqlPort, onDue: () => void) {
  /** An outcome can queue what the CRM is to hear. */
  const signalDue = <Result>(result: Result): Result => {
    onDue()
    return result
  }
  return {
    /** Saves what happened and decides what follows. The person must have dialed, or have the number open. */
    saveCall: (request: SaveRequest) =>
      transact(async (tx): Promise<CallRefused | TimeRefused | CallUnclear | SavedCall> => {
        const { leadId, person, hours, announce } = request
        const found = await lockNumber(tx, leadId, { hours, also: () => contactsToLock(tx, request) })
        if (!found) return ERASED
        const { stored } = found
        const now = await numberNow(tx, found, { at: tx.at, personId: person.id })
        if (!stored || !mayBeSaved(now.whose, request)) return refusedBy(tx, now.whose, stored, person.id)
        const facts = await factsOf(tx, request, found, { now, stored })
        const decided = decideOutcome(request, facts)
        if (decided.kind !== 'decided') return decided
        await addNote(tx, request, facts)
        const after = await addEvents(tx, stored, decided.said)
        const changed = [after, ...(await addElsewhere(tx, decided, hours))]
        await endClaim(tx, stored.id, person.id)
        await stop(tx, request, decided)
        const { wrongNumber: leadIds } = decided
        await tellOfStop(tx, { leadIds, contact: 'phone', callId: facts.ids.saved })
        if (announce)
          for (const said of decided.said) await announceCall(tx, callOf(said, decided), whomAbout(said, stored))
        await markClient(tx, request, facts)
        const made = new Set(
          decided.said.flatMap(({ callbackAt, by }) => (callbackAt === null ? [] : `${callbackAt} ${by.id}`)),
        )
        return {
          kind: 'saved',
          callId: facts.ids.saved,
          call: queuedCall(after, leadId),
          next: nextCall(after.plan, now.number?.place ?? null, { at: tx.at, clock: clockOf(hours) }),
          isScheduled:
            made.size === 0 ||
            changed.some(({ plan }) => plan.promises.some(promise => made.has(`${promise.at} ${promise.by.id}`))),
          blocked: decided.entries,
        }
      }).then(signalDue),

    /**
     * Undoes the person's own outcomes of a call, for an hour, with everything they brought. The call is open again, and without an
     * outcome if they dialed. Returns the text of its note, and what stays. Null if there's nothing to undo.
     */
    undoCall: ({ callId, person, hours, announce }: UndoRequest) =>
      transact(async tx => {
        const saved = await savedWith(tx, callId)
        await lockFound(tx, async () => {
          const found = await storiesWith(tx, saved, hours)
          const leads = await withChains(tx, found.flatMap(leadIdsOf))
          const stopped = await contactsOfRequest(tx, saved)
          return [...leads.flatMap(contactsOf), ...stopped, ...found.map(lockOfStory)]
        })
        const stories = await storiesWith(tx, saved, hours)
        const undone = stories.flatMap(stored =>
          standingAmong(stored.events).flatMap(event => isOf(event, saved, stored)),
        )
        const [call] = undone.filter(({ event }) => event.kind === 'said')
        if (call?.event.kind !== 'said' || call.event.by.id !== person.id || call.event.at <= tx.at - UNDO_MS)
          return null
        const { stored, event: said } = call
        const correction = { kind: 'corrected', id: randomUUID(), at: tx.at, by: person } as const
        for (const [each, events] of Map.groupBy(undone, one => one.stored))
          await addEvents(
            tx,
            each,
            events.map(({ event }) => ({ ...correction, corrects: event.n })),
          )
        const replaced = await withdrawFromReplacements(tx, undone, correction)
        const { leadId } = said
        const dial = stored.events.find(({ n }) => n === said.dial)
        await claimNumber(tx, { storyId: stored.id, leadId }, person, dial ? { dialedAt: dial.at } : {})
        if (announce) {
          const startedAt = dial?.at ?? said.calledAt ?? said.at
          for (const { event } of undone) {
            if (event.kind !== 'said') continue
            const made = { startedAt, incoming: dial?.kind === 'incoming', outcome: UNDONE, callbackAt: null }
            const about = whomAbout(event, stored)
            await announceCall(tx, { ...made, id: correction.id, by: person, corrects: event.id }, about)
          }
        }
        const leads = undone.flatMap(({ event }) => ('leads' in event ? event.leads : []))
        await unmarkWithCall(tx, { leads, call: saved, by: person.name, announce: announce === true })
        const { removed: allowed, kept, crm } = await takeBackIn(tx, { callId: saved, by: person.name, leadId })
        const note = said.noteId && (await hideCallNote(tx, said.noteId, person.name))
        return { leadId, note, replaced, kept, allowed, crm }
      }).then(signalDue),
  }
}

/** A call that they started can be saved even if a colleague has the number by now. */
const mayBeSaved = (whose: WhoseCall, { which }: CallToSave): boolean =>
  whose.kind === 'started' ||
  whose.kind === 'open' ||
  (whose.kind === 'left' && (which !== 'another' || whose.since !== null))

/** The person doesn't have the call open: a colleague does, or they saved it in another tab or before the connection was lost. */
async function refusedBy(tx: Tx, whose: WhoseCall, stored: StoredStory | null, personId: string): Promise<CallRefused> {
  if (whose.kind === 'taken') return { kind: 'claimed', claim: whose.by }
  const isSaved =
    stored &&
    standingAmong(stored.events).some(
      event => event.kind === 'said' && event.by.id === personId && event.at > tx.at - UNDO_MS,
    )
  return { kind: 'closed', message: isSaved ? 'You already saved this call.' : 'You no longer have this call open.' }
}

/** The contacts to lock beside the lead's number: what may go on the list, and the same people's other numbers. */
async function contactsToLock(tx: Tx, { leadId }: SaveRequest): Promise<readonly string[]> {
  const found = await numberOf(tx, leadId)
  if (!found) return []
  const people = await leadsHere(tx, found)
  const leads = await withChains(
    tx,
    people.map(({ id }) => id),
  )
  return [...leads, ...(await onOtherNumbers(tx, people))].flatMap(contactsOf)
}

/** Everyone who is on the number, or was. */
const leadIdsOf = ({ story }: StoredStory) => [...story.standings.keys(), ...story.replaced.keys()]
const leadsHere = (sql: Sql, { lead, stored }: LeadNumber) =>
  storedLeads(sql, [...new Set([lead.id, ...(stored ? leadIdsOf(stored) : [])])])

const withChains = async (sql: Sql, ids: readonly string[]) => storedLeads(sql, await chainOf(sql, ids))

async function factsOf(
  tx: Tx,
  { person, hours, outcomes, note }: SaveRequest,
  found: LeadNumber,
  { now, stored }: Pick<OutcomeFacts, 'now'> & { readonly stored: StoredStory },
): Promise<OutcomeFacts> {
  const here = await leadsHere(tx, found)
  const meant = new Set(outcomes.flatMap(({ leads }) => leads))
  const people = here.filter(({ id }) => meant.has(id))
  const ends = outcomes.some(({ outcome }) => callOutcomes[outcome].follows === 'end')
  const hasNote = note !== null && found.lead.phone !== null
  return {
    at: tx.at,
    person,
    lead: found.lead,
    story: stored.story,
    now,
    situation: await situationOf(tx, tx.at, person.id, hours),
    here,
    chains: await withChains(
      tx,
      here.map(({ id }) => id),
    ),
    elsewhere: ends ? await onOtherNumbers(tx, people) : [],
    sharedEmails: ends ? await sharedEmails(tx, people) : new Set(),
    ids: { saved: randomUUID(), noteId: hasNote ? randomUUID() : null },
  }
}

async function addNote(tx: Tx, { note, person }: SaveRequest, { lead, ids }: OutcomeFacts): Promise<void> {
  if (note === null || ids.noteId === null) return
  const noted = { leadId: lead.id, by: person.name, text: note, id: ids.noteId }
  await insertNote(tx, noted, 'call note added')
}

async function markClient(tx: Tx, request: SaveRequest, { ids }: OutcomeFacts): Promise<void> {
  const { client: on, outcomes, leadId: ofPage, person, announce = false } = request
  const about = outcomes[0]?.leads ?? []
  const leadId = about.includes(ofPage) ? ofPage : about[0]
  if (on !== undefined && leadId !== undefined)
    await markReached(tx, { leadId, on, by: person.name, call: ids.saved, announce })
}

async function addElsewhere(tx: Tx, { elsewhere }: OutcomeDecision, hours: SaveRequest['hours']) {
  const changed: StoredStory[] = []
  for (const { phone, event } of elsewhere) {
    const stored = await storyOf(tx, phone, hours)
    if (stored) changed.push(await addEvents(tx, stored, [event]))
  }
  return changed
}

async function stop(tx: Tx, { leadId, person }: SaveRequest, { said, entries }: OutcomeDecision): Promise<void> {
  if (entries.length === 0) return
  const source = said.some(({ outcome }) => outcome === 'never call again')
    ? ('call' as const)
    : ('wrong number' as const)
  const contacts = entries.map(contactOfEntry)
  await stopIn(tx, { contacts, by: person.name, leadId, source, callId: said[0]?.id ?? '' })
}

/** The ID of the outcomes that were saved together with this one. */
async function savedWith(sql: Sql, callId: string): Promise<string> {
  const [row] = await sql<{ detail: string | null }>(
    `SELECT detail FROM story_events WHERE id = $1 AND kind = 'said'`,
    [callId],
  )
  const { with: saved } = JSON.parse(row?.detail ?? '{}') as { readonly with?: string }
  return saved ?? callId
}

async function storiesWith(sql: Sql, saved: string, hours: SaveRequest['hours']): Promise<readonly StoredStory[]> {
  const ofCall = `SELECT DISTINCT story_id AS id FROM story_events WHERE id = $1 AND kind IN ('said', 'answered') ORDER BY 1`
  const stories: StoredStory[] = []
  for (const { id } of await sql<{ id: string }>(ofCall, [saved])) {
    const stored = await storyWithId(sql, id, hours)
    if (stored) stories.push(stored)
  }
  return stories
}

function isOf(event: StoryEvent, saved: string, stored: StoredStory) {
  const isSaid = event.kind === 'said' && (event.id === saved || event.with === saved)
  return isSaid || (event.kind === 'answered' && event.id === saved)
    ? [{ stored, event: event as Said | Answered }]
    : []
}

type Undone = ReturnType<typeof isOf>[number]
type Correction = Omit<Corrected, 'n' | 'corrects'>

/** What the outcome promised or answered went on with leads that replaced these. Those stay. */
async function withdrawFromReplacements(
  tx: Tx,
  undone: readonly Undone[],
  correction: Correction,
): Promise<readonly NamedLead[]> {
  const moved = undone.flatMap(({ stored, event }) => event.leads.filter(id => stored.story.replaced.has(id)))
  const last = new Map<string, LeadToCall>()
  for (const id of new Set(moved)) {
    const after = await leadsAfter(tx, id)
    for (const lead of after) await takeOverAgain(tx, lead, correction)
    for (const lead of after.slice(-1)) last.set(lead.id, lead)
  }
  return [...last.values()].flatMap(named)
}

async function takeOverAgain(tx: Tx, { id, phone }: LeadToCall, correction: Correction): Promise<void> {
  const stored = phone === null ? null : await storyOf(tx, phone)
  if (!stored) return
  const corrections = correctionsAmong(stored.events)
  const changed: NewEvent[] = []
  for (const event of stored.events) {
    if (event.kind !== 'replaces' || event.leadId !== id) continue
    const before = corrections.get(event.n)?.takenOver ?? event.takenOver
    const takenOver = await takenOverNow(tx, { from: event.from, takenOver: before })
    if (!isDeepStrictEqual(takenOver, before)) changed.push({ ...correction, corrects: event.n, takenOver })
  }
  if (changed.length > 0) await addEvents(tx, stored, changed)
}

/** A note goes on with the lead that took this one's place. */
async function hideCallNote(tx: Tx, noteId: string, by: string): Promise<string | null> {
  const [note] = await tx<{ leadId: string }>('SELECT lead_id FROM notes WHERE id = $1', [noteId])
  return note ? hideNote(tx, { leadId: note.leadId, noteId, by }) : null
}

type SaidToWhom = Pick<Said, 'leads' | 'leadId' | 'outcome'>

/** Someone whom we don't know answered, and wants no calls to this number. */
const isAnyone = ({ leads, outcome }: SaidToWhom) => leads.length === 0 && callOutcomes[outcome].stops === 'who asked'

/** If nobody knows who answered, it was a try for everyone who is open. */
function whomAbout(said: SaidToWhom, { story }: Pick<StoredStory, 'story'>): readonly string[] {
  const tried = isAnyone(said) ? openStandings(story).map(({ leadId }) => leadId) : said.leads
  return tried.length > 0 ? tried : [said.leadId]
}

interface Announced extends Pick<Said, 'id' | 'by' | 'callbackAt'> {
  readonly outcome: string
  readonly startedAt: number
  readonly incoming: boolean
  readonly corrects?: string
}

const callOf = (said: OutcomeDecision['said'][number], { call, startedAt }: OutcomeDecision): Announced => ({
  ...said,
  outcome: isAnyone(said) && !call?.incoming ? SOMEONE_ELSE : said.outcome,
  startedAt,
  incoming: call?.incoming ?? false,
})

/** Contract: docs/webhook.md. */
async function announceCall(tx: Tx, call: Announced, leads: readonly string[]): Promise<void> {
  const { id: callId, outcome, startedAt, incoming, callbackAt, by, corrects = null } = call
  const iso = (time: number) => new Date(time).toISOString()
  const times = { startedAt: iso(startedAt), outcome, callbackAt: callbackAt === null ? null : iso(callbackAt) }
  const detail = { callId, direction: incoming ? 'incoming' : 'outgoing', ...times, by: by.name, corrects }
  const events = [...(await leadsForCrm(tx, leads))].map(leadId => ({ leadId, type: 'lead.called', detail }) as const)
  await queueEvents(tx, events)
}
