/**
 * Changes the do-not-call list, the only record of stops. A stop changes no lead: everyone who calls, and the outbox, reads the list
 * (stops.ts). To call or send a lead that it stops, an editor removes the entry first, which records who asked for that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoNotCall, RemovalRequest, StopSource } from '../../../domain/do-not-call.ts'
import { type ListChange, leadEventOf } from '../../../domain/events/list-changes.ts'
import type { Contact } from '../../../domain/lead.ts'
import { phoneDigits } from '../../../domain/phone.ts'
import { hadEmail } from '../leads/corrections.ts'
import { addHistory } from '../leads/history.ts'
import { canonicalEmail, emailMark, KEY_VERSION, phoneMark, phoneMarkOfKey } from '../leads/repeats.ts'
import { BATCH_PAUSE_MS, type Dialect, insertAll, type Sql, type SqlPort } from '../sql.ts'
import { resumeLeads, type StoppedLeads, stopLeads } from './stopped-leads.ts'
import {
  type ClosingEntry,
  contactKeys,
  type DoNotCallEntry,
  type EntryRow,
  entriesOf,
  entryColumns,
  entryOf,
  isClosedByList,
  isGiven,
  kindOf,
  stopNumbers,
  stopsOf,
} from './stops.ts'

/** Small enough that captures, which wait for each batch, are barely delayed by an import of half a million entries. */
const BATCH = 200

export interface DoNotCallOrder {
  readonly contacts: readonly DoNotCall[]
  readonly by: string
  /** The lead the email or phone number came from, perhaps erased since. The change is recorded in its history. */
  readonly leadId?: string
  /** How the request came in. */
  readonly source?: StopSource
}

export interface RemovalOrder extends DoNotCallOrder {
  /** Null if a restore removes it: the request was recorded before. */
  readonly request: RemovalRequest | null
}

export type DoNotCallStore = ReturnType<typeof createDoNotCall>

export function createDoNotCall(port: SqlPort, onDue: () => void) {
  const { read, transact, dialect } = port

  /** Batches keep captures from waiting for a long import. */
  async function inBatches<Order extends DoNotCallOrder, Result>(
    order: Order,
    change: (sql: Sql, at: number, batch: Order) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const results: Result[] = []
    for (let start = 0; start < order.contacts.length; start += BATCH) {
      if (start > 0) await sleep(BATCH_PAUSE_MS)
      const batch = { ...order, contacts: order.contacts.slice(start, start + BATCH) }
      results.push(await transact((sql, at) => change(sql, at, batch)))
    }
    return results
  }

  return {
    /**
     * Adds emails and phone numbers to the list. Returns how many were `added`, which `entries`, and what it did to the outbox. A
     * delivery in flight can't be recalled: its result is recorded when it ends, it isn't retried, and the CRM hears of the stop after it.
     */
    async addToDoNotCall(order: DoNotCallOrder) {
      const batches = await inBatches(order, (sql, at, batch) => addToDoNotCallIn(sql, dialect, at, batch))
      onDue()
      return {
        added: batches.reduce((sum, { entries }) => sum + entries.length, 0),
        entries: batches.flatMap(({ entries }) => entries),
        stopped: batches.flatMap(({ stopped }) => stopped),
        inFlight: batches.flatMap(({ inFlight }) => inFlight),
        interrupted: batches.flatMap(({ interrupted }) => interrupted),
        told: batches.flatMap(({ told }) => told),
      }
    },
    /** Removes entries at someone's request, which is recorded. `told`: the CRM has heard of the stop. */
    async removeFromDoNotCall(order: RemovalOrder) {
      const batches = await inBatches(order, (sql, at, batch) => removeFromDoNotCallIn(sql, dialect, at, batch))
      onDue()
      return {
        removed: batches.reduce((sum, { entries }) => sum + entries.length, 0),
        entries: batches.flatMap(({ entries }) => entries),
        told: batches.some(({ told }) => told),
      }
    },
    /**
     * Takes back entries that this person added by mistake. Keeps those that a colleague added or confirmed, and returns who: one
     * person's Undo must never lose another's request.
     */
    async undoDoNotCall(order: DoNotCallOrder) {
      const undone = await transact((sql, at) => undoDoNotCallIn(sql, dialect, at, order))
      onDue()
      return undone
    },
    /** Which of these leads the list closes. */
    async leadsOnDoNotCallList(ids: readonly string[]) {
      const rows = await read<{ id: string }>(
        `SELECT id FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND state <> 'erased' AND ${isClosedByList}`,
        [JSON.stringify(ids)],
      )
      return new Set(rows.map(({ id }) => id))
    },
    /** The entries that close the lead: its own phone number and email, then emails of other leads with the number. */
    async doNotCallEntriesOf(leadId: string): Promise<readonly ClosingEntry[]> {
      const [lead] = await read<{ email: string; phone: string }>(
        `SELECT email, phone FROM leads WHERE id = $1 AND state <> 'erased'`,
        [leadId],
      )
      if (!lead) return []
      const isOwn = ({ entry }: { readonly entry: string }) => entry === lead.email || entry === lead.phone
      const entries = (await stopsOf(read, lead.phone)).map(entry => ({ ...entry, isOwn: isOwn(entry) }))
      return [...entries.filter(isOwn), ...entries.filter(entry => !isOwn(entry))]
    },
    /** The entries that would close a lead with these contacts. */
    stopsOfContacts(contact: Pick<Contact, 'email' | 'phone'>) {
      const [email, phone] = entriesOf(contact)
      return stopsOf(read, phone, email)
    },
    /**
     * Each contact is ten digits or a lowercase email address. Sorted alphabetically, starting after `after`. `search`: part of an
     * email or a phone number.
     */
    async doNotCallList({ after, limit, search = '' }: { after: string; limit: number; search?: string }) {
      const digits = phoneDigits(search)
      const wanted = /[a-z@]/i.test(search) || digits === '' ? canonicalEmail(search) : digits
      const rows = await read<EntryRow>(
        `SELECT ${entryColumns} FROM do_not_call
         WHERE contact > $1 AND contact LIKE $2 ESCAPE '!' ORDER BY contact LIMIT $3`,
        [after, `%${wanted.replaceAll(/[!%_]/g, '!$&')}%`, limit],
      )
      return rows.map(({ entry, at, by, source }) => ({ contact: entry, addedAt: at, by, source }))
    },
  }
}

