/** Events and letters that a person decides about: they failed, or the webhook can't carry them. */
import { addHistory } from '../leads/history.ts'
import { isDead, isMessage, setMessage } from '../leads/states.ts'
import type { SqlPort, Tx } from '../sql.ts'
import { type EventType, inLane, isInFlight, type LetterType } from './messages.ts'

/** An event that failed, that waits, or that a person tells the CRM. */
export interface QueuedEvent {
  readonly id: string
  readonly leadId: string
  readonly type: EventType
  readonly state: 'pending' | 'dead' | 'by hand'
  readonly createdAt: number
  readonly attempts: number
  readonly detail: Readonly<Record<string, unknown>>
}

interface Decision {
  readonly ids: readonly string[]
  readonly by: string
}

interface Decided {
  readonly leadId: string
  readonly type: EventType | LetterType
}

const isTold = isMessage('told')

export function createFailedMessages({ read, transact }: SqlPort, onDue: () => void) {
  return {
    /** Oldest first. */
    async queuedEvents({ lane, limit }: { readonly lane: 'stops' | 'calls'; readonly limit: number }) {
      const rows = await read<Omit<QueuedEvent, 'detail'> & { detail: string }>(
        `SELECT id, lead_id, type, state, created_at, attempts, detail FROM outbox
         WHERE ${inLane(lane)} AND NOT ${isTold} ORDER BY created_at, lead_id, id LIMIT $1`,
        [limit],
      )
      return rows.map((row): QueuedEvent => ({ ...row, detail: JSON.parse(row.detail) }))
    },
    /** Letters that failed after the last retry, oldest first. */
    failedLetters: ({ limit }: { readonly limit: number }) =>
      read<{ id: string; leadId: string; type: LetterType; createdAt: number }>(
        `SELECT id, lead_id, type, created_at FROM outbox WHERE ${isDead} AND lane = 'mail'
         ORDER BY created_at, id LIMIT $1`,
        [limit],
      ),
    /** Sends failed events and letters again. Returns how many. */
    async resendEvents({ ids, by }: Decision) {
      const resent = await transact(async tx => {
        const rows = await tx<Decided>(
          `UPDATE outbox SET ${setMessage('pending')}, attempts = 0, next_at = $2, finished_at = NULL,
             interrupted = CASE WHEN attempts > 0 THEN 1 ELSE interrupted END
           WHERE id = ANY($1) AND lane <> 'leads' AND ${isDead} RETURNING lead_id, type`,
          [ids, tx.at],
        )
        return record(tx, rows, 'resent', by)
      })
      if (resent > 0) onDue()
      return resent
    },
    /** Someone told the CRM by hand, or a letter isn't needed anymore. Returns how many were dismissed. */
    dismissEvents: ({ ids, by }: Decision) =>
      transact(async tx => {
        const rows = await tx<Decided>(
          `UPDATE outbox SET ${setMessage('told')} WHERE id = ANY($1) AND lane <> 'leads' AND NOT ${isTold}
             AND NOT (${isInFlight('$2')}) RETURNING lead_id, type`,
          [ids, tx.at],
        )
        // A stop stays, as one that was delivered does.
        await tx(`DELETE FROM outbox WHERE id = ANY($1) AND ${isTold} AND type <> 'lead.do_not_call'`, [ids])
        return record(tx, rows, 'dismissed', by)
      }),
  }
}

async function record(tx: Tx, messages: readonly Decided[], what: 'resent' | 'dismissed', by: string): Promise<number> {
  for (const { leadId, type } of messages) {
    if (type === 'mail.visitor') await addHistory(tx, { leadId, event: { kind: `letter ${what}`, by } })
    else if (type !== 'mail.team') await addHistory(tx, { leadId, event: { kind: `event ${what}`, type, by } })
  }
  return messages.length
}
