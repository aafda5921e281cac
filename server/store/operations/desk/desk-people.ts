/**
 * Who may sign in to the desk: inviting, changing roles, signing out, and removing. Every step is recorded. There's always an
 * editor who can sign in, unless someone with a terminal decides otherwise.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { LISTED_MS } from '../../../../domain/calling/standing.ts'
import type { DeskRole } from '../../../../domain/roles.ts'
import { oneLine } from '../../../../domain/text/text.ts'
import { isStillPromised } from '../../facts/do-not-call/stops.ts'
import { insert, type Sql, type SqlPort, type Tx } from '../../sql.ts'
import { releaseClaims, releaseOpenClaims } from '../../tables/call-claims.ts'
import { addToLog } from '../../tables/to-log.ts'

/** Staff, not leads, so their names can appear in a lead's history. */
export interface DeskPerson {
  readonly id: string
  readonly name: string
  readonly role: DeskRole
}

interface NewInvitation {
  readonly name: string
  /** Null keeps the person's current role, or makes a new person a viewer. */
  readonly role: DeskRole | null
  /** Spoken on calls. If left out, they stay as they are. */
  readonly languages?: readonly string[]
  readonly tokenHash: string
  readonly ttlMs: number
  readonly by: string
}

/** How long an invitation works. */
export const INVITATION_MS = 3_600_000

interface AccessOrder {
  /** Case-insensitive. */
  readonly name: string
  readonly by: string
  /** The ID of the desk user who asked, who must still be an editor. Left out in a terminal. */
  readonly editorId?: string
}

interface RoleOrder extends AccessOrder {
  readonly role: DeskRole
  /** The role that was shown. A colleague may have changed it since. */
  readonly seen: DeskRole
}

interface RemovalOrder extends AccessOrder {
  readonly evenLastEditor?: boolean
}

/** For a link that lets someone create a passkey. */
type NewLink = Pick<NewInvitation, 'tokenHash' | 'ttlMs'>

export interface DeskPersonRecord extends DeskPerson {
  readonly invitedAt: number
  readonly dismissedAt: number | null
  readonly invitationEndsAt: number | null
  readonly passkeys: number
  readonly sessions: number
  readonly lastSignInAt: number | null
  /** Precise to a few minutes. */
  readonly lastActiveAt: number | null
  readonly languages: readonly string[]
  /** Numbers on the call list that they promised a callback. */
  readonly callbacks: number
}

export interface DeskChange {
  readonly personId: string
  readonly at: number
  readonly event:
    | 'invited'
    | 'joined'
    | 'added a passkey'
    | 'removed a passkey'
    | 'changed role'
    | 'signed out'
    | 'blocked devices'
    | 'removed'
  readonly by: string
  readonly role: DeskRole | null
}

export const PASSKEY_COUNT = '(SELECT count(*) FROM desk_passkeys WHERE desk_passkeys.person_id = desk_people.id)'

type Found = DeskPerson & { readonly removed: number | null; readonly passkeys: number }

