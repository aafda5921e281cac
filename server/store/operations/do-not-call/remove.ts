/** Takes entries off the do-not-call list at someone's request, or by Undo, and puts them back. Many together: take-back.ts. */
import { UNDO_MS } from '../../../../domain/calling/outcomes.ts'
import {
  type CrmKnows,
  type DoNotCall,
  enteredSources,
  type RemovalRequest,
  type StopSource,
} from '../../../../domain/do-not-call/do-not-call.ts'
import {
  type DoNotCallOrder,
  entriesOnList,
  leadsWithNumbers,
  type StandingRequest,
  standingIn,
} from '../../facts/do-not-call/requests.ts'
import {
  contactOfEntry,
  type DoNotCallEntry,
  entryOf,
  isGiven,
  kindOf,
  lockContacts,
} from '../../facts/do-not-call/stops.ts'
import type { Sql, SqlPort, Tx } from '../../sql.ts'
import { addEntries, deleteEntries, standFor } from '../../tables/do-not-call.ts'
import { inBatches, record, recordUndone } from '../../tables/do-not-call-history.ts'
import { leaveStopsToList } from '../../tables/outbox.ts'
import { tellOfEntries } from './stop.ts'
import { openAmong, reopenLeads, takeBackStops } from './tell-crm.ts'

export type RemovalStore = ReturnType<typeof createRemovals>

export function createRemovals({ read, transact }: SqlPort, onDue: () => void) {
  return {
    /** Removes entries at someone's request, which is recorded, regardless of who asked for them. */
    async removeFromDoNotCall(order: RemovalOrder) {
      const batches = await inBatches(transact, order, removeIn)
      onDue()
      return { removed: batches.flatMap(({ removed }) => removed), crm: knowsOf(batches) }
    },
    /** Takes off only the number that is calling. Null if this person took as many off as one may. */
    async removeCaller({ phone, by, request, most, since }: CallerRemoval) {
      const removed = await transact(async tx => {
        // Before the contacts, and nothing else locks it.
        await tx.dialect.lockKeys(tx, [`removals by ${by}`])
        const [before] = await tx<{ numbers: number }>(
          `SELECT count(DISTINCT contact) AS numbers FROM do_not_call_history
           WHERE done_by = $1 AND at >= $2 AND event = 'removed' AND source = 'call'`,
          [by, since],
        )
        const isWithin = (before?.numbers ?? 0) < most
        return isWithin ? removeIn(tx, { contacts: [{ phone }], by, request, source: 'call' }) : null
      })
      onDue()
      return removed
    },
    /** Puts entries back as they were before this person removed them: with how and when each came in. */
    async restoreRemovals(order: RestoreOrder) {
      const contacts = 'contacts' in order ? order.contacts : await removedBy(read, order)
      const batches = await inBatches(transact, { ...order, contacts }, restoreIn)
      onDue()
      return {
        restored: batches.flatMap(({ restored }) => restored),
        told: batches.flatMap(({ told }) => told),
      }
    },
    /**
     * Takes back what this person asked for by mistake. Keeps entries that someone else asked for, too, and returns who: one person's
     * Undo must never lose another's request.
     */
    async undoDoNotCall(order: UndoOrder): Promise<TakenBack> {
      const undone = await transact(tx => takeBackIn(tx, order))
      onDue()
      return undone
    },
    /** How many of someone's removals can be put back. */
    countRemovalsBy: async (order: Extract<RestoreOrder, { readonly since: number }>) =>
      (await removedBy(read, order)).length,
  }
}

const byHand: readonly (StopSource | null)[] = enteredSources

export interface RemovalOrder extends Pick<DoNotCallOrder, 'by' | 'contacts' | 'leadId' | 'source' | 'loggedAt'> {
  /** Null if a restore removes it: the request was recorded before. */
  readonly request: RemovalRequest | null
  /** Why entries are taken back together. */
  readonly reason?: string
}

