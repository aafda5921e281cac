/** Who is signed in. Asked at every request, so that an end takes effect at once. Shared by the engines. */
import { number, text } from '../rows.ts'
import type { SqlPort, Value } from '../sql.ts'
import { personColumns, readPerson } from './people.ts'
import type { DeskPeopleStore } from './people-store.ts'

export function createSessions({
  read,
  transact,
  now,
  nowIn,
}: SqlPort): Pick<DeskPeopleStore, 'beginSession' | 'session' | 'standingSessions' | 'endSession'> {
  function standing(tokenHashes: readonly string[], columns: string) {
    const parameters: Value[] = []
    const parameter = (value: Value) => `$${parameters.push(value)}`
    const text = `SELECT ${columns} FROM desk_sessions JOIN desk_people ON desk_people.id = desk_sessions.person_id
      WHERE token_hash IN (${tokenHashes.map(parameter).join()}) AND ends_at > ${nowIn(parameter)} AND dismissed_at IS NULL`
    return read(text, parameters)
  }

  return {
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

    async session(tokenHash) {
      const [row] = await standing([tokenHash], `${personColumns}, ends_at`)
      return row ? { person: readPerson(row), handle: text(row, 'handle'), endsAt: number(row, 'ends_at') } : null
    },

    async standingSessions(tokenHashes) {
      if (tokenHashes.length === 0) return []
      return (await standing(tokenHashes, 'token_hash')).map(row => text(row, 'token_hash'))
    },

    async endSession(tokenHash) {
      await transact(sql => sql('DELETE FROM desk_sessions WHERE token_hash = $1', [tokenHash]))
    },
  }
}
