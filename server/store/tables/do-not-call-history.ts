/** The history of entries on the do-not-call list: what was asked for, confirmed, and taken back, and which requests still stand. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoNotCall, RemovalRequest } from '../../../domain/do-not-call/do-not-call.ts'
import { type ListChange, leadEventOf } from '../../../domain/events/list-changes.ts'
import type { DoNotCallOrder, StandingRequest } from '../facts/do-not-call/requests.ts'
import { entryOf, kindOf } from '../facts/do-not-call/stops.ts'
import { BATCH_PAUSE_MS, insertAll, type Row, type SqlPort, type Tx } from '../sql.ts'
import { addHistory } from './history.ts'
import { addToLog } from './to-log.ts'

/** Small enough that captures, which wait for each batch, are barely delayed by an import of half a million entries. */
const BATCH = 200

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
