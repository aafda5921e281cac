/**
 * The do-not-call list. Leads from people on it aren't sent to the webhook. To send one, an editor removes the person from the
 * list first, which records who asked for that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoNotCall, RemovalRequest } from '../../domain/do-not-call.ts'
import { ASKED_NOT_TO_BE_CALLED, DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'
import { addHistory } from './history.ts'
import { canonicalEmail } from './repeats.ts'
import { BATCH_PAUSE_MS, type Dialect, insert, type Sql, type SqlPort } from './sql.ts'
import { addWebhookEvent } from './webhook-events.ts'

/** Small enough that captures, which wait for each batch, are barely delayed by an import of a hundred thousand entries. */
const BATCH = 200

export type ContactKind = 'email' | 'phone'

export interface DoNotCallOrder {
  readonly contacts: readonly DoNotCall[]
  readonly by: string
  /** The lead the email or phone number came from. The change is recorded in its history. */
  readonly leadId?: string
}

export interface RemovalOrder extends DoNotCallOrder {
  /** Null if a restore removes it: the request was recorded before. */
  readonly request: RemovalRequest | null
}

/** An entry on the list: when it was added and by whom, as far as we know. */
export interface DoNotCallEntry {
  readonly contact: ContactKind
  readonly at: number
  readonly by: string | null
}

export function entriesOf({ email, phone }: Pick<Contact, 'email' | 'phone'>): readonly [string, string] {
  return [canonicalEmail(email), phoneDigits(phone)]
}

export function entryOf(contact: DoNotCall): string {
  return 'email' in contact ? canonicalEmail(contact.email) : phoneDigits(contact.phone)
}

export function contactOfEntry(entry: string): DoNotCall {
  return entry.includes('@') ? { email: entry } : { phone: entry }
}

export const kindOf = (entry: string): ContactKind => (entry.includes('@') ? 'email' : 'phone')

const ADDED_BY = `(SELECT done_by FROM do_not_call_history WHERE contact = suppressions.contact AND event = 'added'
  ORDER BY at DESC LIMIT 1) AS "by"`

export type DoNotCallStore = ReturnType<typeof createDoNotCall>

export function createDoNotCall(port: SqlPort) {
  const { read, transact, dialect } = port

  async function inBatches<Order extends DoNotCallOrder>(
    order: Order,
    change: (sql: Sql, at: number, batch: Order) => Promise<number>,
  ): Promise<number> {
    let changed = 0
    for (let start = 0; start < order.contacts.length; start += BATCH) {
      if (start > 0) await sleep(BATCH_PAUSE_MS)
      const batch = { ...order, contacts: order.contacts.slice(start, start + BATCH) }
      changed += await transact(async (sql, at) => {
        await lockLead(sql, dialect, order.leadId)
        return change(sql, at, batch)
      })
    }
    return changed
  }

  return {
    /**
     * Adds emails and phone numbers to the list and puts their undelivered leads on hold. A delivery in flight can't be recalled.
     * The attempt is recorded when it ends and isn't retried. Returns how many entries were `added`, the IDs of the leads put on
     * hold (`held`), and which of those leads are being sent right now (`inFlight`) or may have been sent (`interrupted`).
     */
    async addToDoNotCall(order: DoNotCallOrder) {
      const added = await inBatches(order, addToDoNotCallIn)
      return { added, ...(await holdUndelivered(port, order)) }
    },
    /** Removes entries at someone's request, which is recorded. Returns how many were removed. */
    removeFromDoNotCall: (order: RemovalOrder) => inBatches(order, removeFromDoNotCallIn),
    /**
     * Takes back entries that this person added by mistake. Keeps those that a colleague added or confirmed, and returns who: one
     * person's Undo must never lose another's request.
     */
    undoDoNotCall: (order: DoNotCallOrder) =>
      transact(async (sql, at) => {
        await lockLead(sql, dialect, order.leadId)
        return undoDoNotCallIn(sql, at, order)
      }),
    /** Which of these leads have an email or phone number on the list. */
    async leadsOnDoNotCallList(ids: readonly string[]) {
      const leads = await read<LeadContacts>(
        `SELECT id, email, phone FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND state <> 'erased'`,
        [JSON.stringify(ids)],
      )
      return new Set((await onDoNotCallList(read, dialect, leads)).keys())
    },
    /** Which are on the list: the lead's email, its phone number, both, or neither. */
    async doNotCallEntriesOf(leadId: string) {
      const rows = await read<{ entry: string; at: number; by: string | null }>(
        `SELECT suppressions.contact AS entry, suppressions.added_at AS at, ${ADDED_BY}
         FROM suppressions JOIN leads ON suppressions.contact IN (leads.email, leads.phone)
         WHERE leads.id = $1 AND leads.state <> 'erased' ORDER BY suppressions.contact DESC`,
        [leadId],
      )
      return rows.map(({ entry, at, by }): DoNotCallEntry => ({ contact: kindOf(entry), at, by }))
    },
    /**
     * Each contact is ten digits or a lowercase email address. Sorted alphabetically, starting after `after`. `search`: part of an
     * email or a phone number.
     */
    async doNotCallList({ after, limit, search = '' }: { after: string; limit: number; search?: string }) {
      const digits = phoneDigits(search)
      const wanted = /[a-z@]/i.test(search) || digits === '' ? canonicalEmail(search) : digits
      return read<{ readonly contact: string; readonly addedAt: number; readonly by: string | null }>(
        `SELECT contact, added_at AS "addedAt", ${ADDED_BY} FROM suppressions
         WHERE contact > $1 AND contact LIKE $2 ESCAPE '!' ORDER BY contact LIMIT $3`,
        [after, `%${wanted.replaceAll(/[!%_]/g, '!$&')}%`, limit],
      )
    },
  }
}