/** Within the caller's transaction, so that a call and the request it led to are recorded together. */
export async function addToDoNotCallIn(sql: Sql, dialect: Dialect, at: number, order: DoNotCallOrder) {
  const entries = entriesIn(order)
  await dialect.lockKeys(sql, contactKeys(entries))
  const known = await entriesOnList(sql, dialect, entries)
  const added = entries.filter(entry => !known.has(entry))
  await insertAll(
    sql,
    dialect,
    'do_not_call',
    added.map(contact => ({ contact, added_at: at })),
  )
  await record(sql, dialect, at, { event: 'added', entries: added, order })
  // A second request is evidence, too, and keeps the first person's Undo from removing the entry. A list that is imported every
  // night is recorded once.
  const asked = order.leadId === undefined ? await askedBy(sql, dialect, [...known], order.by) : new Set<string>()
  const confirmed = [...known].filter(entry => !asked.has(entry))
  await record(sql, dialect, at, { event: 'confirmed', entries: confirmed, order })
  const results: StoppedLeads[] = []
  for (const contact of ['phone', 'email'] as const) {
    const ofKind = added.filter(entry => kindOf(entry) === contact)
    if (ofKind.length === 0) continue
    const ids = await closedBy(sql, dialect, ofKind)
    // An erased lead is found only by the page that asked.
    if (order.leadId !== undefined && !ids.includes(order.leadId)) ids.push(order.leadId)
    const except = order.source === 'crm' ? order.leadId : undefined
    results.push(await stopLeads(sql, dialect, at, { ids, contact, by: order.by, except }))
  }
  return {
    entries: added,
    stopped: results.flatMap(({ stopped }) => stopped),
    inFlight: results.flatMap(({ inFlight }) => inFlight),
    interrupted: results.flatMap(({ interrupted }) => interrupted),
    told: results.flatMap(({ told }) => told),
  }
}

async function removeFromDoNotCallIn(sql: Sql, dialect: Dialect, at: number, order: RemovalOrder) {
  await dialect.lockKeys(sql, contactKeys(entriesIn(order)))
  const removed: string[] = []
  let told = false
  for (const entry of entriesIn(order)) {
    const result = await removeEntry(sql, dialect, at, entry)
    if (!result) continue
    removed.push(entry)
    told ||= result.told
    await record(sql, dialect, at, { event: 'removed', entries: [entry], order, request: order.request })
  }
  return { entries: removed, told }
}

/** Later, taking an entry off the list is a removal, and someone has to say who asked for it. */
const UNDO_MS = 60 * 60_000

/** Within the caller's transaction. */
export async function undoDoNotCallIn(sql: Sql, dialect: Dialect, at: number, order: DoNotCallOrder) {
  await dialect.lockKeys(sql, contactKeys(entriesIn(order)))
  const kept: DoNotCallEntry[] = []
  const undone: string[] = []
  let told = false
  for (const entry of entriesIn(order)) {
    const [{ addedAt } = { addedAt: null }] = await sql<{ addedAt: number }>(
      'SELECT added_at AS "addedAt" FROM do_not_call WHERE contact = $1',
      [entry],
    )
    if (addedAt === null) continue
    const asked = await sql<{ at: number; by: string; event: string; source: StopSource | null }>(
      `SELECT at, done_by AS "by", event, source FROM do_not_call_history
       WHERE contact = $1 AND at >= $2 AND event IN ('added', 'confirmed') ORDER BY at`,
      [entry, addedAt],
    )
    const colleague = asked.find(({ by }) => by !== order.by)
    const own = asked.find(({ event, by }) => event === 'added' && by === order.by)
    if (colleague || !own || addedAt <= at - UNDO_MS) {
      const { by = null, source = null, at: since = addedAt } = colleague ?? own ?? {}
      kept.push({ contact: kindOf(entry), entry, at: since, by, source })
      continue
    }
    const result = await removeEntry(sql, dialect, at, entry)
    told ||= result?.told ?? false
    await record(sql, dialect, at, { event: 'undone', entries: [entry], order })
    undone.push(entry)
  }
  return { undone, kept, told }
}

