/** A lead as a list shows it: without what is only for the lead's own view, where each look is written down. */
import { campaignKey } from '../../../domain/campaign.ts'
import { phoneDigits } from '../../../domain/phone.ts'
import type { LeadRecord } from '../../../server/store/lead-records.ts'
import type { LeadLine } from '../../api/leads.ts'

export function leadLine(lead: LeadRecord): LeadLine {
  const { id, receivedAt, state, heldReason, firstName, lastName, phone, page, campaign, delivery } = lead
  return {
    id,
    receivedAt,
    state,
    heldReason,
    firstName,
    lastName,
    phone: phone === null ? null : `(•••) •••-${phoneDigits(phone).slice(-4)}`,
    page,
    campaign: campaignKey(campaign),
    delivery: delivery?.state ?? null,
  }
}
