/** Notes on leads, and who viewed them. */
import { eventField, isEvent } from '../../facts/leads/events.ts'
import { isNotErased } from '../../facts/leads/states.ts'
import type { SqlPort } from '../../sql.ts'
import { addHistory } from '../../tables/history.ts'
import { hideNote, insertNote, type NoteOrder, type StoredNote, showNote } from '../../tables/notes.ts'

/** Notes are about people, so erasing a lead deletes its notes. The lead's history shows only that it had notes. */
export function createNotes({ read, transact }: SqlPort) {
  return {
    /** Null if the lead doesn't exist or was erased. */
    addNote: ({ leadId, by, text }: { readonly leadId: string; readonly by: string; readonly text: string }) =>
      transact(async tx => {
        // Locked, so a note can't outlive an erasure that runs at the same time.
        const open = `SELECT id FROM leads WHERE id = $1 AND ${isNotErased} ${tx.dialect.lockLeads}`
        if ((await tx(open, [leadId])).length === 0) return null
        return insertNote(tx, { leadId, by, text })
      }),
    /** Hides the note; its text stays in the store until the lead is erased. False if it was already removed. */
    removeNote: (order: NoteOrder) => transact(async tx => (await hideNote(tx, order)) !== null),
    /** Undoes a removal by the same person. False if someone else removed the note, or restored it already. */
    restoreNote: (order: NoteOrder) => transact(tx => showNote(tx, order)),
    /** Oldest first, without removed ones. */
    notesOf: (leadId: string) =>
      read<StoredNote>(
        `SELECT id, written_at AS "at", written_by AS "by", words AS "text" FROM notes
         WHERE lead_id = $1 AND removed_at IS NULL ORDER BY written_at, id`,
        [leadId],
      ),
    /** Records in the lead's history that someone viewed it, unless they already did within `intervalMs`. False if nothing was written. */
    recordView: ({ id, by, intervalMs }: { readonly id: string; readonly by: string; readonly intervalMs: number }) =>
      transact(async tx => {
        if ((await tx('SELECT id FROM leads WHERE id = $1', [id])).length === 0) return false
        const views = await tx(
          `SELECT 1 FROM history WHERE lead_id = $1 AND at > $2 AND ${isEvent('looked')}
             AND ${eventField(tx.dialect, 'looked', 'by')} = $3 LIMIT 1`,
          [id, tx.at - intervalMs, by],
        )
        if (views.length > 0) return false
        await addHistory(tx, { leadId: id, event: { kind: 'looked', by } })
        return true
      }),
    recordDownload: ({ leadId, by }: { readonly leadId: string; readonly by: string }) =>
      transact(tx => addHistory(tx, { leadId, event: { kind: 'record downloaded', by } })),
  }
}