/** Removals by one person, to put back: of these entries, or of all from a period. */
export type RestoreOrder = Pick<RemovalOrder, 'by' | 'leadId' | 'reason'> & {
  readonly removedBy: string
} & (Pick<RemovalOrder, 'contacts'> | { readonly since: number; readonly until: number })

/** What a call asked for, or a request that this person entered by hand within the last hour. */
export type UndoOrder = Pick<DoNotCallOrder, 'by' | 'leadId'> &
  ({ readonly callId: string } | { readonly requestId: string })

/** What taking requests back did. */
export interface TakenBack {
  /** Entries that are off the list. */
  readonly removed: readonly string[]
  /** Entries that stay, and who else asked for them. */
  readonly kept: readonly DoNotCallEntry[]
  readonly crm: CrmKnows
}

/** At the request of someone who is calling us. */
export interface CallerRemoval extends Pick<RemovalOrder, 'by'> {
  readonly phone: string
  readonly request: RemovalRequest
  /** How many numbers this person may take off the list from `since` on. */
  readonly most: number
  readonly since: number
}

/** Within the caller's transaction. */
export async function removeIn(tx: Tx, order: RemovalOrder): Promise<Pick<TakenBack, 'removed' | 'crm'>> {
  const given = [...new Set(order.contacts.map(entryOf).filter(isGiven))].toSorted()
  await lockContacts(tx, given)
  const known = await tx<{ entry: string; n: number }>(
    'SELECT contact AS entry, n FROM do_not_call WHERE contact = ANY($1) ORDER BY contact',
    [given],
  )
  const removed = known.map(({ entry }) => entry)
  const crm = await removeEntries(tx, removed)
  const undoes = new Map(known.map(({ entry, n }) => [entry, n]))
  await record(tx, { event: 'removed', entries: removed, order, undoes })
  return { removed, crm }
}

/** SQL, for `removal`: nobody put the entry on the list again. */
const isLastChange = `removal.event = 'removed' AND removal.n =
  (SELECT MAX(n) FROM do_not_call_history AS last WHERE last.contact = removal.contact)`

/** SQL, for `removal`: what it took off was someone else's request, or one from before $2. */
export const isOfOthers = `EXISTS (SELECT 1 FROM do_not_call_history AS asked
  WHERE asked.contact = removal.contact AND asked.n = removal.undoes
    AND (asked.done_by IS NULL OR asked.done_by <> removal.done_by OR asked.at < $2))`

async function removedBy(
  sql: Sql,
  { removedBy, since, until }: Extract<RestoreOrder, { readonly since: number }>,
): Promise<readonly DoNotCall[]> {
  const rows = await sql<{ entry: string }>(
    `SELECT removal.contact AS entry FROM do_not_call_history AS removal
     WHERE removal.done_by = $1 AND removal.at >= $2 AND removal.at < $3 AND ${isLastChange} AND ${isOfOthers}
     ORDER BY removal.contact`,
    [removedBy, since, until],
  )
  return rows.map(({ entry }) => contactOfEntry(entry))
}

async function restoreIn(tx: Tx, order: RestoreOrder & Pick<RemovalOrder, 'contacts'>) {
  const entries = [...new Set(order.contacts.map(entryOf))].toSorted()
  await lockContacts(tx, entries)
  const removals = await tx<{
    contact: string
    removal: number
    n: number
    addedAt: number
    source: StopSource | null
    requestId: string | null
  }>(
    `SELECT asked.contact, removal.n AS removal, asked.n, asked.at AS added_at, asked.source, asked.request_id
     FROM do_not_call_history AS removal
     JOIN do_not_call_history AS asked ON asked.contact = removal.contact AND asked.n = removal.undoes
     WHERE removal.contact = ANY($1) AND removal.done_by = $2 AND ${isLastChange} ORDER BY asked.contact`,
    [entries, order.removedBy],
  )
  const restored = removals.map(({ contact }) => contact)
  await addEntries(
    tx,
    removals.map(({ removal: _, ...row }) => row),
  )
  const undoes = new Map(removals.map(({ contact, removal }) => [contact, removal]))
  await record(tx, { event: 'restored', entries: restored, order, undoes })
  return { restored, told: await tellOfEntries(tx, restored, order) }
}

