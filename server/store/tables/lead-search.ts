/** SQLite's trigram index of leads' search texts. PostgreSQL has an ordinary index, so there's nothing to write. */
import type { Tx } from '../sql.ts'

/** FTS5 keeps one row per indexed lead here. Leads get ascending rowids, and only erasure removes them from the index. */
const INDEXED = 'lead_search_docsize'

/** SQL: the first leads that aren't indexed, `$1` at most. */
export const notIndexed = (columns: string) =>
  `SELECT ${columns} FROM leads WHERE leads.rowid > (SELECT COALESCE(MAX(id), 0) FROM ${INDEXED}) AND leads.search_text IS NOT NULL
   ORDER BY leads.rowid LIMIT $1`

export const addNewSearchTexts = (tx: Tx, limit: number) =>
  tx(`INSERT INTO lead_search (rowid, search_text) ${notIndexed('leads.rowid, leads.search_text')}`, [limit])

/** Before the lead's text changes: FTS5 removes the entries for exactly this text. False if it isn't indexed yet. */
export async function removeSearchText(tx: Tx, leadId: string): Promise<boolean> {
  if (!tx.dialect.hasTrigramTable) return false
  const removed = await tx(
    `INSERT INTO lead_search (lead_search, rowid, search_text)
     SELECT 'delete', leads.rowid, leads.search_text FROM leads JOIN ${INDEXED} AS indexed ON indexed.id = leads.rowid
     WHERE leads.id = $1 RETURNING 1`,
    [leadId],
  )
  return removed.length > 0
}

export const addSearchText = (tx: Tx, leadId: string) =>
  tx('INSERT INTO lead_search (rowid, search_text) SELECT rowid, search_text FROM leads WHERE id = $1', [leadId])
