/**
 * Servers note every second what they have counted, so that any number of them add up: in a journal, since one row is written at
 * a quarter of the cost of the hundreds of counts that a busy second changes. Now and then it is posted to the counts. Shared by
 * the engines.
 */
import { number, text } from '../rows.ts'
import type { Sql, SqlPort } from '../sql.ts'
import { addViewCounts, type PageCounts } from './page-counts.ts'

export async function addPageCounts({ transact }: SqlPort, all: readonly PageCounts[]): Promise<void> {
  if (all.length === 0) return
  await transact(sql => sql('INSERT INTO view_journal (counts) VALUES ($1)', [JSON.stringify(all)]))
}

/** Few enough that captures, which wait meanwhile, go on. */
const MOST_AT_A_TIME = 30

export async function postPageCounts({
  read,
  transact,
  dialect,
}: Pick<SqlPort, 'read' | 'transact' | 'dialect'>): Promise<void> {
  // Looked at first: where nothing is to do, nothing is written.
  while ((await read('SELECT id FROM view_journal LIMIT 1')).length > 0) {
    // In one transaction, so that whoever looks finds each view once: in the journal, or among the counts.
    await transact(async sql => addViewCounts(sql, dialect, sumUp(await takeOldest(sql))))
  }
}

async function takeOldest(sql: Sql): Promise<readonly PageCounts[]> {
  const rows = await sql(
    `DELETE FROM view_journal WHERE id IN (SELECT id FROM view_journal ORDER BY id LIMIT ${MOST_AT_A_TIME}) RETURNING id, counts`,
  )
  const inOrder = rows.toSorted((a, b) => number(a, 'id') - number(b, 'id'))
  return readJournal(inOrder.map(row => text(row, 'counts')).join())
}

/** Seconds that follow each other have much the same places: a tenth of them is left. */
function sumUp(noted: readonly PageCounts[]): readonly PageCounts[] {
  const sums = new Map<string, PageCounts>()
  for (const counts of noted) {
    const key = `${counts.day}\n${counts.page}\n${counts.variant}\n${counts.campaign}`
    const sum = sums.get(key)
    sums.set(key, sum ? addUp(sum, counts) : counts)
  }
  return [...sums.values()]
}

function addUp(sum: PageCounts, counts: PageCounts): PageCounts {
  return {
    ...counts,
    views: sum.views + counts.views,
    bots: sum.bots + counts.bots,
    prefetches: sum.prefetches + counts.prefetches,
    declined: sum.declined + counts.declined,
    thanked: sum.thanked + counts.thanked,
  }
}

/** All of it as one value, for whoever reads it together with something else. */
export const WHOLE_JOURNAL = `string_agg(counts, ',' ORDER BY id)`

export function readJournal(whole: string): readonly PageCounts[] {
  return (JSON.parse(`[${whole}]`) as readonly (readonly PageCounts[])[]).flat()
}
