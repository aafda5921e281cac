/** A lead's number under its lock: who is on it, whose call it is, and who may call it. */
import type { CallingHours } from '../../../../domain/calling/hours.ts'
import { mayRedial } from '../../../../domain/calling/made-calls.ts'
import {
  type CallSituation,
  type NumberNow,
  type NumberToCall,
  placeOf,
} from '../../../../domain/calling/may-we-call.ts'
import type { Agent } from '../../../../domain/calling/story-events.ts'
import { whoseCall } from '../../../../domain/calling/whose-call.ts'
import type { LeadToCall } from '../../../../domain/leads/people.ts'
import { type Sql, StaleLocks, type Tx } from '../../sql.ts'
import { lockContacts, stopsOf } from '../do-not-call/stops.ts'
import { storedLead } from '../leads/lead-rows.ts'
import { clockOf, waitingTimeOf } from './calling-clocks.ts'
import { claimOn } from './claims.ts'
import { lockOfStory, type StoredStory, storyOf, storyWithId } from './stories.ts'

export interface CallRequest {
  readonly leadId: string
  readonly person: Agent
  readonly hours: CallingHours
}

export interface LeadNumber {
  readonly lead: LeadToCall
  /** Null if no lead with this number was ever accepted. */
  readonly stored: StoredStory | null
}

/** Finds the story of an erased lead as well: someone may have it open, or be on the phone. */
export async function numberOf(
  sql: Sql,
  leadId: string,
  hours: CallingHours | null = null,
): Promise<LeadNumber | null> {
  const lead = await storedLead(sql, leadId)
  if (!lead) return null
  if (lead.phone !== null) return { lead, stored: await storyOf(sql, lead.phone, hours) }
  const story = await storyOfErased(sql, leadId)
  return { lead, stored: story && (await storyWithId(sql, story.id, hours)) }
}

async function storyOfErased(sql: Sql, leadId: string) {
  const known = `SELECT story_id FROM standings WHERE lead_id = $1 UNION ALL SELECT story_id FROM call_claims WHERE lead_id = $1`
  const [story] = await sql<Pick<StoredStory, 'id' | 'phone'>>(
    `SELECT id, phone FROM stories WHERE id IN (${known}) LIMIT 1`,
    [leadId],
  )
  return story ?? null
}

interface LockOptions {
  readonly hours?: CallingHours
  /** Finds other contacts to lock, because all of a transaction's keys are locked in one sorted step. */
  readonly also?: () => Promise<readonly string[]>
}

/** Locks the lead's number until the transaction ends, so it's neither called, nor erased, nor submitted again. */
export async function lockNumber(
  tx: Tx,
  leadId: string,
  { hours, also = async () => [] }: LockOptions = {},
): Promise<LeadNumber | null> {
  await lockFound(tx, async () => [...(await locksOf(tx, leadId)), ...(await also())])
  return numberOf(tx, leadId, hours)
}

/** Locks several leads' numbers, and returns each number's story once. */
export async function lockStories(tx: Tx, leadIds: readonly string[]): Promise<readonly StoredStory[]> {
  await lockFound(tx, async () => {
    const locks: string[] = []
    for (const leadId of leadIds) locks.push(...(await locksOf(tx, leadId)))
    return locks
  })
  const stories = new Map<string, StoredStory>()
  for (const leadId of leadIds) {
    const stored = (await numberOf(tx, leadId))?.stored
    if (stored) stories.set(stored.id, stored)
  }
  return [...stories.values()]
}

async function locksOf(tx: Tx, leadId: string): Promise<readonly string[]> {
  const phone = (await storedLead(tx, leadId))?.phone
  if (phone) return [phone]
  const story = await storyOfErased(tx, leadId)
  return story ? [lockOfStory(story)] : []
}

/** Locks the contacts that `find` finds, if it finds no others once they're locked. */
export async function lockFound(tx: Tx, find: () => Promise<readonly string[]>): Promise<void> {
  const found = await find()
  if (found.length === 0) return
  await lockContacts(tx, found)
  if ((await find()).some(contact => !found.includes(contact))) throw new StaleLocks()
}

/** Why the lead isn't to be called; null if it may be, apart from the hours and the limits. */
export async function whyClosed(sql: Sql, { state, phone, email, replacedBy }: LeadToCall): Promise<string | null> {
  if (phone === null) return 'This person’s data was erased.'
  if (replacedBy !== null) return 'This person has another number now. Call from their other lead.'
  if (state === 'repeat') return 'This is a repeat. Call from this person’s other lead.'
  const stops = await stopsOf(sql, phone)
  if (stops.some(({ entry }) => entry === phone || entry === email)) return 'This person is on the do-not-call list.'
  if (stops.length > 0)
    return 'An email address given with this number is on the do-not-call list, so it can’t be called. Ask an editor.'
  return state === 'accepted' ? null : 'This lead is on hold or was rejected. An editor can approve it.'
}

export async function numberNow(
  sql: Sql,
  { lead, stored }: LeadNumber,
  who: { readonly at: number; readonly personId: string },
): Promise<NumberNow> {
  const closed = await whyClosed(sql, lead)
  if (!stored) return { closed, number: null, whose: { kind: 'free' }, claim: null }
  const known = await claimOn(sql, stored.id, who.at, who.personId)
  const claim = known && known.expiresAt > who.at ? known : null
  const { phone, story, plan } = stored
  const number: NumberToCall = {
    plan,
    closed,
    place: phone === null ? null : placeOf(phone, plan),
    claim: claim && { id: claim.personId, name: claim.name },
    redial: mayRedial(story.calls, who.personId, who.at),
  }
  return { closed, number, whose: whoseCall(story, known, who), claim }
}

export async function situationOf(sql: Sql, at: number, personId: string, hours: CallingHours): Promise<CallSituation> {
  const people = await sql<{ id: string; languages: string; signedIn: number }>(
    `SELECT id, languages, CASE WHEN EXISTS (SELECT 1 FROM desk_sessions WHERE person_id = desk_people.id AND ends_at > $1)
       THEN 1 ELSE 0 END AS signed_in
     FROM desk_people WHERE role <> 'viewer' AND dismissed_at IS NULL`,
    [at],
  )
  const own = people.find(({ id }) => id === personId)
  const colleagues = people.filter(({ id, signedIn }) => id !== personId && signedIn === 1)
  return {
    at,
    personId,
    clock: clockOf(hours),
    waitingTime: waitingTimeOf(hours),
    languages: own?.languages.split(' ') ?? [],
    colleaguesSpeak: new Set(colleagues.flatMap(({ languages }) => languages.split(' '))),
    agents: new Set(people.map(({ id }) => id)),
  }
}
