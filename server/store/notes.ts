/** What the desk's people leave behind: notes on a lead, who viewed it, and who exported what. */
import { randomUUID } from 'node:crypto'
import { number, numberOrNull, text } from './rows.ts'
import type { SqlPort } from './sql.ts'
import { addHistory } from './statements.ts'

export interface NoteStore {
  // Notes are about people, so erasing a lead deletes them; history keeps only that there was one.
  /** Null if there is no such lead, or if it was erased. */
  addNote(note: { readonly leadId: string; readonly by: string; readonly text: string }): Promise<StoredNote | null>
  /** False if it is already gone. */
  removeNote(order: { readonly leadId: string; readonly noteId: string; readonly by: string }): Promise<boolean>
  /** Oldest first. */
  notesOf(leadId: string): Promise<readonly StoredNote[]>

  /** Records in the lead's history that someone viewed it, unless they did within `restMs`. False if nothing was written. */
  recordLook(look: { readonly id: string; readonly by: string; readonly restMs: number }): Promise<boolean>
  /** One row per export. A row per exported lead would be hundreds of thousands that nobody reads. */
  recordExport(order: Omit<StoredExport, 'at'>): Promise<void>
  /** Newest first. */
  recentExports(limit: number): Promise<readonly StoredExport[]>
}

export interface StoredNote {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

export interface StoredExport {
  readonly at: number
  readonly by: string
  readonly format: string
  /** Which leads, as JSON. Never what was searched for: that is personal data, which an erasure would not find here. */
  readonly filter: string
  /** Null if they weren't counted. */
  readonly leads: number | null
}

export function createNotes({ read, transact, now }: SqlPort): NoteStore {
  return {
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
    async recordLook({ id, by, restMs }) {
      const at = await now()
      return transact(async sql => {
        if ((await sql('SELECT id FROM leads WHERE id = $1', [id])).length === 0) return false
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
    async recordExport({ by, format, filter, leads }) {
      const at = await now()
      await transact(sql =>
        sql(
          'INSERT INTO exports (id, exported_at, exported_by, format, filter, leads) VALUES ($1, $2, $3, $4, $5, $6)',
          [randomUUID(), at, by, format, filter, leads],
        ),
      )
    },
    async recentExports(limit) {
      const rows = await read(
        'SELECT exported_at, exported_by, format, filter, leads FROM exports ORDER BY exported_at DESC, id LIMIT $1',
        [limit],
      )
      return rows.map(row => ({
        at: number(row, 'exported_at'),
        by: text(row, 'exported_by'),
        format: text(row, 'format'),
        filter: text(row, 'filter'),
        leads: numberOrNull(row, 'leads'),
      }))
    },
  }
}
