/** The desk's people, and what changed about them: staff, not leads. */
import type { DeskRole } from '../../../domain/roles.ts'
import type { DeskChange } from '../facts/desk-people.ts'
import { insert, type Row, type Sql, type Tx } from '../sql.ts'
import { addToLog } from './to-log.ts'

/** Nothing if someone has the name. */
export const addPerson = (tx: Tx, person: Row) =>
  insert(tx, 'desk_people', { ...person, invitedAt: tx.at }, 'ON CONFLICT (name_key) DO NOTHING')

export const setRole = (tx: Tx, id: string, role: DeskRole) =>
  tx('UPDATE desk_people SET role = $2 WHERE id = $1', [id, role])

/** Later than the removal, which is in ERASURE_LIST, also if the clock was ahead then. */
export const setJoined = (tx: Tx, id: string, role: DeskRole) =>
  tx(
    `UPDATE desk_people SET role = $2, last_active_at = $3, dismissed_at = NULL,
       invited_at = CASE WHEN dismissed_at >= $3 THEN dismissed_at + 1 WHEN dismissed_at IS NOT NULL THEN $3 ELSE invited_at END
     WHERE id = $1`,
    [id, role, tx.at],
  )

export async function setDismissed(tx: Tx, id: string, at: number): Promise<void> {
  await tx('UPDATE desk_people SET dismissed_at = COALESCE(dismissed_at, $2) WHERE id = $1', [id, at])
  await addToLog(tx, 'dismissed', [id])
}

/** Unless that was recorded within `intervalMs`. */
export async function setActive(tx: Tx, id: string, intervalMs: number): Promise<void> {
  const isDue = 'last_active_at IS NULL OR last_active_at <= $3 OR last_active_at > $2'
  const update = `UPDATE desk_people SET last_active_at = $2 WHERE id = $1 AND (${isDue})`
  await tx(update, [id, tx.at, tx.at - intervalMs])
}

export async function setLanguages(sql: Sql, personId: string, languages: readonly string[]): Promise<void> {
  await sql('UPDATE desk_people SET languages = $2 WHERE id = $1', [personId, languages.join(' ')])
}

export const lockPerson = (tx: Tx, id: string) => tx('UPDATE desk_people SET name_key = name_key WHERE id = $1', [id])

/** After a restore. Otherwise, the next start would remove people who had been removed once and invited again. */
export const inviteEveryoneAgain = (tx: Tx) =>
  tx('UPDATE desk_people SET invited_at = $1 WHERE dismissed_at IS NULL AND invited_at < $1', [tx.at])

export async function recordDeskChange(tx: Tx, { personId, event, by, role }: Omit<DeskChange, 'at'>): Promise<void> {
  await insert(tx, 'desk_people_history', { personId, at: tx.at, event, doneBy: by, role })
}
