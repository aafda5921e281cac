/**
 * Database search. Captures store each lead's search text, in lowercase, in `leads.search_text`, which has a trigram index
 * (SQLite: the FTS5 table `lead_search`; PostgreSQL: pg_trgm).
 */
import type { Dialect, Sql, Value } from '../../sql.ts'
import { parseSearch, type Search } from './search-text.ts'

/** Up to this many matches are read and sorted. If there are more, leads are read in order, because a page fills up quickly. */
const MAX_SORTED = 2000
/** SQLite's trigram index can't look up anything shorter. */
const TRIGRAM = 3

/** A condition on `leads`: the lead's text contains every typed word, or the lead's ID starts with the typed text. */
export function searchCondition(
  { words, idPrefix }: Search,
  { searchTextHas }: Pick<Dialect, 'searchTextHas'>,
  parameter: (value: Value) => string,
): string {
  const each = words.map(spellings => anyOf(spellings.map(word => searchTextHas(word, parameter))))
  const inText = each.join(' AND ')
  return idPrefix === null ? inText : `(${inText} OR ${hasPrefix(idPrefix, parameter)})`
}

/**
 * The matching leads, found in an index. Null if there are so many that it's faster to read leads in order. PostgreSQL's planner
 * gets this wrong: if a rare word happens to be in its statistics, it expects many matches and reads all leads in order.
 */
export async function fewMatches(read: Sql, typed?: string, max = MAX_SORTED): Promise<readonly Value[] | null> {
  const search = parseSearch(typed)
  if (!search) return null
  const values: Value[] = []
  const parameter = (value: Value) => `$${values.push(value)}`
  const matches = read.dialect.hasTrigramTable
    ? inTrigramTable(search, parameter)
    : `SELECT leads.id AS lead FROM leads WHERE ${searchCondition(search, read.dialect, parameter)}`
  if (matches === null) return null
  const rows = await read<{ lead: Value }>(`${matches} LIMIT ${max + 1}`, values)
  return rows.length > max ? null : rows.map(({ lead }) => lead)
}

function inTrigramTable({ words, idPrefix }: Search, parameter: (value: Value) => string): string | null {
  const long = words.filter(spellings => spellings.every(word => [...word].length >= TRIGRAM))
  if (long.length === 0) return null
  const query = long.map(spellings => anyOf(spellings.map(word => `"${word.replaceAll('"', '""')}"`))).join(' AND ')
  const inText = `SELECT rowid AS lead FROM lead_search WHERE lead_search MATCH ${parameter(query)}`
  return idPrefix === null
    ? inText
    : `${inText} UNION SELECT rowid AS lead FROM leads WHERE ${hasPrefix(idPrefix, parameter)}`
}

const anyOf = (alternatives: readonly string[]) =>
  alternatives.length === 1 ? `${alternatives[0]}` : `(${alternatives.join(' OR ')})`

/** No letter in an ID sorts after f. */
function hasPrefix(prefix: string, parameter: (value: Value) => string): string {
  return `(leads.id >= ${parameter(prefix)} AND leads.id < ${parameter(`${prefix}g`)})`
}
