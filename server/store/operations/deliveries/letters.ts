/**
 * Letters in the outbox: to the team, that someone asked for help, and to a visitor, that we have their request. What they say is in
 * server/mail/; a row has no personal data, and no address.
 */
import { canonicalEmail } from '../../../../domain/contact/email.ts'
import { DAY, MINUTE } from '../../../../domain/durations.ts'
import { TEAM_LETTER } from '../../facts/deliveries/messages.ts'
import { isClosedByList, isGiven } from '../../facts/do-not-call/stops.ts'
import { firstIdAt } from '../../facts/leads/lead-id.ts'
import { emailParameters, hasEmail } from '../../facts/leads/person-keys.ts'
import { isAccepted, isPending } from '../../facts/leads/states.ts'
import type { Tx } from '../../sql.ts'
import { clockTimes } from '../../tables/clock.ts'
import { detachTeamLetter, putOffTeamLetter, queueVisitorLetter, removeMessages } from '../../tables/outbox.ts'

const BETWEEN_TEAM_LETTERS_MS = 10 * MINUTE

/** One per address a day. The caller has locked the addresses, and stored the leads. */
export async function writeToVisitors(
  tx: Tx,
  leads: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  for (const { id, email } of leads) {
    const address = canonicalEmail(email)
    if (!isGiven(address) || (await wasWrittenTo(tx, address))) continue
    await queueVisitorLetter(tx, id)
  }
}

/** Also if the letter still waits, or failed today. */
async function wasWrittenTo(tx: Tx, address: string): Promise<boolean> {
  const written = await tx(
    `SELECT 1 FROM leads WHERE ${hasEmail()} AND (
       EXISTS (SELECT 1 FROM outbox WHERE outbox.lead_id = leads.id AND outbox.lane <> 'leads'
         AND outbox.type = 'mail.visitor' AND (${isPending} OR outbox.created_at > $4))
       OR EXISTS (SELECT 1 FROM history WHERE history.lead_id = leads.id AND event = 'letter sent' AND at > $4)
     ) LIMIT 1`,
    [...emailParameters(address), tx.at - DAY],
  )
  return written.length > 0
}

interface DueLetter {
  readonly id: string
  readonly leadId: string
  readonly type: string
  readonly createdAt: number
}

/** Which due letters are still to be sent: the final check, in the transaction that leases them. Others are removed or put off. */
export async function lettersToSend(tx: Tx, due: readonly DueLetter[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const letter of due) {
    const id = letter.type === 'mail.team' ? await teamLetter(tx, letter) : await visitorLetter(tx, letter)
    if (id !== null) ids.push(id)
  }
  return ids
}

async function visitorLetter(tx: Tx, { id, leadId }: DueLetter): Promise<string | null> {
  const open = await tx(`SELECT 1 FROM leads WHERE id = $1 AND ${isAccepted} AND NOT ${isClosedByList}`, [leadId])
  if (open.length > 0) return id
  await removeMessages(tx, [id])
  return null
}

/**
 * Says how many asked since the letter began to wait. A retry says the same as the first attempt, because it may have arrived. Who
 * asks while this runs may be missed in the count, but is on the list that the letter links to.
 */
async function teamLetter(tx: Tx, { id, createdAt }: DueLetter): Promise<string | null> {
  if (id !== TEAM_LETTER) return id
  const wait = await waitForNextTeamLetter(tx)
  if (wait > 0) {
    await putOffTeamLetter(tx, tx.at + wait)
    return null
  }
  const [asked] = await tx<{ leads: number; first: string | null }>(
    `SELECT COUNT(*) AS leads, MIN(leads.id) AS first FROM leads
     WHERE leads.id >= $1 AND ${isAccepted} AND leads.consent_taken_by IS NULL AND NOT ${isClosedByList}`,
    [firstIdAt(createdAt)],
  )
  if (!asked?.first) {
    await removeMessages(tx, [id])
    return null
  }
  return detachTeamLetter(tx, asked.first, asked.leads)
}

/** While one is being sent or retried, the next one waits, so a mail server that was down doesn't get several at once. */
async function waitForNextTeamLetter(tx: Tx): Promise<number> {
  const others = `SELECT 1 FROM outbox WHERE lane = 'mail' AND ${isPending} AND type = 'mail.team' AND id <> $1 LIMIT 1`
  if ((await tx(others, [TEAM_LETTER])).length > 0) return BETWEEN_TEAM_LETTERS_MS
  const lastAt = (await clockTimes(tx))('teamLetter')
  // A clock that was set back must not silence them.
  return lastAt === null ? 0 : Math.min(BETWEEN_TEAM_LETTERS_MS, lastAt + BETWEEN_TEAM_LETTERS_MS - tx.at)
}
