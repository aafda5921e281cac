/**
 * SQL: conditions on the states of leads and of messages in the outbox. With literals, because a partial index is used only if the query
 * repeats its condition.
 */
import type { CameIn } from '../../../../domain/leads/came-in.ts'
import type { LeadState } from '../../../../domain/leads/lead-states.ts'

/** `withdrawn`: replaced while it was sent. `told` and `by hand`: see tell-crm.ts. */
export type MessageState = 'pending' | 'delivered' | 'dead' | 'withdrawn' | 'told' | 'by hand'

/** Whether the CRM has a lead. `maybe` if an attempt was started and not confirmed, perhaps canceled since. */
export type SentToCrm = 'yes' | 'maybe' | 'no'

const isIn = (row: string, states: readonly string[]) =>
  states.length === 1 ? `${row}.state = '${states[0]}'` : `${row}.state IN ('${states.join("', '")}')`

export const isLead = (...states: readonly [LeadState, ...LeadState[]]) => isIn('leads', states)
export const isAccepted = isLead('accepted')
export const isHeld = isLead('held')
/** Called, or perhaps still to be called. */
export const isCurrent = isLead('accepted', 'held')
export const isNotAccepted = `leads.state <> 'accepted'`
export const isNotErased = `leads.state <> 'erased'`

export const cameInBy = (way: CameIn) => `leads.came_in = '${way}'`
/** Didn't come in as most leads do: nobody's first submission of the form. */
export const isApart = `leads.came_in <> 'form'`

/** `row`: the outbox, or the name that it has in the query. */
export const isMessage = (state: MessageState, row = 'outbox') => isIn(row, [state])
export const isPending = isMessage('pending')
export const isDead = isMessage('dead')
export const isDelivered = isMessage('delivered')
/** Of a lead: not sent yet, and nobody said not to. */
export const isUnfinished = isIn('outbox', ['pending', 'dead'] satisfies readonly MessageState[])

/** For an UPDATE. */
export const setLead = (state: LeadState) => `state = '${state}'`
export const setMessage = (state: MessageState) => `state = '${state}'`
