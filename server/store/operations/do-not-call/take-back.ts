/**
 * Takes entries off the do-not-call list: at someone's request, by Undo, or together. Together, because anyone can enter strangers'
 * numbers on /stop, thousands of them, and a colleague's session may be in the wrong hands. A request goes whole or not at all: see
 * `whyItStays` in domain/do-not-call/do-not-call.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { UNDO_MS } from '../../../../domain/calling/outcomes.ts'
import {
  type CrmKnows,
  type DoNotCall,
  enteredByHand,
  enteredSources,
  type RemovalRequest,
  type StopSource,
  type WhyItStays,
  whyItStays,
} from '../../../../domain/do-not-call/do-not-call.ts'
import {
  type DoNotCallOrder,
  entriesOnList,
  leadsWithNumbers,
  type StandingRequest,
  standingIn,
} from '../../facts/do-not-call/requests.ts'
import {
  closedByEmails,
  contactOfEntry,
  type DoNotCallEntry,
  entryOf,
  isGiven,
  kindOf,
  lockContacts,
} from '../../facts/do-not-call/stops.ts'
import { emailMac, phoneMac } from '../../facts/leads/hashes.ts'
import { phoneMark, phoneMarkOfKey } from '../../facts/leads/person-keys.ts'
import { BATCH_PAUSE_MS, type Sql, type SqlPort, type Tx, valuesOf } from '../../sql.ts'
import { addEntries, deleteEntries, standFor } from '../../tables/do-not-call.ts'
import { inBatches, record, recordUndone } from '../../tables/do-not-call-history.ts'
import { leaveStopsToList } from '../../tables/outbox.ts'
import { tellOfEntries } from './stop.ts'
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

/** What came in through one door since a time: the website, or a colleague. */
export interface WorkOf {
  /** A colleague's name, or null for the website. */
  readonly person: string | null
  readonly since: number
  readonly until: number
}

/** Requests by their IDs, as the list shows them: an entry that has none is one by itself. */
export type TakeBackChoice = { readonly requests: readonly string[] } | WorkOf

interface ChosenRequests {
  readonly chosen: TakeBackChoice
  /** The installation's key, to find erased people; null if nobody was erased. */
  readonly key: string | null
}

export interface TakeBackOrder extends ChosenRequests {
  readonly by: string
  readonly reason: string
  /** Requests that go, too, although there's a reason to keep them. */
  readonly also: readonly string[]
}

/** A request that stands, with the reason for it to stay when requests are taken back together; null: it goes. */
export interface RequestToTakeBack {
  readonly id: string
  readonly at: number
  readonly source: StopSource | null
  readonly askedOn: string | null
  readonly entries: readonly string[]
  readonly stays: WhyItStays | null
}

/** At the request of someone who is calling us. */
export interface CallerRemoval extends Pick<RemovalOrder, 'by'> {
  readonly phone: string
  readonly request: RemovalRequest
  /** How many numbers this person may take off the list from `since` on. */
  readonly most: number
  readonly since: number
}

export type TakeBackStore = ReturnType<typeof createTakeBack>

export function createTakeBack({ read, transact }: SqlPort, onDue: () => void) {
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
    /** Everyone who ever changed the list by hand, by name. */
    changedListBy: () => valuesOf(read, 'done_by', 'do_not_call_history', 'done_by IS NOT NULL'),
    /** How many of someone's removals can be put back. */
    countRemovalsBy: async (order: Extract<RestoreOrder, { readonly since: number }>) =>
      (await removedBy(read, order)).length,
    /** What `takeBackRequests` would do. Without a period, only with requests that stand. */
    async requestsToTakeBack({ chosen, key }: ChosenRequests): Promise<readonly RequestToTakeBack[]> {
      const found = new Map<string, RequestToTakeBack>()
      for await (const ids of batchesOf(read, chosen))
        for (const request of await toTakeBack(read, ids, { chosen, key })) found.set(request.id, request)
      return [...found.values()]
    },
    /** Returns the entries that were removed. */
    async takeBackRequests({ chosen, also, by, reason, key }: TakeBackOrder) {
      const parts: Pick<TakenBack, 'removed' | 'crm'>[] = []
      for await (const ids of batchesOf(read, chosen)) {
        const part = await transact(async tx => {
          await lockContacts(tx, await entriesOfRequests(tx, ids))
          // A colleague may have confirmed one before the lock.
          const requests = await toTakeBack(tx, ids, { chosen, key })
          const going = requests.filter(({ id, stays }) => stays === null || also.includes(id))
          const contacts = going.flatMap(({ entries }) => entries).map(contactOfEntry)
          return removeIn(tx, { contacts, by, source: 'desk', request: null, reason })
        })
        parts.push(part)
        await sleep(BATCH_PAUSE_MS)
      }
      onDue()
      return { removed: parts.flatMap(({ removed }) => removed), crm: knowsOf(parts) }
    },
  }
}

/** As the history has it. */
const nameOf = ({ person }: WorkOf) => person ?? 'website'