/** The entries that a request, or a call, asked for: lock them before taking it back. */
export async function contactsOfRequest(tx: Tx, requestId: string): Promise<readonly string[]> {
  const rows = await tx<{ contact: string }>(
    'SELECT DISTINCT contact FROM do_not_call_history WHERE request_id = $1 ORDER BY contact',
    [requestId],
  )
  return rows.map(({ contact }) => contact)
}

/** Within the caller's transaction. An entry is removed once nothing else asks for it. */
export async function takeBackIn(tx: Tx, order: UndoOrder): Promise<TakenBack> {
  const entries = await contactsOfRequest(tx, 'callId' in order ? order.callId : order.requestId)
  await lockContacts(tx, entries)
  const isOwn = (request: StandingRequest) =>
    'callId' in order
      ? request.callId === order.callId
      : request.requestId === order.requestId &&
        request.by === order.by &&
        // What was said on a call is taken back with the call.
        request.callId === null &&
        byHand.includes(request.source) &&
        request.at > tx.at - UNDO_MS
  const standing = await standingIn(tx, entries)
  const own = standing.filter(isOwn)
  const others = Map.groupBy(
    standing.filter(request => !own.includes(request)),
    ({ entry }) => entry,
  )
  await recordUndone(tx, own, order, new Set(others.keys()))
  const removed = [...new Set(own.map(({ entry }) => entry))].filter(entry => !others.has(entry))
  const kept: DoNotCallEntry[] = []
  for (const known of await entriesOnList(tx, entries)) {
    if (removed.includes(known.entry)) continue
    const [oldest] = others.get(known.entry) ?? []
    // The others' request is now what the entry stands for.
    if (oldest) await standFor(tx, oldest)
    const { entry, at, by, source, askedOn } = oldest ?? known
    kept.push({ contact: kindOf(entry), entry, at, by, source, askedOn })
  }
  const parts = [{ crm: await removeEntries(tx, removed) }]
  if ('callId' in order) parts.push({ crm: await takeBackTold(tx, order.callId) })
  return { removed, kept, crm: knowsOf(parts) }
}

/** Takes back what the CRM hears because of the call. A lead that the list closes by now stays stopped. */
async function takeBackTold(tx: Tx, callId: string): Promise<CrmKnows> {
  const { jsonField } = tx.dialect
  const rows = await tx<{ leadId: string }>(
    `SELECT lead_id FROM outbox WHERE lane <> 'leads' AND type = 'lead.do_not_call' AND ${jsonField('detail', 'callId')} = $1`,
    [callId],
  )
  const leadIds = rows.map(({ leadId }) => leadId)
  const open = await openAmong(tx, leadIds)
  await leaveStopsToList(
    tx,
    leadIds.filter(id => !open.includes(id)),
  )
  return takeBackStops(tx, open, callId)
}

/** Leads that nothing else stops go on as before. */
async function removeEntries(tx: Tx, entries: readonly string[]): Promise<CrmKnows> {
  if (entries.length === 0) return null
  const stopped = await deleteEntries(tx, entries)
  const phones = [...entries.filter(entry => kindOf(entry) === 'phone'), ...stopped]
  return reopenLeads(tx, await leadsWithNumbers(tx, phones))
}

export const knowsOf = (parts: readonly { readonly crm: CrmKnows }[]): CrmKnows =>
  parts.find(({ crm }) => crm === 'told')?.crm ?? parts.find(({ crm }) => crm !== null)?.crm ?? null
