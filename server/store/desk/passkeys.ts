/** Passkeys and the challenges that prove them. Shared by the engines. */
import { number, numberOrNull, text, textOrNull } from '../rows.ts'
import type { Row, Sql, SqlPort } from '../sql.ts'
import { personColumns, readPerson } from './people.ts'
import type { ChallengePurpose, DeskPeopleStore, NewPasskey, Passkey } from './people-store.ts'

type Passkeys = Pick<
  DeskPeopleStore,
  'addChallenge' | 'takeChallenge' | 'passkey' | 'passkeysOf' | 'addPasskey' | 'removePasskey'
>

export interface PasskeyInsert {
  readonly personId: string
  readonly passkey: NewPasskey
  readonly at: number
}

/** False when that very passkey is known already. */
export async function insertPasskey(sql: Sql, { personId, passkey, at }: PasskeyInsert): Promise<boolean> {
  const added = await sql(
    `INSERT INTO desk_passkeys (id, person_id, public_key, counter, transports, synced, added_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING id`,
    [
      passkey.id,
      personId,
      passkey.publicKey,
      passkey.counter,
      JSON.stringify(passkey.transports),
      passkey.synced ? 1 : 0,
      at,
    ],
  )
  return added.length > 0
}

const passkeyColumns = `desk_passkeys.id, public_key, counter, transports, synced, added_at, last_used_at`

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

export function createPasskeys({ read, transact, now }: SqlPort): Passkeys {
  return {
    async addChallenge({ id, challenge, purpose, personId, lastsMs }) {
      const at = await now()
      await transact(async sql => {
        // Those that nobody answered: strangers may ask for as many as the rate limit lets them.
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
      return {
        challenge: text(row, 'challenge'),
        purpose: text(row, 'purpose') as ChallengePurpose,
        personId: textOrNull(row, 'person_id'),
      }
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
        // Whoever takes all passkeys of the person away waits for this one, or has ended the session before it.
        await sql('UPDATE desk_people SET name_key = name_key WHERE id = $1', [personId])
        const standing = await sql('SELECT person_id FROM desk_sessions WHERE token_hash = $1 AND person_id = $2', [
          sessionHash,
          personId,
        ])
        if (standing.length === 0) return 'session ended'
        return (await insertPasskey(sql, { personId, passkey, at })) ? 'added' : 'known'
      })
    },

    removePasskey: ({ personId, id }) =>
      transact(async sql => {
        // Keeps a second one from being taken away at the same moment: each would think that the other stays.
        await sql('UPDATE desk_people SET name_key = name_key WHERE id = $1', [personId])
        const rows = await sql('SELECT id FROM desk_passkeys WHERE person_id = $1', [personId])
        if (!rows.some(row => row['id'] === id)) return 'unknown'
        if (rows.length === 1) return 'last'
        await sql('DELETE FROM desk_passkeys WHERE id = $1', [id])
        return 'removed'
      }),
  }
}
