/** The do-not-call list. Leads from people on it aren't sent to the webhook unless an operator approves that specific lead. */
import { DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'
import { markLeadChanged } from './funnel.ts'
import { addHistory } from './history.ts'
import { canonicalEmail } from './repeats.ts'
import { type Dialect, insert, type Sql, type SqlPort } from './sql.ts'

const BATCH = 500

export type DoNotCall = { readonly email: string } | { readonly phone: string }

export type ContactKind = 'email' | 'phone'

export interface DoNotCallOrder {
  readonly contacts: readonly DoNotCall[]
  readonly by: string
  /** The lead the email or phone number came from. The change is recorded in its history. */
  readonly leadId?: string
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

const kindOf = (entry: string): ContactKind => (entry.includes('@') ? 'email' : 'phone')

export type DoNotCallStore = ReturnType<typeof createDoNotCall>

export function createDoNotCall(port: SqlPort) {
  const { read, transact, dialect } = port

  async function inBatches(change: typeof addToDoNotCallIn, order: DoNotCallOrder): Promise<number> {
    let changed = 0
    for (let start = 0; start < order.contacts.length; start += BATCH) {
      const batch = { ...order, contacts: order.contacts.slice(start, start + BATCH) }
      changed += await transact((sql, at) => change(sql, at, batch))
    }
    return changed
  }

  return {
    /**
     * Adds emails and phone numbers to the list and puts their undelivered leads on hold. A delivery in flight can't be recalled.
     * The attempt is recorded when it ends and isn't retried. Returns how many entries were `added`, the IDs of the leads put on
     * hold (`held`), and which of those leads are being sent right now (`inFlight`).
     */
    async addToDoNotCall(order: DoNotCallOrder) {
      const added = await inBatches(addToDoNotCallIn, order)
      return { added, ...(await holdUndelivered(port, order)) }
    },
    removeFromDoNotCall: (order: DoNotCallOrder) => inBatches(removeFromDoNotCallIn, order),
    /** Which of these leads have an email or phone number on the list. */
    async leadsOnDoNotCallList(ids: readonly string[]) {
      const leads = await read<LeadContacts>(
        `SELECT id, email, phone FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND state <> 'erased'`,
        [JSON.stringify(ids)],
      )
      return [...(await onDoNotCallList(read, dialect, leads)).keys()]
    },
    /** Which are on the list: the lead's email, its phone number, both, or neither. */
    async doNotCallContacts(leadId: string) {
      const rows = await read<{ contact: string }>(
        `SELECT suppressions.contact FROM suppressions JOIN leads ON suppressions.contact IN (leads.email, leads.phone)
         WHERE leads.id = $1 AND leads.state <> 'erased'`,
        [leadId],
      )
      return rows.map(({ contact }) => kindOf(contact)).toSorted()
    },
    /** Each contact is ten digits or a lowercase email address. Sorted alphabetically, starting after `after`. */
    doNotCallList: ({ after, limit }: { readonly after: string; readonly limit: number }) =>
      read<{ readonly contact: string; readonly addedAt: number }>(
        'SELECT contact, added_at AS "addedAt" FROM suppressions WHERE contact > $1 ORDER BY contact LIMIT $2',
        [after, limit],
      ),
  }
}

/**
 * Adds entries within the caller's transaction, so that an attempt and the request it led to are recorded together. Afterwards,
 * call `holdUndelivered`. The final check before delivery covers a process that is killed in between. Returns how many were new.
 */
export const addToDoNotCallIn = (sql: Sql, at: number, order: DoNotCallOrder): Promise<number> =>
  changeList(sql, at, 'added', order)

const removeFromDoNotCallIn: typeof addToDoNotCallIn = (sql, at, order) => changeList(sql, at, 'removed', order)

async function changeList(
  sql: Sql,
  at: number,
  event: 'added' | 'removed',
  { contacts, by, leadId }: DoNotCallOrder,
): Promise<number> {
  let changed = 0
  // Sorted, because two writers that change the same entries in different orders would deadlock.
  for (const entry of [...new Set(contacts.map(entryOf))].toSorted()) {
    const affected =
      event === 'added'
        ? await insert(sql, 'suppressions', { contact: entry, added_at: at }, 'ON CONFLICT DO NOTHING RETURNING 1')
        : await sql('DELETE FROM suppressions WHERE contact = $1 RETURNING 1', [entry])
    if (affected.length === 0) continue
    changed++
    await insert(sql, 'do_not_call_history', { contact: entry, at, event, done_by: by })
    if (leadId === undefined) continue
    // Record only whether it was an email or a phone number, not the value, because history survives an erasure.
    const detail = { contact: kindOf(entry), by }
    await addHistory(sql, { leadId, at, event: event === 'added' ? 'suppressed' : 'unsuppressed', detail })
  }
  return changed
}

/** Puts undelivered leads on hold after their emails or phone numbers were added to the list. Safe to repeat. */
export async function holdUndelivered(port: SqlPort, { contacts, by }: DoNotCallOrder) {
  const [held, inFlight]: [string[], string[]] = [[], []]
  for (const id of await undeliveredOf(port, contacts.map(entryOf))) {
    const was = await port.transact((sql, at) => holdBack(sql, port.dialect, id, { at, by }))
    if (was) held.push(id)
    if (was === 'under way') inFlight.push(id)
  }
  return { held, inFlight }
}

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
 * Final do-not-call check before delivery. The outbox can still contain leads from people on the list if a capture read the list
 * just before the person was added, or if the command that added them was interrupted. A lead is sent anyway if an operator
 * approved that specific lead after its person was added.
 */
export async function withoutDoNotCall<Leased extends { leadId: string; leaseToken: string; contact: Contact }>(
  { read, transact, dialect }: SqlPort,
  leased: readonly Leased[],
): Promise<readonly Leased[]> {
  if (leased.length === 0) return leased
  const leads = leased.map(({ leadId, contact: { email, phone } }) => ({ id: leadId, email, phone }))
  const onList = await onDoNotCallList(read, dialect, leads)
  const withheld = new Set<string>()
  for (const { leadId, leaseToken } of leased) {
    const since = onList.get(leadId)
    if (since === undefined || (await wasApproved(read, leadId, since))) continue
    await transact((sql, at) => holdBack(sql, dialect, leadId, { at, by: 'system' }, leaseToken))
    withheld.add(leadId)
  }
  return leased.filter(({ leadId }) => !withheld.has(leadId))
}

/** Only approvals by ID count. Bulk actions leave these people out, and a repeat reopens a delivery without any approval. */
async function wasApproved(sql: Sql, leadId: string, since: number): Promise<boolean> {
  const approvals = await sql(
    `SELECT 1 FROM history WHERE lead_id = $1 AND at >= $2 AND event IN ('released', 'put into the outbox again')
       AND detail NOT LIKE '%"repeatedBy"%' LIMIT 1`,
    [leadId, since],
  )
  return approvals.length > 0
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
  await sql(held, [leadId, DO_NOT_CALL, at])
  await markLeadChanged(sql, leadId, at)
  await addHistory(sql, { leadId, at, event: 'held', detail: { heldReason: DO_NOT_CALL, cancelledDelivery, by } })
  return cancelledDelivery
}

type CanceledDelivery = 'pending' | 'dead' | 'under way'

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
  const [canceled] = await sql<{ state: 'pending' | 'dead'; next_at: number; lease_token: string | null }>(
    `DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' AND ($2 = '' OR lease_token = $2)
     RETURNING state, next_at, lease_token`,
    [leadId, ownLease],
  )
  if (!canceled) return null
  const isLeased = canceled.state === 'pending' && canceled.lease_token !== null && canceled.next_at > at
  return isLeased && ownLease === '' ? 'under way' : canceled.state
}
