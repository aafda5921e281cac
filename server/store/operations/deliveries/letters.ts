/**
 * Letters in the outbox: to the team, that someone asked for help, and to a visitor, that we have their request. What they say is in
 * server/mail/; a row has no personal data, and no address.
 */
import { randomUUID } from 'node:crypto'
import { canonicalEmail } from '../../../../domain/contact/email.ts'
import { DAY, MINUTE } from '../../../../domain/durations.ts'
import { messageOf } from '../../facts/deliveries/messages.ts'
import { isClosedByList, isGiven } from '../../facts/do-not-call/stops.ts'
import { firstIdAt } from '../../facts/leads/lead-id.ts'
import { emailParameters, hasEmail } from '../../facts/leads/person-keys.ts'
import { isAccepted, isPending } from '../../facts/leads/states.ts'
import { insert, type Sql, type Tx } from '../../sql.ts'
import { clockRows, setClock } from '../../tables/clock.ts'

/** The ID of the team's next letter until it's leased. It gets its own then, so there's never more than one that waits. */
export const TEAM_LETTER = 'team letter'
const BETWEEN_TEAM_LETTERS_MS = 10 * MINUTE

interface NewLead {
  readonly id: string
  readonly receivedAt: number
}

/** If a letter waits, it will count this lead, too. */
export async function announceToTeam(tx: Tx, leads: readonly NewLead[]): Promise<void> {
  const [first] = leads
  if (!first) return
  const row = { ...messageOf(first.id, 'mail.team', first.receivedAt), id: TEAM_LETTER }
  await insert(tx, 'outbox', row, 'ON CONFLICT (id) DO NOTHING')
  // Another connection may have stored a lead that came a moment later.
  await tx('UPDATE outbox SET created_at = $2 WHERE id = $1 AND created_at > $2', [TEAM_LETTER, first.receivedAt])
}

/** One per address a day. The caller has locked the addresses, and stored the leads. */
export async function writeToVisitors(
  tx: Tx,
  leads: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  for (const { id, email } of leads) {
    const address = canonicalEmail(email)
    if (!isGiven(address) || (await wasWrittenTo(tx, address))) continue
    await insert(tx, 'outbox', messageOf(id, 'mail.visitor', tx.at))
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
  await removeLetter(tx, id)
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
    await tx('UPDATE outbox SET next_at = $2 WHERE id = $1', [id, tx.at + wait])
    return null
  }
  const [asked] = await tx<{ leads: number; first: string | null }>(
    `SELECT COUNT(*) AS leads, MIN(leads.id) AS first FROM leads
     WHERE leads.id >= $1 AND ${isAccepted} AND leads.consent_taken_by IS NULL AND NOT ${isClosedByList}`,
    [firstIdAt(createdAt)],
  )
  if (!asked?.first) {
    await removeLetter(tx, id)
    return null
  }
  const own = randomUUID()
  await tx('UPDATE outbox SET id = $2, lead_id = $3, detail = $4 WHERE id = $1', [
    id,
    own,
    asked.first,
    JSON.stringify({ leads: asked.leads }),
  ])
  return own
}

/** While one is being sent or retried, the next one waits, so a mail server that was down doesn't get several at once. */
async function waitForNextTeamLetter(tx: Tx): Promise<number> {
  const others = `SELECT 1 FROM outbox WHERE lane = 'mail' AND ${isPending} AND type = 'mail.team' AND id <> $1 LIMIT 1`
  if ((await tx(others, [TEAM_LETTER])).length > 0) return BETWEEN_TEAM_LETTERS_MS
  const [last] = await tx<{ at: number }>('SELECT latest_at AS at FROM clock WHERE id = $1', [clockRows.teamLetter])
  // A clock that was set back must not silence them.
  return last ? Math.min(BETWEEN_TEAM_LETTERS_MS, last.at + BETWEEN_TEAM_LETTERS_MS - tx.at) : 0
}

export async function rememberTeamLetter(tx: Tx): Promise<void> {
  await setClock(tx, clockRows.teamLetter, tx.at)
}

/** For an erasure. One that's being sent can't be recalled; if it has to be sent again, the final check removes it. */
export async function removeUnsentLetters(sql: Sql, leadId: string): Promise<void> {
  await sql(
    `DELETE FROM outbox WHERE lead_id = $1 AND lane <> 'leads' AND type = 'mail.visitor' AND lease_token IS NULL`,
    [leadId],
  )
}

const removeLetter = (tx: Tx, id: string) => tx('DELETE FROM outbox WHERE id = $1', [id])