/** The IDs of the chosen requests. One may be in two batches. */
async function* batchesOf(sql: Sql, chosen: TakeBackChoice): AsyncGenerator<readonly string[]> {
  if ('requests' in chosen) {
    for (let start = 0; start < chosen.requests.length; start += BATCH)
      yield chosen.requests.slice(start, start + BATCH)
    return
  }
  const { since, until } = chosen
  const sources = chosen.person === null ? (['web'] as const) : enteredByHand
  for (let [at, contact] = [since, '']; ; ) {
    const rows = await sql<{ at: number; contact: string; requestId: string | null }>(
      `SELECT at, contact, request_id FROM do_not_call_history
       WHERE done_by = $1 AND at >= $2 AND (at, contact) > ($2, $3) AND at < $4
         AND event IN ('added', 'confirmed') AND source = ANY($5) ORDER BY at, contact LIMIT ${BATCH}`,
      [nameOf(chosen), at, contact, until, sources],
    )
    if (rows.length > 0) yield [...new Set(rows.map(row => row.requestId ?? row.contact))]
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    ;({ at, contact } = last)
  }
}

async function entriesOfRequests(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ contact: string }>(
    `SELECT contact FROM do_not_call_history WHERE request_id = ANY($1)
     UNION SELECT contact FROM do_not_call WHERE contact = ANY($1)`,
    [ids],
  )
  return rows.map(({ contact }) => contact)
}

/** Which of these requests stand, and whether they go. */
async function toTakeBack(
  sql: Sql,
  ids: readonly string[],
  { chosen, key }: ChosenRequests,
): Promise<readonly RequestToTakeBack[]> {
  const all = await standingIn(sql, await entriesOfRequests(sql, ids))
  const standing = Map.groupBy(all, ({ entry }) => entry)
  const requests = Map.groupBy(all, ({ requestId, entry }) => requestId ?? entry)
  const work = 'requests' in chosen ? null : chosen
  const entries = [...standing.keys()]
  const withLeads = work?.person ? new Set() : await entriesWithLeads(sql, entries, key)
  const dialed = await dialedAmong(sql, all)
  const removedBefore = new Set(work?.person ? await removalsOf(sql, entries, { ...work, person: work.person }) : [])
  const isInWork = ({ by, at }: StandingRequest) =>
    work === null || (by === nameOf(work) && at >= work.since && at < work.until)
  return ids.flatMap(id => {
    const found = (requests.get(id) ?? []).filter(isInWork)
    const [first] = found
    if (!first) return []
    // Entries without a request's ID may be of several people.
    const rows = found.filter(({ by }) => by === first.by)
    const isElsewhere = (other: StandingRequest) => !rows.includes(other) && (other.by !== first.by || !isInWork(other))
    const stays = whyItStays({
      hasLead: rows.some(({ entry }) => withLeads.has(entry)),
      isElsewhere: rows.some(({ entry }) => standing.get(entry)?.some(isElsewhere)),
      onDialedCall: work?.person != null && rows.some(({ callId }) => callId !== null && dialed.has(callId)),
      wasListed: rows.some(({ entry }) => removedBefore.has(entry)),
    })
    const { at, source, askedOn } = first
    return [{ id, at, source, askedOn, entries: [...new Set(rows.map(({ entry }) => entry))], stays }]
  })
}

/** Calls that we made. Anyone can say that someone called us. */
async function dialedAmong(sql: Sql, requests: readonly StandingRequest[]): Promise<ReadonlySet<string>> {
  const ids = requests.flatMap(({ callId }) => callId ?? [])
  if (ids.length === 0) return new Set()
  const rows = await sql<{ id: string }>(
    `SELECT said.id FROM story_events AS said JOIN story_events AS dial
       ON dial.story_id = said.story_id AND dial.n = said.refers_to AND dial.kind = 'dialed'
     WHERE said.id = ANY($1) AND said.kind = 'said'`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

async function removalsOf(sql: Sql, entries: readonly string[], work: WorkOf & { readonly person: string }) {
  const rows = await sql<{ contact: string }>(
    `SELECT removal.contact FROM do_not_call_history AS removal
     WHERE removal.contact = ANY($4) AND removal.done_by = $1 AND removal.at >= $2 AND removal.at < $3
       AND removal.event = 'removed' AND ${isOfOthers}`,
    [work.person, work.since, work.until, entries],
  )
  return rows.map(({ contact }) => contact)
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
const isOfOthers = `EXISTS (SELECT 1 FROM do_not_call_history AS asked
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

const knowsOf = (parts: readonly { readonly crm: CrmKnows }[]): CrmKnows =>
  parts.find(({ crm }) => crm === 'told')?.crm ?? parts.find(({ crm }) => crm !== null)?.crm ?? null

/** Entries of anyone who has or had a lead. */
async function entriesWithLeads(
  sql: Sql,
  entries: readonly string[],
  key: string | null,
): Promise<ReadonlySet<string>> {
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  const emails = entries.filter(entry => kindOf(entry) === 'email')
  const ofLeads = await sql<{ contact: string }>(
    `SELECT DISTINCT phone AS contact FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2)`,
    [phones.map(phoneMark), phones],
  )
  const found = new Set(ofLeads.map(({ contact }) => contact))
  for (const { email } of await closedByEmails(sql, emails)) found.add(email)
  for (const entry of key === null ? [] : await erasedAmong(sql, entries, key)) found.add(entry)
  return found
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
