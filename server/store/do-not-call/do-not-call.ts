/**
 * Changes the do-not-call list, the only record of stops. A stop changes no lead: everyone who calls, and the outbox, reads the list
 * (stops.ts). To call or send a lead that it stops, an editor removes the entry first, which records who asked for that.
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
import { type ListChange, leadEventOf } from '../../../domain/events/list-changes.ts'
import type { Contact } from '../../../domain/lead.ts'
import { entriesOfChain } from '../leads/chains.ts'
import { addHistory } from '../leads/history.ts'
import { phoneMark, phoneMarkOfKey } from '../leads/repeats.ts'
import { isNotErased } from '../leads/states.ts'
import { BATCH_PAUSE_MS, insertAll, type SqlPort, type Tx } from '../sql.ts'
import {
  type ClosingEntry,
  closedByEmails,
  type DoNotCallEntry,
  type EntryRow,
  entriesOf,
  entryOf,
  isClosedByList,
  isGiven,
  kindOf,
  lockContacts,
  type RequestedContact,
  selectEntries,
  stopNumbers,
  stopsOf,
} from './stops.ts'
import { openAmong, reopenLeads, takeBackStops, tellOfStop } from './tell-crm.ts'

/** Small enough that captures, which wait for each batch, are barely delayed by an import of half a million entries. */
const BATCH = 200

const byHand: readonly (StopSource | null)[] = enteredSources

export interface DoNotCallOrder {
  readonly contacts: readonly RequestedContact[]
  readonly by: string
  /** The lead the email or phone number came from, perhaps erased since. The change is recorded in its history. */
  readonly leadId?: string
  /** How the request came in. */
  readonly source?: StopSource
  /** The call that it was said in: the ID of its outcome. */
  readonly callId?: string
  /** The day of a letter or an email. */
  readonly askedOn?: string
  /** For a restore: when each entry's change was logged, so the next one is logged as a later one. */
  readonly loggedAt?: ReadonlyMap<string, number>
}

export interface RemovalOrder extends Pick<DoNotCallOrder, 'by' | 'contacts' | 'leadId' | 'source' | 'loggedAt'> {
  /** Null if a restore removes it: the request was recorded before. */
  readonly request: RemovalRequest | null
  /** Why entries are taken back together. */
  readonly reason?: string
}

/** What a call asked for, or what this person asked for by hand within the last hour. */
export type UndoOrder = Pick<DoNotCallOrder, 'by' | 'leadId'> &
  ({ readonly callId: string } | { readonly contacts: readonly DoNotCall[] })

/** What taking requests back did. */
export interface TakenBack {
  /** Entries that are off the list. */
  readonly removed: readonly string[]
  /** Entries that stay, and who else asked for them. */
  readonly kept: readonly DoNotCallEntry[]
  readonly crm: CrmKnows
}

export type DoNotCallStore = ReturnType<typeof createDoNotCall>

