/**
 * The desk's people: who may sign in, with which passkeys, and who is signed in now. Tokens of invitations and sessions
 * are never stored, only their hashes.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { number, numberOrNull, text, textOrNull } from './rows.ts'
import type { Row, Sql, SqlPort, Value } from './sql.ts'

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

const personColumns = 'desk_people.id AS person_id, desk_people.name, desk_people.role, desk_people.handle'
const passkeyColumns = `desk_passkeys.id, public_key, counter, transports, synced, added_at, last_used_at`

export function createAccounts({ read, transact, now, nowIn }: SqlPort): AccountStore {
  function leave(name: string, change: (sql: Sql, personId: string) => Promise<void>): Promise<Departed | null> {
    return transact(async sql => {
      const [person] = await sql('SELECT id, name FROM desk_people WHERE name_key = $1', [nameKey(name)])
      if (!person) return null
      const id = text(person, 'id')
      await change(sql, id)
      const ended = await sql('DELETE FROM desk_sessions WHERE person_id = $1 RETURNING token_hash', [id])
      return { id, name: text(person, 'name'), sessions: ended.length }
    })
  }

  return {
    async invite({ name, role, tokenHash, lastsMs, by }) {
      const at = await now()
      const id = randomUUID()
      return transact(async sql => {
        // The no-op update returns the existing row and locks it until the end of the transaction.
        const [row] = await sql(
          `INSERT INTO desk_people (id, name, name_key, role, handle, invited_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (name_key) DO UPDATE SET name_key = excluded.name_key
           RETURNING id AS person_id, name, role, handle, dismissed_at,
             (SELECT count(*) FROM desk_passkeys WHERE person_id = desk_people.id) AS passkeys`,
          [
            id,
            name.trim().replaceAll(/\s+/g, ' '),
            nameKey(name),
            role ?? 'viewer',
            randomBytes(32).toString('base64url'),
            at,
          ],
        )
        if (!row) throw new Error('the person was not written')
        const person = readPerson(row)
        const promised = role ?? person.role
        const endsAt = at + lastsMs
        await sql('DELETE FROM desk_invitations WHERE person_id = $1', [person.id])
        await sql(
          `INSERT INTO desk_invitations (token_hash, person_id, role, invited_by, invited_at, ends_at)
           VALUES ($1, $2, $3, $4, $5, $6)`,
          [tokenHash, person.id, promised, by, at, endsAt],
        )
        return { person: { ...person, role: promised }, known: knownAs(row, person.id === id), endsAt }
      })
    },

    async invitation(tokenHash) {
      const [row] = await read(
        `SELECT desk_people.id AS person_id, desk_people.name, desk_people.handle, desk_invitations.role, ends_at,
           (SELECT count(*) FROM desk_passkeys WHERE desk_passkeys.person_id = desk_people.id) AS passkeys
         FROM desk_invitations JOIN desk_people ON desk_people.id = desk_invitations.person_id
         WHERE token_hash = $1 AND ends_at > $2`,
        [tokenHash, await now()],
      )
      if (!row) return null
      const [endsAt, passkeys] = [number(row, 'ends_at'), number(row, 'passkeys')]
      return { person: readPerson(row), endsAt, passkeys, handle: text(row, 'handle') }
    },

    async acceptInvitation({ tokenHash, passkey }) {
      const at = await now()
      const accepted = transact(async sql => {
        const [used] = await sql(
          'DELETE FROM desk_invitations WHERE token_hash = $1 AND ends_at > $2 RETURNING person_id, role',
          [tokenHash, at],
        )
        if (!used) return null
        const personId = text(used, 'person_id')
        // Locks the person first: someone adding a passkey right now is done before, or finds the session gone.
        const [row] = await sql(
          `UPDATE desk_people SET role = $2, dismissed_at = NULL WHERE id = $1 RETURNING ${personColumns}`,
          [personId, text(used, 'role')],
        )
        await sql('DELETE FROM desk_sessions WHERE person_id = $1', [personId])
        // Another invitee may have registered the same credential id: signing in with it would sign in the other person.
        await sql('DELETE FROM desk_passkeys WHERE person_id = $1 AND id <> $2', [personId, passkey.id])
        if (!(await insertPasskey(sql, { personId, passkey, at }))) throw new PasskeyTaken()
        return row ? readPerson(row) : null
      })
      return accepted.catch(error => {
        if (error instanceof PasskeyTaken) return null
        throw error
      })
    },

    async addChallenge({ id, challenge, purpose, personId, lastsMs }) {
      const at = await now()
      await transact(async sql => {
        // Unanswered ones: strangers may request as many as the rate limit allows.
        await sql('DELETE FROM desk_challenges WHERE ends_at <= $1', [at])
        await sql(
          'INSERT INTO desk_challenges (id, challenge, purpose, person_id, ends_at) VALUES ($1, $2, $3, $4, $5)',
          [id, challenge, purpose, personId, at + lastsMs],
        )
      })
    },

    async takeChallenge(id) {
      const at = await now()
      const [row] = await transact(sql =>
        sql('DELETE FROM desk_challenges WHERE id = $1 RETURNING challenge, purpose, person_id, ends_at', [id]),
      )
      if (!row || number(row, 'ends_at') <= at) return null
      const purpose = text(row, 'purpose') as ChallengePurpose
      return { challenge: text(row, 'challenge'), purpose, personId: textOrNull(row, 'person_id') }
    },

    async passkey(id) {
      const [row] = await read(
        `SELECT ${passkeyColumns}, ${personColumns} FROM desk_passkeys
         JOIN desk_people ON desk_people.id = desk_passkeys.person_id
         WHERE desk_passkeys.id = $1 AND dismissed_at IS NULL`,
        [id],
      )
      return row ? { ...readPasskey(row), person: readPerson(row), handle: text(row, 'handle') } : null
    },

    async passkeysOf(personId) {
      const rows = await read(
        `SELECT ${passkeyColumns} FROM desk_passkeys WHERE person_id = $1 ORDER BY added_at, id`,
        [personId],
      )
      return rows.map(readPasskey)
    },

    async addPasskey({ personId, sessionHash, passkey }) {
      const at = await now()
      return transact(async sql => {
        await lockPerson(sql, personId)
        const active = await sql('SELECT person_id FROM desk_sessions WHERE token_hash = $1 AND person_id = $2', [
          sessionHash,
          personId,
        ])
        if (active.length === 0) return 'session ended'
        return (await insertPasskey(sql, { personId, passkey, at })) ? 'added' : 'known'
      })
    },

    removePasskey: ({ personId, id }) =>
      transact(async sql => {
        // Without the lock two requests could each remove a passkey, thinking that the other one stays.
        await lockPerson(sql, personId)
        const rows = await sql('SELECT id FROM desk_passkeys WHERE person_id = $1', [personId])
        if (!rows.some(row => row['id'] === id)) return 'unknown'
        if (rows.length === 1) return 'last'
        await sql('DELETE FROM desk_passkeys WHERE id = $1', [id])
        return 'removed'
      }),

    async beginSession({ tokenHash, lastsMs, passkeyId, counter }) {
      const at = await now()
      const endsAt = at + lastsMs
      return transact(async sql => {
        await sql('DELETE FROM desk_sessions WHERE ends_at <= $1', [at])
        const [used] = await sql(
          'UPDATE desk_passkeys SET counter = $2, last_used_at = $3 WHERE id = $1 RETURNING person_id',
          [passkeyId, counter, at],
        )
        if (!used) return null
        const [row] = await sql(`SELECT ${personColumns} FROM desk_people WHERE id = $1 AND dismissed_at IS NULL`, [
          text(used, 'person_id'),
        ])
        if (!row) return null
        const person = readPerson(row)
        await sql('INSERT INTO desk_sessions (token_hash, person_id, began_at, ends_at) VALUES ($1, $2, $3, $4)', [
          tokenHash,
          person.id,
          at,
          endsAt,
        ])
        return { person, handle: text(row, 'handle'), endsAt }
      })
    },

    // Read at every request, so that ending a session takes effect at once.
    async session(tokenHash) {
      const parameters: Value[] = [tokenHash]
      const at = nowIn(value => `$${parameters.push(value)}`)
      const [row] = await read(
        `SELECT ${personColumns}, ends_at FROM desk_sessions JOIN desk_people ON desk_people.id = desk_sessions.person_id
         WHERE token_hash = $1 AND ends_at > ${at} AND dismissed_at IS NULL`,
        parameters,
      )
      return row ? { person: readPerson(row), handle: text(row, 'handle'), endsAt: number(row, 'ends_at') } : null
    },

    async endSession(tokenHash) {
      await transact(sql => sql('DELETE FROM desk_sessions WHERE token_hash = $1', [tokenHash]))
    },

    async deskPeople() {
      const rows = await read(
        `SELECT ${personColumns}, invited_at, dismissed_at,
           (SELECT max(ends_at) FROM desk_invitations WHERE person_id = desk_people.id AND ends_at > $1) AS invitation_ends_at,
           (SELECT count(*) FROM desk_passkeys WHERE person_id = desk_people.id) AS passkeys,
           (SELECT count(*) FROM desk_sessions WHERE person_id = desk_people.id AND ends_at > $1) AS sessions,
           (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id) AS last_sign_in_at
         FROM desk_people ORDER BY name_key`,
        [await now()],
      )
      return rows.map(row => ({
        ...readPerson(row),
        invitedAt: number(row, 'invited_at'),
        dismissedAt: numberOrNull(row, 'dismissed_at'),
        invitationEndsAt: numberOrNull(row, 'invitation_ends_at'),
        passkeys: number(row, 'passkeys'),
        sessions: number(row, 'sessions'),
        lastSignInAt: numberOrNull(row, 'last_sign_in_at'),
      }))
    },

    signOut: name => leave(name, async () => {}),

    async dismiss(name) {
      const at = await now()
      return leave(name, async (sql, id) => {
        await sql('UPDATE desk_people SET dismissed_at = COALESCE(dismissed_at, $2) WHERE id = $1', [id, at])
        await sql('DELETE FROM desk_invitations WHERE person_id = $1', [id])
        // Before the sessions: a sign-in in progress holds the passkey, so its session is deleted as well.
        await sql('DELETE FROM desk_passkeys WHERE person_id = $1', [id])
      })
    },
  }
}

/** Someone else has this credential id: the transaction is rolled back. */
class PasskeyTaken extends Error {}

