/** Leads that took each other's place, because the person has another number. Together, they're one request of one person. */
import { type LeadToCall, leadToCall } from '../calls/people.ts'
import type { Sql } from '../sql.ts'

/** A chain is as long as the numbers that someone gave. */
const LONGEST = 50

/** All leads before and after these, and these themselves, oldest first. */
export async function chainOf(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  const found = new Set(ids)
  for (let added = ids; added.length > 0; ) {
    const rows = await sql<{ id: string }>(
      `SELECT id FROM leads WHERE replaced_by = ANY($1)
       UNION SELECT replaced_by FROM leads WHERE id = ANY($1) AND replaced_by IS NOT NULL`,
      [added],
    )
    added = rows.map(({ id }) => id).filter(id => !found.has(id))
    for (const id of added) found.add(id)
  }
  // IDs sort by time.
  return [...found].toSorted()
}

/** The leads whose place this one took, directly. */
export async function replacedBy(sql: Sql, id: string): Promise<readonly LeadToCall[]> {
  const rows = await sql<{ id: string }>('SELECT id FROM leads WHERE replaced_by = $1 ORDER BY id', [id])
  const leads = await Promise.all(rows.map(row => leadToCall(sql, row.id)))
  return leads.filter(lead => lead !== null)
}

/** The lead that a replaced one goes on as. */
export async function lastOfChain(sql: Sql, id: string): Promise<LeadToCall | null> {
  let lead = await leadToCall(sql, id)
  for (let step = 0; lead && step < LONGEST; step++) {
    if (lead.replacedBy === null) break
    lead = await leadToCall(sql, lead.replacedBy)
  }
  return lead
}

/** By the replaced lead's ID. Without those that ended in an erasure. */
export async function lastOfChains(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, LeadToCall>> {
  const last = new Map<string, LeadToCall>()
  for (const id of ids) {
    const lead = await lastOfChain(sql, id)
    if (lead?.replacedBy === null && lead.phone !== null && lead.id !== id) last.set(id, lead)
  }
  return last
}
