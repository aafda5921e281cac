/**
 * Takes entries off the do-not-call list: at someone's request, by Undo, or together. Together, because anyone can enter strangers'
 * numbers on /stop, thousands of them. Left out are entries of anyone who has or had a lead, and those that another source confirmed:
 * these people may have asked themselves. They're removed one at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { UNDO_MS } from '../../../domain/calling/outcomes.ts'
import {
  type CrmKnows,
  type DoNotCall,
  enteredSources,
  type RemovalRequest,
  type StopSource,
} from '../../../domain/do-not-call.ts'
import { emailMac, phoneMac } from '../leads/erasure.ts'
import { phoneMark, phoneMarkOfKey } from '../leads/repeats.ts'
import { BATCH_PAUSE_MS, insertAll, type Sql, type SqlPort, type Tx } from '../sql.ts'
import { tellOfEntries } from './do-not-call.ts'
import {
  type DoNotCallOrder,
  entriesOnList,
  inBatches,
  leadsWithNumbers,
  record,
  recordUndone,
  type StandingRequest,
  standingIn,
} from './list-history.ts'
import { type EntryFilter, type EntryMark, newestEntries } from './requests.ts'
import { closedByEmails, contactOfEntry, type DoNotCallEntry, entryOf, isGiven, kindOf, lockContacts } from './stops.ts'
import { openAmong, reopenLeads, takeBackStops } from './tell-crm.ts'

const BATCH = 200

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

export interface TakeBackOrder {
  /** Selected entries, or all that match. */
  readonly chosen: readonly string[] | EntryFilter
  readonly by: string
  readonly reason: string
  /** The installation's key, to find erased people; null if nobody was erased. */
  readonly key: string | null
}

export type TakeBackStore = ReturnType<typeof createTakeBack>

