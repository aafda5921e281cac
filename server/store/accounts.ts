/**
 * The desk's users: who can sign in, with which passkeys, and who is signed in now. Only hashes of invitation and session
 * tokens are stored.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { DeskRole } from '../../domain/roles.ts'
import { releaseClaims } from './calls/claims.ts'
import { insert, Rollback, type Sql, type SqlPort, transactOrRollback } from './sql.ts'

/** Staff, not leads, so their names can appear in a lead's history. */
export interface DeskPerson {
  readonly id: string
  readonly name: string
  readonly role: DeskRole
}

export interface NewInvitation {
  readonly name: string
  /** Null keeps the person's current role, or makes a new person a viewer. */
  readonly role: DeskRole | null
  readonly tokenHash: string
  readonly ttlMs: number
  readonly by: string
}

export interface NewPasskey {
  readonly id: string
  /** COSE, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly synced: boolean
}

interface Passkey extends NewPasskey {
  readonly addedAt: number
  readonly lastUsedAt: number | null
}

export interface PasskeyWithOwner extends Passkey, Pick<DeskSession, 'person' | 'handle'> {}

export type ChallengePurpose = 'sign in' | 'accept an invitation' | 'add a passkey'

export interface Challenge {
  readonly challenge: string
  readonly purpose: ChallengePurpose
  /** Who has to answer the challenge; null for anyone. */
  readonly personId: string | null
}

export interface DeskSession {
  readonly person: DeskPerson
  /** WebAuthn's user handle: random, and the same for all of a person's passkeys. */
  readonly handle: string
  readonly expiresAt: number
}

interface SignIn {
  readonly tokenHash: string
  readonly ttlMs: number
  readonly passkeyId: string
  /** The authenticator's signature counter. */
  readonly counter: number
}

export interface DeskPersonRecord extends DeskPerson {
  readonly invitedAt: number
  readonly dismissedAt: number | null
  readonly invitationEndsAt: number | null
  readonly passkeys: number
  readonly sessions: number
  readonly lastSignInAt: number | null
}

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

const randomToken = () => randomBytes(32).toString('base64url')

export function createToken(): { readonly token: string; readonly hash: string } {
  const token = randomToken()
  return { token, hash: hashOf(token) }
}