export function createDoNotCall(port: SqlPort, onDue: () => void) {
  const { read, transact } = port

  /** Batches keep captures from waiting for a long import. */
  async function inBatches<Order extends { readonly contacts: readonly DoNotCall[] }, Result>(
    order: Order,
    change: (tx: Tx, batch: Order) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const results: Result[] = []
    for (let start = 0; start < order.contacts.length; start += BATCH) {
      if (start > 0) await sleep(BATCH_PAUSE_MS)
      const batch = { ...order, contacts: order.contacts.slice(start, start + BATCH) }
      results.push(await transact(tx => change(tx, batch)))
    }
    onDue()
    return results
  }

  return {
    /**
     * Adds emails and phone numbers to the list. `told`: leads that the CRM has or may have, so it hears of the stop. A delivery in
     * flight can't be recalled: the stop follows it, and it isn't retried.
     */
    async addToDoNotCall(order: DoNotCallOrder) {
      const batches = await inBatches(order, stopIn)
      return {
        added: batches.flatMap(({ added }) => added),
        told: batches.flatMap(({ told }) => told),
      }
    },
    /** Removes entries at someone's request, which is recorded, regardless of who asked for them. */
    async removeFromDoNotCall(order: RemovalOrder) {
      const batches = await inBatches(order, removeIn)
      return { removed: batches.flatMap(({ removed }) => removed), crm: knowsOf(batches) }
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
    /** Which of these leads the list closes. */
    async leadsOnDoNotCallList(ids: readonly string[]) {
      const rows = await read<{ id: string }>(
        `SELECT id FROM leads WHERE id = ANY($1) AND ${isNotErased} AND ${isClosedByList}`,
        [ids],
      )
      return new Set(rows.map(({ id }) => id))
    },
    /** The entries that close the lead: its own phone number and email, then emails of other leads with the number. */
    async doNotCallEntriesOf(leadId: string): Promise<readonly ClosingEntry[]> {
      const [lead] = await read<{ email: string; phone: string }>(
        `SELECT email, phone FROM leads WHERE id = $1 AND ${isNotErased}`,
        [leadId],
      )
      if (!lead) return []
      const isOwn = ({ entry }: { readonly entry: string }) => entry === lead.email || entry === lead.phone
      const entries = (await stopsOf(read, lead.phone)).map(entry => ({ ...entry, isOwn: isOwn(entry) }))
      return [...entries.filter(isOwn), ...entries.filter(entry => !isOwn(entry))]
    },
    /** What a stop of the lead covers: its number and address, and those of leads in its chain. */
    entriesOfChain: (leadId: string) => entriesOfChain(read, leadId),
    /** The entries that would close a lead with these contacts. */
    stopsOfContacts(contact: Pick<Contact, 'email' | 'phone'>) {
      const [email, phone] = entriesOf(contact)
      return stopsOf(read, phone, email)
    },
    /** Each contact is ten digits or a lowercase email address. Sorted alphabetically, starting after `after`. */
    async doNotCallList({ after, limit }: { readonly after: string; readonly limit: number }) {
      return read<{ contact: string; addedAt: number }>(
        'SELECT contact, added_at FROM do_not_call WHERE contact > $1 ORDER BY contact LIMIT $2',
        [after, limit],
      )
    },
  }
}

/** Within the caller's transaction, so that a call and the request it led to are recorded together. */
export async function stopIn(tx: Tx, order: DoNotCallOrder) {
  const entries = [...new Set(order.contacts.map(entryOf).filter(isGiven))].toSorted()
  await lockContacts(tx, entries)
  const known = new Set((await entriesOnList(tx, entries)).map(({ entry }) => entry))
  const added = entries.filter(entry => !known.has(entry))
  const recorded = await record(tx, { event: 'added', entries: added, order })
  const requests = new Map(order.contacts.map(contact => [entryOf(contact), contact.requestId]))
  const rows = recorded.map(({ contact, at, n }) => {
    const requestId = order.callId ?? requests.get(contact) ?? null
    return { contact, addedAt: at, n, source: order.source ?? null, requestId }
  })
  await insertAll(tx, 'do_not_call', rows)
  // A second request is evidence, too, and keeps an Undo of the first from removing the entry. A list that is imported every night
  // is recorded once.
  const asked = order.leadId ?? order.callId
  const repeated =
    asked === undefined ? (await standingIn(tx, [...known])).filter(each => isSameCause(each, order)) : []
  const isRepeated = new Set(repeated.map(({ entry }) => entry))
  await record(tx, { event: 'confirmed', entries: [...known].filter(entry => !isRepeated.has(entry)), order })
  const told: string[] = []
  for (const contact of ['phone', 'email'] as const) {
    const ofKind = added.filter(entry => kindOf(entry) === contact)
    if (ofKind.length === 0) continue
    const ids = await closedBy(tx, ofKind)
    // An erased lead is found only by the page that asked.
    if (order.leadId !== undefined && !ids.includes(order.leadId)) ids.push(order.leadId)
    const except = order.source === 'crm' ? order.leadId : undefined
    told.push(...(await tellOfStop(tx, { leadIds: ids, contact, except })))
  }
  return { added, told }
}

/** Within the caller's transaction. */
export async function removeIn(tx: Tx, order: RemovalOrder): Promise<Pick<TakenBack, 'removed' | 'crm'>> {
  const given = [...new Set(order.contacts.map(entryOf).filter(isGiven))].toSorted()
  await lockContacts(tx, given)
  const removed = (await entriesOnList(tx, given)).map(({ entry }) => entry)
  const crm = await removeEntries(tx, removed)
  await record(tx, { event: 'removed', entries: removed, order })
  return { removed, crm }
}

/** The entries that a call asked for: lock them before taking the call back. */
export async function contactsOfCall(tx: Tx, callId: string): Promise<readonly string[]> {
  const rows = await tx<{ contact: string }>(
    'SELECT DISTINCT contact FROM do_not_call_history WHERE call_id = $1 ORDER BY contact',
    [callId],
  )
  return rows.map(({ contact }) => contact)
}

/** Within the caller's transaction. An entry is removed once nothing else asks for it. */
export async function takeBackIn(tx: Tx, order: UndoOrder): Promise<TakenBack> {
  const given = 'callId' in order ? await contactsOfCall(tx, order.callId) : order.contacts.map(entryOf).filter(isGiven)
  const entries = [...new Set(given)].toSorted()
  await lockContacts(tx, entries)
  const isOwn = (request: StandingRequest) =>
    'callId' in order
      ? request.callId === order.callId
      : request.by === order.by &&
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
        oldest.callId,
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

function entriesOnList(tx: Tx, entries: readonly string[]): Promise<readonly EntryRow[]> {
  return tx<EntryRow>(`${selectEntries} WHERE do_not_call.contact = ANY($1) ORDER BY entry`, [entries])
}

/** A request that keeps an entry on the list. */
interface StandingRequest extends Omit<EntryRow, 'requestId'> {
  readonly n: number
  readonly callId: string | null
}

/** Requests for these entries that nobody took back, in the order in which they were recorded. */
function standingIn(tx: Tx, entries: readonly string[]): Promise<readonly StandingRequest[]> {
  return tx<StandingRequest>(
    `SELECT asked.contact AS entry, asked.n, asked.at, asked.done_by AS "by", asked.source, asked.call_id, asked.asked_on
     FROM do_not_call JOIN do_not_call_history AS asked ON asked.contact = do_not_call.contact AND asked.n >= do_not_call.n
     WHERE do_not_call.contact = ANY($1) AND asked.event IN ('added', 'confirmed')
       AND NOT EXISTS (SELECT 1 FROM do_not_call_history AS undone
         WHERE undone.contact = asked.contact AND undone.undoes = asked.n)
     ORDER BY asked.contact, asked.n`,
    [entries],
  )
}

const isSameCause = ({ by, source, askedOn }: StandingRequest, order: DoNotCallOrder) =>
  by === order.by && source === (order.source ?? null) && askedOn === (order.askedOn ?? null)

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

interface ChangeOfList {
  readonly event: Exclude<ListChange, 'undone'>
  readonly entries: readonly string[]
  readonly order: Omit<DoNotCallOrder, 'contacts'> & Partial<Pick<RemovalOrder, 'request' | 'reason'>>
}

async function record(tx: Tx, { event, entries, order }: ChangeOfList): Promise<readonly Place[]> {
  const { by, leadId, request, source = null } = order
  const places = await nextPlaces(tx, entries, order.loggedAt)
  const rows = places.map(place => ({
    ...place,
    event,
    doneBy: by,
    source,
    askedBy: request?.askedBy ?? null,
    askedOn: request?.askedOn ?? order.askedOn ?? null,
    callId: order.callId ?? null,
    reason: order.reason ?? null,
  }))
  await insertAll(tx, 'do_not_call_history', rows)
  const how = { by, source: source ?? undefined, askedOn: order.askedOn, ...request }
  for (const { contact, at } of leadId === undefined ? [] : places) {
    // Record only whether it was an email or a phone number, not the value, because history survives an erasure.
    const changed = { kind: leadEventOf[event], contact: kindOf(contact), ...how }
    await addHistory(tx, { leadId: leadId ?? '', at, event: changed })
  }
  return places
}

async function recordUndone(tx: Tx, requests: readonly StandingRequest[], { by, leadId }: UndoOrder): Promise<void> {
  // More than one of a contact's rows, so their numbers are given one at a time.
  for (const { entry: contact, n: undoes, source } of requests) {
    const places = await nextPlaces(tx, [contact])
    const rows = places.map(place => ({ ...place, event: 'undone', doneBy: by, source, undoes }))
    await insertAll(tx, 'do_not_call_history', rows)
    const event = { kind: leadEventOf.undone, contact: kindOf(contact), by, source: source ?? undefined }
    if (leadId !== undefined) await addHistory(tx, { leadId, at: places[0]?.at ?? tx.at, event })
  }
}

/** Of a row in an entry's history. */
interface Place {
  readonly contact: string
  readonly n: number
  readonly at: number
}

/**
 * The next row's number and time. The entries must be locked. ERASURE_LIST has only times, so each row is later than the one before,
 * also if the clock was set back, or this transaction began earlier and waited for the lock.
 */
async function nextPlaces(
  tx: Tx,
  entries: readonly string[],
  loggedAt: DoNotCallOrder['loggedAt'] = new Map(),
): Promise<readonly Place[]> {
  const rows = await tx<Place>(
    `SELECT contact, MAX(n) AS n, MAX(at) AS at FROM do_not_call_history WHERE contact = ANY($1) GROUP BY contact`,
    [entries],
  )
  const last = new Map(rows.map(row => [row.contact, row]))
  return entries.map(contact => {
    const { n = 0, at = 0 } = last.get(contact) ?? {}
    return { contact, n: n + 1, at: Math.max(tx.at, at + 1, loggedAt.get(contact) ?? 0) }
  })
}

/** The leads that entries of one kind close. For emails, remembers the numbers that they stop. */
async function closedBy(tx: Tx, entries: readonly string[]): Promise<string[]> {
  const emails = entries.filter(entry => kindOf(entry) === 'email')
  const numbers = await closedByEmails(tx, emails)
  await stopNumbers(tx, numbers)
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  return leadsWithNumbers(tx, [...phones, ...numbers.map(({ phone }) => phone)])
}

async function leadsWithNumbers(tx: Tx, phones: readonly string[]): Promise<string[]> {
  if (phones.length === 0) return []
  const rows = await tx<{ id: string }>(
    `SELECT id FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2) ORDER BY id`,
    [phones.map(phoneMark), phones],
  )
  return rows.map(({ id }) => id)
}
