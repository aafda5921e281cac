/** What came of an attempt to send a message. */
import type { NewLeadEvent } from '../../../../domain/events/lead-events.ts'
import { ADDRESS_REFUSED } from '../../facts/deliveries/messages.ts'
import { isLead } from '../../facts/leads/states.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { clockRows, setClock } from '../../tables/clock.ts'
import { addHistory } from '../../tables/history.ts'
import { addAttempt, keepAsDelivered, type SettledEvent, settleMessage } from '../../tables/outbox.ts'
import type { LeasedMessage } from './lease.ts'

/** `reason` is plain English, without personal data. */
export type Settlement = Pick<LeasedMessage, 'id' | 'leaseToken'> & {
  /** How long the attempt took; it ended just now. */
  readonly durationMs: number
  /** The HTTP status, if there was a response. */
  readonly status: number | null
  /** Of a letter: the address, not our mail server, is why it didn't arrive. */
  readonly isAddressRefused?: boolean
} & (
    | { readonly result: 'delivered' }
    | { readonly result: 'retry'; readonly reason: string; readonly retryInMs: number }
    /** `isUnsent`: nothing was sent, because the webhook's format can't carry it. */
    | { readonly result: 'dead'; readonly reason: string; readonly isUnsent?: boolean }
  )

type Result = Settlement['result']

const stateAfter = { delivered: 'delivered', retry: 'pending', dead: 'dead' } as const
const leadHistory = { delivered: 'delivered', retry: 'delivery failed', dead: 'delivery dead' } as const

export function createSettle({ transact }: SqlPort) {
  return {
    /**
     * Records the result of an attempt, even if the lead has been erased since. Returns false if nothing was recorded:
     * another worker settled it, or the attempt failed after its lease went to another worker. A late success still counts.
     */
    settle: (settlement: Settlement) =>
      transact(async tx => {
        const { id, leaseToken, status, result } = settlement
        const durationMs = Math.round(settlement.durationMs)
        const nextAt = result === 'retry' ? tx.at + Math.round(settlement.retryInMs) : null
        const outcome = result === 'delivered' ? result : settlement.reason
        const isUnsent = result === 'dead' && settlement.isUnsent === true
        const letterDetail = settlement.isAddressRefused ? ADDRESS_REFUSED : '{}'
        const settled = await settleMessage(tx, {
          id,
          leaseToken,
          state: stateAfter[result],
          nextAt,
          isUnsent,
          letterDetail,
        })
        if (settled && settled.lane !== 'leads') {
          if (result === 'delivered' && settled.type === 'mail.team') await setClock(tx, clockRows.teamLetter, tx.at)
          const event = eventOf(settled, result, outcome)
          if (event) await addHistory(tx, { leadId: settled.leadId, event })
          return true
        }
        if (!settled && result === 'delivered' && (await wasTakenBack(tx, id))) return true
        // In the lane "leads", the row's ID is the lead's.
        if (!settled && !(await wasErased(tx, id))) return false
        if (!isUnsent) await addAttempt(tx, { leadId: id, at: tx.at - durationMs, durationMs, outcome, status })
        if (!settled && result === 'delivered') await keepAsDelivered(tx, id)
        const fields = settled
          ? { attempt: settled.attempts, outcome, nextAt: nextAt ?? undefined }
          : ({ outcome, afterErasure: 'true' } as const)
        await addHistory(tx, { leadId: id, event: { kind: leadHistory[result], ...fields } })
        return true
      }),
  }
}

/** The team's letters are about many people, so they're in nobody's history. */
function eventOf({ type, attempts: attempt }: SettledEvent, result: Result, outcome: string): NewLeadEvent | null {
  if (result === 'retry' || type === 'mail.team') return null
  const isDelivered = result === 'delivered'
  if (type === 'mail.visitor') return { kind: isDelivered ? 'letter sent' : 'letter failed' }
  return { kind: isDelivered ? 'event delivered' : 'event failed', type, attempt, outcome }
}

/** A stop that reached the CRM after it was taken back: someone is to tell the CRM that already. */
async function wasTakenBack(tx: Tx, id: string): Promise<boolean> {
  const takenBack = `SELECT lead_id FROM outbox WHERE id = $1 AND type = 'lead.calls_allowed'`
  const [row] = await tx<{ leadId: string }>(takenBack, [id])
  const event = { kind: 'event delivered', type: 'lead.do_not_call', attempt: 1, outcome: 'delivered' } as const
  if (row) await addHistory(tx, { leadId: row.leadId, event })
  return row !== undefined
}

/** Whether the lead was erased while its delivery was in flight, which took it out of the outbox. */
async function wasErased(tx: Tx, leadId: string): Promise<boolean> {
  const erased = await tx(
    `SELECT 1 FROM leads WHERE id = $1 AND ${isLead('erased')} AND NOT EXISTS (SELECT 1 FROM outbox WHERE id = leads.id)
     ${tx.dialect.lockLeads}`,
    [leadId],
  )
  return erased.length > 0
}
