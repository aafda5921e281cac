/** Decisions about leads: approve or reject leads on hold, and resend leads. */
import { ABOUT_TO_BE_SENT_MS } from '../../../../domain/leads/lead-actions.ts'
import type { LeadState } from '../../../../domain/leads/lead-states.ts'
import { REPEAT_WINDOW_MS } from '../../../../domain/leads/repeats.ts'
import { contactKeys, isClosedByList } from '../../facts/do-not-call/stops.ts'
import { isEvent } from '../../facts/leads/events.ts'
import type { KnownLead } from '../../facts/leads/lead-records.ts'
import { storedLeads } from '../../facts/leads/lead-rows.ts'
import {
  isCurrent,
  isDead,
  isDelivered,
  isHeld,
  isLead,
  isPending,
  type MessageState,
} from '../../facts/leads/states.ts'
import { Rollback, type Sql, type SqlPort, StaleLocks, transactOrRollback } from '../../sql.ts'
import { addHistory } from '../../tables/history.ts'
import { acceptLead, rejectLead } from '../../tables/leads.ts'
import { queueLeads, reopenDelivery } from '../../tables/outbox.ts'
import { markUnqueued } from '../../tables/unqueued-leads.ts'
import { enterStories } from '../calls/enter-story.ts'
import { writeToVisitors } from '../deliveries/letters.ts'
import { openAmong } from '../do-not-call/tell-crm.ts'

/** `by`: a desk user's name, or the terminal's system user. Recorded in the lead's history. */
interface ReviewOrder {
  readonly ids: readonly string[]
  readonly by: string
}

/** A lead as the user saw it when they decided. If it has changed since, the decision is refused. */
export interface SeenLead {
  readonly state: LeadState
  /** Missing if the user didn't see that. */
  readonly onDoNotCallList?: boolean
}

interface DecisionOrder extends ReviewOrder {
  readonly seen?: Readonly<Record<string, SeenLead>>
}

interface ApprovalOrder extends DecisionOrder {
  /** Whether there's a webhook. */
  readonly deliver?: boolean
  /** Whether the desk calls it, and not only a CRM. */
  readonly callFromDesk?: boolean
  /** Whether visitors get a letter. People who gave spoken consent don't. */
  readonly writeToVisitors?: boolean
}

