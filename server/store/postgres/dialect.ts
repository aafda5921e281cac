/** SQL that only PostgreSQL understands, or that it runs faster. */
import { hash } from 'node:crypto'
import { hasTrigram } from '../facts/leads/search-text.ts'
import type { Dialect } from '../sql.ts'

export const dialect: Dialect = {
  // Without three letters or digits in a row, there's no trigram. With LIKE, the planner might read the whole index and every lead.
  searchTextHas: (word, parameter) =>
    hasTrigram(word)
      ? `leads.search_text LIKE ${parameter(`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)}`
      : `strpos(leads.search_text, ${parameter(word)}) > 0`,
  leadsAmong: json => `json_array_elements_text(${json}::json) AS found (id) JOIN leads ON leads.id = found.id`,
  hasTrigramTable: false,
  writesRowByRow: false,
  storeBytes: 'SELECT pg_database_size(current_database()) AS bytes',
  lockLeads: 'FOR NO KEY UPDATE OF leads',
  by: () => '',
  lockDeliveries: 'FOR UPDATE OF outbox',
  skipLockedDeliveries: 'FOR UPDATE SKIP LOCKED',
  rowsOf: (json, table, columns) =>
    `(SELECT ${columns.join()} FROM json_populate_recordset(NULL::${table}, ${json}::json))`,
  async lockKeys(sql, keys) {
    // Always in the same order, because two batches that lock the same people in different orders would deadlock.
    const locks = keys.map(key => hash('sha256', key, 'buffer').readBigInt64BE())
    const sorted = [...new Set(locks)].toSorted((a, b) => (a < b ? -1 : 1))
    await sql('SELECT pg_advisory_xact_lock(lock) FROM unnest($1::bigint[]) AS lock', [`{${sorted.join()}}`])
  },
  jsonField: (column, name) => `(${column}::jsonb ->> '${name.replaceAll("'", "''")}')`,
}
