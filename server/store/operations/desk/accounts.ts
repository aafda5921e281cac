/**
 * Signing in to the desk: invitations, passkeys, challenges, and sessions. Only hashes of invitation and session tokens are
 * stored. desk-people.ts has who may sign in.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type DeskPerson, PASSKEY_COUNT } from '../../facts/desk-people.ts'
import { Rollback, type SqlPort, type Tx, transactOrRollback } from '../../sql.ts'
import { releaseOpenClaims } from '../../tables/call-claims.ts'
import {
  type Challenge,
  deletePasskey,
  deletePasskeysOf,
  deleteSession,
  deleteSessionsOf,
  markUsed,
  type NewPasskey,
  saveChallenge,
  savePasskey,
  saveSession,
  takeChallenge,
  takeInvitation,
} from '../../tables/desk-access.ts'
import { lockPerson, recordDeskChange, setJoined } from '../../tables/desk-people.ts'
import { isLastEditor, lockDeskPeople } from './desk-people.ts'

interface Passkey extends NewPasskey {
  readonly addedAt: number
  readonly lastUsedAt: number | null
}

export interface PasskeyWithOwner extends Passkey, Pick<DeskSession, 'person' | 'handle'> {}

export interface DeskSession {
  readonly person: DeskPerson
  /** WebAuthn's user handle: random, and the same for all of a person's passkeys. */
  readonly handle: string
  readonly expiresAt: number
  /** When the person last used the desk, precise to a few minutes. */
  readonly lastActiveAt: number | null
}

