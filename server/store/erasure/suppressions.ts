/** The do-not-call list. Shared by the engines; captures look into it themselves. */
import type { Contact } from '../../../domain/lead.ts'
import { phoneDigits } from '../../../domain/phone.ts'
import { markLeadChanged } from '../funnel.ts'
import { canonicalEmail, DO_NOT_CALL } from '../repeats.ts'
import { number, text } from '../rows.ts'
import type { Dialect, Row, Sql, SqlPort } from '../sql.ts'
import { addHistory } from '../statements.ts'
import type { DoNotCall, Store } from '../store.ts'

const BATCH = 500

/** How a lead's address and number would stand on the list. */
export function listedAs({ email, phone }: Pick<Contact, 'email' | 'phone'>): readonly [string, string] {
  return [canonicalEmail(email), phoneDigits(phone)]
}

function entryOf(contact: DoNotCall): string {
  return 'email' in contact ? canonicalEmail(contact.email) : phoneDigits(contact.phone)
}

type SuppressionOperations = Pick<Store, 'suppress' | 'withhold' | 'suppressedLeads' | 'unsuppress' | 'suppressions'>

export function createSuppressions(port: SqlPort): SuppressionOperations {
  const inBatches = async (contacts: readonly DoNotCall[], text: string, ...more: number[]) => {
    const entries = [...new Set(contacts.map(entryOf))].toSorted()
    let changed = 0
    for (let start = 0; start < entries.length; start += BATCH) {
      changed += await port.transact(async sql => {
        let rows = 0
        for (const entry of entries.slice(start, start + BATCH)) rows += (await sql(text, [entry, ...more])).length
        return rows
      })
    }
    return changed
  }
  return {
    suppress: async contacts =>
      inBatches(
        contacts,
        'INSERT INTO suppressions (contact, added_at) VALUES ($1, $2) ON CONFLICT (contact) DO NOTHING RETURNING contact',
        await port.now(),
      ),
    withhold: async contacts => {
      const entries = new Set(contacts.map(entryOf))
      const now = await port.now()
      const [held, underWay]: [string[], string[]] = [[], []]
      for await (const id of undeliveredOf(port, entries)) {
        const standing = await port.transact(sql => holdBack(sql, port.dialect, id, now))
        if (standing) held.push(id)
        if (standing === 'under way') underWay.push(id)
      }
      return { held, underWay }
    },
    suppressedLeads: async ids => {
      const asked = port.dialect.rowsOf('$1', { text: ['id'], bigint: [] })
      const leads = await port.read(
        `SELECT id, email, phone FROM leads WHERE id IN (SELECT id FROM ${asked} AS asked) AND state <> 'erased'`,
        [JSON.stringify(ids.map(id => ({ id })))],
      )
      return [...(await suppressedAmong(port.read, port.dialect, leads)).keys()]
    },
    unsuppress: contacts => inBatches(contacts, 'DELETE FROM suppressions WHERE contact = $1 RETURNING contact'),
    suppressions: async ({ after, limit }) => {
      const rows = await port.read(
        'SELECT contact, added_at FROM suppressions WHERE contact > $1 ORDER BY contact LIMIT $2',
        [after, limit],
      )
      return rows.map(row => ({ contact: text(row, 'contact'), addedAt: number(row, 'added_at') }))
    },
  }
}

/** When the people of these leads, rows with `id`, `email` and `phone`, were put on the list: by the lead, of those who are on it. */
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
 * The last look before a lead leaves the house: a capture that looked at the list a moment before its person was put there
 * is in the outbox all the same, and so is what nobody held back because the command that should have was cut off. Those
 * leads are held now. Not if an operator has asked for the very lead since: that is who decides.
 */
export async function withoutSuppressed<Leased extends LeasedLead>(
  port: SqlPort,
  leased: readonly Leased[],
): Promise<readonly Leased[]> {
  if (leased.length === 0) return leased
  const leads = leased.map(({ leadId, contact: { email, phone } }) => ({ id: leadId, email, phone }))
  const suppressed = await suppressedAmong(port.read, port.dialect, leads)
  if (suppressed.size === 0) return leased
  const now = await port.now()
  const toSend: Leased[] = []
  for (const delivery of leased) {
    const { leadId, leaseToken } = delivery
    const since = suppressed.get(leadId)
    if (since === undefined || (await wasAskedFor(port.read, leadId, since))) toSend.push(delivery)
    else await port.transact(sql => holdBack(sql, port.dialect, leadId, now, leaseToken))
  }
  return toSend
}

/** By its id: what is chosen in any other way leaves these people out. A repeat opens a delivery again without anybody's asking. */
async function wasAskedFor(sql: Sql, leadId: string, since: number): Promise<boolean> {
  const asked = await sql(
    `SELECT 1 FROM history WHERE lead_id = $1 AND at >= $2 AND event IN ('released', 'put into the outbox again')
       AND detail NOT LIKE '%"repeatedBy"%' LIMIT 1`,
    [leadId, since],
  )
  return asked.length > 0
}

/** Read through the outbox: it is short, where to look for each of a long list among all leads would take hours. */
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
 * Null when there is nothing to hold back any more. A repeat stays one; it only is not announced. With a token, only what is
 * under that lease: whoever has the lease has not sent it.
 */
async function holdBack(
  sql: Sql,
  { lockLeads }: Dialect,
  id: string,
  now: number,
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
    !ownLease && taken['state'] === 'pending' && taken['lease_token'] !== null && number(taken, 'next_at') > now
  const standing = isLeased ? 'under way' : (text(taken, 'state') as 'pending' | 'dead')
  await sql(`UPDATE leads SET state = 'held', held_reason = $2 WHERE id = $1 AND state = 'accepted'`, [id, DO_NOT_CALL])
  await markLeadChanged(sql, id, now)
  await sql(...addHistory(id, now, 'held', { heldReason: DO_NOT_CALL, cancelledDelivery: standing }))
  return standing
}
