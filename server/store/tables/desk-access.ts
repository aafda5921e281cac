/** How the desk's people sign in: invitations, passkeys, sessions, and challenges. Tokens are stored as hashes. */
import type { DeskRole } from '../../../domain/roles.ts'
import { insert, type Row, type Tx } from '../sql.ts'

export const saveInvitation = (tx: Tx, invitation: Row) => insert(tx, 'desk_invitations', invitation)

/** Null if it was used, or has ended. */
export async function takeInvitation(tx: Tx, tokenHash: string) {
  const take = 'DELETE FROM desk_invitations WHERE token_hash = $1 AND ends_at > $2 RETURNING person_id, role'
  const [taken] = await tx<{ personId: string; role: DeskRole }>(take, [tokenHash, tx.at])
  return taken ?? null
}

export const deleteInvitationOf = (tx: Tx, personId: string) =>
  tx('DELETE FROM desk_invitations WHERE person_id = $1', [personId])

export const setInvitedRole = (tx: Tx, personId: string, role: DeskRole) =>
  tx('UPDATE desk_invitations SET role = $2 WHERE person_id = $1', [personId, role])

export interface NewPasskey {
  readonly id: string
  /** COSE, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly synced: boolean
}

/** Whose passkey it is. Null if it's gone, or if it has counted further since: synced passkeys don't count, and stay at 0. */
export async function markUsed(
  tx: Tx,
  { passkeyId, counter }: { readonly passkeyId: string; readonly counter: number | null },
): Promise<string | null> {
  const used = 'UPDATE desk_passkeys SET last_used_at = $2'
  const found = 'WHERE id = $1'
  const returning = 'RETURNING person_id'
  const [owner] =
    counter === null
      ? await tx<{ personId: string }>(`${used} ${found} ${returning}`, [passkeyId, tx.at])
      : await tx<{ personId: string }>(
          `${used}, counter = $3 ${found} AND (counter < $3 OR (counter = 0 AND $3 = 0)) ${returning}`,
          [passkeyId, tx.at, counter],
        )
  return owner?.personId ?? null
}

/** False if that passkey is already registered. */
export async function savePasskey(tx: Tx, personId: string, passkey: NewPasskey): Promise<boolean> {
  const { id, publicKey, counter, transports, synced } = passkey
  const flags = { transports: JSON.stringify(transports), synced: synced ? 1 : 0 }
  const row = { id, personId, publicKey, counter, ...flags, addedAt: tx.at }
  return (await insert(tx, 'desk_passkeys', row, 'ON CONFLICT (id) DO NOTHING RETURNING id')).length > 0
}

export const deletePasskey = (tx: Tx, id: string) => tx('DELETE FROM desk_passkeys WHERE id = $1', [id])

/** Before ending sessions: a sign-in in progress locks its passkey, so we wait for it and end its session, too. */
export const deletePasskeysOf = (tx: Tx, personId: string, except = '') =>
  tx('DELETE FROM desk_passkeys WHERE person_id = $1 AND id <> $2', [personId, except])

/** Removes sessions that have ended. */
export async function saveSession(
  tx: Tx,
  session: { readonly tokenHash: string; readonly personId: string; readonly endsAt: number },
): Promise<void> {
  await tx('DELETE FROM desk_sessions WHERE ends_at <= $1', [tx.at])
  await insert(tx, 'desk_sessions', { ...session, beganAt: tx.at })
}

/** Returns whose it was; null if there's none. */
export async function deleteSession(tx: Tx, tokenHash: string): Promise<string | null> {
  const deleted = 'DELETE FROM desk_sessions WHERE token_hash = $1 RETURNING person_id AS id'
  return (await tx<{ id: string }>(deleted, [tokenHash]))[0]?.id ?? null
}

/** Returns how many they had. */
export const deleteSessionsOf = async (tx: Tx, personId: string): Promise<number> =>
  (await tx('DELETE FROM desk_sessions WHERE person_id = $1 RETURNING token_hash', [personId])).length

export type ChallengePurpose = 'sign in' | 'accept an invitation' | 'add a passkey' | 'confirm'

export interface Challenge {
  readonly challenge: string
  readonly purpose: ChallengePurpose
  /** Who has to answer the challenge; null for anyone. */
  readonly personId: string | null
}

/** Cleans up, because anyone can request as many challenges as the rate limit allows. */
export async function saveChallenge(
  tx: Tx,
  challenge: Challenge & { readonly id: string },
  ttlMs: number,
): Promise<void> {
  await tx('DELETE FROM desk_challenges WHERE ends_at <= $1', [tx.at])
  await insert(tx, 'desk_challenges', { ...challenge, endsAt: tx.at + ttlMs })
}

export async function takeChallenge(tx: Tx, id: string): Promise<Challenge | null> {
  const take = 'DELETE FROM desk_challenges WHERE id = $1 AND ends_at > $2 RETURNING challenge, purpose, person_id'
  return (await tx<Challenge>(take, [id, tx.at]))[0] ?? null
}

/** After a restore: passkeys and sessions may have been revoked since the backup. */
export async function deleteAllAccess(tx: Tx): Promise<void> {
  await tx('DELETE FROM desk_passkeys')
  await tx('DELETE FROM desk_sessions')
  await tx('DELETE FROM desk_invitations')
  await tx('DELETE FROM desk_challenges')
}
