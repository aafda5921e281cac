/** A lead as JSON, for the commands and for exports: times as ISO 8601, the certificate as its address. */
import { type ContactField, contactFields } from '../../domain/contact-fields.ts'
import type { DeliveryRecord, LeadRecord } from '../store/lead-records.ts'

export function leadJson(lead: LeadRecord) {
  return {
    id: lead.id,
    receivedAt: isoTime(lead.receivedAt),
    state: lead.state,
    heldReason: lead.heldReason,
    rejectedReason: lead.rejectedReason,
    repeatOf: lead.repeatOf,
    ...contactJson(lead),
    page: lead.page,
    campaign: lead.campaign,
    clientAddress: lead.clientAddress,
    userAgent: lead.userAgent,
    certificateUrl: lead.certificate?.url ?? null,
    certificateFormKnown: lead.certificate?.formKnown ?? null,
    trustedForm: lead.trustedForm,
    consentVersion: lead.consentVersion,
    questionnaireVersion: lead.questionnaireVersion,
    delivery: deliveryJson(lead.delivery),
  }
}

function contactJson(lead: LeadRecord) {
  return Object.fromEntries(contactFields.map(field => [field, lead[field]])) as Pick<LeadRecord, ContactField>
}

function deliveryJson(delivery: DeliveryRecord | null) {
  if (!delivery) return { state: 'none', attempts: 0, nextAt: null, finishedAt: null }
  const { state, attempts, nextAt, finishedAt } = delivery
  return {
    state,
    attempts,
    nextAt: state === 'pending' ? isoTime(nextAt) : null,
    finishedAt: finishedAt === null ? null : isoTime(finishedAt),
  }
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
