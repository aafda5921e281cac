/** Requests not to be called that the operator's CRM sent. Each message is recorded once, however often it's sent. */
import type { DoNotCall } from '../../../domain/do-not-call.ts'
import { insert, Rollback, type SqlPort, transactOrRollback } from '../sql.ts'
import { stopIn } from './do-not-call.ts'
import { entryOf } from './stops.ts'

export interface CrmStop {
  /** The message's ID, which the CRM keeps when it sends it again. */
  readonly webhookId: string
  /** Empty: the phone number and the email address of the lead. */
  readonly contacts: readonly DoNotCall[]
  readonly leadId: string | null
}

/** CRMs give up on a message long before that. */
const REMEMBERED_MS = 90 * 24 * 60 * 60_000

export function createCrmStops(port: SqlPort, onDue: () => void) {
  return {
    /** The CRM isn't told about the lead it names, but about other leads with the number. */
    async stopFromCrm({ webhookId, contacts: given, leadId: named }: CrmStop) {
      const result = await transactOrRollback(port, { kind: 'unknown lead' } as const, async (sql, at) => {
        await sql('DELETE FROM crm_stops WHERE received_at < $1', [at - REMEMBERED_MS])
        const row = { webhook_id: webhookId, received_at: at }
        const added = await insert(sql, 'crm_stops', row, 'ON CONFLICT DO NOTHING RETURNING 1')
        if (added.length === 0) return { kind: 'known' } as const
        const [lead] = await sql<{ id: string; email: string | null; phone: string | null }>(
          'SELECT id, email, phone FROM leads WHERE id = $1',
          [named ?? ''],
        )
        const ofLead = lead?.phone ? [{ phone: lead.phone }, ...(lead.email ? [{ email: lead.email }] : [])] : []
        const contacts = given.length > 0 ? given : ofLead
        if (contacts.length === 0) throw new Rollback()
        const order = { contacts, by: 'CRM', source: 'crm' as const, ...(lead && { leadId: lead.id }) }
        await stopIn(sql, order)
        return { kind: 'recorded', entries: contacts.map(entryOf) } as const
      })
      onDue()
      return result
    },
  }
}
