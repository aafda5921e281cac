/** Events and letters that a person decides about: they failed, or the webhook can't carry them. */
import { ADDRESS_REFUSED, type EventType, inLane, type LetterType } from '../../facts/deliveries/messages.ts'
import { isClosedByList } from '../../facts/do-not-call/stops.ts'
import { isEvent } from '../../facts/leads/events.ts'
import { isDead, isMessage, isPending } from '../../facts/leads/states.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { addHistory } from '../../tables/history.ts'
import { dismissMessages, resendMessages } from '../../tables/outbox.ts'

/** An event that failed, that waits, or that a person tells the CRM. */
export interface QueuedEvent {
  readonly id: string
  readonly leadId: string
  readonly type: EventType
  readonly state: 'pending' | 'dead' | 'by hand'
  readonly createdAt: number
  readonly attempts: number
  readonly detail: Readonly<Record<string, unknown>>
  /** The webhook's answer when it failed for good the last time, perhaps before someone sent it again. */
  readonly failedWith: string | null
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
      const rows = await read<Omit<QueuedEvent, 'detail' | 'failedWith'> & { detail: string }>(
        `SELECT id, lead_id, type, state, created_at, attempts, detail FROM outbox
         WHERE ${inLane(lane)} AND NOT ${isTold} ORDER BY created_at, lead_id, id LIMIT $1`,
        [limit],
      )
      const failures = await read<{ leadId: string; detail: string }>(
        `SELECT lead_id, detail FROM history WHERE lead_id = ANY($1) AND ${isEvent('event failed')} ORDER BY at`,
        [rows.map(({ leadId }) => leadId)],
      )
      const answers = new Map(
        failures.map(({ leadId, detail }) => {
          const { type, outcome } = JSON.parse(detail) as { type: EventType; outcome: string }
          return [`${leadId} ${type}`, outcome]
        }),
      )
      return rows.map((row): QueuedEvent => {
        const failedWith = answers.get(`${row.leadId} ${row.type}`) ?? null
        return { ...row, detail: JSON.parse(row.detail), failedWith }
      })
    },
    /** How many leads are being sent again after they failed, and when and why the latest did. Null if there are none. */
    async retriedLeads() {
      const failed = `FROM outbox JOIN leads ON leads.id = outbox.id JOIN attempts ON attempts.lead_id = outbox.id
         WHERE ${isPending} AND outbox.lane = 'leads' AND NOT ${isClosedByList} AND attempts.outcome <> 'delivered'`
      const [row] = await read<{ leads: number }>(`SELECT COUNT(DISTINCT outbox.id) AS leads ${failed}`)
      const [last] = await read<{ at: number; outcome: string }>(
        `SELECT attempts.at, attempts.outcome ${failed} ORDER BY attempts.at DESC LIMIT 1`,
      )
      return row && last ? { ...row, ...last } : null
    },
    /** Letters that failed after the last retry, oldest first. */
    async failedLetters({ limit }: { readonly limit: number }) {
      const rows = await read<{ id: string; leadId: string; type: LetterType; createdAt: number; detail: string }>(
        `SELECT id, lead_id, type, created_at, detail FROM outbox WHERE ${isDead} AND lane = 'mail'
         ORDER BY created_at, id LIMIT $1`,
        [limit],
      )
      return rows.map(({ detail, ...letter }) => ({ ...letter, isAddressRefused: detail === ADDRESS_REFUSED }))
    },
    /** Sends failed events and letters again. Returns how many. */
    async resendEvents({ ids, by }: Decision) {
      const resent = await transact(async tx => {
        return record(tx, await resendMessages(tx, ids), 'resent', by)
      })
      if (resent > 0) onDue()
      return resent
    },
    /** Someone told the CRM by hand, or a letter isn't needed anymore. Returns how many were dismissed. */
    dismissEvents: ({ ids, by }: Decision) =>
      transact(async tx => record(tx, await dismissMessages(tx, ids), 'dismissed', by)),
  }
}

async function record(tx: Tx, messages: readonly Decided[], what: 'resent' | 'dismissed', by: string): Promise<number> {
  for (const { leadId, type } of messages) {
    if (type === 'mail.visitor') await addHistory(tx, { leadId, event: { kind: `letter ${what}`, by } })
    else if (type !== 'mail.team') await addHistory(tx, { leadId, event: { kind: `event ${what}`, type, by } })
  }
  return messages.length
}
