/** Messages from the operator's CRM. Each one is recorded once, however often it's sent. */
import { DAY } from '../../../domain/durations.ts'
import { insert, type Tx } from '../sql.ts'

/** CRMs give up on a message long before that. */
const REMEMBERED_MS = 90 * DAY

/** `webhookId`: the message's ID, which the CRM keeps when it sends it again. */
export async function isNewMessage(tx: Tx, webhookId: string): Promise<boolean> {
  await tx('DELETE FROM crm_messages WHERE received_at < $1', [tx.at - REMEMBERED_MS])
  const row = { webhookId, receivedAt: tx.at }
  return (await insert(tx, 'crm_messages', row, 'ON CONFLICT DO NOTHING RETURNING 1')).length > 0
}
