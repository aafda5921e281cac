/** SQL that only SQLite understands, or that it runs faster. */
import type { Dialect } from '../sql.ts'
import { STORE_BYTES } from './open-file.ts'

export const dialect: Dialect = {
  searchTextHas: (word, parameter) => `instr(leads.search_text, ${parameter(word)}) > 0`,
  // CROSS JOIN keeps SQLite's planner from reading all leads in order instead.
  leadsAmong: json => `json_each(${json}) AS found CROSS JOIN leads ON leads.rowid = found.value`,
  hasTrigramTable: true,
  // For a multi-row statement, SQLite would also copy every page it changes, in case the statement fails partway through.
  writesRowByRow: true,
  lockLeads: '',
  by: index => `INDEXED BY ${index}`,
  lockDeliveries: '',
  skipLockedDeliveries: '',
  lockKeys: async () => {},
  jsonField: (column, name) => `(${column} ->> '${name.replaceAll("'", "''")}')`,
  storeBytes: STORE_BYTES,
  // JSONB is parsed once; text would be parsed again for each row.
  rowsOf: (json, _table, columns) =>
    `(SELECT ${columns.map(name => `value ->> '${name}' AS ${name}`).join()} FROM jsonb_each(jsonb(${json})))`,
}
