/**
 * What is still to be logged in ERASURE_LIST: a row for each change that restoring a backup must not undo, written in its transaction, so
 * none can be missed. change-log.ts logs them.
 */
import { randomUUID } from 'node:crypto'
import { insertAll, type SqlPort, type Tx } from '../sql.ts'

/** `do-not-call`: entries that were put on the list, or taken off it. */
export async function addToLog(tx: Tx, kind: keyof typeof lastOf, about: readonly string[]): Promise<void> {
  // Not counted up: PostgreSQL commits out of order, and a restored store would give the same numbers again.
  const rows = about.map(what => ({ id: randomUUID(), kind, what }))
  await insertAll(tx, 'to_log', rows)
}

const lastOf = {
  'do-not-call': 'SELECT at FROM do_not_call_history WHERE contact = what ORDER BY n DESC LIMIT 1',
  erased: 'SELECT erased_at FROM erased_people WHERE lead_id = what',
  // Null if the person was invited again.
  dismissed: 'SELECT dismissed_at FROM desk_people WHERE desk_people.id = what',
}

interface ChangeToLog {
  readonly id: string
  readonly at: number | null
  readonly kind: keyof typeof lastOf | 'may-be-called'
  readonly what: string
}

export function createToLog({ read, transact }: SqlPort) {
  return {
    /** As things are now: one statement reads whether an entry is on the list, and since when, so these belong together. */
    unlogged: ({ limit }: { readonly limit: number }) =>
      read<ChangeToLog>(
        `SELECT id, what,
           CASE WHEN kind = 'do-not-call' AND NOT EXISTS (SELECT 1 FROM do_not_call WHERE contact = what) THEN 'may-be-called'
             ELSE kind END AS kind,
           CASE ${Object.entries(lastOf)
             .map(([kind, last]) => `WHEN kind = '${kind}' THEN (${last})`)
             .join(' ')} END AS at
         FROM to_log LIMIT $1`,
        [limit],
      ),
    async forgetLogged(ids: readonly string[]) {
      await transact(tx => tx('DELETE FROM to_log WHERE id = ANY($1)', [ids]))
    },
  }
}
