/** A lead as the list shows it. Opening the lead shows the rest, and its history records who did. */
import { campaignKey } from '../../../domain/campaign.ts'
import { formatPhone } from '../../../domain/phone.ts'
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
    phone: phone === null ? null : formatPhone(phone),
    page,
    campaign: campaignKey(campaign),
    delivery: delivery?.state ?? null,
  }
}
