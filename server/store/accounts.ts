/**
 * The desk's people: who may sign in, with which passkeys, and who is signed in now. Tokens of invitations and sessions
 * are never stored, only their hashes.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Sql, SqlPort } from './sql.ts'

/** A viewer sees everything and changes nothing; an editor may also change leads. */
export const deskRoles = ['viewer', 'editor'] as const
export type DeskRole = (typeof deskRoles)[number]

/** Names of the operator's own people: they may appear in a lead's history. */
export interface DeskPerson {
  readonly id: string
  readonly name: string
  readonly role: DeskRole
}

export interface AccountStore {
  /** Replaces an earlier invitation for the same name. Changes nothing else until it is used. */
  invite(order: InvitationOrder): Promise<Invited>
  /** Null if unknown or expired. */
  invitation(tokenHash: string): Promise<Invitation | null>
  /**
   * Uses up an invitation: ends the person's sessions, and replaces their passkeys with this one. Null, and nothing
   * changed, if the invitation or the passkey was used in the meantime.
   */
  acceptInvitation(acceptance: { readonly tokenHash: string; readonly passkey: NewPasskey }): Promise<DeskPerson | null>

  addChallenge(challenge: Challenge & { readonly id: string; readonly lastsMs: number }): Promise<void>
  /** Deletes the challenge and returns it, so that no answer is ever checked twice. */
  takeChallenge(id: string): Promise<Challenge | null>

  /** Null if unknown, or if its person was dismissed. */
  passkey(id: string): Promise<PasskeyOfPerson | null>
  passkeysOf(personId: string): Promise<readonly Passkey[]>
  /** Only while this session of the person is active. */
  addPasskey(order: {
    readonly personId: string
    readonly sessionHash: string
    readonly passkey: NewPasskey
  }): Promise<'added' | 'known' | 'session ended'>
  /** Never removes the last one: the person would be locked out. */
  removePasskey(which: { readonly personId: string; readonly id: string }): Promise<'removed' | 'last' | 'unknown'>

  /** Records that the passkey was used and starts a session. Null if the passkey is gone or the person was dismissed. */
  beginSession(order: {
    readonly tokenHash: string
    readonly lastsMs: number
    readonly passkeyId: string
    /** As the authenticator counted it this time. */
    readonly counter: number
  }): Promise<DeskSession | null>
  /** Null if unknown, ended, or if its person was dismissed. */
  session(tokenHash: string): Promise<DeskSession | null>
  endSession(tokenHash: string): Promise<void>

  /** Everyone who was ever invited, by name. */
  deskPeople(): Promise<readonly DeskPersonRecord[]>
  /** Ends all sessions of a person; the name's capitalization doesn't matter. Null if there is no such person. */
  signOut(name: string): Promise<Departed | null>
  /** Same, and also deletes passkeys and invitation. History keeps the name. */
  dismiss(name: string): Promise<Departed | null>
}

export interface InvitationOrder {
  readonly name: string
  /** Null: the person's present role, or viewer for a new person. */
  readonly role: DeskRole | null
  readonly tokenHash: string
  readonly lastsMs: number
  readonly by: string
}

export interface Invited {
  readonly person: DeskPerson
  readonly known: 'new' | 'invited' | 'registered' | 'dismissed'
  readonly endsAt: number
}

export interface Invitation {
  readonly person: DeskPerson
  readonly endsAt: number
  /** How many passkeys accepting it will delete. */
  readonly passkeys: number
  /** WebAuthn's user handle: random, the same for all passkeys of a person. */
  readonly handle: string
}

export interface NewPasskey {
  /** The authenticator's credential id, in base64url. */
  readonly id: string
  /** COSE, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  /** Synced to all devices of an account, or on one device only. */
  readonly synced: boolean
}

export interface Passkey extends NewPasskey {
  readonly addedAt: number
  readonly lastUsedAt: number | null
}

export interface PasskeyOfPerson extends Passkey {
  readonly person: DeskPerson
  readonly handle: string
}

