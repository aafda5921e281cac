/** Which leads are meant: the operator's filters as SQL, in the form that the indexes serve. */
import type { Value } from './database.ts'
import { createLeadId } from './lead-id.ts'

export const leadStates = ['accepted', 'held', 'repeat', 'erased'] as const
export type LeadState = (typeof leadStates)[number]

export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface CampaignParameter {
  readonly name: string
  readonly value: string
}

export interface LeadFilter {
  readonly state?: LeadState
  readonly delivery?: DeliveryState | 'none'
  readonly page?: string
  readonly campaign?: readonly CampaignParameter[]
  /** From this instant on. */
  readonly since?: number
  /** Up to this instant, without it. */
  readonly until?: number
}

export interface FilterSql {
  readonly from: string
  /** The id, by the column whose index gives the order. */
  readonly id: string
  readonly conditions: readonly string[]
  readonly parameters: readonly Value[]
}

export function filterSql(filter: LeadFilter): FilterSql {
  const parameters: Value[] = []
  const parameter = (value: Value) => `$${parameters.push(value)}`
  // A delivery's state leads through the outbox, whose indexes hold the few that are pending or dead.
  const byOutbox = filter.delivery !== undefined && filter.delivery !== 'none'
  const id = byOutbox ? 'deliveries.lead_id' : 'leads.id'
  const conditions: string[] = []
  if (filter.state) conditions.push(...stateConditions[filter.state])
  if (filter.delivery) conditions.push(...deliveryConditions[filter.delivery])
  if (filter.page !== undefined) conditions.push(`leads.page = ${parameter(filter.page)}`)
  for (const campaign of filter.campaign ?? []) {
    // As it stands in the stored JSON; quotes inside of values are escaped there, so nothing else looks like it.
    const stored = JSON.stringify({ [campaign.name]: campaign.value }).slice(1, -1)
    conditions.push(`replace(leads.campaign, ${parameter(stored)}, '') <> leads.campaign`)
  }
  // Ids begin with the time of receipt.
  if (filter.since !== undefined) conditions.push(`${id} >= ${parameter(firstIdAt(filter.since))}`)
  if (filter.until !== undefined) conditions.push(`${id} < ${parameter(firstIdAt(filter.until))}`)
  const from = byOutbox
    ? 'deliveries JOIN leads ON leads.id = deliveries.lead_id'
    : 'leads LEFT JOIN deliveries ON deliveries.lead_id = leads.id'
  return { from, id, conditions, parameters }
}

// States are literals, and `<> 'accepted'` is said beside them: a partial index is used only when its condition is there.
const stateConditions: Readonly<Record<LeadState, readonly string[]>> = {
  accepted: [`leads.state = 'accepted'`],
  held: [`leads.state = 'held'`],
  repeat: [`leads.state <> 'accepted'`, `leads.state = 'repeat'`],
  erased: [`leads.state <> 'accepted'`, `leads.state = 'erased'`],
}

const deliveryConditions: Readonly<Record<DeliveryState | 'none', readonly string[]>> = {
  pending: [`deliveries.state = 'pending'`],
  delivered: [`deliveries.state = 'delivered'`],
  dead: [`deliveries.state = 'dead'`],
  // An accepted lead always has a delivery.
  none: [`leads.state <> 'accepted'`, 'deliveries.lead_id IS NULL'],
}

/** The smallest id of a millisecond. */
function firstIdAt(time: number): string {
  return createLeadId(Math.max(0, time), () => {})
}
