/** The do-not-call list. Captures and deliveries check it; nobody on it is sent to the webhook unless asked for by lead. */
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'
import { markLeadChanged } from './funnel.ts'
import { canonicalEmail, DO_NOT_CALL } from './repeats.ts'
import { number, text } from './rows.ts'
import type { Dialect, Row, Sql, SqlPort } from './sql.ts'
import { addHistory } from './statements.ts'

const BATCH = 500

export interface DoNotCallStore {
  /**
   * Adds contacts to the list, and puts on hold what is still to be delivered to them. What is being sent right now can't be
   * called back: it is recorded when it ends, and not tried again.
   */
  suppress(order: DoNotCallOrder): Promise<Suppressed>
  /** How many were on the list. */
  unsuppress(order: DoNotCallOrder): Promise<number>
  /** Which of these leads have a contact on the list. */
  suppressedLeads(ids: readonly string[]): Promise<readonly string[]>
  /** Which of the lead's contacts are on the list. */
  listedContacts(leadId: string): Promise<readonly ContactKind[]>
  /** In alphabetical order, starting after one. */
  suppressions(request: { readonly after: string; readonly limit: number }): Promise<readonly Suppression[]>
}

export type DoNotCall = { readonly email: string } | { readonly phone: string }

export type ContactKind = 'email' | 'phone'

export interface DoNotCallOrder {
  readonly contacts: readonly DoNotCall[]
  /** Who asked for it. */
  readonly by: string
  /** The lead that the contacts were taken from: the change is noted in its history. */
  readonly leadId?: string
}

export interface Suppressed {
  /** How many were not on the list before. */
  readonly added: number
  /** Ids of leads that were to be delivered. */
  readonly held: readonly string[]
  /** Of these, the ones being sent right now. */
  readonly underWay: readonly string[]
}

export interface Suppression {
  /** Ten digits, or an email address in lower case. */
  readonly contact: string
  readonly addedAt: number
}

/** A lead's email and phone as they appear on the list. */
export function listedAs({ email, phone }: Pick<Contact, 'email' | 'phone'>): readonly [string, string] {
  return [canonicalEmail(email), phoneDigits(phone)]
}

export function entryOf(contact: DoNotCall): string {
  return 'email' in contact ? canonicalEmail(contact.email) : phoneDigits(contact.phone)
}

export function contactOfEntry(entry: string): DoNotCall {
  return entry.includes('@') ? { email: entry } : { phone: entry }
}

const statements = {
  added:
    'INSERT INTO suppressions (contact, added_at) VALUES ($1, $2) ON CONFLICT (contact) DO NOTHING RETURNING contact',
  removed: 'DELETE FROM suppressions WHERE contact = $1 RETURNING contact',
} as const

export function createDoNotCall(port: SqlPort): DoNotCallStore {
  const { read, transact, now, dialect } = port

  async function change(event: 'added' | 'removed', { contacts, by, leadId }: DoNotCallOrder): Promise<number> {
    const entries = [...new Set(contacts.map(entryOf))].toSorted()
    const at = await now()
    let changed = 0
    for (let start = 0; start < entries.length; start += BATCH) {
      changed += await transact(async sql => {
        let rows = 0
        for (const entry of entries.slice(start, start + BATCH)) {
          if ((await sql(statements[event], event === 'added' ? [entry, at] : [entry])).length === 0) continue
          rows++
          await sql('INSERT INTO do_not_call_history (contact, at, event, done_by) VALUES ($1, $2, $3, $4)', [
            entry,
            at,
            event,
            by,
          ])
          if (leadId !== undefined) {
            // Which of the two it was, never the value: history outlives an erasure.
            const detail = { contact: entry.includes('@') ? 'email' : 'phone', by }
            await sql(...addHistory(leadId, at, event === 'added' ? 'suppressed' : 'unsuppressed', detail))
          }
        }
        return rows
      })
    }
    return changed
  }

  return {
    async suppress(order) {
      const added = await change('added', order)
      const entries = new Set(order.contacts.map(entryOf))
      const at = await now()
      const [held, underWay]: [string[], string[]] = [[], []]
      for await (const id of undeliveredOf(port, entries)) {
        const was = await transact(sql => holdBack(sql, dialect, id, { at, by: order.by }))
        if (was) held.push(id)
        if (was === 'under way') underWay.push(id)
      }
      return { added, held, underWay }
    },
    unsuppress: order => change('removed', order),
    async suppressedLeads(ids) {
      const asked = dialect.rowsOf('$1', { text: ['id'], bigint: [] })
      const leads = await read(
        `SELECT id, email, phone FROM leads WHERE id IN (SELECT id FROM ${asked} AS asked) AND state <> 'erased'`,
        [JSON.stringify(ids.map(id => ({ id })))],
      )
      return [...(await suppressedAmong(read, dialect, leads)).keys()]
    },
    async listedContacts(leadId) {
      const [lead] = await read(`SELECT email, phone FROM leads WHERE id = $1 AND state <> 'erased'`, [leadId])
      if (!lead) return []
      const entries = listedAs({ email: text(lead, 'email'), phone: text(lead, 'phone') })
      const rows = await read('SELECT contact FROM suppressions WHERE contact IN ($1, $2)', entries)
      return rows.map(row => (text(row, 'contact').includes('@') ? 'email' : 'phone')).toSorted()
    },
    async suppressions({ after, limit }) {
      const rows = await read(
        'SELECT contact, added_at FROM suppressions WHERE contact > $1 ORDER BY contact LIMIT $2',
        [after, limit],
      )
      return rows.map(row => ({ contact: text(row, 'contact'), addedAt: number(row, 'added_at') }))
    },
  }
}

