/** The desk's people as Settings shows them, and what changed. */
import { LISTED_MS } from '../../../domain/calling/standing.ts'
import { type DeskChange, type DeskPerson, PASSKEY_COUNT } from '../facts/desk-people.ts'
import { isStillPromised } from '../facts/do-not-call/stops.ts'
import type { SqlPort } from '../sql.ts'

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

export function createDeskPeopleView({ read, now }: SqlPort) {
  return {
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
  }
}
