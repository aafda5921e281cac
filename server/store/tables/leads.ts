/** Leads: what they said, and their states. A lead's search text is in its own index, too: see lead-search.ts. */
import { isHeld, setLead } from '../facts/leads/states.ts'
import { insertAll, type Row, type Tx, updateAll } from '../sql.ts'

export const insertLeads = (tx: Tx, rows: readonly Row[]) => insertAll(tx, 'leads', rows)

/** A lead on hold becomes a repeat of this one. What went on with it goes on with this one. */
export async function repeatHeldLead(tx: Tx, held: string, id: string): Promise<void> {
  await tx(`UPDATE leads SET ${setLead('repeat')}, repeat_of = $1, held_reason = NULL WHERE id = $2 AND ${isHeld}`, [
    id,
    held,
  ])
  await tx('UPDATE leads SET replaced_by = $1, repeat_of = $1 WHERE replaced_by = $2', [id, held])
}

/** Not called anymore, and never what a later lead repeats. */
export const replaceLead = (tx: Tx, id: string, by: string) =>
  tx(`UPDATE leads SET ${setLead('repeat')}, repeat_of = $2, replaced_by = $2, held_reason = NULL WHERE id = $1`, [
    id,
    by,
  ])

export const acceptLead = (tx: Tx, id: string) =>
  tx(`UPDATE leads SET ${setLead('accepted')}, held_reason = NULL, rejected_reason = NULL WHERE id = $1`, [id])

export const rejectLead = (tx: Tx, id: string, reason: string) =>
  tx(`UPDATE leads SET ${setLead('rejected')}, rejected_reason = $2 WHERE id = $1`, [id, reason])

/** `condition`: SQL. False if it isn't met, or they already are a client. */
export async function setClient(tx: Tx, id: string, on: string, condition: string): Promise<boolean> {
  const set = `UPDATE leads SET client_on = $2 WHERE id = $1 AND client_on IS NULL AND ${condition} RETURNING 1`
  return (await tx(set, [id, on])).length > 0
}

export const unsetClient = (tx: Tx, ids: readonly string[]) =>
  tx('UPDATE leads SET client_on = NULL WHERE id = ANY($1) AND client_on IS NOT NULL', [ids])

export const setLanguage = (tx: Tx, id: string, language: string) =>
  tx('UPDATE leads SET language = $2 WHERE id = $1', [id, language])

/** Also how it's found: by the person, the address, and the text. */
export const setContact = (
  tx: Tx,
  id: string,
  contact: Readonly<Record<'contact' | 'email' | 'personKey' | 'searchText', string>>,
) => updateAll(tx, 'leads', [{ id, ...contact }])

/**
 * New values for a lead's columns on erasure; other columns are kept. A test lists every table and column, so a new one can't
 * be missed. The certificate, the consent text, the time, and the page are kept for complaints such as "you called me without consent".
 * The do-not-call list is kept too. Notes and unfinished deliveries are deleted, and call
 * attempts lose the number.
 */
const erasedColumns = {
  contact: 'NULL',
  email: 'NULL',
  phone: 'NULL',
  person_key: 'NULL',
  client_address: 'NULL',
  user_agent: 'NULL',
  search_text: 'NULL',
  rejected_reason: 'NULL',
  campaign: "'{}'",
  campaign_key: "''",
} as const

const newValues = Object.entries(erasedColumns)
  .map(([column, value]) => `${column} = ${value}`)
  .join(', ')

export const eraseLead = (tx: Tx, id: string) =>
  tx(`UPDATE leads SET ${setLead('erased')}, ${newValues} WHERE id = $1`, [id])
