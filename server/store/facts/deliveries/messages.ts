/** The rows of the outbox, messages for the webhook and letters: what kinds there are, and how they get in and out. Sending them: lease.ts. */
import { MINUTE } from '../../../../domain/durations.ts'
import type { CrmUpdate } from '../../../../domain/events/crm-updates.ts'
import { isClosedByList } from '../do-not-call/stops.ts'
import { isMessage } from '../leads/states.ts'
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

export const laneOf = {
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

/** SQL: events in this lane. SQLite uses a partial index only if the query repeats its condition. */
export const inLane = (lane: Exclude<Lane, 'leads'>): string => `outbox.lane = '${lane}' AND outbox.lane <> 'leads'`

/** The detail of a visitor's letter that its address's server refused. Nobody but the visitor can do anything about that. */
export const ADDRESS_REFUSED = '{"addressRefused":true}'

/** The ID of the team's next letter until it's leased. It gets its own then, so there's never more than one that waits. */
export const TEAM_LETTER = 'team letter'
