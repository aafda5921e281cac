/**
 * Servers note every second what they have counted, so that any number of them add up: in a journal, since one row is written at
 * a tenth of the cost of the hundreds of counts that a busy second changes. Now and then it is posted to the counts. Shared by
 * the engines.
 */
import { text } from '../rows.ts'
import type { SqlPort } from '../sql.ts'
import { addViewCounts, type PageCounts } from './page-counts.ts'

export async function addPageCounts({ transact }: SqlPort, all: readonly PageCounts[]): Promise<void> {
  if (all.length === 0) return
  await transact(sql => sql('INSERT INTO view_journal (counts) VALUES ($1)', [JSON.stringify(all)]))
}

/** In one transaction, so that whoever looks finds each view once: in the journal, or among the counts. */
export async function postPageCounts({
  read,
  transact,
  dialect,
}: Pick<SqlPort, 'read' | 'transact' | 'dialect'>): Promise<void> {
  // Looked at first: where nothing is to do, nothing is written.
  if ((await read('SELECT id FROM view_journal LIMIT 1')).length === 0) return
  await transact(async sql => {
    const noted = await sql('DELETE FROM view_journal RETURNING counts')
    await addViewCounts(sql, dialect, readJournal(noted.map(row => text(row, 'counts')).join()))
  })
}

/** All of it as one value, for whoever reads it together with something else. */
export const WHOLE_JOURNAL = `string_agg(counts, ',')`

export function readJournal(whole: string): readonly PageCounts[] {
  return (JSON.parse(`[${whole}]`) as readonly (readonly PageCounts[])[]).flat()
}
