/** Requests not to be called that the operator's CRM sent. Each message is recorded once, however often it's sent. */
import type { DoNotCall } from '../../../../domain/do-not-call/do-not-call.ts'
import { asOneRequest, contactOfEntry, entryOf, lockContacts } from '../../facts/do-not-call/stops.ts'
import { entriesOfChain } from '../../facts/leads/chains.ts'
import { storedLead } from '../../facts/leads/lead-rows.ts'
import { Rollback, type SqlPort, StaleLocks, type Tx, transactOrRollback } from '../../sql.ts'
import { isNewMessage } from '../../tables/crm-messages.ts'
import { stopIn } from './stop.ts'

export interface CrmStop {
  /** The message's ID, which the CRM keeps when it sends it again. */
  readonly webhookId: string
  /** Empty: the phone numbers and the email addresses of the lead and of those that took its place. */
  readonly contacts: readonly DoNotCall[]
  readonly leadId: string | null
}

export function createCrmStops({ insist }: SqlPort, onDue: () => void) {
  return {
    /** The CRM isn't told about the lead it names, but about other leads with the number. */
    async stopFromCrm({ webhookId, contacts: given, leadId: named }: CrmStop) {
      const result = await transactOrRollback({ transact: insist }, { kind: 'unknown lead' } as const, async tx => {
        const entriesFor = async () => {
          const lead = named === null ? null : await leadNamed(tx, named)
          return { lead, entries: given.length > 0 ? given.map(entryOf) : (lead?.entries ?? []) }
        }
        const before = await entriesFor()
        await lockContacts(tx, [...before.entries, ...(before.lead?.entries ?? [])])
        const { lead, entries } = await entriesFor()
        // Someone corrected the lead before we had the locks.
        if (entries.some(entry => !before.entries.includes(entry))) throw new StaleLocks()
        if (entries.length === 0) throw new Rollback()
        if (!(await isNewMessage(tx, webhookId))) return { kind: 'known', entries } as const
        const { contacts } = asOneRequest(entries.map(contactOfEntry))
        await stopIn(tx, { contacts, by: 'CRM', source: 'crm', ...(lead && { leadId: lead.id }) })
        return { kind: 'recorded', entries } as const
      })
      onDue()
      return result
    },
  }
}

/** Null if there's none. Without entries if it was erased. */
async function leadNamed(tx: Tx, leadId: string) {
  const lead = await storedLead(tx, leadId)
  return lead && { id: lead.id, entries: await entriesOfChain(tx, leadId) }
}
