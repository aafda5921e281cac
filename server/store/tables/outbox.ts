/** The outbox, messages for the webhook and letters, and the attempts to deliver leads. */
import { randomUUID } from 'node:crypto'
import type { CanceledDelivery } from '../../../domain/events/lead-events.ts'
import {
  type EventType,
  isInFlight,
  type LetterType,
  laneOf,
  lanes,
  leaseMs,
  type MessageType,
  TEAM_LETTER,
} from '../facts/deliveries/messages.ts'
import { mayHaveArrived } from '../facts/deliveries/sent-to-crm.ts'
import type { DeliveryAttempt } from '../facts/leads/lead-records.ts'
import { isDead, isDelivered, isMessage, isPending, type MessageState, setMessage } from '../facts/leads/states.ts'
import { insert, insertAll, type Sql, type Tx } from '../sql.ts'

/** SQL, for an UPDATE: a token that is still there belongs to a worker that was killed, perhaps after it had sent the message. */
export const setInterrupted = 'interrupted = CASE WHEN lease_token IS NULL THEN interrupted ELSE 1 END'

const messageOf = (leadId: string, type: MessageType, at: number) => ({
  id: laneOf[type] === 'leads' ? leadId : randomUUID(),
  leadId,
  lane: laneOf[type],
  type,
  detail: '{}',
  state: 'pending',
  attempts: 0,
  nextAt: at,
  createdAt: at,
})

interface LeadToQueue {
  readonly id: string
  readonly receivedAt: number
  readonly repeatOf?: string | null
}

/** Accepted leads, and repeats that are announced. Due at `now` or, by default, when the lead was received. */
export function queueLeads(sql: Sql, leads: readonly LeadToQueue[], now?: number): Promise<void> {
  const rows = leads.map(({ id, receivedAt, repeatOf }) =>
    messageOf(id, repeatOf ? 'lead.repeated' : 'lead.created', now ?? receivedAt),
  )
  return insertAll(sql, 'outbox', rows)
}

interface NewEvent {
  readonly leadId: string
  readonly type: EventType
  readonly detail: Readonly<Record<string, unknown>>
}

/** `by hand`: the webhook can't carry them, so they're listed until someone tells the CRM. */
export function queueEvents(tx: Tx, events: readonly NewEvent[], state: MessageState = 'pending'): Promise<void> {
  const rows = events.map(({ leadId, type, detail }) => ({
    ...messageOf(leadId, type, tx.at),
    detail: JSON.stringify(detail),
    state,
  }))
  return insertAll(tx, 'outbox', rows)
}

/** Makes the delivery due now, with its attempt count reset and no lease. False if it has changed since the caller read it. */
export async function reopenDelivery(
  sql: Sql,
  leadId: string,
  at: number,
  seen: { readonly state: MessageState; readonly nextAt?: number },
): Promise<boolean> {
  const reopened = await sql(
    `UPDATE outbox SET ${setMessage('pending')}, attempts = 0, next_at = $2, created_at = $2, finished_at = NULL, put_off = 0,
       ${setInterrupted}, lease_token = NULL
     WHERE id = $1 AND lane = 'leads' AND state = $3 AND next_at = COALESCE($4, next_at) RETURNING id`,
    [leadId, at, seen.state, seen.nextAt ?? null],
  )
  return reopened.length > 0
}

interface UnfinishedDelivery {
  readonly state: string
  readonly nextAt: number
  readonly leaseToken: string | null
  readonly interrupted: number
}

const unfinishedColumns = `state, next_at, lease_token, interrupted`

function canceled(delivery: UnfinishedDelivery, at: number): CanceledDelivery {
  if (delivery.leaseToken !== null) return delivery.nextAt > at ? 'under way' : 'interrupted'
  if (delivery.interrupted === 1) return 'interrupted'
  return delivery.state === 'dead' ? 'dead' : 'pending'
}

