/** Who became a client. A day, not a time, because the organization hears of it later. */
import { leadsForCrm } from '../../facts/deliveries/sent-to-crm.ts'
import { isEvent } from '../../facts/leads/events.ts'
import { isSoFar } from '../../facts/leads/filter.ts'
import { storedLeads } from '../../facts/leads/lead-rows.ts'
import { isAccepted, isNotErased } from '../../facts/leads/states.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { isNewMessage } from '../../tables/crm-messages.ts'
import { addHistory } from '../../tables/history.ts'
import { setClient, unsetClient } from '../../tables/leads.ts'
import { queueEvents, withdrawNews } from '../../tables/outbox.ts'

interface Client {
  readonly leadId: string
  /** 2030-01-31 */
  readonly on: string
  readonly by: string
}

interface ByStaff extends Client {
  /** Saved with this outcome, whose Undo takes it back. */
  readonly call?: string
  /** Whether the CRM hears of it. */
  readonly announce?: boolean
}

export interface CrmClient extends Pick<Client, 'leadId' | 'on'> {
  readonly webhookId: string
}

export function createClients({ transact }: SqlPort, onDue: () => void) {
  return {
    /** False if nobody reached them, or they already are a client. */
    async markClient(client: ByStaff) {
      const isMarked = await transact(tx => markReached(tx, client))
      onDue()
      return isMarked
    },

    /** False if they aren't a client. */
    async undoClient(client: Omit<ByStaff, 'on'>) {
      const isUndone = await transact(tx => unmark(tx, client))
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

/** Only after someone reached them: they may decide later. */
export async function markReached(tx: Tx, { announce = false, ...client }: ByStaff): Promise<boolean> {
  const isMarked = await mark(tx, client, `${isAccepted} AND ${isSoFar('reached')}`)
  if (isMarked && announce) await tellCrm(tx, client)
  return isMarked
}

async function unmark(tx: Tx, { leadId, by, announce = false }: Omit<ByStaff, 'on'>): Promise<boolean> {
  const [lead] = await storedLeads(tx, [leadId], { lock: tx.dialect.lockLeads })
  const on = lead?.clientOn ?? null
  if (on === null) return false
  await unsetClient(tx, [leadId])
  await addHistory(tx, { leadId, event: { kind: 'client undone', on, by } })
  if (!(await withdrawNews(tx, leadId, on)) && announce) await tellCrm(tx, { leadId, on: null, by })
  return true
}

/** Unless someone has changed it since. */
export async function unmarkWithCall(
  tx: Tx,
  {
    leads,
    call,
    ...order
  }: Pick<ByStaff, 'by' | 'announce'> & { readonly leads: readonly string[]; readonly call: string },
): Promise<void> {
  const marks = await tx<{ leadId: string; detail: string }>(
    `SELECT lead_id, detail FROM history WHERE lead_id = ANY($1) AND ${isEvent('client', 'client undone')} ORDER BY rowid`,
    [leads],
  )
  for (const [leadId, { detail }] of new Map(marks.map(mark => [mark.leadId, mark])))
    if (JSON.parse(detail).call === call) await unmark(tx, { ...order, leadId })
}

async function mark(tx: Tx, { leadId, ...event }: Omit<ByStaff, 'announce'>, condition: string): Promise<boolean> {
  const isMarked = await setClient(tx, leadId, event.on, condition)
  if (isMarked) await addHistory(tx, { leadId, event: { kind: 'client', ...event } })
  return isMarked
}

/** Contract: docs/webhook.md. */
async function tellCrm(tx: Tx, { leadId, on, by }: Omit<Client, 'on'> & { readonly on: string | null }): Promise<void> {
  const isForCrm = (await leadsForCrm(tx, [leadId])).has(leadId)
  if (isForCrm) await queueEvents(tx, [{ leadId, type: 'lead.client', detail: { on, by } }])
}

/** Of a repeat, the lead that it repeats; of a lead whose number was corrected, the last one. Null if there's none, or it was erased. */
async function leadThatGoesOn(tx: Tx, id: string, seen: readonly string[] = []): Promise<string | null> {
  const [lead] = await storedLeads(tx, [id], { lock: tx.dialect.lockLeads })
  if (!lead || seen.includes(id)) return null
  return lead.state === 'repeat' && lead.repeatOf !== null ? leadThatGoesOn(tx, lead.repeatOf, [...seen, id]) : id
}