/** Capitalization and spaces don't make a different person: a second invitation must not create a second account. */
function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

function knownAs(row: Row, isNew: boolean): Invited['known'] {
  if (isNew) return 'new'
  if (row['dismissed_at'] !== null) return 'dismissed'
  return number(row, 'passkeys') > 0 ? 'registered' : 'invited'
}

function readPerson(row: Row): DeskPerson {
  const role = deskRoles.find(each => each === row['role'])
  if (role === undefined) throw new TypeError(`role must be ${deskRoles.join(' or ')}`)
  return { id: text(row, 'person_id'), name: text(row, 'name'), role }
}

function readPasskey(row: Row): Passkey {
  return {
    id: text(row, 'id'),
    publicKey: text(row, 'public_key'),
    counter: number(row, 'counter'),
    transports: JSON.parse(text(row, 'transports')),
    synced: number(row, 'synced') === 1,
    addedAt: number(row, 'added_at'),
    lastUsedAt: numberOrNull(row, 'last_used_at'),
  }
}

async function lockPerson(sql: Sql, id: string): Promise<void> {
  await sql('UPDATE desk_people SET name_key = name_key WHERE id = $1', [id])
}

interface PasskeyInsert {
  readonly personId: string
  readonly passkey: NewPasskey
  readonly at: number
}

/** False if that passkey is already registered. */
async function insertPasskey(sql: Sql, { personId, passkey, at }: PasskeyInsert): Promise<boolean> {
  const { id, publicKey, counter, transports, synced } = passkey
  const added = await sql(
    `INSERT INTO desk_passkeys (id, person_id, public_key, counter, transports, synced, added_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING id`,
    [id, personId, publicKey, counter, JSON.stringify(transports), synced ? 1 : 0, at],
  )
  return added.length > 0
}
