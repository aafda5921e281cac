/**
 * Who may sign in to the desk: inviting, changing roles, signing out, and removing. Every step is recorded. There's always an
 * editor who can sign in, unless someone with a terminal decides otherwise.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { DeskRole } from '../../../../domain/roles.ts'
import { oneLine } from '../../../../domain/text/text.ts'
import { type DeskPerson, PASSKEY_COUNT } from '../../facts/desk-people.ts'
import type { Sql, SqlPort, Tx } from '../../sql.ts'
import { releaseClaims, releaseOpenClaims } from '../../tables/call-claims.ts'
import {
  deleteInvitationOf,
  deletePasskeysOf,
  deleteSessionsOf,
  saveInvitation,
  setInvitedRole,
} from '../../tables/desk-access.ts'
import {
  addPerson,
  recordDeskChange,
  setActive,
  setDismissed,
  setLanguages,
  setRole,
} from '../../tables/desk-people.ts'

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

type Found = DeskPerson & { readonly removed: number | null; readonly passkeys: number }

export function createDeskPeople({ transact }: SqlPort) {
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
        await addPerson(tx, { id, ...names, role: role ?? 'viewer', handle })
        const found = `SELECT id, name, role, dismissed_at AS removed, ${PASSKEY_COUNT} AS passkeys FROM desk_people WHERE name_key = $1`
        const [row] = await tx<Found>(found, [names.nameKey])
        if (!row) throw new Error('the desk_people row is missing')
        const person: DeskPerson = { id: row.id, name: row.name, role: role ?? row.role }
        if (row.passkeys === 0) await setRole(tx, person.id, person.role)
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
        await setRole(tx, person.id, role)
        await setInvitedRole(tx, person.id, role)
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

    async setSpokenLanguages({ personId, languages }: { personId: string; languages: readonly string[] }) {
      await transact(sql => setLanguages(sql, personId, languages))
    },

    /** Records that someone is using the desk, unless that was recorded within `intervalMs`. */
    recordActivity: ({ personId, intervalMs }: { readonly personId: string; readonly intervalMs: number }) =>
      transact(tx => setActive(tx, personId, intervalMs)),
  }
}

/** Replaces any earlier link. Returns when the new one expires. */
async function addInvitation(
  tx: Tx,
  { id: personId, role }: DeskPerson,
  { tokenHash, ttlMs, by }: NewLink & Pick<NewInvitation, 'by'>,
): Promise<number> {
  const endsAt = tx.at + ttlMs
  await deleteInvitationOf(tx, personId)
  await saveInvitation(tx, { tokenHash, personId, role, invitedBy: by, invitedAt: tx.at, endsAt })
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

/** Returns how many sessions the person had. */
export async function dismiss(tx: Tx, personId: string, at: number): Promise<number> {
  await setDismissed(tx, personId, at)
  await deleteInvitationOf(tx, personId)
  await deletePasskeysOf(tx, personId)
  await releaseClaims(tx, personId)
  return endSessionsOf(tx, personId)
}

async function endSessionsOf(sql: Tx, personId: string): Promise<number> {
  const ended = await deleteSessionsOf(sql, personId)
  await releaseOpenClaims(sql, personId)
  return ended
}

const withSingleSpaces = (name: string) => name.trim().replaceAll(/\s+/g, ' ')

/** Ignores case and extra spaces, so a second invitation doesn't create a second account. */
const nameKey = (name: string) => withSingleSpaces(name.normalize('NFKC')).toLowerCase()

export const isSameName = (a: string, b: string): boolean => nameKey(a) === nameKey(b)
