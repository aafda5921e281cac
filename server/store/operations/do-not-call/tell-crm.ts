/**
 * What the CRM hears of stops: one `lead.do_not_call` for each lead that it has or may have. The row stays once it was told, so it isn't
 * told twice, and so someone is asked to tell it if the stop is taken back: the webhook has no event for that.
 */
import type { CrmKnows } from '../../../../domain/do-not-call/do-not-call.ts'
import { leadsForCrm, lockDeliveries, mayHaveArrived } from '../../facts/deliveries/sent-to-crm.ts'
import { type ContactKind, isClosedByList } from '../../facts/do-not-call/stops.ts'
import { isMessage, isNotErased } from '../../facts/leads/states.ts'
import type { Tx } from '../../sql.ts'
import {
  endPuttingOff,
  listCallsAllowed,
  queueEvents,
  removeCallsAllowed,
  removeMessages,
} from '../../tables/outbox.ts'

interface ToTell {
  readonly leadIds: readonly string[]
  readonly contact: ContactKind
  /** The lead that the CRM's own request names: it knows. */
  readonly except?: string | undefined
  /** For a stop that isn't on the list, only in a call: the ID of its outcome. */
  readonly callId?: string
}

/** Returns the leads that the CRM is told about. */
export async function tellOfStop(tx: Tx, { leadIds, contact, except, callId }: ToTell): Promise<readonly string[]> {
  if (leadIds.length === 0) return []
  await lockDeliveries(tx, leadIds)
  await removeCallsAllowed(tx, leadIds)
  const told = await tx<{ leadId: string }>(
    `SELECT lead_id FROM outbox WHERE lead_id = ANY($1) AND lane <> 'leads' AND type = 'lead.do_not_call'`,
    [leadIds],
  )
  const wasTold = new Set(told.map(({ leadId }) => leadId))
  // A lead that waits is still to be sent only if its number stays open: someone else was reached there.
  const forCrm = await leadsForCrm(tx, leadIds)
  const news = leadIds.filter(id => forCrm.has(id) && !wasTold.has(id)).toSorted()
  const stopOf = (leadId: string) => ({ leadId, type: 'lead.do_not_call', detail: { contact, callId } }) as const
  await queueEvents(tx, news.filter(id => id !== except).map(stopOf))
  await queueEvents(tx, news.filter(id => id === except).map(stopOf), 'told')
  return news.filter(id => id !== except)
}

/** After entries were removed: sends leads that waited for that, and withdraws what the CRM was to hear. */
export async function reopenLeads(tx: Tx, leadIds: readonly string[]): Promise<CrmKnows> {
  if (leadIds.length === 0) return null
  const open = await openAmong(tx, leadIds)
  await endPuttingOff(tx, open)
  return takeBackStops(tx, open)
}

/** A stop holds while the lead's number is closed. Nobody can tell for an erased lead, so its stop holds. */
export async function openAmong(tx: Tx, leadIds: readonly string[]): Promise<readonly string[]> {
  const rows = await tx<{ id: string }>(
    `SELECT id FROM leads WHERE id = ANY($1) AND ${isNotErased} AND NOT ${isClosedByList}`,
    [leadIds],
  )
  return rows.map(({ id }) => id)
}

/**
 * Removes stops that the CRM can't have heard of. The others are listed until someone tells it that calls are allowed again. Given a
 * call, only what that call said; else, what the list says.
 */
export async function takeBackStops(tx: Tx, leadIds: readonly string[], callId?: string): Promise<CrmKnows> {
  const { jsonField, lockDeliveries: lock } = tx.dialect
  const ofCall = jsonField('outbox.detail', 'callId')
  const rows = await tx<{ id: string; mayKnow: number }>(
    `SELECT id, CASE WHEN ${isMessage('told')} OR ${mayHaveArrived()} THEN 1 ELSE 0 END AS may_know FROM outbox
     WHERE lead_id = ANY($1) AND lane <> 'leads' AND type = 'lead.do_not_call'
       AND ${callId === undefined ? `${ofCall} IS NULL` : `${ofCall} = $2`} ORDER BY id ${lock}`,
    callId === undefined ? [leadIds] : [leadIds, callId],
  )
  const known = rows.filter(({ mayKnow }) => mayKnow === 1).map(({ id }) => id)
  const unheard = rows.filter(({ mayKnow }) => mayKnow === 0).map(({ id }) => id)
  await removeMessages(tx, unheard)
  await listCallsAllowed(tx, known)
  if (known.length > 0) return 'told'
  return rows.length > 0 ? 'not told' : null
}
