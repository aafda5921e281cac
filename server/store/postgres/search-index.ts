/** The trigram index that search uses. Without it search works, but reads every lead. */
import pg from 'pg'

/** What an operator runs when our role may not. */
export const SEARCH_INDEX = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE INDEX IF NOT EXISTS leads_search ON leads USING gin (search_text gin_trgm_ops)',
] as const

/** Not permitted, not installed on this server (three codes, by version and distribution), or in an unlisted schema. */
const CANNOT_CREATE = new Set(['42501', '0A000', '58P01', '42704'])

/** Inside the upgrade's transaction. */
export async function createSearchIndex(client: pg.ClientBase): Promise<void> {
  await client.query('SAVEPOINT search_index')
  try {
    for (const statement of SEARCH_INDEX) await client.query(statement)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && CANNOT_CREATE.has(error.code ?? ''))) throw error
    await client.query('ROLLBACK TO SAVEPOINT search_index')
  }
}
