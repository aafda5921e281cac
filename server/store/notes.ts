/** What the desk's people leave behind: notes on a lead, who viewed it, and who exported what. */
import { randomUUID } from 'node:crypto'
import { addHistory } from './history.ts'
import type { SqlPort } from './sql.ts'

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

export function createNotes({ read, transact }: SqlPort): NoteStore {
  return {
    addNote: ({ leadId, by, text }) =>
      transact(async (sql, at) => {
        const [lead] = await sql(`SELECT id FROM leads WHERE id = $1 AND state <> 'erased'`, [leadId])
        if (!lead) return null
        const note: StoredNote = { id: randomUUID(), at, by, text }
        await sql('INSERT INTO notes (id, lead_id, written_at, written_by, words) VALUES ($1, $2, $3, $4, $5)', [
          note.id,
          leadId,
          at,
          by,
          text,
        ])
        await addHistory(sql, { leadId, at, event: 'note added', detail: { by } })
        return note
      }),
    removeNote: ({ leadId, noteId, by }) =>
      transact(async (sql, at) => {
        const removed = await sql('DELETE FROM notes WHERE id = $1 AND lead_id = $2 RETURNING id', [noteId, leadId])
        if (removed.length > 0) await addHistory(sql, { leadId, at, event: 'note removed', detail: { by } })
        return removed.length > 0
      }),
    notesOf: leadId =>
      read(
        `SELECT id, written_at AS "at", written_by AS "by", words AS "text" FROM notes
         WHERE lead_id = $1 ORDER BY written_at, id`,
        [leadId],
      ),
    recordLook: ({ id, by, restMs }) =>
      transact(async (sql, at) => {
        if ((await sql('SELECT id FROM leads WHERE id = $1', [id])).length === 0) return false
        const looks = await sql<{ detail: string }>(
          `SELECT detail FROM history WHERE lead_id = $1 AND at > $2 AND event = 'looked'`,
          [id, at - restMs],
        )
        if (looks.some(({ detail }) => detail === JSON.stringify({ by }))) return false
        await addHistory(sql, { leadId: id, at, event: 'looked', detail: { by } })
        return true
      }),
    async recordExport({ by, format, filter, leads }) {
      await transact((sql, at) =>
        sql(
          'INSERT INTO exports (id, exported_at, exported_by, format, filter, leads) VALUES ($1, $2, $3, $4, $5, $6)',
          [randomUUID(), at, by, format, filter, leads],
        ),
      )
    },
    recentExports: limit =>
      read(
        `SELECT exported_at AS "at", exported_by AS "by", format, filter, leads FROM exports
         ORDER BY exported_at DESC, id LIMIT $1`,
        [limit],
      ),
  }
}
