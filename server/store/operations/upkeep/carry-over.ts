/**
 * Applies the log of changes that restoring a backup must not undo to a restored store. Newer changes in the store take
 * precedence over the log, so it's safe to apply the log twice.
 */
import type { DeskPerson } from '../../facts/desk-people.ts'
import { contactOfEntry } from '../../facts/do-not-call/stops.ts'
import type { SqlPort } from '../../sql.ts'
import { clockRows, markRetentionTime, setClock } from '../../tables/clock.ts'
import { deleteAllAccess } from '../../tables/desk-access.ts'
import { inviteEveryoneAgain, setRole } from '../../tables/desk-people.ts'
import { keepNewest, type LoggedChange } from '../../upkeep/erasure-list.ts'
import { dismiss } from '../desk/desk-people.ts'
import type { RemovalStore } from '../do-not-call/remove.ts'
import type { DoNotCallStore } from '../do-not-call/stop.ts'
import type { ErasureStore } from '../leads/erasure.ts'

/** Backups are kept for 30 days. */
const PLAUSIBLE_AGE_MS = 60 * 24 * 60 * 60 * 1000

type ListChange = 'do-not-call' | 'may-be-called'

export function createCarryOver({ read, transact, now, analyze }: SqlPort, doNotCall: DoNotCallStore & RemovalStore) {
  return {
    /** Which of these changes, except erasures, are new to the store. */
    async newChanges(changes: readonly LoggedChange[]) {
      const listed = changes.filter(({ kind }) => kind === 'do-not-call' || kind === 'may-be-called')
      const known = await read<{ contact: string; at: number }>(
        `SELECT contact, MAX(at) AS at FROM (
           SELECT contact, at FROM do_not_call_history WHERE contact = ANY($1)
           UNION ALL SELECT contact, added_at FROM do_not_call WHERE contact = ANY($1)
         ) AS changes GROUP BY contact`,
        [listed.map(({ what }) => what)],
      )
      const lastAt = new Map(known.map(({ contact, at }) => [contact, at]))
      const isNew = ({ at, what }: LoggedChange) => at > (lastAt.get(what) ?? Number.NEGATIVE_INFINITY)
      return [...listed.filter(isNew), ...changes.filter(({ kind }) => kind === 'dismissed')]
    },
    /** Applies the newest changes that are new to the store, except erasures. */
    async carryOver(changes: readonly LoggedChange[]) {
      const rows = await read<{ contact: string }>('SELECT contact FROM do_not_call WHERE contact = ANY($1)', [
        changes.map(({ what }) => what),
      ])
      const listed = new Set(rows.map(({ contact }) => contact))
      const at = await now()
      // Nobody confirmed an entry that is on the list anyway. But its next change has to be later than what was logged.
      const isKnown = (change: LoggedChange) =>
        change.kind === 'do-not-call' && listed.has(change.what) && change.at <= at
      const news = changes.filter(change => !isKnown(change))
      const order = (wanted: ListChange) => ({
        contacts: news.filter(({ kind }) => kind === wanted).map(({ what }) => contactOfEntry(what)),
        by: 'restore',
        source: 'restore' as const,
        loggedAt: new Map(changes.map(({ what, at }) => [what, at])),
      })
      const { added } = await doNotCall.addToDoNotCall(order('do-not-call'))
      const { removed } = await doNotCall.removeFromDoNotCall({ ...order('may-be-called'), request: null })
      const dismissed = await transact(async sql => {
        let people = 0
        for (const { at, kind, what } of changes) {
          if (kind !== 'dismissed') continue
          // A passkey added since then means the person was invited again. A restore deletes passkeys, so it sets invited_at.
          const [person] = await sql(
            `SELECT id FROM desk_people WHERE id = $1 AND dismissed_at IS NULL AND invited_at <= $2
               AND NOT EXISTS (SELECT 1 FROM desk_passkeys WHERE person_id = desk_people.id AND added_at > $2)`,
            [what, at],
          )
          if (!person) continue
          await dismiss(sql, what, at)
          people++
        }
        return people
      })
      return { doNotCall: added.length + removed.length, dismissed }
    },
    /**
     * After a restore: passkeys and sessions may have been revoked since the backup, so everyone signs in by a new link. `roles`: those of
     * the store that's replaced, which may be newer.
     */
    async finishRestore({ roles = [] }: { readonly roles?: readonly Pick<DeskPerson, 'id' | 'role'>[] } = {}) {
      await transact(async tx => {
        await deleteAllAccess(tx)
        const known =
          'SELECT MAX(at) AS at FROM (SELECT MAX(received_at) AS at FROM leads UNION ALL SELECT MAX(at) FROM calls) AS newest'
        const [newest] = await tx<{ at: number | null }>(known)
        await setClock(tx, clockRows.restored, tx.at)
        await setClock(tx, clockRows.knownUntil, newest?.at ?? 0)
        for (const { id, role } of roles) await setRole(tx, id, role)
        await inviteEveryoneAgain(tx)
        // The backup's time is old, but that doesn't mean that the clock is wrong. If it's very old, that's for a person to find out.
        const [last] = await tx<{ at: number | null }>(
          `SELECT COALESCE((SELECT latest_at FROM clock WHERE id = ${clockRows.retention}), (SELECT MAX(received_at) FROM leads)) AS at`,
        )
        if (last?.at && tx.at - last.at <= PLAUSIBLE_AGE_MS) await markRetentionTime(tx, tx.at)
      })
      // A newly restored database has no statistics, so its planner assumes empty tables.
      await analyze?.()
    },
  }
}

/** Applies every change that is new to the store. They come in batches, because the list may be larger than the memory. */
export async function applyChanges(
  store: Pick<ErasureStore, 'notErased' | 'erase'> &
    Pick<ReturnType<typeof createCarryOver>, 'carryOver' | 'newChanges'>,
  batches: AsyncIterable<readonly LoggedChange[]>,
  key: () => Promise<string>,
) {
  const ids = new Set<string>()
  const newest = new Map<string, LoggedChange>()
  for await (const changes of batches) {
    const erasures = changes.filter(({ kind }) => kind === 'erased').map(({ what }) => what)
    for (const id of await store.notErased(erasures)) ids.add(id)
    for (const change of await store.newChanges(changes)) keepNewest(newest, change)
  }
  const order = { ids: [...ids], by: 'restore', reason: 'restored backup' } as const
  const erased = ids.size === 0 ? 0 : (await store.erase({ ...order, key: await key() })).leads
  return { erased, ...(await store.carryOver([...newest.values()])) }
}
