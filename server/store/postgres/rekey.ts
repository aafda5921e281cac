/**
 * Gives leads that an earlier version stored the key by which repeats are told today. A batch at a time, at the start of a
 * server, since servers of the earlier version may be taking leads meanwhile; what these add is found at the next start.
 */
import type pg from 'pg'
import { KEY_VERSION, personKeyOf } from '../repeats.ts'
import { text } from '../rows.ts'
import type { Row } from '../sql.ts'
import { transact } from './transactions.ts'

const BATCH = 2000

export async function rekeyPeople(pool: pg.Pool): Promise<void> {
  // Keys of this version stand together in the index: what is before them and behind them is of an earlier one.
  await rekeyRange(pool, '', KEY_VERSION)
  await rekeyRange(pool, `${KEY_VERSION}~`, null)
}

/** Goes on where the batch before ended: the index is full of entries that are no longer valid up to there. */
async function rekeyRange(pool: pg.Pool, from: string, to: string | null): Promise<void> {
  for (let start = from; ; ) {
    const rows = await transact(pool, async sql => {
      const old = await sql(
        `SELECT id, person_key, first_name, last_name, date_of_birth, email, phone FROM leads
         WHERE person_key >= $1 ${to === null ? '' : 'AND person_key < $3'} ORDER BY person_key, id LIMIT $2`,
        [start, BATCH, ...(to === null ? [] : [to])],
      )
      await sql(
        `UPDATE leads SET person_key = new.key FROM json_to_recordset($1) AS new (id text, key text)
         WHERE leads.id = new.id AND leads.person_key IS NOT NULL`,
        [JSON.stringify(old.map(row => ({ id: text(row, 'id'), key: keyOf(row) })))],
      )
      return old
    })
    if (rows.length < BATCH) return
    start = text(rows.at(-1), 'person_key')
  }
}

function keyOf(row: Row): string {
  return personKeyOf({
    firstName: text(row, 'first_name'),
    lastName: text(row, 'last_name'),
    dateOfBirth: text(row, 'date_of_birth'),
    email: text(row, 'email'),
    phone: text(row, 'phone'),
  })
}
