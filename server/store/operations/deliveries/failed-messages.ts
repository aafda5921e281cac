/** What people decide about events and letters that failed, or that the webhook can't carry. */
import type { EventType, LetterType } from '../../facts/deliveries/messages.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { addHistory } from '../../tables/history.ts'
import { dismissMessages, resendMessages } from '../../tables/outbox.ts'

interface Decision {
  readonly ids: readonly string[]
  readonly by: string
}

interface Decided {
  readonly leadId: string
  readonly type: EventType | LetterType
}

export function createFailedMessages({ transact }: SqlPort, onDue: () => void) {
  return {
    /** Sends failed events and letters again. Returns how many. */
    async resendEvents({ ids, by }: Decision) {
      const resent = await transact(async tx => record(tx, await resendMessages(tx, ids), 'resent', by))
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
