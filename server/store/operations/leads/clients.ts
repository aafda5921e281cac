/** Who became a client. A day, not a time, because the organization hears of it later. */
import { queueEvents } from '../../facts/deliveries/messages.ts'
import { leadsForCrm, mayHaveArrived } from '../../facts/deliveries/sent-to-crm.ts'
import { isSoFar } from '../../facts/leads/filter.ts'
import { storedLeads } from '../../facts/leads/lead-rows.ts'
import { isAccepted, isNotErased } from '../../facts/leads/states.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { isNewMessage } from '../../tables/crm-messages.ts'
import { addHistory } from '../../tables/history.ts'

interface Client {
  readonly leadId: string
  /** 2030-01-31 */
  readonly on: string
  readonly by: string
}

interface ByStaff extends Client {
  /** Whether the CRM hears of it. */
  readonly announce?: boolean
}

export interface CrmClient extends Pick<Client, 'leadId' | 'on'> {
  readonly webhookId: string
}

export function createClients({ transact }: SqlPort, onDue: () => void) {
  return {
    /** Only after someone reached them: they may decide later. False if nobody did, or they already are a client. */
    async markClient({ announce = false, ...client }: ByStaff) {
      const isMarked = await transact(async tx => {
        const isMarked = await mark(tx, client, `${isAccepted} AND ${isSoFar('reached')}`)
        if (isMarked && announce) await tellCrm(tx, client)
        return isMarked
      })
      onDue()
      return isMarked
    },

    /** False if they aren't a client. */
    async undoClient({ leadId, by, announce = false }: Omit<ByStaff, 'on'>) {
      const isUndone = await transact(async tx => {
        const [lead] = await storedLeads(tx, [leadId], { lock: tx.dialect.lockLeads })
        if (!lead?.clientOn) return false
        const on = lead.clientOn
        await tx('UPDATE leads SET client_on = NULL WHERE id = $1', [leadId])
        await addHistory(tx, { leadId, event: { kind: 'client undone', on, by } })
        if (!(await withdrawNews(tx, leadId, on)) && announce) await tellCrm(tx, { leadId, on: null, by })
        return true
      })
      onDue()
      return isUndone
    },

    /** The CRM knows best whom it called, so it needn't be after a call of ours. */
    clientFromCrm: ({ webhookId, leadId: named, on }: CrmClient) =>
      transact(async tx => {
        const leadId = await leadThatGoesOn(tx, named)
        if (leadId === null) return 'unknown lead'
        if (!(await isNewMessage(tx, webhookId))) return 'known'
        const isMarked = await mark(tx, { leadId, on, by: 'CRM' }, isNotErased)
        return isMarked ? 'recorded' : 'known'
      }),
  }
}

async function mark(tx: Tx, { leadId, on, by }: Client, condition: string): Promise<boolean> {
  const marked = await tx(
    `UPDATE leads SET client_on = $2 WHERE id = $1 AND client_on IS NULL AND ${condition} RETURNING 1`,
    [leadId, on],
  )
  if (marked.length > 0) await addHistory(tx, { leadId, event: { kind: 'client', on, by } })
  return marked.length > 0
}

/** Contract: docs/webhook.md. */
async function tellCrm(tx: Tx, { leadId, on, by }: Omit<Client, 'on'> & { readonly on: string | null }): Promise<void> {
  const isForCrm = (await leadsForCrm(tx, [leadId])).has(leadId)
  if (isForCrm) await queueEvents(tx, [{ leadId, type: 'lead.client', detail: { on, by } }])
}

/** If the CRM can't have heard of it. */
async function withdrawNews(tx: Tx, leadId: string, on: string): Promise<boolean> {
  const withdrawn = await tx(
    `DELETE FROM outbox WHERE lead_id = $1 AND lane <> 'leads' AND type = 'lead.client'
       AND ${tx.dialect.jsonField('detail', 'on')} = $2 AND NOT ${mayHaveArrived()} RETURNING 1`,
    [leadId, on],
  )
  return withdrawn.length > 0
}

/** Of a repeat, the lead that it repeats; of a lead whose number was corrected, the last one. Null if there's none, or it was erased. */
async function leadThatGoesOn(tx: Tx, id: string, seen: readonly string[] = []): Promise<string | null> {
  const [lead] = await storedLeads(tx, [id], { lock: tx.dialect.lockLeads })
  if (!lead || seen.includes(id)) return null
  return lead.state === 'repeat' && lead.repeatOf !== null ? leadThatGoesOn(tx, lead.repeatOf, [...seen, id]) : id
}
