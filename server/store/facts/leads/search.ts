/**
 * Database search. Captures store each lead's search text, in lowercase, in `leads.search_text`, which has a trigram index
 * (SQLite: the FTS5 table `lead_search`; PostgreSQL: pg_trgm).
 */
import { type OnFailure, repeat } from '../../../process/timers.ts'
import type { Dialect, Sql, SqlPort, Value } from '../../sql.ts'
import { parseSearch, type Search } from './search-text.ts'

const INDEX_EVERY_MS = 700
const BATCH = 500
/** Pause between batches, so captures get a turn while a large store is indexed after an upgrade. */
const PAUSE_MS = 10
/** Up to this many matches are read and sorted. If there are more, leads are read in order, because a page fills up quickly. */
const MAX_SORTED = 2000
/** SQLite's trigram index can't look up anything shorter. */
const TRIGRAM = 3

/** FTS5 keeps one row per indexed lead here. Leads get ascending rowids, and only erasure removes them from the index. */
const INDEXED = 'lead_search_docsize'
const NOT_INDEXED = `leads.rowid > (SELECT COALESCE(MAX(id), 0) FROM ${INDEXED}) AND leads.search_text IS NOT NULL`

export function createSearch({ read, transact }: SqlPort) {
  const select = (columns: string) => `SELECT ${columns} FROM leads WHERE ${NOT_INDEXED} ORDER BY leads.rowid LIMIT $1`
  return {
    /**
     * Indexes new leads for search and returns how many. For SQLite only, where captures would take 30 times as long if they
     * indexed each lead. PostgreSQL indexes leads automatically.
     */
    async indexLeads({ limit }: { readonly limit: number }) {
      if (!read.dialect.hasTrigramTable) return 0
      const { length } = await read(select('leads.rowid'), [limit])
      if (length > 0) {
        await transact(sql =>
          sql(`INSERT INTO lead_search (rowid, search_text) ${select('leads.rowid, leads.search_text')}`, [limit]),
        )
      }
      return length
    },
  }
}

/** Erasure calls this in its transaction, before it clears the lead's columns. */
export async function removeSearchText(sql: Sql, leadId: string): Promise<void> {
  if (!sql.dialect.hasTrigramTable) return
  // FTS5 removes the entries for exactly this text, so it must match the indexed text.
  await sql(
    `INSERT INTO lead_search (lead_search, rowid, search_text)
     SELECT 'delete', leads.rowid, leads.search_text FROM leads JOIN ${INDEXED} AS indexed ON indexed.id = leads.rowid
     WHERE leads.id = $1`,
    [leadId],
  )
}

/** For a correction. A lead that isn't indexed yet is indexed later, as usual. */
export async function replaceSearchText(sql: Sql, leadId: string, change: (before: string) => string): Promise<void> {
  const [lead] = await sql<{ text: string }>('SELECT search_text AS text FROM leads WHERE id = $1', [leadId])
  const indexed = sql.dialect.hasTrigramTable
    ? await sql(`SELECT 1 FROM leads JOIN ${INDEXED} AS indexed ON indexed.id = leads.rowid WHERE leads.id = $1`, [
        leadId,
      ])
    : []
  await removeSearchText(sql, leadId)
  await sql('UPDATE leads SET search_text = $2 WHERE id = $1', [leadId, change(lead?.text ?? '')])
  if (indexed.length === 0) return
  await sql('INSERT INTO lead_search (rowid, search_text) SELECT rowid, search_text FROM leads WHERE id = $1', [leadId])
}

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

/** Indexes new leads about every second and, after an upgrade, all existing ones. Returns a stop function. */
export function startSearchIndexer(store: Pick<ReturnType<typeof createSearch>, 'indexLeads'>, onFailure: OnFailure) {
  let stopped = false
  async function indexAll(): Promise<void> {
    while (!stopped && (await store.indexLeads({ limit: BATCH })) === BATCH) {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
  }
  const stop = repeat(INDEX_EVERY_MS, indexAll, onFailure)
  return () => {
    stopped = true
    return stop()
  }
}
