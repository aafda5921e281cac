/** Who may come to the desk: invitations, and how people come and go. Shared by the engines. */
import { number, numberOrNull, text } from '../rows.ts'
import type { Row, Sql, SqlPort } from '../sql.ts'
import { insertPasskey } from './passkeys.ts'
import { type Departed, type DeskPeopleStore, type DeskPerson, deskRoles, type Invited } from './people-store.ts'

export const personColumns = 'desk_people.id AS person_id, desk_people.name, desk_people.role, desk_people.handle'

export function readPerson(row: Row): DeskPerson {
  const role = deskRoles.find(each => each === row['role'])
  if (role === undefined) throw new TypeError('role is none that the desk knows')
  return { id: text(row, 'person_id'), name: text(row, 'name'), role }
}

/** However it is capitalised and spaced, it is the same person: a second invitation must not make a second one. */
function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

type People = Pick<DeskPeopleStore, 'invite' | 'invitation' | 'acceptInvitation' | 'deskPeople' | 'signOut' | 'dismiss'>

export function createPeople(port: SqlPort): People {
  const { read, transact, now } = port

  async function depart(name: string, leave: (sql: Sql, personId: string) => Promise<void>): Promise<Departed | null> {
    return transact(async sql => {
      const [person] = await sql('SELECT id, name FROM desk_people WHERE name_key = $1', [nameKey(name)])
      if (!person) return null
      const id = text(person, 'id')
      await leave(sql, id)
      const ended = await sql('DELETE FROM desk_sessions WHERE person_id = $1 RETURNING token_hash', [id])
      return { name: text(person, 'name'), sessions: ended.length }
    })
  }

  return {
    async invite({ name, role, tokenHash, lastsMs, by }) {
      const at = await now()
      const id = crypto.randomUUID()
      const handle = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
      return transact(async sql => {
        // The update changes nothing, but answers with the row that is there, and keeps others from it until the end.
        const [row] = await sql(
          `INSERT INTO desk_people (id, name, name_key, role, handle, invited_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (name_key) DO UPDATE SET name_key = excluded.name_key
           RETURNING id AS person_id, name, role, handle, dismissed_at,
             (SELECT count(*) FROM desk_passkeys WHERE person_id = desk_people.id) AS passkeys`,
          [id, name.trim().replaceAll(/\s+/g, ' '), nameKey(name), role ?? 'look', handle, at],
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
      return row
        ? {
            person: readPerson(row),
            endsAt: number(row, 'ends_at'),
            passkeys: number(row, 'passkeys'),
            handle: text(row, 'handle'),
          }
        : null
    },

    async acceptInvitation({ tokenHash, passkey }) {
      const at = await now()
      return transact(async sql => {
        const taken = await sql('SELECT person_id FROM desk_passkeys WHERE id = $1', [passkey.id])
        if (taken.length > 0) return null
        const [used] = await sql(
          'DELETE FROM desk_invitations WHERE token_hash = $1 AND ends_at > $2 RETURNING person_id, role',
          [tokenHash, at],
        )
        if (!used) return null
        const personId = text(used, 'person_id')
        // First: whoever adds a passkey at this moment is through before the passkeys go, or finds no session any more.
        const [row] = await sql(
          `UPDATE desk_people SET role = $2, dismissed_at = NULL WHERE id = $1 RETURNING ${personColumns}`,
          [personId, text(used, 'role')],
        )
        await sql('DELETE FROM desk_passkeys WHERE person_id = $1', [personId])
        await sql('DELETE FROM desk_sessions WHERE person_id = $1', [personId])
        await insertPasskey(sql, { personId, passkey, at })
        return row ? readPerson(row) : null
      })
    },

    async deskPeople() {
      const at = await now()
      const rows = await read(
        `SELECT ${personColumns}, invited_at, dismissed_at,
           (SELECT max(ends_at) FROM desk_invitations WHERE person_id = desk_people.id AND ends_at > $1) AS invitation_ends_at,
           (SELECT count(*) FROM desk_passkeys WHERE person_id = desk_people.id) AS passkeys,
           (SELECT count(*) FROM desk_sessions WHERE person_id = desk_people.id AND ends_at > $1) AS sessions,
           (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id) AS last_sign_in_at
         FROM desk_people ORDER BY name_key`,
        [at],
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

    signOut: name => depart(name, async () => {}),

    async dismiss(name) {
      const at = await now()
      return depart(name, async (sql, id) => {
        await sql('UPDATE desk_people SET dismissed_at = COALESCE(dismissed_at, $2) WHERE id = $1', [id, at])
        await sql('DELETE FROM desk_invitations WHERE person_id = $1', [id])
        // Before the sessions: whoever is just signing in holds the passkey, and their session is then seen as well.
        await sql('DELETE FROM desk_passkeys WHERE person_id = $1', [id])
      })
    },
  }
}

function knownAs(row: Row, isNew: boolean): Invited['known'] {
  if (isNew) return 'new'
  if (row['dismissed_at'] !== null) return 'dismissed'
  return number(row, 'passkeys') > 0 ? 'registered' : 'invited'
}
