/** Tokens with which a visitor's tab can say more about the lead that it sent, for half an hour. */
import { SENT_LEAD_MS } from '../../../domain/leads/sent-lead.ts'
import { insertAll, type Tx } from '../sql.ts'

interface NewToken {
  readonly id: string
  readonly receivedAt: number
  readonly tokenHash?: string
}

/** More than a batch adds. */
const REMOVED_AT_ONCE = 512

/** Removes some that have ended, other than those that another capture is removing. */
export async function addTokens(tx: Tx, leads: readonly NewToken[]): Promise<void> {
  const rows = leads.flatMap(({ id, receivedAt, tokenHash }) =>
    tokenHash === undefined ? [] : [{ tokenHash, leadId: id, sentAt: receivedAt, corrected: 0 }],
  )
  const [first] = rows
  if (!first) return
  const ended = `SELECT token_hash FROM sent_leads WHERE sent_at < $1 LIMIT ${REMOVED_AT_ONCE} ${tx.dialect.skipLockedDeliveries}`
  await tx(`DELETE FROM sent_leads WHERE token_hash IN (${ended})`, [first.sentAt - SENT_LEAD_MS])
  await insertAll(tx, 'sent_leads', rows)
}

/** The number was corrected, once: from now on, the token is for this lead. */
export const spendToken = (tx: Tx, tokenHash: string, leadId: string) =>
  tx('UPDATE sent_leads SET corrected = 1, lead_id = $2 WHERE token_hash = $1', [tokenHash, leadId])

export const forgetTokens = (tx: Tx, leadId: string) => tx('DELETE FROM sent_leads WHERE lead_id = $1', [leadId])