/** Given leads with `id`, `email`, and `phone`: when the person was put on the list, by lead. Others are left out. */
export async function suppressedAmong(
  sql: Sql,
  { rowsOf }: Dialect,
  leads: readonly Row[],
): Promise<ReadonlyMap<string, number>> {
  const contacts = leads.map(lead => ({
    id: text(lead, 'id'),
    entries: listedAs({ email: text(lead, 'email'), phone: text(lead, 'phone') }),
  }))
  const asked = contacts.flatMap(({ entries }) => entries.map(contact => ({ contact })))
  const rows = await sql(
    `SELECT contact, added_at FROM suppressions
     WHERE contact IN (SELECT contact FROM ${rowsOf('$1', { text: ['contact'], bigint: [] })} AS asked)`,
    [JSON.stringify(asked)],
  )
  const listed = new Map(rows.map(row => [text(row, 'contact'), number(row, 'added_at')]))
  return new Map(
    contacts.flatMap(({ id, entries }) => {
      const times = entries.flatMap(entry => listed.get(entry) ?? [])
      return times.length > 0 ? [[id, Math.max(...times)] as const] : []
    }),
  )
}

interface LeasedLead {
  readonly leadId: string
  readonly leaseToken: string
  readonly contact: Pick<Contact, 'email' | 'phone'>
}

/**
 * Final do-not-call check before delivery. A capture that read the list a moment before the person was added is in the
 * outbox all the same, and so is what an interrupted command did not hold. An operator who asked for this very lead since
 * then has the last word.
 */
export async function withoutSuppressed<Leased extends LeasedLead>(
  port: SqlPort,
  leased: readonly Leased[],
): Promise<readonly Leased[]> {
  if (leased.length === 0) return leased
  const leads = leased.map(({ leadId, contact: { email, phone } }) => ({ id: leadId, email, phone }))
  const suppressed = await suppressedAmong(port.read, port.dialect, leads)
  if (suppressed.size === 0) return leased
  const at = await port.now()
  const toSend: Leased[] = []
  for (const delivery of leased) {
    const { leadId, leaseToken } = delivery
    const since = suppressed.get(leadId)
    if (since === undefined || (await wasAskedFor(port.read, leadId, since))) toSend.push(delivery)
    else await port.transact(sql => holdBack(sql, port.dialect, leadId, { at, by: 'system' }, leaseToken))
  }
  return toSend
}

/** By its id: bulk selections leave these people out. A repeat reopens a delivery without anyone asking. */
async function wasAskedFor(sql: Sql, leadId: string, since: number): Promise<boolean> {
  const asked = await sql(
    `SELECT 1 FROM history WHERE lead_id = $1 AND at >= $2 AND event IN ('released', 'put into the outbox again')
       AND detail NOT LIKE '%"repeatedBy"%' LIMIT 1`,
    [leadId, since],
  )
  return asked.length > 0
}

/** Reads through the outbox, which is short; looking up each entry of a long list among all leads would take hours. */
async function* undeliveredOf({ read }: SqlPort, entries: ReadonlySet<string>): AsyncGenerator<string> {
  for (const state of ['pending', 'dead']) {
    for (let after = ''; ; ) {
      const rows = await read(
        `SELECT leads.id, leads.email, leads.phone FROM deliveries JOIN leads ON leads.id = deliveries.lead_id
         WHERE deliveries.state = '${state}' AND deliveries.lead_id > $1 AND leads.state <> 'erased'
         ORDER BY deliveries.lead_id LIMIT $2`,
        [after, BATCH],
      )
      for (const row of rows) {
        const contact = { email: text(row, 'email'), phone: text(row, 'phone') }
        if (listedAs(contact).some(entry => entries.has(entry))) yield text(row, 'id')
      }
      if (rows.length < BATCH) break
      after = text(rows.at(-1), 'id')
    }
  }
}

/**
 * Null when there is nothing left to hold. A repeat stays one, but is not announced. With a token, only what is under that
 * lease: its holder has not sent it.
 */
async function holdBack(
  sql: Sql,
  { lockLeads }: Dialect,
  id: string,
  { at, by }: { readonly at: number; readonly by: string },
  ownLease?: string,
): Promise<'pending' | 'dead' | 'under way' | null> {
  await sql(`SELECT id FROM leads WHERE id = $1 ${lockLeads}`, [id])
  const [taken] = await sql(
    `DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' ${ownLease ? 'AND lease_token = $2' : ''}
     RETURNING state, next_at, lease_token`,
    ownLease ? [id, ownLease] : [id],
  )
  if (!taken) return null
  const isLeased =
    !ownLease && taken['state'] === 'pending' && taken['lease_token'] !== null && number(taken, 'next_at') > at
  const was = isLeased ? 'under way' : (text(taken, 'state') as 'pending' | 'dead')
  await sql(`UPDATE leads SET state = 'held', held_reason = $2 WHERE id = $1 AND state = 'accepted'`, [id, DO_NOT_CALL])
  await markLeadChanged(sql, id, at)
  await sql(...addHistory(id, at, 'held', { heldReason: DO_NOT_CALL, cancelledDelivery: was, by }))
  return was
}