/**
 * For a lead that another one replaces: it isn't sent anymore. What's being sent right now can't be recalled, and isn't retried. If the
 * CRM may have it, the row stays, so a later stop is told to the CRM.
 */
export async function withdrawDelivery(tx: Tx, leadId: string): Promise<CanceledDelivery | null> {
  const [row] = await tx<UnfinishedDelivery>(
    `SELECT ${unfinishedColumns} FROM outbox WHERE id = $1 AND lane = 'leads' AND NOT ${isDelivered}`,
    [leadId],
  )
  if (!row) return null
  const how = canceled(row, tx.at)
  const mayHaveIt = how === 'under way' || how === 'interrupted'
  if (mayHaveIt) await tx(`UPDATE outbox SET ${setMessage('withdrawn')} WHERE id = $1`, [leadId])
  else await cancelDelivery(tx, leadId)
  return how
}

async function cancelDelivery(tx: Tx, leadId: string): Promise<CanceledDelivery | null> {
  const [row] = await tx<UnfinishedDelivery>(
    `DELETE FROM outbox WHERE id = $1 AND lane = 'leads' AND NOT ${isDelivered} RETURNING ${unfinishedColumns}`,
    [leadId],
  )
  return row ? canceled(row, tx.at) : null
}

interface NewLead {
  readonly id: string
  readonly receivedAt: number
}

/** If a letter waits, it will count this lead, too. */
export async function queueTeamLetter(tx: Tx, leads: readonly NewLead[]): Promise<void> {
  const [first] = leads
  if (!first) return
  const row = { ...messageOf(first.id, 'mail.team', first.receivedAt), id: TEAM_LETTER }
  await insert(tx, 'outbox', row, 'ON CONFLICT (id) DO NOTHING')
  // Another connection may have stored a lead that came a moment later.
  await tx('UPDATE outbox SET created_at = $2 WHERE id = $1 AND created_at > $2', [TEAM_LETTER, first.receivedAt])
}

/** If the CRM can't have heard of it. */
export async function withdrawNews(tx: Tx, leadId: string, on: string): Promise<boolean> {
  const withdrawn = await tx(
    `DELETE FROM outbox WHERE lead_id = $1 AND lane <> 'leads' AND type = 'lead.client'
       AND ${tx.dialect.jsonField('detail', 'on')} = $2 AND NOT ${mayHaveArrived()} RETURNING 1`,
    [leadId, on],
  )
  return withdrawn.length > 0
}

export const queueVisitorLetter = (tx: Tx, leadId: string) =>
  insert(tx, 'outbox', messageOf(leadId, 'mail.visitor', tx.at))

/** Once it's leased, so the next one can wait. Says how many leads it's about, the first of which is `leadId`. */
export async function detachTeamLetter(tx: Tx, leadId: string, leads: number): Promise<string> {
  const id = randomUUID()
  const detach = 'UPDATE outbox SET id = $2, lead_id = $3, detail = $4 WHERE id = $1'
  await tx(detach, [TEAM_LETTER, id, leadId, JSON.stringify({ leads })])
  return id
}

export const putOffTeamLetter = (tx: Tx, at: number) =>
  tx('UPDATE outbox SET next_at = $2 WHERE id = $1', [TEAM_LETTER, at])

export const removeMessages = (tx: Tx, ids: readonly string[]) => tx('DELETE FROM outbox WHERE id = ANY($1)', [ids])

/**
 * For an erasure. A finished delivery is kept as proof, and a request not to be called is still sent: the CRM may call the person until it
 * gets that. A letter that's being sent can't be recalled; if it has to be sent again, the final check removes it.
 */
export async function eraseMessages(tx: Tx, leadId: string): Promise<CanceledDelivery | null> {
  await tx(
    `DELETE FROM outbox WHERE lead_id = $1 AND lane <> 'leads'
       AND (lane = 'calls' OR type = 'mail.visitor' AND lease_token IS NULL)`,
    [leadId],
  )
  return cancelDelivery(tx, leadId)
}