/**
 * Adds entries within the caller's transaction, so that an attempt and the request it led to are recorded together. Afterwards,
 * call `holdUndelivered`. The final check before delivery covers a process that is killed in between. Returns how many were new.
 */
export const addToDoNotCallIn = (sql: Sql, at: number, order: DoNotCallOrder): Promise<number> =>
  changeList(sql, at, 'added', order)

const removeFromDoNotCallIn = (sql: Sql, at: number, order: RemovalOrder): Promise<number> =>
  changeList(sql, at, 'removed', order, order.request)

/** The event in a lead's history for each change of the list. Stored values never change. */
export const leadEvents = {
  added: 'suppressed',
  removed: 'unsuppressed',
  confirmed: 'confirmed do not call',
  undone: 'undid do not call',
}

async function changeList(
  sql: Sql,
  at: number,
  event: 'added' | 'removed',
  order: DoNotCallOrder,
  request: RemovalRequest | null = null,
): Promise<number> {
  let changed = 0
  for (const entry of entriesIn(order)) {
    const isChanged = await (event === 'added' ? addEntry(sql, entry, at) : removeEntry(sql, entry))
    if (isChanged) changed++
    if (isChanged) await record(sql, at, { event, entry, order, request })
    // A second request is evidence, too, and keeps the first person's Undo from removing the entry. A list that is imported every
    // night is recorded once.
    else if (event === 'added' && (order.leadId !== undefined || !(await hasAsked(sql, entry, order.by)))) {
      await record(sql, at, { event: 'confirmed', entry, order })
    }
  }
  return changed
}

/** Whether this person added the entry or confirmed it since. */
async function hasAsked(sql: Sql, contact: string, by: string): Promise<boolean> {
  const asked = await sql(
    `SELECT 1 FROM suppressions JOIN do_not_call_history AS asked ON asked.contact = suppressions.contact
     WHERE suppressions.contact = $1 AND at >= added_at AND event IN ('added', 'confirmed') AND done_by = $2 LIMIT 1`,
    [contact, by],
  )
  return asked.length > 0
}

/** Sorted, because two writers that change the same entries in different orders would deadlock. */
const entriesIn = ({ contacts }: DoNotCallOrder) => [...new Set(contacts.map(entryOf))].toSorted()

/** False if it was on the list already. Either way, the entry is locked, so a colleague's Undo can't remove it at the same time. */
async function addEntry(sql: Sql, contact: string, at: number): Promise<boolean> {
  for (;;) {
    const row = { contact, added_at: at }
    const added = await insert(sql, 'suppressions', row, 'ON CONFLICT DO NOTHING RETURNING 1')
    if (added.length > 0) return true
    // Removed since the insert found it: add it again.
    if ((await lockEntry(sql, contact)) !== null) return false
  }
}

/** Returns when it was added; null if it isn't on the list. */
async function lockEntry(sql: Sql, contact: string): Promise<number | null> {
  const [entry] = await sql<{ at: number }>(
    'UPDATE suppressions SET added_at = added_at WHERE contact = $1 RETURNING added_at AS at',
    [contact],
  )
  return entry?.at ?? null
}

