/** A lead's own address and number on the do-not-call list, without anybody having to type them. Shared by the engines. */
import { listedAs } from '../erasure/suppressions.ts'
import { text } from '../rows.ts'
import type { Sql, SqlPort } from '../sql.ts'
import { addHistory } from '../statements.ts'
import type { ContactKind, DeskLeadsStore, LeadSuppression } from './leads-store.ts'

const kinds = ['email', 'phone'] as const satisfies readonly ContactKind[]

type LeadContacts = Pick<DeskLeadsStore, 'suppressLead' | 'unsuppressLead' | 'listedContacts'>

export function createLeadContacts({ read, transact, now }: SqlPort): LeadContacts {
  async function change(
    order: LeadSuppression,
    event: 'suppressed' | 'unsuppressed',
    statement: (sql: Sql, entry: string, at: number) => ReturnType<Sql>,
  ): Promise<number | null> {
    const at = await now()
    return transact(async sql => {
      const entries = await entriesOf(sql, order.leadId)
      if (!entries) return null
      let changed = 0
      for (const kind of kinds.filter(each => order.contacts.includes(each))) {
        if ((await statement(sql, entries[kind], at)).length === 0) continue
        changed++
        // Which of them it was, never what it is: history outlives an erasure.
        await sql(...addHistory(order.leadId, at, event, { contact: kind, by: order.by }))
      }
      return changed
    })
  }

  return {
    suppressLead: order =>
      change(order, 'suppressed', (sql, entry, at) =>
        sql(
          'INSERT INTO suppressions (contact, added_at) VALUES ($1, $2) ON CONFLICT (contact) DO NOTHING RETURNING contact',
          [entry, at],
        ),
      ),
    unsuppressLead: order =>
      change(order, 'unsuppressed', (sql, entry) =>
        sql('DELETE FROM suppressions WHERE contact = $1 RETURNING contact', [entry]),
      ),
    async listedContacts(leadId) {
      const entries = await entriesOf(read, leadId)
      if (!entries) return []
      const rows = await read('SELECT contact FROM suppressions WHERE contact IN ($1, $2)', [
        entries.email,
        entries.phone,
      ])
      const listed = new Set(rows.map(row => text(row, 'contact')))
      return kinds.filter(kind => listed.has(entries[kind]))
    },
  }
}

/** Null when there is no such lead, or it was erased. */
async function entriesOf(sql: Sql, leadId: string): Promise<Readonly<Record<ContactKind, string>> | null> {
  const [lead] = await sql(`SELECT email, phone FROM leads WHERE id = $1 AND state <> 'erased'`, [leadId])
  if (!lead) return null
  const [email, phone] = listedAs({ email: text(lead, 'email'), phone: text(lead, 'phone') })
  return { email, phone }
}