export type LeasedRow = Readonly<Record<'id' | 'leadId' | 'leaseToken' | 'detail', string>> &
  Readonly<Record<'createdAt' | 'attempts', number>> & { readonly type: MessageType }

/** Moves the due time to the end of the lease, so no other worker leases the message before then. */
export const leaseMessages = (tx: Tx, ids: readonly string[], leaseMs: number) =>
  tx<LeasedRow>(
    `UPDATE outbox SET next_at = $2, lease_token = $3, ${setInterrupted} WHERE id = ANY($1)
     RETURNING id, lead_id, type, created_at, lease_token, attempts, detail`,
    [ids, tx.at + leaseMs, randomUUID()],
  )

/** Leads that the list closes. */
export const putOff = (tx: Tx, ids: readonly string[], ms: number) =>
  tx(`UPDATE outbox SET next_at = $2, put_off = 1, ${setInterrupted}, lease_token = NULL WHERE id = ANY($1)`, [
    ids,
    tx.at + ms,
  ])

/** Leads that waited for their numbers to come off the list. */
export const endPuttingOff = (tx: Tx, ids: readonly string[]) =>
  tx(
    `UPDATE outbox SET next_at = $2, put_off = 0
     WHERE id = ANY($1) AND lane = 'leads' AND ${isPending} AND put_off = 1`,
    [ids, tx.at],
  )

interface AttemptResult {
  readonly id: string
  readonly leaseToken: string
  readonly state: 'delivered' | 'pending' | 'dead'
  /** For a retry. */
  readonly nextAt: number | null
  readonly isUnsent: boolean
  /** Of a visitor's letter. */
  readonly letterDetail: string
}

type Settled = { readonly lane: 'leads'; readonly attempts: number } | SettledEvent

export interface SettledEvent {
  readonly lane: 'stops' | 'calls' | 'mail'
  readonly leadId: string
  readonly type: EventType | LetterType
  readonly attempts: number
}

/**
 * A success counts even after the lease has ended. A late failure doesn't, because another worker or an operator may have resent the
 * message. A failure of a lead that was replaced leaves it withdrawn: it isn't retried. A stop stays, so the CRM isn't told twice, and
 * hears of it if it's taken back. Other events and letters go.
 */
export async function settleMessage(tx: Tx, attempt: AttemptResult): Promise<Settled | undefined> {
  const { id, leaseToken, state, nextAt, isUnsent, letterDetail } = attempt
  const [settled] = await tx<Settled>(
    `UPDATE outbox SET state = CASE WHEN $2 <> 'delivered' AND ${isMessage('withdrawn')} THEN 'withdrawn'
         WHEN $2 = 'delivered' AND lane = 'stops' THEN 'told' ELSE $2 END,
       detail = CASE WHEN type = 'mail.visitor' THEN $7 ELSE detail END,
       attempts = attempts + $6, next_at = COALESCE($3, next_at),
       finished_at = CASE WHEN $2 = 'delivered' OR ${isPending} THEN $4 ELSE finished_at END, lease_token = NULL
     WHERE id = $1 AND (${isPending} OR ${isMessage('withdrawn')}) AND ($2 = 'delivered' OR lease_token = $5)
     RETURNING lead_id, lane, type, attempts`,
    [id, state, nextAt, nextAt === null ? tx.at : null, leaseToken, isUnsent ? 0 : 1, letterDetail],
  )
  const goes = state === 'delivered' && (settled?.lane === 'calls' || settled?.lane === 'mail')
  if (goes) await removeMessages(tx, [id])
  return settled
}

/** A delivery that was confirmed after an erasure had removed it is part of the proof. */
export async function keepAsDelivered(tx: Tx, leadId: string): Promise<void> {
  const row = { ...messageOf(leadId, 'lead.created', tx.at), state: 'delivered', attempts: 1, finishedAt: tx.at }
  await insert(tx, 'outbox', row, 'ON CONFLICT (id) DO NOTHING')
}

