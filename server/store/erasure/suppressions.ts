/** The do-not-call list. Shared by the engines; captures look into it themselves. */
import type { Contact } from '../../../domain/lead.ts'
import { phoneDigits } from '../../../domain/phone.ts'
import { canonicalEmail, DO_NOT_CALL } from '../repeats.ts'
import { number, text } from '../rows.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'
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

type SuppressionOperations = Pick<Store, 'suppress' | 'withhold' | 'unsuppress' | 'suppressions'>

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

/** Null when there is nothing to hold back any more. A repeat stays one; it only is not announced. */
async function holdBack(
  sql: Sql,
  { lockLeads }: Dialect,
  id: string,
  now: number,
): Promise<'pending' | 'dead' | 'under way' | null> {
  await sql(`SELECT id FROM leads WHERE id = $1 ${lockLeads}`, [id])
  const [taken] = await sql(
    `DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' RETURNING state, next_at, lease_token`,
    [id],
  )
  if (!taken) return null
  const isLeased = taken['state'] === 'pending' && taken['lease_token'] !== null && number(taken, 'next_at') > now
  const standing = isLeased ? 'under way' : (text(taken, 'state') as 'pending' | 'dead')
  await sql(`UPDATE leads SET state = 'held', held_reason = $2 WHERE id = $1 AND state = 'accepted'`, [id, DO_NOT_CALL])
  await sql(...addHistory(id, now, 'held', { heldReason: DO_NOT_CALL, cancelledDelivery: standing }))
  return standing
}
