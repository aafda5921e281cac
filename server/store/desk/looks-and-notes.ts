/** Who looked at a lead and who took it away, and what the operator's people wrote about it. Shared by the engines. */
import { randomUUID } from 'node:crypto'
import { number, text } from '../rows.ts'
import type { Sql, SqlPort } from '../sql.ts'
import { addHistory } from '../statements.ts'
import type { DeskLeadsStore, StoredNote } from './leads-store.ts'

/** Few enough at a time that captures, which wait meanwhile, go on. */
const BATCH = 500

type LooksAndNotes = Pick<DeskLeadsStore, 'recordLook' | 'recordExport' | 'addNote' | 'removeNote' | 'notesOf'>

export function createLooksAndNotes({ read, transact, now, dialect }: SqlPort): LooksAndNotes {
  return {
    async recordLook({ id, by, restMs }) {
      const at = await now()
      return transact(async sql => {
        if (!(await isThere(sql, id))) return false
        const looks = await sql(`SELECT detail FROM history WHERE lead_id = $1 AND at > $2 AND event = 'looked'`, [
          id,
          at - restMs,
        ])
        const detail = JSON.stringify({ by })
        if (looks.some(row => text(row, 'detail') === detail)) return false
        await sql(...addHistory(id, at, 'looked', { by }))
        return true
      })
    },
    async recordExport({ ids, by }) {
      const at = await now()
      const leads = dialect.rowsOf('$1', { text: ['lead_id'], bigint: [] })
      for (const some of inBatches(ids)) {
        const rows = JSON.stringify(some.map(id => ({ lead_id: id })))
        await transact(sql =>
          sql(
            `INSERT INTO history (lead_id, at, event, detail)
             SELECT lead_id, CAST($2 AS BIGINT), 'exported', $3 FROM ${leads} AS taken`,
            [rows, at, JSON.stringify({ by })],
          ),
        )
      }
    },
    async addNote({ leadId, by, text: words }) {
      const note: StoredNote = { id: randomUUID(), at: await now(), by, text: words }
      return transact(async sql => {
        const [lead] = await sql(`SELECT id FROM leads WHERE id = $1 AND state <> 'erased'`, [leadId])
        if (!lead) return null
        await sql('INSERT INTO notes (id, lead_id, written_at, written_by, words) VALUES ($1, $2, $3, $4, $5)', [
          note.id,
          leadId,
          note.at,
          by,
          words,
        ])
        await sql(...addHistory(leadId, note.at, 'note added', { by }))
        return note
      })
    },
    async removeNote({ leadId, noteId, by }) {
      const at = await now()
      return transact(async sql => {
        const removed = await sql('DELETE FROM notes WHERE id = $1 AND lead_id = $2 RETURNING id', [noteId, leadId])
        if (removed.length === 0) return false
        await sql(...addHistory(leadId, at, 'note removed', { by }))
        return true
      })
    },
    async notesOf(leadId) {
      const rows = await read(
        'SELECT id, written_at, written_by, words FROM notes WHERE lead_id = $1 ORDER BY written_at, id',
        [leadId],
      )
      return rows.map(row => ({
        id: text(row, 'id'),
        at: number(row, 'written_at'),
        by: text(row, 'written_by'),
        text: text(row, 'words'),
      }))
    },
  }
}

async function isThere(sql: Sql, id: string): Promise<boolean> {
  return (await sql('SELECT id FROM leads WHERE id = $1', [id])).length > 0
}

function* inBatches(ids: readonly string[]): Iterable<readonly string[]> {
  for (let start = 0; start < ids.length; start += BATCH) yield ids.slice(start, start + BATCH)
}
