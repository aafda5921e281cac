/** What came of an attempt to send a message. */
import type { NewLeadEvent } from '../../../../domain/events/lead-events.ts'
import { ADDRESS_REFUSED, type EventType, type LetterType, messageOf } from '../../facts/deliveries/messages.ts'
import { isLead, isMessage, isPending } from '../../facts/leads/states.ts'
import { insert, type SqlPort, type Tx } from '../../sql.ts'
import { addHistory } from '../../tables/history.ts'
import type { LeasedMessage } from './lease.ts'
import { rememberTeamLetter } from './letters.ts'

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

interface SettledLead {
  readonly lane: 'leads'
  readonly attempts: number
}

interface SettledEvent {
  readonly lane: 'stops' | 'calls' | 'mail'
  readonly leadId: string
  readonly type: EventType | LetterType
  readonly attempts: number
}

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
        // A success counts even after the lease has ended. A late failure doesn't, because another worker or an operator may have
        // resent the message. A failure of a lead that was replaced leaves it withdrawn: it isn't retried.
        const letterDetail = settlement.isAddressRefused ? ADDRESS_REFUSED : '{}'
        const isUnsent = result === 'dead' && settlement.isUnsent === true
        const [settled] = await tx<SettledLead | SettledEvent>(
          `UPDATE outbox SET state = CASE WHEN $2 <> 'delivered' AND ${isMessage('withdrawn')} THEN 'withdrawn'
               WHEN $2 = 'delivered' AND lane = 'stops' THEN 'told' ELSE $2 END,
             detail = CASE WHEN type = 'mail.visitor' THEN $7 ELSE detail END,
             attempts = attempts + $6, next_at = COALESCE($3, next_at),
             finished_at = CASE WHEN $2 = 'delivered' OR ${isPending} THEN $4 ELSE finished_at END, lease_token = NULL
           WHERE id = $1 AND (${isPending} OR ${isMessage('withdrawn')}) AND ($2 = 'delivered' OR lease_token = $5)
           RETURNING lead_id, lane, type, attempts`,
          [
            id,
            stateAfter[result],
            nextAt,
            result === 'retry' ? null : tx.at,
            leaseToken,
            isUnsent ? 0 : 1,
            letterDetail,
          ],
        )
        if (settled && settled.lane !== 'leads') {
          // A stop stays, so the CRM isn't told twice, and hears of it if it's taken back.
          if (result === 'delivered' && settled.lane !== 'stops') await tx('DELETE FROM outbox WHERE id = $1', [id])
          if (result === 'delivered' && settled.type === 'mail.team') await rememberTeamLetter(tx)
          const event = eventOf(settled, result, outcome)
          if (event) await addHistory(tx, { leadId: settled.leadId, event })
          return true
        }
        if (!settled && result === 'delivered' && (await wasTakenBack(tx, id))) return true
        // In the lane "leads", the row's ID is the lead's.
        if (!settled && !(await wasErased(tx, id))) return false
        const attempt = { leadId: id, at: tx.at - durationMs, durationMs, outcome, status }
        if (!isUnsent) await insert(tx, 'attempts', attempt)
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

/** The delivery is part of the proof. */
async function keepAsDelivered(tx: Tx, leadId: string): Promise<void> {
  const row = { ...messageOf(leadId, 'lead.created', tx.at), state: 'delivered', attempts: 1, finishedAt: tx.at }
  await insert(tx, 'outbox', row, 'ON CONFLICT (id) DO NOTHING')
}
