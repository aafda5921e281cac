/** Who has a phone number open. A claim ends when the call is saved or skipped, when its person signs out, or after ten minutes. */
import { type Place, whereabouts } from '../../../domain/calling/area-codes.ts'
import { isStopped } from '../do-not-call.ts'
import { type Dialect, insert, type Sql } from '../sql.ts'

/** Renewed while the page is open. */
export const CLAIM_MS = 10 * 60_000

/** SQL: the claim holds at this time. One that ends later than any claim can is from before the clock was set back. */
export const holdsAt = (at: string): string =>
  `call_claims.expires_at > ${at} AND call_claims.expires_at < ${at} + ${2 * CLAIM_MS}`

/** A desk user. */
export interface Caller {
  readonly id: string
  readonly name: string
}

export interface StoredClaim {
  readonly personId: string
  readonly name: string
  readonly since: number
  readonly expiresAt: number
}

export const claimColumns = `person_id AS "personId", person_name AS "name", since, expires_at AS "expiresAt"`

export interface LeadToCall {
  readonly state: string
  readonly phone: string
  readonly email: string
  readonly place: Place | null
}

/** Null if it's erased. Locks the lead, so that doesn't happen until the transaction ends. */
export async function leadToCall(sql: Sql, { lockLeads }: Dialect, leadId: string): Promise<LeadToCall | null> {
  const [lead] = await sql<Omit<LeadToCall, 'place'> & { chosenPlace: string | null }>(
    `SELECT state, phone, email, (SELECT place FROM call_places WHERE call_places.phone = leads.phone) AS "chosenPlace"
     FROM leads WHERE id = $1 AND state <> 'erased' ${lockLeads}`,
    [leadId],
  )
  if (!lead) return null
  const { chosenPlace, ...rest } = lead
  return { ...rest, place: whereabouts(lead.phone, chosenPlace).place }
}

/** Null if the lead may be called, apart from the hours and the limits. */
export async function whyClosed(sql: Sql, lead: Omit<LeadToCall, 'place'> | null): Promise<string | null> {
  if (!lead) return 'This person’s data was erased.'
  if (lead.state === 'repeat') return 'This is a repeat. Call from this person’s earlier lead.'
  const stopped = await sql(`SELECT 1 AS stopped WHERE ${isStopped('$1')}`, [lead.phone])
  if (stopped.length > 0) return 'This person is on the do-not-call list.'
  return lead.state === 'accepted' ? null : 'This lead is on hold or was rejected. An editor can approve it.'
}

interface NumberToClaim {
  readonly leadId: string
  readonly phone: string
}

/** Null if a colleague has the number, unless `takeOver` is set. */
export async function claimNumber(
  sql: Sql,
  at: number,
  { leadId, phone }: NumberToClaim,
  { id, name }: Caller,
  takeOver = false,
): Promise<StoredClaim | null> {
  const isOwn = 'call_claims.person_id = excluded.person_id'
  const isSame = `${isOwn} AND call_claims.lead_id = excluded.lead_id AND call_claims.expires_at > excluded.since`
  const row = { phone, lead_id: leadId, person_id: id, person_name: name, since: at, expires_at: at + CLAIM_MS }
  const [claim] = await insert<StoredClaim>(
    sql,
    'call_claims',
    row,
    `ON CONFLICT (phone) DO UPDATE SET lead_id = excluded.lead_id, person_id = excluded.person_id,
       person_name = excluded.person_name, expires_at = excluded.expires_at,
       since = CASE WHEN ${isSame} THEN call_claims.since ELSE excluded.since END
     WHERE ${takeOver ? 'true' : `${isOwn} OR NOT (${holdsAt('excluded.since')})`}
     RETURNING ${claimColumns}`,
  )
  return claim ?? null
}

export async function claimOn(sql: Sql, phone: string, at: number): Promise<StoredClaim | null> {
  const current = `SELECT ${claimColumns} FROM call_claims WHERE phone = $1 AND ${holdsAt('$2')}`
  return (await sql<StoredClaim>(current, [phone, at]))[0] ?? null
}

/** When all of the person's sessions have ended. */
export async function releaseClaims(sql: Sql, personId: string): Promise<void> {
  await sql('DELETE FROM call_claims WHERE person_id = $1', [personId])
}
