/** The rows of the outbox, messages for the webhook and letters: what kinds there are, and how they get in and out. Sending them: lease.ts. */
import { randomUUID } from 'node:crypto'
import { MINUTE } from '../../../../domain/durations.ts'
import type { CrmUpdate } from '../../../../domain/events/crm-updates.ts'
import type { CanceledDelivery } from '../../../../domain/events/lead-events.ts'
import { insertAll, type Sql, type Tx } from '../../sql.ts'
import { isClosedByList } from '../do-not-call/stops.ts'
import { isDelivered, isMessage, type MessageState, setMessage } from '../leads/states.ts'
import { mayHaveArrived } from './sent-to-crm.ts'

/** Lanes have slots of their own, so a slow webhook doesn't delay stops because of leads, or the other way around. */
export const webhookLanes = ['leads', 'stops', 'calls'] as const
export const lanes = [...webhookLanes, 'mail'] as const
export type Lane = (typeof lanes)[number]

/** How long a worker has to send and record a message: longer than the webhook's or the mailer's own limit. */
export const leaseMs: Readonly<Record<Lane, number>> = {
  leads: MINUTE,
  stops: MINUTE,
  calls: MINUTE,
  mail: 3 * MINUTE,
}

const laneOf = {
  'lead.created': 'leads',
  'lead.repeated': 'leads',
  'lead.do_not_call': 'stops',
  'lead.calls_allowed': 'stops',
  'lead.called': 'calls',
  'lead.client': 'calls',
  'lead.corrected': 'calls',
  'mail.team': 'mail',
  'mail.visitor': 'mail',
} as const satisfies Readonly<Record<string, Lane>>

export type MessageType = keyof typeof laneOf
export type EventType = CrmUpdate
export type LetterType = Extract<MessageType, `mail.${string}`>

/** SQL: an attempt is under way at this time. */
export const isInFlight = (at: string, row = 'outbox') => `${row}.lease_token IS NOT NULL AND ${row}.next_at > ${at}`

/** SQL: the lead that an event is about, as `lead`. */
export const aboutLead = (is: string) =>
  `EXISTS (SELECT 1 FROM outbox AS lead WHERE lead.id = outbox.lead_id AND (${is}))`
/** SQL: nothing of that lead was sent. */
export const isUnsent = `${isMessage('pending', 'lead')} AND NOT ${mayHaveArrived('lead')}`
/** SQL: that lead isn't sent, although its row waits: its number is closed. */
export const isClosedLead = `EXISTS (SELECT 1 FROM leads WHERE leads.id = lead.id AND ${isClosedByList})`

/** SQL, for an UPDATE: a token that is still there belongs to a worker that was killed, perhaps after it had sent the message. */
export const setInterrupted = 'interrupted = CASE WHEN lease_token IS NULL THEN interrupted ELSE 1 END'

/** SQL: events in this lane. SQLite uses a partial index only if the query repeats its condition. */
export const inLane = (lane: Exclude<Lane, 'leads'>): string => `outbox.lane = '${lane}' AND outbox.lane <> 'leads'`

/** The detail of a visitor's letter that its address's server refused. Nobody but the visitor can do anything about that. */
export const ADDRESS_REFUSED = '{"addressRefused":true}'

export const messageOf = (leadId: string, type: MessageType, at: number) => ({
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
  await tx('DELETE FROM unqueued_leads WHERE lead_id = $1', [leadId])
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

/** For an erasure: removes an unfinished delivery; a finished one is kept as proof. Null if there isn't one. */
export async function cancelDelivery(tx: Tx, leadId: string): Promise<CanceledDelivery | null> {
  const [row] = await tx<UnfinishedDelivery>(
    `DELETE FROM outbox WHERE id = $1 AND lane = 'leads' AND NOT ${isDelivered} RETURNING ${unfinishedColumns}`,
    [leadId],
  )
  return row ? canceled(row, tx.at) : null
}
