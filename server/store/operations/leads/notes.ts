/** Notes on leads, and the audit trail: who viewed, listed, or exported leads. */
import { randomUUID } from 'node:crypto'
import { isNotErased } from '../../facts/leads/states.ts'
import { insert, type SqlPort, type Tx } from '../../sql.ts'
import { addHistory, eventField, isEvent } from '../../tables/history.ts'

export interface StoredNote {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

interface NoteOrder {
  readonly leadId: string
  readonly noteId: string
  readonly by: string
}

export interface StoredExport {
  readonly at: number
  readonly by: string
  readonly format: string
  /** The filter as JSON, without the search text: that's personal data, and an erasure wouldn't find it here. */
  readonly filter: string
  /** Null if the leads weren't counted. */
  readonly leads: number | null
}

/** `at`: when the person last viewed a list that day. */
export type StoredListView = Pick<StoredExport, 'at' | 'by'> & { readonly leads: number }

const LIST_VIEW = 'list'

/** Notes are about people, so erasing a lead deletes its notes. The lead's history shows only that it had notes. */
export function createNotes({ read, transact }: SqlPort) {
  /** Newest first. */
  const recent =
    <R extends object>(comparison: '=' | '<>') =>
    (limit: number) =>
      read<R>(
        `SELECT exported_at AS "at", exported_by AS "by", format, filter, leads FROM exports
         WHERE format ${comparison} '${LIST_VIEW}' ORDER BY exported_at DESC, id LIMIT $1`,
        [limit],
      )
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
    removeNote: ({ leadId, noteId, by }: NoteOrder) =>
      transact(async tx => (await hideNote(tx, { leadId, noteId, by })) !== null),
    /** Undoes a removal by the same person. False if someone else removed the note, or restored it already. */
    restoreNote: ({ leadId, noteId, by }: NoteOrder) =>
      transact(async tx => {
        const restored = await tx(
          'UPDATE notes SET removed_at = NULL, removed_by = NULL WHERE id = $1 AND lead_id = $2 AND removed_by = $3 RETURNING id',
          [noteId, leadId, by],
        )
        if (restored.length > 0) await addHistory(tx, { leadId, event: { kind: 'note restored', by } })
        return restored.length > 0
      }),
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
    /** One row per export. A row per exported lead would add hundreds of thousands of rows that no one reads. */
    async recordExport({ by, format, filter, leads }: Omit<StoredExport, 'at'>) {
      const row = { id: randomUUID(), exportedBy: by, format, filter, leads }
      await transact(tx => insert(tx, 'exports', { ...row, exportedAt: tx.at }))
    },
    recentExports: recent<StoredExport>('<>'),
    /** Counts the phone numbers someone saw in lists that day. One row per person per day, in the exports table. */
    async recordListView({ by, day, leads }: { readonly by: string; readonly day: string; readonly leads: number }) {
      const row = { id: `${LIST_VIEW} ${day} ${by}`, exportedBy: by, format: LIST_VIEW, filter: '{}', leads }
      const then = `ON CONFLICT (id) DO UPDATE SET exported_at = excluded.exported_at, leads = exports.leads + excluded.leads`
      await transact(tx => insert(tx, 'exports', { ...row, exportedAt: tx.at }, then))
    },
    recentListViews: recent<StoredListView>('='),
  }
}

interface NewNote extends Omit<StoredNote, 'id' | 'at'> {
  readonly id?: string
  readonly leadId: string
}

/** In the caller's transaction. The lead must be locked. */
export async function insertNote(
  tx: Tx,
  { id = randomUUID(), leadId, by, text }: NewNote,
  kind: 'note added' | 'call note added' = 'note added',
): Promise<StoredNote> {
  const note: StoredNote = { id, at: tx.at, by, text }
  await insert(tx, 'notes', { id, leadId, writtenAt: tx.at, writtenBy: by, words: text })
  await addHistory(tx, { leadId, event: { kind, by } })
  return note
}

/** In the caller's transaction. Returns the note's text, or null if it was already removed. */
export async function hideNote(tx: Tx, { leadId, noteId, by }: NoteOrder): Promise<string | null> {
  const [removed] = await tx<{ text: string }>(
    `UPDATE notes SET removed_at = $3, removed_by = $4 WHERE id = $1 AND lead_id = $2 AND removed_at IS NULL
     RETURNING words AS text`,
    [noteId, leadId, tx.at, by],
  )
  if (removed) await addHistory(tx, { leadId, event: { kind: 'note removed', by } })
  return removed?.text ?? null
}
