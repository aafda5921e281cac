/** Leads that took each other's place, because the person has another number. Together, they're one request of one person. */
import type { Sql } from '../../sql.ts'
import type { StoredLead } from './lead-records.ts'
import { storedLead } from './lead-rows.ts'

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

const HAVE = `SELECT phone AS contact FROM leads WHERE id = ANY($1) UNION SELECT email FROM leads WHERE id = ANY($1)`
const HAD = 'SELECT email AS contact FROM corrections WHERE lead_id = ANY($1)'

/** The numbers and addresses of a chain: what a stop of any of its leads covers, unless someone says which. */
export const entriesOfChain = async (sql: Sql, leadId: string) => contactsOf(sql, await chainOf(sql, [leadId]), HAVE)

/** The same, and the addresses that these chains had before. */
export const contactsOfChains = async (sql: Sql, ids: readonly string[]) =>
  contactsOf(sql, await chainOf(sql, ids), `${HAVE} UNION ${HAD}`)

async function contactsOf(sql: Sql, ids: readonly string[], query: string): Promise<readonly string[]> {
  const rows = await sql<{ contact: string }>(
    `SELECT contact FROM (${query}) AS found WHERE contact <> '' ORDER BY 1`,
    [ids],
  )
  return rows.map(({ contact }) => contact)
}

/** The leads whose place this one took, directly. */
export async function replacedBy(sql: Sql, id: string): Promise<readonly string[]> {
  const rows = await sql<{ id: string }>('SELECT id FROM leads WHERE replaced_by = $1 ORDER BY id', [id])
  return rows.map(row => row.id)
}

/** The leads that took this one's place, one after another. */
export async function leadsAfter(sql: Sql, id: string): Promise<readonly StoredLead[]> {
  const after: StoredLead[] = []
  let lead = await storedLead(sql, id)
  while (lead?.replacedBy && after.length < LONGEST) {
    lead = await storedLead(sql, lead.replacedBy)
    if (lead) after.push(lead)
  }
  return after
}

/** The lead that a replaced one goes on as; itself, if it wasn't. */
export const lastOfChain = async (sql: Sql, id: string): Promise<StoredLead | null> =>
  (await leadsAfter(sql, id)).at(-1) ?? storedLead(sql, id)
