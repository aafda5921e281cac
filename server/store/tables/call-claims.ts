/**
 * Who has a phone number open. An agent has one number open, plus those they dialed. An open one is theirs for ten minutes after the last
 * touch, a dialed one until they say what happened, for four hours at most.
 */
import { CALL_MS } from '../../../domain/calling/made-calls.ts'
import type { Agent } from '../../../domain/calling/story-events.ts'
import type { Claim } from '../../../domain/calling/whose-call.ts'
import { CLAIM_MS, claimColumns, holdsAt, type NumberToClaim } from '../facts/calls/claims.ts'
import { insert, type Sql, type Tx } from '../sql.ts'

interface ClaimOptions {
  /** Even if a colleague has it. */
  readonly takeOver?: boolean
  /** When they dialed, if they did. */
  readonly dialedAt?: number
}

/** Releases the number that the person had open. Null if a colleague has this one. */
export async function claimNumber(
  tx: Tx,
  { storyId, leadId }: NumberToClaim,
  { id, name }: Agent,
  { takeOver = false, dialedAt }: ClaimOptions = {},
): Promise<Claim | null> {
  const { at } = tx
  const isOwn = `call_claims.person_id = excluded.person_id AND ${holdsAt('excluded.since')}`
  const isDialed = `${isOwn} AND call_claims.dialed = 1 AND excluded.dialed = 0`
  const row = {
    storyId,
    leadId,
    personId: id,
    personName: name,
    since: at,
    expiresAt: dialedAt === undefined ? at + CLAIM_MS : dialedAt + CALL_MS,
    dialed: dialedAt === undefined ? 0 : 1,
  }
  const [claim] = await insert<Claim>(
    tx,
    'call_claims',
    row,
    `ON CONFLICT (story_id) DO UPDATE SET lead_id = excluded.lead_id, person_id = excluded.person_id,
       person_name = excluded.person_name,
       since = CASE WHEN ${isOwn} THEN call_claims.since ELSE excluded.since END,
       expires_at = CASE WHEN ${isDialed} THEN call_claims.expires_at ELSE excluded.expires_at END,
       dialed = CASE WHEN ${isDialed} THEN 1 ELSE excluded.dialed END
     WHERE ${takeOver ? 'true' : `call_claims.person_id = excluded.person_id OR NOT (${holdsAt('excluded.since')})`}
     RETURNING ${claimColumns}`,
  )
  if (claim) await tx('DELETE FROM call_claims WHERE person_id = $1 AND dialed = 0 AND story_id <> $2', [id, storyId])
  return claim ?? null
}

/** The person touched the page. Null if they no longer have the call. */
export async function renewClaim(tx: Tx, storyId: string, personId: string): Promise<Claim | null> {
  const renewed = `CASE WHEN dialed = 1 THEN expires_at ELSE $3 END`
  const renew = `UPDATE call_claims SET expires_at = ${renewed} WHERE story_id = $1 AND person_id = $2 RETURNING ${claimColumns}`
  return (await tx<Claim>(renew, [storyId, personId, tx.at + CLAIM_MS]))[0] ?? null
}

/** The person dialed by mistake: they only have it open again. */
export async function undial(tx: Tx, storyId: string, personId: string): Promise<void> {
  const open = 'UPDATE call_claims SET dialed = 0, expires_at = $3 WHERE story_id = $1 AND person_id = $2'
  await tx(open, [storyId, personId, tx.at + CLAIM_MS])
}

export async function endClaim(sql: Sql, storyId: string, personId: string): Promise<void> {
  await sql('DELETE FROM call_claims WHERE story_id = $1 AND person_id = $2', [storyId, personId])
}

/** When all of the person's sessions have ended. They may still be on the phone, so what they dialed stays theirs. */
export async function releaseOpenClaims(sql: Sql, personId: string): Promise<void> {
  await sql('DELETE FROM call_claims WHERE person_id = $1 AND dialed = 0', [personId])
}

/** When the person is removed. */
export async function releaseClaims(sql: Sql, personId: string): Promise<void> {
  await sql('DELETE FROM call_claims WHERE person_id = $1', [personId])
}
