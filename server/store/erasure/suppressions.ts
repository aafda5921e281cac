/** The do-not-call list. Shared by the engines; captures look into it themselves. */
import type { Contact } from '../../../domain/lead.ts'
import { phoneDigits } from '../../../domain/phone.ts'
import { canonicalEmail } from '../repeats.ts'
import { number, text } from '../rows.ts'
import type { SqlPort } from '../sql.ts'
import type { DoNotCall, Store } from '../store.ts'

const BATCH = 500

/** How a lead's address and number would stand on the list. */
export function listedAs({ email, phone }: Pick<Contact, 'email' | 'phone'>): readonly [string, string] {
  return [canonicalEmail(email), phoneDigits(phone)]
}

function entryOf(contact: DoNotCall): string {
  return 'email' in contact ? canonicalEmail(contact.email) : phoneDigits(contact.phone)
}

export function createSuppressions(port: SqlPort): Pick<Store, 'suppress' | 'unsuppress' | 'suppressions'> {
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