const removeEntry = async (sql: Sql, contact: string): Promise<boolean> =>
  (await sql('DELETE FROM suppressions WHERE contact = $1 RETURNING 1', [contact])).length > 0

interface ListChange {
  readonly event: keyof typeof leadEvents
  readonly entry: string
  readonly order: DoNotCallOrder
  readonly request?: RemovalRequest | null
}

async function record(
  sql: Sql,
  at: number,
  { event, entry, order: { by, leadId }, request }: ListChange,
): Promise<void> {
  const requested = request ? { asked_by: request.askedBy, asked_on: request.askedOn } : {}
  await insert(sql, 'do_not_call_history', { contact: entry, at, event, done_by: by, ...requested })
  if (leadId === undefined) return
  // Record only whether it was an email or a phone number, not the value, because history survives an erasure.
  const detail = { contact: kindOf(entry), by, ...request }
  await addHistory(sql, { leadId, at, event: leadEvents[event], detail })
  if (event !== 'added') return
  await addWebhookEvent(sql, { leadId, type: 'lead.do_not_call', at, detail: { contact: kindOf(entry) } })
}

/** Later, taking an entry off the list is a removal, and someone has to say who asked for it. */
const UNDO_MS = 60 * 60_000

/** Within the caller's transaction. */
export async function undoDoNotCallIn(sql: Sql, at: number, order: DoNotCallOrder) {
  const kept: DoNotCallEntry[] = []
  const undone: string[] = []
  for (const entry of entriesIn(order)) {
    const addedAt = await lockEntry(sql, entry)
    if (addedAt === null) continue
    const [colleague] = await sql<{ at: number; by: string }>(
      `SELECT at, done_by AS "by" FROM do_not_call_history WHERE contact = $1 AND at >= $2 AND event IN ('added', 'confirmed')
         AND done_by <> $3 ORDER BY at LIMIT 1`,
      [entry, addedAt, order.by],
    )
    const [own] = await sql(
      `SELECT 1 FROM do_not_call_history WHERE contact = $1 AND at >= $2 AND event = 'added' AND done_by = $3`,
      [entry, addedAt, order.by],
    )
    if (colleague || !own || addedAt <= at - UNDO_MS) {
      kept.push({ contact: kindOf(entry), at: colleague?.at ?? addedAt, by: colleague?.by ?? (own ? order.by : null) })
      continue
    }
    await removeEntry(sql, entry)
    await record(sql, at, { event: 'undone', entry, order })
    undone.push(entry)
  }
  return { undone, kept }
}

/** Decisions about the same lead wait for each other, so the later one sees what the earlier one did. */
async function lockLead(sql: Sql, { lockLeads }: Dialect, leadId: string | undefined): Promise<void> {
  if (leadId !== undefined && lockLeads !== '') await sql(`SELECT id FROM leads WHERE id = $1 ${lockLeads}`, [leadId])
}

/** Puts undelivered leads on hold after their emails or phone numbers were added to the list. Safe to repeat. */
export async function holdUndelivered(port: SqlPort, { contacts, by }: DoNotCallOrder) {
  const held: string[] = []
  const inFlight: string[] = []
  const interrupted: string[] = []
  for (const id of await undeliveredOf(port, contacts.map(entryOf))) {
    const was = await port.transact((sql, at) => holdBack(sql, port.dialect, id, { at, by }))
    if (was) held.push(id)
    if (was === 'under way') inFlight.push(id)
    if (was === 'interrupted') interrupted.push(id)
  }
  return { held, inFlight, interrupted }
}

/** A condition for leads on hold: not closed, as `isClosed` in domain/hold-reasons.ts defines it. */
export const NOT_CLOSED = `(leads.held_reason = '${DO_NOT_CALL}'
  OR NOT EXISTS (SELECT 1 FROM suppressions WHERE suppressions.contact IN (leads.email, leads.phone)))`

export interface LeadContacts extends Pick<Contact, 'email' | 'phone'> {
  readonly id: string
}