export type ChallengePurpose = 'sign in' | 'accept an invitation' | 'add a passkey'

export interface Challenge {
  readonly challenge: string
  readonly purpose: ChallengePurpose
  /** Who has to answer; null when anyone may sign in. */
  readonly personId: string | null
}

export interface DeskSession {
  readonly person: DeskPerson
  readonly handle: string
  readonly endsAt: number
}

export interface DeskPersonRecord extends DeskPerson {
  readonly invitedAt: number
  readonly dismissedAt: number | null
  /** When the open invitation expires. */
  readonly invitationEndsAt: number | null
  readonly passkeys: number
  readonly sessions: number
  readonly lastSignInAt: number | null
}

export interface Departed {
  readonly id: string
  readonly name: string
  readonly sessions: number
}

export interface Token {
  readonly token: string
  readonly hash: string
}

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export function createToken(): Token {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** Null for anything that can't be one of our tokens, so the store isn't asked about it. */
export function hashToken(token: string | undefined): string | null {
  return token !== undefined && TOKEN.test(token) ? hashOf(token) : null
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

const personColumns = 'desk_people.id AS "personId", desk_people.name, desk_people.role, desk_people.handle'
const passkeyColumns = `desk_passkeys.id, public_key AS "publicKey", counter, transports, synced, added_at AS "addedAt",
  last_used_at AS "lastUsedAt"`
const PASSKEYS_OF_PERSON = '(SELECT count(*) FROM desk_passkeys WHERE desk_passkeys.person_id = desk_people.id)'

interface PersonRow {
  readonly personId: string
  readonly name: string
  readonly role: DeskRole
  readonly handle: string
}

interface PasskeyRow extends Omit<Passkey, 'transports' | 'synced'> {
  readonly transports: string
  readonly synced: number
}

export function createAccounts({ read, transact, now }: SqlPort): AccountStore {
  function leave(
    name: string,
    change: (sql: Sql, personId: string, at: number) => Promise<void>,
  ): Promise<Departed | null> {
    return transact(async (sql, at) => {
      const [person] = await sql<{ id: string; name: string }>('SELECT id, name FROM desk_people WHERE name_key = $1', [
        nameKey(name),
      ])
      if (!person) return null
      await change(sql, person.id, at)
      const ended = await sql('DELETE FROM desk_sessions WHERE person_id = $1 RETURNING token_hash', [person.id])
      return { ...person, sessions: ended.length }
    })
  }

  return {
    invite: ({ name, role, tokenHash, lastsMs, by }) =>
      transact(async (sql, at) => {
        const id = randomUUID()
        // The no-op update returns the existing row and locks it until the end of the transaction.
        const [row] = await sql<PersonRow & { dismissed: number | null; passkeys: number }>(
          `INSERT INTO desk_people (id, name, name_key, role, handle, invited_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (name_key) DO UPDATE SET name_key = excluded.name_key
           RETURNING id AS "personId", name, role, handle, dismissed_at AS dismissed, ${PASSKEYS_OF_PERSON} AS passkeys`,
          [id, withSingleSpaces(name), nameKey(name), role ?? 'viewer', randomBytes(32).toString('base64url'), at],
        )
        if (!row) throw new Error('the person was not written')
        const person = { ...personOf(row), role: role ?? row.role }
        const endsAt = at + lastsMs
        await sql('DELETE FROM desk_invitations WHERE person_id = $1', [person.id])
        await sql(
          `INSERT INTO desk_invitations (token_hash, person_id, role, invited_by, invited_at, ends_at)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [tokenHash, person.id, person.role, by, at, endsAt],
        )
        const returning = row.dismissed !== null ? 'dismissed' : row.passkeys > 0 ? 'registered' : 'invited'
        return { person, known: person.id === id ? 'new' : returning, endsAt }
      }),

    async invitation(tokenHash) {
      const [row] = await read<PersonRow & { endsAt: number; passkeys: number }>(
        `SELECT desk_people.id AS "personId", desk_people.name, desk_people.handle, desk_invitations.role, ends_at AS "endsAt",
           ${PASSKEYS_OF_PERSON} AS passkeys
         FROM desk_invitations JOIN desk_people ON desk_people.id = desk_invitations.person_id
         WHERE token_hash = $1 AND ends_at > $2`,
        [tokenHash, await now()],
      )
      return row ? { person: personOf(row), endsAt: row.endsAt, passkeys: row.passkeys, handle: row.handle } : null
    },

    acceptInvitation({ tokenHash, passkey }) {
      const accepted = transact(async (sql, at) => {
        const [used] = await sql<{ personId: string; role: DeskRole }>(
          `DELETE FROM desk_invitations WHERE token_hash = $1 AND ends_at > $2 RETURNING person_id AS "personId", role`,
          [tokenHash, at],
        )
        if (!used) return null
        const { personId, role } = used
        // Locks the person first: someone adding a passkey right now is done before, or finds the session gone.
        const [row] = await sql<PersonRow>(
          `UPDATE desk_people SET role = $2, dismissed_at = NULL WHERE id = $1 RETURNING ${personColumns}`,
          [personId, role],
        )
        await sql('DELETE FROM desk_sessions WHERE person_id = $1', [personId])
        // Another invitee may have registered the same credential id: signing in with it would sign in the other person.
        await sql('DELETE FROM desk_passkeys WHERE person_id = $1 AND id <> $2', [personId, passkey.id])
        if (!(await insertPasskey(sql, personId, passkey, at))) throw new PasskeyTaken()
        return row ? personOf(row) : null
      })
      return accepted.catch(error => {
        if (error instanceof PasskeyTaken) return null
        throw error
      })
    },

    async addChallenge({ id, challenge, purpose, personId, lastsMs }) {
      await transact(async (sql, at) => {
        // Unanswered ones: strangers may request as many as the rate limit allows.
        await sql('DELETE FROM desk_challenges WHERE ends_at <= $1', [at])
        await sql(
          'INSERT INTO desk_challenges (id, challenge, purpose, person_id, ends_at) VALUES ($1, $2, $3, $4, $5)',
          [id, challenge, purpose, personId, at + lastsMs],
        )
      })
    },

    takeChallenge: id =>
      transact(async (sql, at) => {
        const [taken] = await sql<Challenge & { endsAt: number }>(
          `DELETE FROM desk_challenges WHERE id = $1
           RETURNING challenge, purpose, person_id AS "personId", ends_at AS "endsAt"`,
          [id],
        )
        if (!taken || taken.endsAt <= at) return null
        const { endsAt: _, ...challenge } = taken
        return challenge
      }),

    async passkey(id) {
      const [row] = await read<PasskeyRow & PersonRow>(
        `SELECT ${passkeyColumns}, ${personColumns} FROM desk_passkeys
         JOIN desk_people ON desk_people.id = desk_passkeys.person_id
         WHERE desk_passkeys.id = $1 AND dismissed_at IS NULL`,
        [id],
      )
      return row ? { ...passkeyOf(row), person: personOf(row), handle: row.handle } : null
    },

    async passkeysOf(personId) {
      const rows = await read<PasskeyRow>(
        `SELECT ${passkeyColumns} FROM desk_passkeys WHERE person_id = $1 ORDER BY added_at, id`,
        [personId],
      )
      return rows.map(passkeyOf)
    },

    addPasskey: ({ personId, sessionHash, passkey }) =>
      transact(async (sql, at) => {
        await lockPerson(sql, personId)
        const active = await sql('SELECT person_id FROM desk_sessions WHERE token_hash = $1 AND person_id = $2', [
          sessionHash,
          personId,
        ])
        if (active.length === 0) return 'session ended'
        return (await insertPasskey(sql, personId, passkey, at)) ? 'added' : 'known'
      }),

    removePasskey: ({ personId, id }) =>
      transact(async sql => {
        // Without the lock two requests could each remove a passkey, thinking that the other one stays.
        await lockPerson(sql, personId)
        const rows = await sql<{ id: string }>('SELECT id FROM desk_passkeys WHERE person_id = $1', [personId])
        if (!rows.some(row => row.id === id)) return 'unknown'
        if (rows.length === 1) return 'last'
        await sql('DELETE FROM desk_passkeys WHERE id = $1', [id])
        return 'removed'
      }),

    beginSession: ({ tokenHash, lastsMs, passkeyId, counter }) =>
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
        const endsAt = at + lastsMs
        await sql('INSERT INTO desk_sessions (token_hash, person_id, began_at, ends_at) VALUES ($1, $2, $3, $4)', [
          tokenHash,
          row.personId,
          at,
          endsAt,
        ])
        return { person: personOf(row), handle: row.handle, endsAt }
      }),

    // Read at every request, so that ending a session takes effect at once.
    async session(tokenHash) {
      const [row] = await read<PersonRow & { endsAt: number }>(
        `SELECT ${personColumns}, ends_at AS "endsAt" FROM desk_sessions
         JOIN desk_people ON desk_people.id = desk_sessions.person_id
         WHERE token_hash = $1 AND ends_at > $2 AND dismissed_at IS NULL`,
        [tokenHash, await now()],
      )
      return row ? { person: personOf(row), handle: row.handle, endsAt: row.endsAt } : null
    },

    async endSession(tokenHash) {
      await transact(sql => sql('DELETE FROM desk_sessions WHERE token_hash = $1', [tokenHash]))
    },

    deskPeople: async () =>
      read(
        `SELECT id, name, role, invited_at AS "invitedAt", dismissed_at AS "dismissedAt",
           (SELECT max(ends_at) FROM desk_invitations WHERE person_id = desk_people.id AND ends_at > $1) AS "invitationEndsAt",
           ${PASSKEYS_OF_PERSON} AS passkeys,
           (SELECT count(*) FROM desk_sessions WHERE person_id = desk_people.id AND ends_at > $1) AS sessions,
           (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id) AS "lastSignInAt"
         FROM desk_people ORDER BY name_key`,
        [await now()],
      ),

    signOut: name => leave(name, async () => {}),

    dismiss: name =>
      leave(name, async (sql, id, at) => {
        await sql('UPDATE desk_people SET dismissed_at = COALESCE(dismissed_at, $2) WHERE id = $1', [id, at])
        await sql('DELETE FROM desk_invitations WHERE person_id = $1', [id])
        // Before the sessions: a sign-in in progress holds the passkey, so its session is deleted as well.
        await sql('DELETE FROM desk_passkeys WHERE person_id = $1', [id])
      }),
  }
}

/** Someone else has this credential id: the transaction is rolled back. */
class PasskeyTaken extends Error {}

const withSingleSpaces = (name: string) => name.trim().replaceAll(/\s+/g, ' ')

/** Capitalization and spaces don't make a different person: a second invitation must not create a second account. */
const nameKey = (name: string) => withSingleSpaces(name.normalize('NFKC')).toLowerCase()

const personOf = ({ personId, name, role }: PersonRow): DeskPerson => ({ id: personId, name, role })

function passkeyOf({ id, publicKey, counter, transports, synced, addedAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, publicKey, counter, transports: JSON.parse(transports), synced: synced === 1, addedAt, lastUsedAt }
}

async function lockPerson(sql: Sql, id: string): Promise<void> {
  await sql('UPDATE desk_people SET name_key = name_key WHERE id = $1', [id])
}

/** False if that passkey is already registered. */
async function insertPasskey(sql: Sql, personId: string, passkey: NewPasskey, at: number): Promise<boolean> {
  const { id, publicKey, counter, transports, synced } = passkey
  const added = await sql(
    `INSERT INTO desk_passkeys (id, person_id, public_key, counter, transports, synced, added_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING id`,
    [id, personId, publicKey, counter, JSON.stringify(transports), synced ? 1 : 0, at],
  )
  return added.length > 0
}
