/** Erases people: their data goes, the proof that consent was given and that it was erased stays. */
import { formatPhone } from '../../domain/phone.ts'
import type { Database, Row, Value } from './database.ts'
import { addHistory } from './history.ts'

export type Person = { readonly id: string } | { readonly email: string } | { readonly phone: string }

export interface Erasure {
  readonly leads: number
  /** False while another process reads: until it ends, the erased bytes may still be found in the store's files. */
  readonly unreadable: boolean
}

const BATCH = 500

/** All leads of a person that are not erased yet; by id, also those with the same e-mail and phone. */
export async function leadsOfPerson(database: Database, person: Person): Promise<readonly string[]> {
  const [condition, value] = conditionOf(person)
  const rows = await database.read(sql =>
    sql(`SELECT id FROM leads WHERE ${condition} AND state <> 'erased' ORDER BY id`, [value]),
  )
  return rows.map(row => String(row['id']))
}

/** E-mail and phone are read through without an index: one on personal data would cost at every capture for this rare use. */
function conditionOf(person: Person): readonly [string, Value] {
  if ('id' in person) {
    return ['(id = $1 OR person_key = (SELECT person_key FROM leads WHERE id = $1))', person.id.toLowerCase()]
  }
  if ('email' in person) return ['lower(email) = lower($1)', person.email.trim()]
  return ['phone = $1', formatPhone(person.phone)]
}

export async function eraseLeads(database: Database, ids: readonly string[], now: number): Promise<Erasure> {
  const traces = new Set<string>()
  let erased = 0
  for (let start = 0; start < ids.length; start += BATCH) {
    const rows = await database.write(async sql => {
      const found: Row[] = []
      for (const id of ids.slice(start, start + BATCH)) {
        const [lead] = await sql(
          `SELECT first_name, last_name, date_of_birth, email, phone, person_key FROM leads
           WHERE id = $1 AND state <> 'erased'`,
          [id],
        )
        if (!lead) continue
        found.push(lead)
        await sql(
          `UPDATE leads SET state = 'erased', first_name = NULL, last_name = NULL, date_of_birth = NULL, email = NULL,
             phone = NULL, person_key = NULL, client_address = NULL, user_agent = NULL, campaign = '{}',
             certificate_id = NULL
           WHERE id = $1`,
          [id],
        )
        // What was not delivered never will be. That something was delivered is part of the proof.
        const cancelled = await sql(
          `DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' RETURNING state`,
          [id],
        )
        await addHistory(sql, id, now, 'erased', { cancelledDelivery: cancelled[0]?.['state'] ?? null })
      }
      return found
    })
    erased += rows.length
    for (const trace of rows.flatMap(tracesOf)) traces.add(trace)
  }
  return { leads: erased, unreadable: await database.forget([...traces]) }
}

/** A record's values stand one after the other in the file, so neighbours together are this person's and nobody else's. */
function tracesOf({ first_name, last_name, date_of_birth, email, phone, person_key }: Row): readonly string[] {
  return [`${first_name}${last_name}${date_of_birth}`, `${date_of_birth}${email}${phone}`, `${person_key}`]
}
