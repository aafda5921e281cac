/** Notes on leads. A note comes with a line in the lead's history, which outlives it: what it says is about a person. */
import { randomUUID } from 'node:crypto'
import { insert, type Tx } from '../sql.ts'
import { addHistory } from './history.ts'

export interface StoredNote {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

export interface NoteOrder {
  readonly leadId: string
  readonly noteId: string
  readonly by: string
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

export async function showNote(tx: Tx, { leadId, noteId, by }: NoteOrder): Promise<boolean> {
  const shown = await tx(
    'UPDATE notes SET removed_at = NULL, removed_by = NULL WHERE id = $1 AND lead_id = $2 AND removed_by = $3 RETURNING id',
    [noteId, leadId, by],
  )
  if (shown.length > 0) await addHistory(tx, { leadId, event: { kind: 'note restored', by } })
  return shown.length > 0
}

/** To the lead that takes the place of these. */
export const moveNotes = (tx: Tx, from: readonly string[], to: string) =>
  tx('UPDATE notes SET lead_id = $1 WHERE lead_id = ANY($2)', [to, from])

export const deleteNotes = (tx: Tx, leadId: string) => tx('DELETE FROM notes WHERE lead_id = $1', [leadId])
