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

export function listedAs({ email, phone }: Pick<Contact, 'email' | 'phone'>): readonly [string, string] {
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

  async function change(event: 'added' | 'removed', { contacts, by, leadId }: DoNotCallOrder): Promise<number> {
    const entries = [...new Set(contacts.map(entryOf))].toSorted()
    let changed = 0
    for (let start = 0; start < entries.length; start += BATCH) {
      changed += await transact(async (sql, at) => {
        let rows = 0
        for (const entry of entries.slice(start, start + BATCH)) {
          const row = { contact: entry, added_at: at }
          const affected =
            event === 'added'
              ? await insert(sql, 'suppressions', row, 'ON CONFLICT DO NOTHING RETURNING 1')
              : await sql('DELETE FROM suppressions WHERE contact = $1 RETURNING 1', [entry])
          if (affected.length === 0) continue
          rows++
          await insert(sql, 'do_not_call_history', { contact: entry, at, event, done_by: by })
          if (leadId === undefined) continue
          // Record only whether it was an email or a phone number, not the value, because history survives an erasure.
          const detail = { contact: kindOf(entry), by }
          await addHistory(sql, { leadId, at, event: event === 'added' ? 'suppressed' : 'unsuppressed', detail })
        }
        return rows
      })
    }
    return changed
  }

  return {
    /**
     * Adds emails and phone numbers to the list and puts their undelivered leads on hold. A delivery in flight can't be recalled.
     * The attempt is recorded when it ends and isn't retried. Returns how many entries were `added`, the IDs of the leads put on
     * hold (`held`), and which of those leads are being sent right now (`inFlight`).
     */
    async suppress(order: DoNotCallOrder) {
      const added = await change('added', order)
      const [held, inFlight]: [string[], string[]] = [[], []]
      for (const id of await undeliveredOf(port, order.contacts.map(entryOf))) {
        const was = await transact((sql, at) => holdBack(sql, dialect, id, { at, by: order.by }))
        if (was) held.push(id)
        if (was === 'under way') inFlight.push(id)
      }
      return { added, held, inFlight }
    },
    unsuppress: (order: DoNotCallOrder) => change('removed', order),
    /** Which of these leads have an email or phone number on the list. */
    async suppressedLeads(ids: readonly string[]) {
      const leads = await read<LeadContacts>(
        `SELECT id, email, phone FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND state <> 'erased'`,
        [JSON.stringify(ids)],
      )
      return [...(await suppressedAmong(read, dialect, leads)).keys()]
    },
    /** Which are on the list: the lead's email, its phone number, both, or neither. */
    async listedContacts(leadId: string) {
      const rows = await read<{ contact: string }>(
        `SELECT suppressions.contact FROM suppressions JOIN leads ON suppressions.contact IN (leads.email, leads.phone)
         WHERE leads.id = $1 AND leads.state <> 'erased'`,
        [leadId],
      )
      return rows.map(({ contact }) => kindOf(contact)).toSorted()
    },
    /** Each contact is ten digits or a lowercase email address. Sorted alphabetically, starting after `after`. */
    suppressions: ({ after, limit }: { readonly after: string; readonly limit: number }) =>
      read<{ readonly contact: string; readonly addedAt: number }>(
        'SELECT contact, added_at AS "addedAt" FROM suppressions WHERE contact > $1 ORDER BY contact LIMIT $2',
        [after, limit],
      ),
  }
}

export interface LeadContacts extends Pick<Contact, 'email' | 'phone'> {
  readonly id: string
}

/** Maps each lead's ID to when its person was added to the list. Leaves out leads whose person isn't on it. */
export async function suppressedAmong(
  sql: Sql,
  { valuesOf }: Dialect,
  leads: readonly LeadContacts[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ contact: string; at: number }>(
    `SELECT contact, added_at AS at FROM suppressions WHERE contact IN ${valuesOf('$1')}`,
    [JSON.stringify(leads.flatMap(listedAs))],
  )
  const listed = new Map(rows.map(({ contact, at }) => [contact, at]))
  return new Map(
    leads.flatMap(lead => {
      const times = listedAs(lead).flatMap(entry => listed.get(entry) ?? [])
      return times.length > 0 ? [[lead.id, Math.max(...times)] as const] : []
    }),
  )
}

/**
 * Final do-not-call check before delivery. The outbox can still contain leads from people on the list if a capture read the list
 * just before the person was added, or if the command that added them was interrupted. A lead is sent anyway if an operator
 * approved that specific lead after its person was added.
 */
export async function withoutSuppressed<Leased extends { leadId: string; leaseToken: string; contact: Contact }>(
  { read, transact, dialect }: SqlPort,
  leased: readonly Leased[],
): Promise<readonly Leased[]> {
  if (leased.length === 0) return leased
  const leads = leased.map(({ leadId, contact: { email, phone } }) => ({ id: leadId, email, phone }))
  const suppressed = await suppressedAmong(read, dialect, leads)
  const withheld = new Set<string>()
  for (const { leadId, leaseToken } of leased) {
    const since = suppressed.get(leadId)
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
  const listed = dialect.valuesOf('$1')
  // One state at a time, because each has its own index.
  const of = (state: string) =>
    `SELECT leads.id FROM deliveries JOIN leads ON leads.id = deliveries.lead_id
     WHERE deliveries.state = '${state}' AND (leads.email IN ${listed} OR leads.phone IN ${listed})`
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
  const held = `UPDATE leads SET state = 'held', held_reason = $2 WHERE id = $1 AND state = 'accepted'`
  await sql(held, [leadId, DO_NOT_CALL])
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