export function createTakeBack({ read, transact, now }: SqlPort, onDue: () => void) {
  return {
    /** Removes entries at someone's request, which is recorded, regardless of who asked for them. */
    async removeFromDoNotCall(order: RemovalOrder) {
      const batches = await inBatches(transact, order, removeIn)
      onDue()
      return { removed: batches.flatMap(({ removed }) => removed), crm: knowsOf(batches) }
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
    /** Those of these entries that aren't taken back together. */
    ownEntries: ({ entries, key }: { readonly entries: readonly string[]; readonly key: string | null }) =>
      ownEntries(read, entries, key),
    /** Returns the entries that were removed. */
    async takeBackEntries({ chosen, by, reason, key }: TakeBackOrder): Promise<readonly string[]> {
      const removed: string[] = []
      const removeStrangers = async (entries: readonly string[]) => {
        const strangers = await transact(async tx => {
          await lockContacts(tx, entries)
          // A colleague may have confirmed one before the lock.
          const own = await ownEntries(tx, entries, key)
          const contacts = entries.filter(entry => !own.has(entry)).map(contactOfEntry)
          return (await removeIn(tx, { contacts, by, source: 'desk', request: null, reason })).removed
        })
        removed.push(...strangers)
        await sleep(BATCH_PAUSE_MS)
      }
      if (!('length' in chosen)) {
        // What comes in from now on wasn't on the page.
        const until = Math.min(chosen.until ?? Number.POSITIVE_INFINITY, (await now()) + 1)
        for (let before: EntryMark | null = null; ; ) {
          const batch: readonly EntryMark[] = await newestEntries(read, { ...chosen, until, before, limit: BATCH })
          if (batch.length > 0) await removeStrangers(batch.map(({ entry }) => entry))
          before = batch.at(-1) ?? null
          if (batch.length < BATCH) return removed
        }
      }
      for (let start = 0; start < chosen.length; start += BATCH)
        await removeStrangers(chosen.slice(start, start + BATCH))
      return removed
    },
  }
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

async function removedBy(
  sql: Sql,
  { removedBy, since, until }: Extract<RestoreOrder, { readonly since: number }>,
): Promise<readonly DoNotCall[]> {
  const rows = await sql<{ entry: string }>(
    `SELECT removal.contact AS entry FROM do_not_call_history AS removal
     WHERE removal.done_by = $1 AND removal.at >= $2 AND removal.at < $3 AND ${isLastChange} ORDER BY removal.contact`,
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
  await insertAll(
    tx,
    'do_not_call',
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
  await recordUndone(tx, own, order)
  const others = Map.groupBy(
    standing.filter(request => !own.includes(request)),
    ({ entry }) => entry,
  )
  const removed = [...new Set(own.map(({ entry }) => entry))].filter(entry => !others.has(entry))
  const kept: DoNotCallEntry[] = []
  for (const known of await entriesOnList(tx, entries)) {
    if (removed.includes(known.entry)) continue
    const [oldest] = others.get(known.entry) ?? []
    // The others' request is now what the entry stands for.
    if (oldest) {
      await tx('UPDATE do_not_call SET n = $2, added_at = $3, source = $4, request_id = $5 WHERE contact = $1', [
        oldest.entry,
        oldest.n,
        oldest.at,
        oldest.source,
        oldest.requestId,
      ])
    }
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
  await tx(
    `UPDATE outbox SET detail = '{"contact":"phone"}' WHERE lane <> 'leads' AND type = 'lead.do_not_call' AND lead_id = ANY($1)`,
    [leadIds.filter(id => !open.includes(id))],
  )
  return takeBackStops(tx, open, callId)
}

/** Leads that nothing else stops go on as before. */
async function removeEntries(tx: Tx, entries: readonly string[]): Promise<CrmKnows> {
  if (entries.length === 0) return null
  await tx(`DELETE FROM do_not_call WHERE contact = ANY($1)`, [entries])
  const numbers = await tx<{ phone: string }>(`DELETE FROM stopped_numbers WHERE email = ANY($1) RETURNING phone`, [
    entries,
  ])
  const phones = [...entries.filter(entry => kindOf(entry) === 'phone'), ...numbers.map(({ phone }) => phone)]
  return reopenLeads(tx, await leadsWithNumbers(tx, phones))
}

const knowsOf = (parts: readonly { readonly crm: CrmKnows }[]): CrmKnows =>
  parts.find(({ crm }) => crm === 'told')?.crm ?? parts.find(({ crm }) => crm !== null)?.crm ?? null

async function ownEntries(sql: Sql, entries: readonly string[], key: string | null): Promise<ReadonlySet<string>> {
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  const emails = entries.filter(entry => kindOf(entry) === 'email')
  const ofLeads = await sql<{ contact: string }>(
    `SELECT DISTINCT phone AS contact FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2)`,
    [phones.map(phoneMark), phones],
  )
  const confirmed = await sql<{ contact: string }>(
    `SELECT do_not_call.contact FROM do_not_call
       JOIN do_not_call_history AS other ON other.contact = do_not_call.contact AND other.n >= do_not_call.n
     WHERE do_not_call.contact = ANY($1) AND other.event IN ('added', 'confirmed')
       AND COALESCE(other.source, '') <> COALESCE(do_not_call.source, '')
       AND NOT EXISTS (SELECT 1 FROM do_not_call_history AS undone
         WHERE undone.contact = other.contact AND undone.event = 'undone' AND undone.undoes = other.n)`,
    [entries],
  )
  const own = new Set([...ofLeads, ...confirmed].map(({ contact }) => contact))
  for (const { email } of await closedByEmails(sql, emails)) own.add(email)
  for (const entry of key === null ? [] : await erasedAmong(sql, entries, key)) own.add(entry)
  return own
}

async function erasedAmong(sql: Sql, entries: readonly string[], key: string): Promise<readonly string[]> {
  const macs = new Map(
    entries.map(entry => [kindOf(entry) === 'email' ? emailMac(entry, key) : phoneMac(entry, key), entry]),
  )
  // A corrected number is a lead by itself.
  const rows = await sql<{ mac: string }>(
    `SELECT email_mac AS mac FROM erased_people WHERE email_mac = ANY($1)
     UNION SELECT phone_mac FROM erased_people WHERE phone_mac = ANY($1)
     UNION SELECT email_mac FROM corrections WHERE email_mac = ANY($1)`,
    [[...macs.keys()]],
  )
  return rows.flatMap(({ mac }) => macs.get(mac) ?? [])
}
