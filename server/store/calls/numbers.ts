/** A lead's number under its lock, and who may call it. */
import type { CallingHours } from '../../../domain/calling/hours.ts'
import { type CallSituation, type NumberToCall, placeOf } from '../../../domain/calling/may-we-call.ts'
import { type Caller, mayRedial } from '../../../domain/calling/story.ts'
import type { Contact } from '../../../domain/lead.ts'
import { lockContacts, stopsOf } from '../do-not-call/stops.ts'
import { type Dialect, type Sql, StaleLocks, type Tx } from '../sql.ts'
import { claimOn, type StoredClaim } from './claims.ts'
import { clockOf, waitingTimeOf } from './clocks.ts'
import { type StoredStory, storyOf, storyWithId } from './stories.ts'

export interface CallRequest {
  readonly leadId: string
  readonly person: Caller
  readonly hours: CallingHours
}

export interface LeadToCall {
  readonly id: string
  readonly state: string
  /** Null once the person is erased, like the next two. */
  readonly phone: string | null
  readonly email: string | null
  readonly contact: Contact | null
  readonly language: string
}

export interface LeadNumber {
  readonly lead: LeadToCall
  /** Null if no lead with this number was ever accepted. */
  readonly stored: StoredStory | null
}

type LeadRow = Omit<LeadToCall, 'contact'> & { readonly contact: string | null }

export async function leadToCall(sql: Sql, leadId: string): Promise<LeadToCall | null> {
  const [row] = await sql<LeadRow>('SELECT id, state, phone, email, contact, language FROM leads WHERE id = $1', [
    leadId,
  ])
  return row ? readLead(row) : null
}

export const readLead = ({ contact, ...row }: LeadRow): LeadToCall => ({
  ...row,
  contact: contact && JSON.parse(contact),
})

/** Finds the story of an erased lead as well: someone may have it open, or be on the phone. */
export async function numberOf(sql: Sql, dialect: Dialect, leadId: string): Promise<LeadNumber | null> {
  const lead = await leadToCall(sql, leadId)
  if (!lead) return null
  if (lead.phone !== null) return { lead, stored: await storyOf(sql, dialect, lead.phone) }
  const known = `SELECT story_id AS id FROM requests WHERE lead_id = $1 UNION ALL SELECT story_id FROM call_claims WHERE lead_id = $1 LIMIT 1`
  const [story] = await sql<{ id: string }>(known, [leadId])
  return { lead, stored: story ? await storyWithId(sql, dialect, story.id) : null }
}

/**
 * Locks the lead's number until the transaction ends, so it's neither called, nor erased, nor submitted again. `also`: other contacts
 * to lock, because all of a transaction's keys are locked in one sorted step.
 */
export async function lockNumber(
  sql: Tx,
  dialect: Dialect,
  leadId: string,
  also: readonly string[] = [],
): Promise<LeadNumber | null> {
  const phone = (await leadToCall(sql, leadId))?.phone ?? null
  const contacts = [...(phone === null ? [] : [phone]), ...also]
  if (contacts.length > 0) await lockContacts(sql, contacts)
  const found = await numberOf(sql, dialect, leadId)
  // Someone corrected the number before we had the lock, so it's the wrong one.
  if (found && found.lead.phone !== null && found.lead.phone !== phone) throw new StaleLocks()
  return found
}

/** Why the lead isn't to be called; null if it may be, apart from the hours and the limits. */
export async function whyClosed(sql: Sql, { state, phone, email }: LeadToCall): Promise<string | null> {
  if (phone === null) return 'This person’s data was erased.'
  if (state === 'repeat') return 'This is a repeat. Call from this person’s other lead.'
  const stops = await stopsOf(sql, phone)
  if (stops.some(({ entry }) => entry === phone || entry === email)) return 'This person is on the do-not-call list.'
  if (stops.length > 0)
    return 'Someone else’s email with this number is on the do-not-call list, so this number can’t be called. Ask an editor.'
  return state === 'accepted' ? null : 'This lead is on hold or was rejected. An editor can approve it.'
}

interface NumberAt {
  readonly at: number
  readonly personId: string
}

export async function numberToCall(sql: Sql, { lead, stored }: LeadNumber, { at, personId }: NumberAt) {
  const closed = await whyClosed(sql, lead)
  const claim = stored && (await claimOn(sql, stored.id, at))
  return { claim, closed, number: stored && viewOf(stored, closed, claim, { at, personId }) }
}

function viewOf(
  { phone, story, plan }: StoredStory,
  closed: string | null,
  claim: StoredClaim | null,
  { at, personId }: NumberAt,
): NumberToCall {
  return {
    plan,
    closed,
    place: phone === null ? null : placeOf(phone, plan.place?.id ?? null),
    claim: claim && { id: claim.personId, name: claim.name },
    redial: mayRedial(story, personId, at),
  }
}

export async function situationOf(sql: Sql, at: number, personId: string, hours: CallingHours): Promise<CallSituation> {
  const people = await sql<{ id: string; languages: string; signedIn: number }>(
    `SELECT id, languages, CASE WHEN EXISTS (SELECT 1 FROM desk_sessions WHERE person_id = desk_people.id AND ends_at > $1)
       THEN 1 ELSE 0 END AS "signedIn"
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
    callers: new Set(people.map(({ id }) => id)),
  }
}