/** Maps each lead's ID to when its person was added to the list. Leaves out leads whose person isn't on it. */
export async function onDoNotCallList(
  sql: Sql,
  { valuesOf }: Dialect,
  leads: readonly LeadContacts[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ contact: string; at: number }>(
    `SELECT contact, added_at AS at FROM suppressions WHERE contact IN ${valuesOf('$1')}`,
    [JSON.stringify(leads.flatMap(entriesOf))],
  )
  const addedAt = new Map(rows.map(({ contact, at }) => [contact, at]))
  return new Map(
    leads.flatMap(lead => {
      const times = entriesOf(lead).flatMap(entry => addedAt.get(entry) ?? [])
      return times.length > 0 ? [[lead.id, Math.max(...times)] as const] : []
    }),
  )
}

/**
 * Final do-not-call check before delivery. The outbox can still contain leads from people on the list if a capture or an approval
 * read the list just before the person was added, or if the command that added them was interrupted.
 */
export async function withoutDoNotCall<Leased extends { leadId: string; leaseToken: string; contact: Contact }>(
  { read, transact, dialect }: SqlPort,
  leased: readonly Leased[],
): Promise<readonly Leased[]> {
  if (leased.length === 0) return leased
  const leads = leased.map(({ leadId, contact: { email, phone } }) => ({ id: leadId, email, phone }))
  const onList = await onDoNotCallList(read, dialect, leads)
  for (const { leadId, leaseToken } of leased.filter(({ leadId }) => onList.has(leadId))) {
    await transact((sql, at) => holdBack(sql, dialect, leadId, { at, by: 'system' }, leaseToken))
  }
  return leased.filter(({ leadId }) => !onList.has(leadId))
}

/** Starts from the outbox, which is short. Looking up each entry of a long list among all leads would take hours. */
async function undeliveredOf({ read, dialect }: SqlPort, entries: readonly string[]): Promise<readonly string[]> {
  const wanted = dialect.valuesOf('$1')
  // One state at a time, because each has its own index.
  const of = (state: string) =>
    `SELECT leads.id FROM deliveries JOIN leads ON leads.id = deliveries.lead_id
     WHERE deliveries.state = '${state}' AND (leads.email IN ${wanted} OR leads.phone IN ${wanted})`
  const rows = await read<{ id: string }>(`${of('pending')} UNION ALL ${of('dead')}`, [JSON.stringify(entries)])
  return rows.map(({ id }) => id)
}

/** Null if there's nothing left to hold. A repeat stays a repeat but isn't delivered. */
async function holdBack(
  sql: Sql,
  { lockLeads }: Dialect,
  leadId: string,
  { at, by }: { readonly at: number; readonly by: string },
  ownLease?: string,
): Promise<CanceledDelivery | null> {
  await sql(`SELECT id FROM leads WHERE id = $1 ${lockLeads}`, [leadId])
  const cancelledDelivery = await cancelDelivery(sql, leadId, at, ownLease)
  if (!cancelledDelivery) return null
  const held = `UPDATE leads SET state = 'held', held_reason = $2, held_at = $3 WHERE id = $1 AND state = 'accepted'`
  await sql(held, [leadId, ASKED_NOT_TO_BE_CALLED, at])
  await addHistory(sql, {
    leadId,
    at,
    event: 'held',
    detail: { heldReason: ASKED_NOT_TO_BE_CALLED, cancelledDelivery, by },
  })
  return cancelledDelivery
}

/**
 * `under way`: it's being sent right now. `interrupted`: the worker that sent it was stopped, so nobody knows whether it arrived.
 * Either way, the lead may have been sent.
 */
type CanceledDelivery = 'pending' | 'dead' | 'under way' | 'interrupted'

/**
 * Removes an unfinished delivery from the outbox; finished ones are kept as proof. Null if there isn't one. With `ownLease`,
 * cancels only the delivery with that lease token, which the caller hasn't sent yet.
 */
export async function cancelDelivery(
  sql: Sql,
  leadId: string,
  at: number,
  ownLease = '',
): Promise<CanceledDelivery | null> {
  const [canceled] = await sql<CanceledRow>(
    `DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' AND ($2 = '' OR lease_token = $2)
     RETURNING state, next_at, lease_token, interrupted`,
    [leadId, ownLease],
  )
  if (!canceled) return null
  if (canceled.state === 'dead') return 'dead'
  const isLeased = canceled.lease_token !== null && ownLease === ''
  if (isLeased && canceled.next_at > at) return 'under way'
  return isLeased || canceled.interrupted === 1 ? 'interrupted' : 'pending'
}

interface CanceledRow {
  readonly state: 'pending' | 'dead'
  readonly next_at: number
  readonly lease_token: string | null
  readonly interrupted: number
}
