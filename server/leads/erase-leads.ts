/** Erases people: their data goes, the proof that consent was given and that it was erased stays. */
import type { Database, Row } from './database.ts'
import { addHistory } from './history.ts'
import { type LeadRecord, leadsInOrder } from './lead-records.ts'

export type Person = { readonly id: string } | { readonly email: string } | { readonly phone: string }

export interface Erasure {
  readonly leads: number
  /** False while another process reads: until it ends, the erased bytes may still be found in the store's files. */
  readonly unreadable: boolean
}

const BATCH = 500
const NO_CAMPAIGN = '{}'

/** All leads of a person that are not erased yet; by id, also those with the same e-mail and phone. */
export async function leadsOfPerson(database: Database, person: Person): Promise<readonly LeadRecord[]> {
  const filter = 'id' in person ? { personOf: person.id } : person
  const leads: LeadRecord[] = []
  for await (const batch of leadsInOrder(database, filter, 'oldest first', BATCH)) leads.push(...batch)
  return leads.filter(({ state }) => state !== 'erased')
}

export async function eraseLeads(database: Database, ids: readonly string[], now: number): Promise<Erasure> {
  const traces = new Set<string>()
  let erased = 0
  for (let start = 0; start < ids.length; start += BATCH) {
    const rows = await database.write(async sql => {
      const found: Row[] = []
      for (const id of ids.slice(start, start + BATCH)) {
        const [lead] = await sql(
          `SELECT id, first_name, last_name, date_of_birth, email, phone, person_key, page, campaign FROM leads
           WHERE id = $1 AND state <> 'erased'`,
          [id],
        )
        if (!lead) continue
        found.push(lead)
        await sql(
          `UPDATE leads SET state = 'erased', first_name = NULL, last_name = NULL, date_of_birth = NULL, email = NULL,
             phone = NULL, person_key = NULL, client_address = NULL, user_agent = NULL, campaign = '${NO_CAMPAIGN}',
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
function tracesOf(lead: Row): readonly string[] {
  const { id, first_name, last_name, date_of_birth, email, phone, person_key, page, campaign } = lead
  return [
    `${first_name}${last_name}${date_of_birth}`,
    `${date_of_birth}${email}${phone}`,
    `${person_key}`,
    // As in the index of sources. Where there was no campaign, this is what stays.
    ...(campaign === NO_CAMPAIGN ? [] : [`${id}${page}${campaign}`]),
  ]
}