/** In the order of the entries. */
async function entriesOnList(
  sql: Sql,
  { valuesOf }: Dialect,
  entries: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ contact: string }>(
    `SELECT contact FROM do_not_call WHERE contact IN ${valuesOf('$1')} ORDER BY contact`,
    [JSON.stringify(entries)],
  )
  return new Set(rows.map(({ contact }) => contact))
}

/** Which of these entries this person added, or confirmed since. */
async function askedBy(
  sql: Sql,
  { valuesOf }: Dialect,
  entries: readonly string[],
  by: string,
): Promise<ReadonlySet<string>> {
  if (entries.length === 0) return new Set()
  const rows = await sql<{ contact: string }>(
    `SELECT DISTINCT do_not_call.contact
     FROM do_not_call JOIN do_not_call_history AS asked ON asked.contact = do_not_call.contact
     WHERE do_not_call.contact IN ${valuesOf('$1')} AND at >= added_at AND event IN ('added', 'confirmed') AND done_by = $2`,
    [JSON.stringify(entries), by],
  )
  return new Set(rows.map(({ contact }) => contact))
}

/** Sorted, because two writers that change the same entries in different orders would deadlock. */
const entriesIn = ({ contacts }: DoNotCallOrder) => [...new Set(contacts.map(entryOf).filter(isGiven))].toSorted()

/** Null if it wasn't on the list. Leads that nothing else stops go on as before. */
async function removeEntry(
  sql: Sql,
  dialect: Dialect,
  at: number,
  entry: string,
): Promise<{ readonly told: boolean } | null> {
  const [removed] = await sql<{ addedAt: number }>(
    'DELETE FROM do_not_call WHERE contact = $1 RETURNING added_at AS "addedAt"',
    [entry],
  )
  if (!removed) return null
  const numbers = await sql<{ phone: string }>('DELETE FROM stopped_numbers WHERE email = $1 RETURNING phone', [entry])
  const phones = kindOf(entry) === 'phone' ? [entry] : numbers.map(({ phone }) => phone)
  const ids = await leadsWithNumbers(sql, dialect, phones)
  return resumeLeads(sql, dialect, at, { ids, since: removed.addedAt })
}

interface NewChange {
  readonly event: ListChange
  readonly entries: readonly string[]
  readonly order: DoNotCallOrder
  readonly request?: RemovalRequest | null
}

async function record(sql: Sql, dialect: Dialect, at: number, change: NewChange): Promise<void> {
  const { event, entries, order, request } = change
  const { by, leadId, source = null } = order
  const requested = { asked_by: request?.askedBy ?? null, asked_on: request?.askedOn ?? null }
  await insertAll(
    sql,
    dialect,
    'do_not_call_history',
    entries.map(contact => ({ contact, at, event, done_by: by, source, ...requested })),
  )
  if (leadId === undefined) return
  for (const entry of entries) {
    // Record only whether it was an email or a phone number, not the value, because history survives an erasure.
    const fields = { contact: kindOf(entry), by, source: source ?? undefined, ...request }
    await addHistory(sql, { leadId, at, event: { kind: leadEventOf[event], ...fields } })
  }
}

/** The leads that entries of one kind close. For emails, remembers the numbers that they stop. */
async function closedBy(sql: Sql, dialect: Dialect, entries: readonly string[]): Promise<string[]> {
  const numbers: { readonly phone: string; readonly email: string }[] = []
  for (const email of entries.filter(entry => kindOf(entry) === 'email')) {
    const prefix = `${KEY_VERSION}${emailMark(email)}`
    const found = await sql<{ phone: string }>(
      `SELECT phone FROM leads WHERE person_key >= $1 AND person_key < $2 AND email = $3
       UNION SELECT phone FROM leads WHERE phone IS NOT NULL AND id IN (${hadEmail({ prefix: '$1', end: '$2', email: '$3' })})`,
      [prefix, `${prefix}~`, email],
    )
    numbers.push(...found.map(({ phone }) => ({ phone, email })))
  }
  await stopNumbers(sql, numbers)
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  return leadsWithNumbers(sql, dialect, [...phones, ...numbers.map(({ phone }) => phone)])
}

async function leadsWithNumbers(sql: Sql, { valuesOf }: Dialect, phones: readonly string[]): Promise<string[]> {
  if (phones.length === 0) return []
  const rows = await sql<{ id: string }>(
    `SELECT id FROM leads WHERE ${phoneMarkOfKey} IN ${valuesOf('$1')} AND phone IN ${valuesOf('$2')} ORDER BY id`,
    [JSON.stringify(phones.map(phoneMark)), JSON.stringify(phones)],
  )
  return rows.map(({ id }) => id)
}