export function createDeskPeople({ read, transact, now }: SqlPort) {
  const change = <T>({ name, editorId }: AccessOrder, apply: (tx: Tx, person: DeskPerson) => Promise<T>) =>
    transact(async tx => {
      await lockDeskPeople(tx)
      if (editorId !== undefined && !(await editorIds(tx)).includes(editorId)) return { kind: 'not an editor' } as const
      const named = 'SELECT id, name, role FROM desk_people WHERE name_key = $1'
      const [person] = await tx<DeskPerson>(named, [nameKey(name)])
      return person ? apply(tx, person) : ({ kind: 'unknown' } as const)
    })

  return {
    /** Replaces any earlier invitation for the same name. If the person has a passkey, nothing else changes until it's accepted. */
    invite: ({ name, role, languages, tokenHash, ttlMs, by }: NewInvitation) =>
      transact(async tx => {
        await lockDeskPeople(tx)
        const id = randomUUID()
        const handle = randomBytes(32).toString('base64url')
        // What doesn't show would make two people look like one in every record.
        const shown = oneLine(name)
        const names = { name: shown, nameKey: nameKey(shown) }
        await insert(
          tx,
          'desk_people',
          { id, ...names, role: role ?? 'viewer', handle, invitedAt: tx.at },
          'ON CONFLICT (name_key) DO NOTHING',
        )
        const found = `SELECT id, name, role, dismissed_at AS removed, ${PASSKEY_COUNT} AS passkeys FROM desk_people WHERE name_key = $1`
        const [row] = await tx<Found>(found, [names.nameKey])
        if (!row) throw new Error('the desk_people row is missing')
        const person: DeskPerson = { id: row.id, name: row.name, role: role ?? row.role }
        if (row.passkeys === 0) await tx('UPDATE desk_people SET role = $2 WHERE id = $1', [person.id, person.role])
        if (languages) await setLanguages(tx, person.id, languages)
        const expiresAt = await addInvitation(tx, person, { tokenHash, ttlMs, by })
        const existing = row.removed !== null ? 'removed' : row.passkeys > 0 ? 'registered' : 'invited'
        return { person, known: person.id === id ? ('new' as const) : existing, expiresAt }
      }),

    /** Takes effect immediately. A pending invitation gets the new role, too. */
    changeRole: (order: RoleOrder) =>
      change(order, async (tx, person) => {
        const { role, seen, by } = order
        if (person.role !== seen) return { kind: 'changed since', role: person.role } as const
        if (role !== 'editor' && (await isLastEditor(tx, person.id))) return { kind: 'last editor' } as const
        await tx('UPDATE desk_people SET role = $2 WHERE id = $1', [person.id, role])
        await tx('UPDATE desk_invitations SET role = $2 WHERE person_id = $1', [person.id, role])
        await recordDeskChange(tx, { personId: person.id, event: 'changed role', by, role })
        return { kind: 'changed' } as const
      }),

    /** Ends all of a person's sessions. */
    signOut: (order: AccessOrder) =>
      change(order, async (tx, { id, name }) => {
        const sessions = await endSessionsOf(tx, id)
        await recordDeskChange(tx, { personId: id, event: 'signed out', by: order.by, role: null })
        return { kind: 'signed out', name, sessions } as const
      }),

    /** For a lost device: ends all sessions and deletes the passkeys at once. A new link lets the person in again. */
    blockDevices: (order: AccessOrder & NewLink) =>
      change(order, async (tx, person) => {
        const here = 'SELECT 1 FROM desk_people WHERE id = $1 AND dismissed_at IS NULL'
        if ((await tx(here, [person.id])).length === 0) return { kind: 'unknown' } as const
        if (await isLastEditor(tx, person.id)) return { kind: 'last editor' } as const
        await deletePasskeysOf(tx, person.id)
        await endSessionsOf(tx, person.id)
        await recordDeskChange(tx, { personId: person.id, event: 'blocked devices', by: order.by, role: null })
        return { kind: 'blocked', person, expiresAt: await addInvitation(tx, person, order) } as const
      }),

    /** Same as signOut, but also deletes the person's passkeys and invitation. The name stays in lead history. */
    removePerson: (order: RemovalOrder) =>
      change(order, async (tx, { id, name }) => {
        if (!order.evenLastEditor && (await isLastEditor(tx, id))) return { kind: 'last editor' } as const
        const sessions = await dismiss(tx, id, tx.at)
        await recordDeskChange(tx, { personId: id, event: 'removed', by: order.by, role: null })
        return { kind: 'removed', id, name, sessions } as const
      }),

    async deskPeople(): Promise<readonly DeskPersonRecord[]> {
      const at = await now()
      const rows = await read<Omit<DeskPersonRecord, 'languages'> & { languages: string }>(
        `SELECT id, name, role, invited_at, dismissed_at,
           (SELECT max(ends_at) FROM desk_invitations WHERE person_id = desk_people.id AND ends_at > $1) AS invitation_ends_at,
           ${PASSKEY_COUNT} AS passkeys,
           (SELECT count(*) FROM desk_sessions WHERE person_id = desk_people.id AND ends_at > $1) AS sessions,
           (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id) AS last_sign_in_at,
           last_active_at, languages,
           (SELECT count(DISTINCT story_id) FROM promises JOIN stories ON stories.id = story_id
             WHERE person_id = desk_people.id AND kept IS NULL AND at > $2 AND ${isStillPromised}) AS callbacks
         FROM desk_people ORDER BY name_key`,
        [at, at - LISTED_MS],
      )
      return rows.map(row => ({ ...row, languages: row.languages.split(' ') }))
    },

    /** Newest first. */
    deskChanges: ({ limit }: { readonly limit: number }) =>
      read<DeskChange & { readonly name: string }>(
        `SELECT person_id, name, at, event, done_by AS "by", desk_people_history.role
         FROM desk_people_history JOIN desk_people ON desk_people.id = person_id
         ORDER BY at DESC LIMIT $1`,
        [limit],
      ),

    /** The languages that someone speaks on calls. */
    async spokenLanguages(personId: string) {
      const [row] = await read<{ languages: string }>('SELECT languages FROM desk_people WHERE id = $1', [personId])
      return row?.languages.split(' ') ?? []
    },

    async setSpokenLanguages({ personId, languages }: { personId: string; languages: readonly string[] }) {
      await transact(sql => setLanguages(sql, personId, languages))
    },

    /** Records that someone is using the desk, unless that was recorded within `intervalMs`. */
    async recordActivity({ personId, intervalMs }: { readonly personId: string; readonly intervalMs: number }) {
      await transact(tx => {
        const isDue = 'last_active_at IS NULL OR last_active_at <= $3 OR last_active_at > $2'
        const update = `UPDATE desk_people SET last_active_at = $2 WHERE id = $1 AND (${isDue})`
        return tx(update, [personId, tx.at, tx.at - intervalMs])
      })
    },
  }
}