export const addAttempt = (tx: Tx, attempt: DeliveryAttempt & { readonly leadId: string }) =>
  insert(tx, 'attempts', { ...attempt })

/** Events and letters that failed. */
export const resendMessages = (tx: Tx, ids: readonly string[]) =>
  tx<Pick<SettledEvent, 'leadId' | 'type'>>(
    `UPDATE outbox SET ${setMessage('pending')}, attempts = 0, next_at = $2, finished_at = NULL,
       interrupted = CASE WHEN attempts > 0 THEN 1 ELSE interrupted END
     WHERE id = ANY($1) AND lane <> 'leads' AND ${isDead} RETURNING lead_id, type`,
    [ids, tx.at],
  )

/** A stop stays, as one that was delivered does. */
export async function dismissMessages(tx: Tx, ids: readonly string[]) {
  const dismissed = await tx<Pick<SettledEvent, 'leadId' | 'type'>>(
    `UPDATE outbox SET ${setMessage('told')} WHERE id = ANY($1) AND lane <> 'leads' AND NOT ${isMessage('told')}
       AND NOT (${isInFlight('$2')}) RETURNING lead_id, type`,
    [ids, tx.at],
  )
  await tx(`DELETE FROM outbox WHERE id = ANY($1) AND ${isMessage('told')} AND type <> 'lead.do_not_call'`, [ids])
  return dismissed
}

/** Nobody has told the CRM yet that calls are allowed, so there's nothing to tell about that anymore. */
export const removeCallsAllowed = (tx: Tx, leadIds: readonly string[]) =>
  tx(`DELETE FROM outbox WHERE lead_id = ANY($1) AND lane <> 'leads' AND type = 'lead.calls_allowed'`, [leadIds])

/** Stops that the CRM knows of: someone is to tell it that calls are allowed again. */
export const listCallsAllowed = (tx: Tx, ids: readonly string[]) =>
  tx(
    `UPDATE outbox SET type = 'lead.calls_allowed', ${setMessage('by hand')}, detail = '{}', created_at = $2, lease_token = NULL
     WHERE id = ANY($1)`,
    [ids, tx.at],
  )

/** Stops that calls asked for: by now, the list says the same. */
export const leaveStopsToList = (tx: Tx, leadIds: readonly string[]) =>
  tx(
    `UPDATE outbox SET detail = '{"contact":"phone"}' WHERE lane <> 'leads' AND type = 'lead.do_not_call' AND lead_id = ANY($1)`,
    [leadIds],
  )

/** SQL: when a lease that began at this time ends. */
const endOfLease = (at: string) =>
  `CAST(${at} AS BIGINT) + CASE lane ${lanes.map(lane => `WHEN '${lane}' THEN ${leaseMs[lane]}`).join(' ')} END`

/** A first attempt is due within one lease. If it's due later, the clock was set back before the store first read it. */
export async function bringFirstAttemptsForward(tx: Tx): Promise<void> {
  const leaseEnd = endOfLease('$1')
  const first = `UPDATE outbox SET next_at = ${leaseEnd} WHERE ${isPending} AND attempts = 0 AND put_off = 0 AND next_at > ${leaseEnd}`
  await tx(first, [tx.at])
}

/** A leased delivery may be in flight, so it waits for a full lease, no matter what the clock says. */
export async function bringMessagesForward(tx: Tx, ms: number): Promise<void> {
  const leaseEnd = endOfLease('$1')
  await tx(
    `UPDATE outbox SET next_at = CASE WHEN lease_token IS NULL THEN next_at - $2 WHEN next_at > ${leaseEnd} THEN ${leaseEnd} ELSE next_at END
     WHERE ${isPending} AND next_at > $1`,
    [tx.at, ms],
  )
}
