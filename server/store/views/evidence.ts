/** Whether the evidence is as it was written. Someone with access to the database could change a text, or delete rows. */
import { setTimeout as sleep } from 'node:timers/promises'
import { versionOf } from '../facts/leads/hashes.ts'
import { BATCH_PAUSE_MS, type SqlPort } from '../sql.ts'

export interface DamagedEvidence {
  /** Consents and questions whose version, their hash, is another text's. */
  readonly texts: number
  /** Phone numbers whose calls have rows missing. */
  readonly calls: number
  /** Entries of the do-not-call list whose history has rows missing. */
  readonly stops: number
}

const PAGE = 5000

/**
 * Rows are counted from 1; the history of the do-not-call list has a row 0 for what's from before there was one. If its
 * last row is deleted, that's found only if the entry rests on it: not for a removal, or for one more request.
 */
const queries = {
  calls: [
    `SELECT id, counter - (SELECT COUNT(*) FROM story_events WHERE story_id = stories.id) AS missing
    FROM stories WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
  ],
  stops: [
    `SELECT contact AS id, MAX(n) - SUM(CASE WHEN n > 0 THEN 1 ELSE 0 END) AS missing
    FROM do_not_call_history WHERE contact > $1 GROUP BY contact ORDER BY contact LIMIT ${PAGE}`,
    `SELECT contact AS id, 1 - (SELECT COUNT(*) FROM do_not_call_history AS asked
      WHERE asked.contact = do_not_call.contact AND asked.n = do_not_call.n) AS missing
    FROM do_not_call WHERE contact > $1 ORDER BY contact LIMIT ${PAGE}`,
  ],
}

export function createEvidence({ read }: SqlPort) {
  async function withMissingRows(queries: readonly string[]): Promise<number> {
    const found = new Set<string>()
    for (const query of queries) {
      let rows: readonly { readonly id: string; readonly missing: number }[] = []
      do {
        if (rows.length > 0) await sleep(BATCH_PAUSE_MS)
        rows = await read(query, [rows.at(-1)?.id ?? ''])
        for (const { id, missing } of rows) if (missing !== 0) found.add(id)
      } while (rows.length === PAGE)
    }
    return found.size
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