/** Replaces any earlier link. Returns when the new one expires. */
async function addInvitation(
  tx: Tx,
  { id: personId, role }: DeskPerson,
  { tokenHash, ttlMs, by }: NewLink & Pick<NewInvitation, 'by'>,
): Promise<number> {
  const endsAt = tx.at + ttlMs
  await tx('DELETE FROM desk_invitations WHERE person_id = $1', [personId])
  await insert(tx, 'desk_invitations', { tokenHash, personId, role, invitedBy: by, invitedAt: tx.at, endsAt })
  await recordDeskChange(tx, { personId, event: 'invited', by, role })
  return endsAt
}

/** Changes of access wait for each other, so two editors can't remove each other at the same time. */
export const lockDeskPeople = (sql: Sql): Promise<void> => sql.dialect.lockKeys(sql, ['desk people'])

/** Everyone who can sign in as an editor. */
async function editorIds(sql: Sql): Promise<readonly string[]> {
  const editors = await sql<{ id: string }>(
    `SELECT id FROM desk_people WHERE role = 'editor' AND dismissed_at IS NULL AND ${PASSKEY_COUNT} > 0`,
  )
  return editors.map(({ id }) => id)
}

/** Lock the desk's people first. */
export async function isLastEditor(sql: Sql, personId: string): Promise<boolean> {
  const editors = await editorIds(sql)
  return editors.length === 1 && editors[0] === personId
}

export async function recordDeskChange(tx: Tx, { personId, event, by, role }: Omit<DeskChange, 'at'>): Promise<void> {
  await insert(tx, 'desk_people_history', { personId, at: tx.at, event, doneBy: by, role })
}

/** Returns how many sessions the person had. */
export async function dismiss(tx: Tx, personId: string, at: number): Promise<number> {
  await tx('UPDATE desk_people SET dismissed_at = COALESCE(dismissed_at, $2) WHERE id = $1', [personId, at])
  await addToLog(tx, 'dismissed', [personId])
  await tx('DELETE FROM desk_invitations WHERE person_id = $1', [personId])
  await deletePasskeysOf(tx, personId)
  await releaseClaims(tx, personId)
  return endSessionsOf(tx, personId)
}

/** Before ending sessions: a sign-in in progress locks its passkey, so we wait for it and end its session, too. */
async function deletePasskeysOf(sql: Sql, personId: string): Promise<void> {
  await sql('DELETE FROM desk_passkeys WHERE person_id = $1', [personId])
}

async function endSessionsOf(sql: Sql, personId: string): Promise<number> {
  const ended = await sql('DELETE FROM desk_sessions WHERE person_id = $1 RETURNING token_hash', [personId])
  await releaseOpenClaims(sql, personId)
  return ended.length
}

async function setLanguages(sql: Sql, personId: string, languages: readonly string[]): Promise<void> {
  await sql('UPDATE desk_people SET languages = $2 WHERE id = $1', [personId, languages.join(' ')])
}

/** The names of people who were removed. No two people have the same. */
export async function removedPeople(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }>('SELECT name FROM desk_people WHERE dismissed_at IS NOT NULL')
  return new Set(rows.map(({ name }) => name))
}

const withSingleSpaces = (name: string) => name.trim().replaceAll(/\s+/g, ' ')

/** Ignores case and extra spaces, so a second invitation doesn't create a second account. */
const nameKey = (name: string) => withSingleSpaces(name.normalize('NFKC')).toLowerCase()

export const isSameName = (a: string, b: string): boolean => nameKey(a) === nameKey(b)