export function createReview(port: SqlPort, onDue: () => void) {
  const { transact } = port
  const signalDue = (leads: number) => {
    if (leads > 0) onDue()
    return leads
  }

  return {
    /**
     * Returns how many leads were approved. Approves none and returns 0 if any lead is neither on hold nor rejected, has changed
     * since the user saw it, or is from someone on the do-not-call list, or if sending a rejected lead would be a second call.
     */
    async approve(order: ApprovalOrder) {
      const { ids, by, seen = {}, deliver = true, callFromDesk: desk = true } = order
      const approved = await transactOrRollback(port, 0, async tx => {
        // Lock people before leads, as captures do. Include people whose leads are on hold: someone may reject one before we lock it,
        // and a new lead from that person would then be accepted.
        const state = isLead('held', 'rejected')
        const people = await storedLeads(tx, ids, { state })
        const keysOf = ({ personKey, phone, email }: KnownLead) => [personKey, ...contactKeys([phone, email])]
        const keys = people.flatMap(keysOf)
        if (keys.length > 0) await tx.dialect.lockKeys(tx, keys)
        const chosen = await storedLeads(tx, ids, { state, lock: tx.dialect.lockLeads })
        // Someone corrected the number or the email address before we had the locks.
        if (chosen.flatMap(keysOf).some(key => !keys.includes(key))) throw new StaleLocks()
        if (chosen.length < new Set(ids).size) throw new Rollback()
        if ((await openAmong(tx, ids)).length < chosen.length) throw new Rollback()
        for (const lead of chosen) {
          const { id, state, heldReason } = lead
          if (seen[id] && seen[id].state !== state) throw new Rollback()
          if (state === 'rejected' && (await wouldBeSecondCall(tx, lead))) throw new Rollback()
          await acceptLead(tx, id)
          const was = state === 'rejected' ? state : undefined
          await addHistory(tx, { leadId: id, event: { kind: 'released', heldReason, was, by } })
        }
        if (deliver) await queueLeads(tx, chosen, tx.at)
        else await markUnqueued(tx, chosen)
        const visitors = chosen.filter(({ consentTakenBy }) => consentTakenBy === null)
        if (order.writeToVisitors) await writeToVisitors(tx, visitors)
        // The person has been waiting since they asked.
        const accepted = chosen.map(({ id: leadId, phone, language, receivedAt: askedAt, consentTakenBy }) => {
          const spoken = consentTakenBy !== null
          return { leadId, at: tx.at, askedAt, phone, desk, spoken, language, by: { id: '', name: by } }
        })
        await enterStories(tx, accepted)
        return chosen.length
      })
      return signalDue(approved)
    },

    /**
     * Rejected leads are kept but never delivered. Returns how many were rejected: all of them, or 0 if any isn't on hold or has
     * changed since the user saw it.
     */
    reject: ({ ids, reason, by, seen = {} }: DecisionOrder & { readonly reason: string }) =>
      transactOrRollback(port, 0, async tx => {
        const held = await storedLeads(tx, ids, { state: isHeld, lock: tx.dialect.lockLeads })
        if (held.length < new Set(ids).size) throw new Rollback()
        const open = await openAmong(tx, ids)
        for (const { id, heldReason } of held) {
          if (seen[id]?.onDoNotCallList === open.includes(id)) throw new Rollback()
          await rejectLead(tx, id, reason)
          // Leave out the reason: it may be about the person, and history survives an erasure.
          await addHistory(tx, { leadId: id, event: { kind: 'rejected', heldReason, by } })
        }
        return held.length
      }),

    /**
     * Puts leads back into the outbox, unless they're due within a minute anyway or the person is on the do-not-call list.
     * `again`: include delivered leads. Returns how many were put back.
     */
    async resend({ ids, by, again = false }: ReviewOrder & { readonly again?: boolean }) {
      const resent = await transact(async tx => {
        const found = await tx<{ id: string; delivery: MessageState; nextAt: number }>(
          `SELECT leads.id, outbox.state AS delivery, outbox.next_at
           FROM leads JOIN outbox ON outbox.id = leads.id
           WHERE leads.id = ANY($1) AND ${isLead('accepted', 'repeat')} AND NOT ${isClosedByList}
             AND (${isDead} ${again ? `OR ${isDelivered}` : ''}
               OR (${isPending} AND outbox.next_at > $2))
           ORDER BY leads.id ${tx.dialect.lockLeads}`,
          [ids, tx.at + ABOUT_TO_BE_SENT_MS],
        )
        let changed = 0
        for (const { id, delivery, nextAt } of found) {
          // The delivery may have changed since it was selected.
          if (!(await reopenDelivery(tx, id, tx.at, { state: delivery, nextAt }))) continue
          const event = { kind: 'put into the outbox again', was: delivery, by } as const
          await addHistory(tx, { leadId: id, event })
          changed++
        }
        return changed
      })
      return signalDue(resent)
    },
  }
}

/**
 * Whether the person has another lead that is waiting or was accepted since this one came in. An older lead that had been accepted
 * before doesn't count: the person submitted again after asking not to be called.
 */
async function wouldBeSecondCall(sql: Sql, { id, personKey, receivedAt }: KnownLead): Promise<boolean> {
  const others = await sql(
    `SELECT id FROM leads WHERE person_key = $1 AND received_at > $2 AND id <> $3 AND ${isCurrent}
       AND (received_at >= $4
         OR EXISTS (SELECT 1 FROM history WHERE history.lead_id = leads.id AND ${isEvent('released')} AND at >= $4)) LIMIT 1`,
    [personKey, receivedAt - REPEAT_WINDOW_MS, id, receivedAt],
  )
  return others.length > 0
}