/** Null for anything that can't be one of our tokens, so the caller can skip the query. */
export function hashToken(token: string | undefined): string | null {
  return token !== undefined && TOKEN.test(token) ? hashOf(token) : null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

const personColumns = 'desk_people.id AS "personId", desk_people.name, desk_people.role, desk_people.handle'
const passkeyColumns = `desk_passkeys.id, public_key AS "publicKey", counter, transports, synced, added_at AS "addedAt",
  last_used_at AS "lastUsedAt"`
const PASSKEY_COUNT = '(SELECT count(*) FROM desk_passkeys WHERE desk_passkeys.person_id = desk_people.id)'

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
  const withPersonNamed = (name: string, endSessions: typeof dismiss) =>
    transact(async (sql, at) => {
      const named = 'SELECT id, name FROM desk_people WHERE name_key = $1'
      const [person] = await sql<{ id: string; name: string }>(named, [nameKey(name)])
      return person ? { ...person, sessions: await endSessions(sql, person.id, at) } : null
    })

  return {
    /** Replaces any earlier invitation for the same name. Nothing else changes until the new one is accepted. */
    invite: ({ name, role, tokenHash, ttlMs, by }: NewInvitation) =>
      transact(async (sql, at) => {
        const id = randomUUID()
        const names = { name: withSingleSpaces(name), name_key: nameKey(name) }
        // The no-op update returns the existing row and locks it until the end of the transaction.
        const [row] = await insert<PersonRow & { removed: number | null; passkeys: number }>(
          sql,
          'desk_people',
          { id, ...names, role: role ?? 'viewer', handle: randomToken(), invited_at: at },
          `ON CONFLICT (name_key) DO UPDATE SET name_key = excluded.name_key
           RETURNING ${personColumns}, dismissed_at AS removed, ${PASSKEY_COUNT} AS passkeys`,
        )
        if (!row) throw new Error('the desk_people upsert returned no row')
        const person: DeskPerson = { ...withPerson(row).person, role: role ?? row.role }
        const expiresAt = at + ttlMs
        await sql('DELETE FROM desk_invitations WHERE person_id = $1', [person.id])
        const invitation = { token_hash: tokenHash, person_id: person.id, role: person.role, invited_by: by }
        await insert(sql, 'desk_invitations', { ...invitation, invited_at: at, ends_at: expiresAt })
        const existing = row.removed !== null ? 'removed' : row.passkeys > 0 ? 'registered' : 'invited'
        return { person, known: person.id === id ? ('new' as const) : existing, expiresAt }
      }),

    /** Null if unknown or expired. `passkeys`: how many will be deleted when it's accepted. */
    async invitation(tokenHash: string) {
      const [row] = await read<PersonRow & { expiresAt: number; passkeys: number }>(
        `SELECT desk_people.id AS "personId", desk_people.name, desk_people.handle, desk_invitations.role, ends_at AS "expiresAt",
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
      transactOrRollback(port, null, async (sql, at) => {
        const [used] = await sql<{ personId: string; role: DeskRole }>(
          `DELETE FROM desk_invitations WHERE token_hash = $1 AND ends_at > $2 RETURNING person_id AS "personId", role`,
          [tokenHash, at],
        )
        if (!used) return null
        const { personId, role } = used
        // Lock the person first, so a concurrent addPasskey either commits first or finds its session deleted.
        const [row] = await sql<PersonRow>(
          `UPDATE desk_people SET role = $2, dismissed_at = NULL WHERE id = $1 RETURNING ${personColumns}`,
          [personId, role],
        )
        await sql('DELETE FROM desk_sessions WHERE person_id = $1', [personId])
        await releaseClaims(sql, personId)
        await sql('DELETE FROM desk_passkeys WHERE person_id = $1 AND id <> $2', [personId, passkey.id])
        // Another invitee may have registered the same credential ID. Signing in with it would then sign in that person.
        if (!row || !(await insertPasskey(sql, personId, passkey, at))) throw new Rollback()
        return withPerson(row).person
      }),

    async addChallenge({ id, challenge, purpose, personId, ttlMs }: Challenge & { id: string; ttlMs: number }) {
      await transact(async (sql, at) => {
        // Clean up here, because anyone can request as many challenges as the rate limit allows.
        await sql('DELETE FROM desk_challenges WHERE ends_at <= $1', [at])
        await insert(sql, 'desk_challenges', { id, challenge, purpose, person_id: personId, ends_at: at + ttlMs })
      })
    },

    /** Deletes the challenge and returns it, so a response can't be replayed. */
    takeChallenge: (id: string) =>
      transact(async (sql, at) => {
        await sql('DELETE FROM desk_challenges WHERE ends_at <= $1', [at])
        const [taken] = await sql<Challenge>(
          'DELETE FROM desk_challenges WHERE id = $1 RETURNING challenge, purpose, person_id AS "personId"',
          [id],
        )
        return taken ?? null
      }),

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
      transact(async (sql, at) => {
        await lockPerson(sql, personId)
        const active = 'SELECT person_id FROM desk_sessions WHERE token_hash = $1 AND person_id = $2'
        if ((await sql(active, [sessionHash, personId])).length === 0) return 'session ended'
        return (await insertPasskey(sql, personId, passkey, at)) ? 'added' : 'known'
      }),

    /** Never removes the last passkey, because that would lock the person out. */
    removePasskey: ({ personId, id }: { readonly personId: string; readonly id: string }) =>
      transact(async sql => {
        // Without the lock, two concurrent requests could remove the last two passkeys.
        await lockPerson(sql, personId)
        const rows = await sql<{ id: string }>('SELECT id FROM desk_passkeys WHERE person_id = $1', [personId])
        if (!rows.some(row => row.id === id)) return 'unknown'
        if (rows.length === 1) return 'last'
        await sql('DELETE FROM desk_passkeys WHERE id = $1', [id])
        return 'removed'
      }),

    /** Records that the passkey was used and starts a session. Null if the passkey was deleted or the person was removed. */
    beginSession: ({ tokenHash, ttlMs, passkeyId, counter }: SignIn): Promise<DeskSession | null> =>
      transact(async (sql, at) => {
        await sql('DELETE FROM desk_sessions WHERE ends_at <= $1', [at])
        const [used] = await sql<{ personId: string }>(
          `UPDATE desk_passkeys SET counter = $2, last_used_at = $3 WHERE id = $1 RETURNING person_id AS "personId"`,
          [passkeyId, counter, at],
        )
        if (!used) return null
        const [row] = await sql<PersonRow>(
          `SELECT ${personColumns} FROM desk_people WHERE id = $1 AND dismissed_at IS NULL`,
          [used.personId],
        )
        if (!row) return null
        const expiresAt = at + ttlMs
        const session = { token_hash: tokenHash, person_id: row.personId, began_at: at, ends_at: expiresAt }
        await insert(sql, 'desk_sessions', session)
        return withPerson({ ...row, expiresAt })
      }),

    /** Null if the session has ended or the person was removed. Queried on every request, so ending a session takes effect immediately. */
    async session(tokenHash: string): Promise<DeskSession | null> {
      const [row] = await read<PersonRow & { expiresAt: number }>(
        `SELECT ${personColumns}, ends_at AS "expiresAt" FROM desk_sessions
         JOIN desk_people ON desk_people.id = desk_sessions.person_id
         WHERE token_hash = $1 AND ends_at > $2 AND dismissed_at IS NULL`,
        [tokenHash, await now()],
      )
      return row ? withPerson(row) : null
    },

    async endSession(tokenHash: string) {
      await transact(async (sql, at) => {
        const deleted = 'DELETE FROM desk_sessions WHERE token_hash = $1 RETURNING person_id AS id'
        const [person] = await sql<{ id: string }>(deleted, [tokenHash])
        const others = 'SELECT 1 FROM desk_sessions WHERE person_id = $1 AND ends_at > $2'
        if (person && (await sql(others, [person.id, at])).length === 0) await releaseClaims(sql, person.id)
      })
    },

    /** The languages that someone speaks on calls. */
    async spokenLanguages(personId: string) {
      const [row] = await read<{ languages: string }>('SELECT languages FROM desk_people WHERE id = $1', [personId])
      return row?.languages.split(' ') ?? []
    },

    async setSpokenLanguages({
      personId,
      languages,
    }: {
      readonly personId: string
      readonly languages: readonly string[]
    }) {
      await transact(sql => sql('UPDATE desk_people SET languages = $2 WHERE id = $1', [personId, languages.join(' ')]))
    },

    deskPeople: async () =>
      read<DeskPersonRecord>(
        `SELECT id, name, role, invited_at AS "invitedAt", dismissed_at AS "dismissedAt",
           (SELECT max(ends_at) FROM desk_invitations WHERE person_id = desk_people.id AND ends_at > $1) AS "invitationEndsAt",
           ${PASSKEY_COUNT} AS passkeys,
           (SELECT count(*) FROM desk_sessions WHERE person_id = desk_people.id AND ends_at > $1) AS sessions,
           (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id) AS "lastSignInAt"
         FROM desk_people ORDER BY name_key`,
        [await now()],
      ),

    /** Ends all of a person's sessions. The name is case-insensitive. Null if there's no such person. */
    signOut: (name: string) => withPersonNamed(name, endSessionsOf),

    /** Same as signOut, but also deletes the person's passkeys and invitation. The name stays in lead history. */
    removePerson: (name: string) => withPersonNamed(name, dismiss),
  }
}

/** Returns how many sessions the person had. */
export async function dismiss(sql: Sql, personId: string, at: number): Promise<number> {
  await sql('UPDATE desk_people SET dismissed_at = COALESCE(dismissed_at, $2) WHERE id = $1', [personId, at])
  await sql('DELETE FROM desk_invitations WHERE person_id = $1', [personId])
  // Before deleting sessions: a sign-in in progress locks its passkey, so we wait for it and delete its session too.
  await sql('DELETE FROM desk_passkeys WHERE person_id = $1', [personId])
  return endSessionsOf(sql, personId)
}

async function endSessionsOf(sql: Sql, personId: string): Promise<number> {
  const ended = await sql('DELETE FROM desk_sessions WHERE person_id = $1 RETURNING token_hash', [personId])
  await releaseClaims(sql, personId)
  return ended.length
}

const withSingleSpaces = (name: string) => name.trim().replaceAll(/\s+/g, ' ')

/** Ignores case and extra spaces, so a second invitation doesn't create a second account. */
const nameKey = (name: string) => withSingleSpaces(name.normalize('NFKC')).toLowerCase()

const withPerson = <R extends PersonRow>({ personId, name, role, ...rest }: R) => ({
  person: { id: personId, name, role },
  ...rest,
})

const passkeyOf = <R extends PasskeyRow>({ transports, synced, ...rest }: R) => ({
  ...rest,
  transports: JSON.parse(transports) as readonly string[],
  synced: synced === 1,
})

async function lockPerson(sql: Sql, id: string): Promise<void> {
  await sql('UPDATE desk_people SET name_key = name_key WHERE id = $1', [id])
}

/** False if that passkey is already registered. */
async function insertPasskey(sql: Sql, personId: string, passkey: NewPasskey, at: number): Promise<boolean> {
  const { id, publicKey, counter, transports, synced } = passkey
  const flags = { transports: JSON.stringify(transports), synced: synced ? 1 : 0 }
  const row = { id, person_id: personId, public_key: publicKey, counter, ...flags, added_at: at }
  return (await insert(sql, 'desk_passkeys', row, 'ON CONFLICT (id) DO NOTHING RETURNING id')).length > 0
}
