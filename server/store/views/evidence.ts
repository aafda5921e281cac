/** Whether the evidence is as it was written. Someone with access to the database could change a text, or delete rows. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BATCH_PAUSE_MS, type SqlPort } from '../sql.ts'
import { versionOf } from '../tables/presented.ts'

export interface DamagedEvidence {
  /** Consents and questions whose version, their hash, is another text's. */
  readonly texts: number
  /** Phone numbers whose calls have rows missing. */
  readonly calls: number
  /** Entries of the do-not-call list whose history has rows missing. */
  readonly stops: number
}

const PAGE = 5000

/** Rows are counted from 1; the history of the do-not-call list has a row 0 for what's from before there was one. */
const queries = {
  calls: `SELECT id, counter - (SELECT COUNT(*) FROM story_events WHERE story_id = stories.id) AS missing
    FROM stories WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
  stops: `SELECT contact AS id, MAX(n) - SUM(CASE WHEN n > 0 THEN 1 ELSE 0 END) AS missing
    FROM do_not_call_history WHERE contact > $1 GROUP BY contact ORDER BY contact LIMIT ${PAGE}`,
}

export function createEvidence({ read }: SqlPort) {
  async function withMissingRows(query: string): Promise<number> {
    let found = 0
    for (let after = ''; ; ) {
      const rows = await read<{ id: string; missing: number }>(query, [after])
      found += rows.filter(({ missing }) => missing !== 0).length
      if (rows.length < PAGE) return found
      after = rows.at(-1)?.id ?? ''
      await sleep(BATCH_PAUSE_MS)
    }
  }
  return {
    async damagedEvidence(): Promise<DamagedEvidence> {
      const texts = await read<{ version: string; presented: string }>(
        'SELECT version, presented FROM consents UNION ALL SELECT version, presented FROM questionnaires',
      )
      return {
        texts: texts.filter(({ version, presented }) => versionOf(presented) !== version).length,
        calls: await withMissingRows(queries.calls),
        stops: await withMissingRows(queries.stops),
      }
    },
  }
}