interface SignIn {
  readonly tokenHash: string
  readonly ttlMs: number
  readonly passkeyId: string
  /** The authenticator's signature counter; null if the passkey was just registered with it. */
  readonly counter: number | null
}

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export function createToken(): { readonly token: string; readonly hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** Null for anything that can't be one of our tokens, so the caller can skip the query. */
export function hashToken(token: string | undefined): string | null {
  return token !== undefined && TOKEN.test(token) ? hashOf(token) : null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

const personColumns = 'desk_people.id AS person_id, desk_people.name, desk_people.role, desk_people.handle'
const passkeyColumns = 'desk_passkeys.id, public_key, counter, transports, synced, added_at, last_used_at'

interface PersonRow extends Omit<DeskPerson, 'id'> {
  readonly personId: string
  readonly handle: string
}

interface PasskeyRow extends Omit<Passkey, 'transports' | 'synced'> {
  readonly transports: string
  readonly synced: number
}

export function createAccounts(port: SqlPort) {
  const { read, transact, now } = port

  return {
    /** Null if unknown or expired. `passkeys`: how many will be deleted when it's accepted. */
    async invitation(tokenHash: string) {
      const [row] = await read<PersonRow & { expiresAt: number; passkeys: number }>(
        `SELECT desk_people.id AS person_id, desk_people.name, desk_people.handle, desk_invitations.role, ends_at AS expires_at,
           ${PASSKEY_COUNT} AS passkeys
         FROM desk_invitations JOIN desk_people ON desk_people.id = desk_invitations.person_id
         WHERE token_hash = $1 AND ends_at > $2`,
        [tokenHash, await now()],
      )
      return row ? withPerson(row) : null
    },

    /**
     * Uses up an invitation: ends the person's sessions and replaces their passkeys with this one. Returns null and changes
     * nothing if the invitation or the passkey has already been used.
     */
    acceptInvitation: ({ tokenHash, passkey }: { readonly tokenHash: string; readonly passkey: NewPasskey }) =>
      transactOrRollback(port, null, async tx => {
        await lockDeskPeople(tx)
        const used = await takeInvitation(tx, tokenHash)
        if (!used) return null
        const { personId } = used
        // An invitation to a lower role must not leave the desk without an editor.
        const role = (await isLastEditor(tx, personId)) ? 'editor' : used.role
        // Lock the person first, so a concurrent addPasskey either commits first or finds its session deleted.
        await setJoined(tx, personId, role)
        const [row] = await tx<PersonRow>(`SELECT ${personColumns} FROM desk_people WHERE id = $1`, [personId])
        await deleteSessionsOf(tx, personId)
        await releaseOpenClaims(tx, personId)
        await deletePasskeysOf(tx, personId, passkey.id)
        // Another invitee may have registered the same credential ID. Signing in with it would then sign in that person.
        if (!row || !(await savePasskey(tx, personId, passkey))) throw new Rollback()
        await recordDeskChange(tx, { personId, event: 'joined', by: row.name, role })
        return withPerson(row).person
      }),

    addChallenge: ({ ttlMs, ...challenge }: Challenge & { readonly id: string; readonly ttlMs: number }) =>
      transact(tx => saveChallenge(tx, challenge, ttlMs)),

    /** Deletes the challenge and returns it, so a response can't be replayed. */
    takeChallenge: (id: string) => transact(tx => takeChallenge(tx, id)),

    /** Null if unknown, or if the person was removed. */
    async passkey(id: string): Promise<PasskeyWithOwner | null> {
      const [row] = await read<PasskeyRow & PersonRow>(
        `SELECT ${passkeyColumns}, ${personColumns} FROM desk_passkeys
         JOIN desk_people ON desk_people.id = desk_passkeys.person_id
         WHERE desk_passkeys.id = $1 AND dismissed_at IS NULL`,
        [id],
      )
      return row ? withPerson(passkeyOf(row)) : null
    },

    async passkeysOf(personId: string): Promise<readonly Passkey[]> {
      const rows = await read<PasskeyRow>(
        `SELECT ${passkeyColumns} FROM desk_passkeys WHERE person_id = $1 ORDER BY added_at, id`,
        [personId],
      )
      return rows.map(passkeyOf)
    },

    /** Works only while the session is active. */
    addPasskey: ({ personId, sessionHash, passkey }: { personId: string; sessionHash: string; passkey: NewPasskey }) =>
      transact(async tx => {
        await lockPerson(tx, personId)
        const active = 'SELECT person_id FROM desk_sessions WHERE token_hash = $1 AND person_id = $2'
        if ((await tx(active, [sessionHash, personId])).length === 0) return 'session ended'
        if (!(await savePasskey(tx, personId, passkey))) return 'known'
        await recordOwnChange(tx, { personId, event: 'added a passkey' })
        return 'added'
      }),

    /** Never removes the last passkey, because that would lock the person out. */
    removePasskey: ({ personId, id }: { readonly personId: string; readonly id: string }) =>
      transact(async tx => {
        // Without the lock, two concurrent requests could remove the last two passkeys.
        await lockPerson(tx, personId)
        const rows = await tx<{ id: string }>('SELECT id FROM desk_passkeys WHERE person_id = $1', [personId])
        if (!rows.some(row => row.id === id)) return 'unknown'
        if (rows.length === 1) return 'last'
        await deletePasskey(tx, id)
        await recordOwnChange(tx, { personId, event: 'removed a passkey' })
        return 'removed'
      }),

    /** Records that the passkey was used. False if it was deleted, or has answered since with a later counter: one of them is a copy. */
    countPasskey: ({ id, counter }: { readonly id: string; readonly counter: number }) =>
      transact(async tx => (await markUsed(tx, { passkeyId: id, counter })) !== null),

    /** Records that the passkey was used and starts a session. Null if that isn't possible anymore. */
    beginSession: ({ tokenHash, ttlMs, passkeyId, counter }: SignIn): Promise<DeskSession | null> =>
      transact(async tx => {
        const personId = await markUsed(tx, { passkeyId, counter })
        if (personId === null) return null
        const [row] = await tx<PersonRow & Pick<DeskSession, 'lastActiveAt'>>(
          `SELECT ${personColumns}, last_active_at FROM desk_people WHERE id = $1 AND dismissed_at IS NULL`,
          [personId],
        )
        if (!row) return null
        const expiresAt = tx.at + ttlMs
        await saveSession(tx, { tokenHash, personId: row.personId, endsAt: expiresAt })
        return withPerson({ ...row, expiresAt })
      }),

    /** Null if the session has ended or the person was removed. Queried on every request, so ending a session takes effect immediately. */
    async session(tokenHash: string): Promise<DeskSession | null> {
      const [row] = await read<PersonRow & Pick<DeskSession, 'expiresAt' | 'lastActiveAt'>>(
        `SELECT ${personColumns}, ends_at AS expires_at, last_active_at FROM desk_sessions
         JOIN desk_people ON desk_people.id = desk_sessions.person_id
         WHERE token_hash = $1 AND ends_at > $2 AND dismissed_at IS NULL`,
        [tokenHash, await now()],
      )
      return row ? withPerson(row) : null
    },

    async endSession(tokenHash: string) {
      await transact(async tx => {
        const person = await deleteSession(tx, tokenHash)
        const others = 'SELECT 1 FROM desk_sessions WHERE person_id = $1 AND ends_at > $2'
        if (person !== null && (await tx(others, [person, tx.at])).length === 0) await releaseOpenClaims(tx, person)
      })
    },
  }
}

async function recordOwnChange(
  tx: Tx,
  change: { readonly personId: string; readonly event: 'added a passkey' | 'removed a passkey' },
): Promise<void> {
  const [person] = await tx<{ name: string }>('SELECT name FROM desk_people WHERE id = $1', [change.personId])
  await recordDeskChange(tx, { ...change, by: person?.name ?? '', role: null })
}

const withPerson = <R extends PersonRow>({ personId, name, role, ...rest }: R) => ({
  person: { id: personId, name, role },
  ...rest,
})

const passkeyOf = <R extends PasskeyRow>({ transports, synced, ...rest }: R) => ({
  ...rest,
  transports: JSON.parse(transports) as readonly string[],
  synced: synced === 1,
})
