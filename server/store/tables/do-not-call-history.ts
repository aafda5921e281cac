/** The history of entries on the do-not-call list: what was asked for, confirmed, and taken back, and which requests still stand. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoNotCall, RemovalRequest, StopSource } from '../../../domain/do-not-call/do-not-call.ts'
import { type ListChange, leadEventOf } from '../../../domain/events/list-changes.ts'
import { type EntryRow, entryOf, kindOf, type RequestedContact, selectEntries } from '../facts/do-not-call/stops.ts'
import { phoneMark, phoneMarkOfKey } from '../facts/leads/person-keys.ts'
import { BATCH_PAUSE_MS, insertAll, type Row, type Sql, type SqlPort, type Tx } from '../sql.ts'
import { addHistory } from './history.ts'
import { addToLog } from './to-log.ts'

/** Small enough that captures, which wait for each batch, are barely delayed by an import of half a million entries. */
const BATCH = 200

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

/** Batches keep captures from waiting for a long import. */
export async function inBatches<Order extends { readonly contacts: readonly DoNotCall[] }, Result>(
  transact: SqlPort['transact'] | SqlPort['insist'],
  order: Order,
  change: (tx: Tx, batch: Order) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let start = 0; start < order.contacts.length; start += BATCH) {
    if (start > 0) await sleep(BATCH_PAUSE_MS)
    const batch = { ...order, contacts: order.contacts.slice(start, start + BATCH) }
    results.push(await transact(tx => change(tx, batch)))
  }
  return results
}

export function entriesOnList(tx: Tx, entries: readonly string[]): Promise<readonly EntryRow[]> {
  return tx<EntryRow>(`${selectEntries} WHERE do_not_call.contact = ANY($1) ORDER BY entry`, [entries])
}

/** A request that keeps an entry on the list. */
export interface StandingRequest extends EntryRow {
  readonly n: number
  readonly callId: string | null
}

/** Requests for these entries that nobody took back, in the order in which they were recorded. */
export function standingIn(sql: Sql, entries: readonly string[]): Promise<readonly StandingRequest[]> {
  return sql<StandingRequest>(
    `SELECT asked.contact AS entry, asked.n, asked.at, asked.done_by AS "by", asked.source, asked.call_id, asked.request_id, asked.asked_on
     FROM do_not_call JOIN do_not_call_history AS asked ON asked.contact = do_not_call.contact AND asked.n >= do_not_call.n
     WHERE do_not_call.contact = ANY($1) AND asked.event IN ('added', 'confirmed')
       AND NOT EXISTS (SELECT 1 FROM do_not_call_history AS undone
         WHERE undone.contact = asked.contact AND undone.event = 'undone' AND undone.undoes = asked.n)
     ORDER BY asked.contact, asked.n`,
    [entries],
  )
}

/** What an earlier attempt recorded, by entry: its answer may have been lost. The request's ID tells it from a second request. */
export async function recordedWith(tx: Tx, { contacts }: DoNotCallOrder): Promise<ReadonlyMap<string, ListChange>> {
  const ids = contacts.flatMap(({ requestId }) => requestId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx<{ contact: string; event: ListChange; requestId: string }>(
    'SELECT contact, event, request_id FROM do_not_call_history WHERE request_id = ANY($1)',
    [ids],
  )
  const given = new Set(contacts.map(contact => `${entryOf(contact)} ${contact.requestId}`))
  const own = rows.filter(({ contact, requestId }) => given.has(`${contact} ${requestId}`))
  return new Map(own.map(({ contact, event }) => [contact, event]))
}

interface ChangeOfList {
  readonly event: Exclude<ListChange, 'undone'>
  readonly entries: readonly string[]
  readonly order: DoNotCallOrder & {
    readonly request?: RemovalRequest | null
    readonly reason?: string
  }
  /** The row that it takes back, by entry. */
  readonly undoes?: ReadonlyMap<string, number>
}

export async function record(tx: Tx, { event, entries, order, undoes }: ChangeOfList): Promise<readonly Recorded[]> {
  const { by, leadId, request, source = null } = order
  const places = await nextPlaces(tx, entries, order.loggedAt)
  const isAddition = event === 'added' || event === 'confirmed'
  const requests = new Map(order.contacts.map(contact => [entryOf(contact), contact.requestId]))
  const rows = places.map(place => ({
    ...place,
    event,
    doneBy: by,
    source,
    askedBy: request?.askedBy ?? null,
    askedOn: request?.askedOn ?? order.askedOn ?? null,
    callId: order.callId ?? null,
    requestId: isAddition ? (order.callId ?? requests.get(place.contact) ?? null) : null,
    undoes: undoes?.get(place.contact) ?? null,
    reason: order.reason ?? null,
  }))
  await addRows(tx, rows)
  const how = { by, source: source ?? undefined, askedOn: order.askedOn, ...request }
  for (const { contact, at } of leadId === undefined ? [] : places) {
    // Record only whether it was an email or a phone number, not the value, because history survives an erasure.
    const changed = { kind: leadEventOf[event], contact: kindOf(contact), ...how }
    await addHistory(tx, { leadId: leadId ?? '', at, event: changed })
  }
  return rows
}

export async function recordUndone(
  tx: Tx,
  requests: readonly StandingRequest[],
  { by, leadId }: Pick<DoNotCallOrder, 'by' | 'leadId'>,
  /** What someone else asked for, too. */
  kept: ReadonlySet<string>,
): Promise<void> {
  // More than one of a contact's rows, so their numbers are given one at a time.
  for (const [index, { entry: contact, n: undoes, source }] of requests.entries()) {
    const places = await nextPlaces(tx, [contact])
    const rows = places.map(place => ({ ...place, event: 'undone', doneBy: by, source, undoes }))
    await addRows(tx, rows)
    const stays = kept.has(contact) || requests.slice(index + 1).some(({ entry }) => entry === contact)
    const event = {
      kind: leadEventOf.undone,
      contact: kindOf(contact),
      by,
      source: source ?? undefined,
      ...(stays && { stays }),
    }
    if (leadId !== undefined) await addHistory(tx, { leadId, at: places[0]?.at ?? tx.at, event })
  }
}

/** Each change is to be logged for a restore. */
async function addRows(tx: Tx, rows: readonly (Place & Row)[]): Promise<void> {
  await insertAll(tx, 'do_not_call_history', rows)
  const entries = rows.map(({ contact }) => contact)
  await addToLog(tx, 'do-not-call', entries)
}

interface Recorded extends Place {
  readonly requestId: string | null
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

export async function leadsWithNumbers(tx: Tx, phones: readonly string[]): Promise<string[]> {
  if (phones.length === 0) return []
  const rows = await tx<{ id: string }>(
    `SELECT id FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2) ORDER BY id`,
    [phones.map(phoneMark), phones],
  )
  return rows.map(({ id }) => id)
}
