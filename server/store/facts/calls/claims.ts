/** Who has a phone number open: see call-claims.ts. */
import { CALL_MS } from '../../../../domain/calling/made-calls.ts'
import type { Claim } from '../../../../domain/calling/whose-call.ts'
import type { Sql } from '../../sql.ts'

export const CLAIM_MS = 10 * 60_000

/** SQL: the claim holds at this time. One that ends later than any claim can is from before the clock was set back. */
export const holdsAt = (at: string): string =>
  `call_claims.expires_at > ${at} AND call_claims.expires_at < ${at} + ${CLAIM_MS} + CASE WHEN call_claims.dialed = 1 THEN ${CALL_MS} ELSE ${CLAIM_MS} END`

export const claimColumns = `person_id, person_name AS "name", since, expires_at, dialed`

export interface NumberToClaim {
  readonly storyId: string
  readonly leadId: string
}

/** The one that holds, or this person's own that has run out: nobody else took the number since. */
export async function claimOn(sql: Sql, storyId: string, at: number, personId = ''): Promise<Claim | null> {
  const current = `SELECT ${claimColumns} FROM call_claims WHERE story_id = $1 AND (person_id = $3 OR ${holdsAt('$2')})`
  return (await sql<Claim>(current, [storyId, at, personId]))[0] ?? null
}

export function claimsAt(sql: Sql, at: number) {
  return sql<Claim & NumberToClaim>(
    `SELECT story_id, lead_id, ${claimColumns} FROM call_claims WHERE ${holdsAt('$1')}`,
    [at],
  )
}
