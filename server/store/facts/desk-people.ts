/** Staff: who may sign in to the desk. */
import type { DeskRole } from '../../../domain/roles.ts'
import type { Sql } from '../sql.ts'

/** Staff, not leads, so their names can appear in a lead's history. */
export interface DeskPerson {
  readonly id: string
  readonly name: string
  readonly role: DeskRole
}

export const PASSKEY_COUNT = '(SELECT count(*) FROM desk_passkeys WHERE desk_passkeys.person_id = desk_people.id)'

/** The names of people who were removed. No two people have the same. */
export async function removedPeople(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }>('SELECT name FROM desk_people WHERE dismissed_at IS NOT NULL')
  return new Set(rows.map(({ name }) => name))
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
