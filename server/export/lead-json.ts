/**
 * A lead as JSON, for commands and exports: times as ISO 8601, and the field names of the webhook's JSON
 * (docs/webhook.md), with what only the operator knows beside them.
 */

import { readQuestionnaire } from '../../domain/as-presented.ts'
import { type ContactField, contactFields } from '../../domain/contact-fields.ts'
import { e164 } from '../../domain/phone.ts'
import type { DeliveryRecord, LeadDossier, LeadRecord } from '../store/lead-records.ts'

export function leadJson(lead: LeadRecord) {
  const { id, state, heldReason, rejectedReason, repeatOf, page, campaign, certificate, trustedForm } = lead
  const receivedAt = isoTime(lead.receivedAt)
  return {
    id,
    receivedAt,
    state,
    heldReason,
    rejectedReason,
    repeatOf,
    contact: contactJson(lead),
    page,
    campaign,
    consent: {
      version: lead.consentVersion,
      givenAt: receivedAt,
      ipAddress: lead.clientAddress,
      userAgent: lead.userAgent,
    },
    certificate: certificate && { ...certificate, trustedForm },
    questionnaire: lead.questionnaireVersion === null ? null : { version: lead.questionnaireVersion },
    delivery: deliveryJson(lead.delivery),
  }
}

/** With the texts as the visitor saw them, and all that happened. */
export function dossierJson(lead: LeadDossier) {
  const json = leadJson(lead)
  return {
    ...json,
    consent: { ...json.consent, ...(JSON.parse(lead.consentPresented) as { text: string; button: string }) },
    questionnaire:
      lead.questionnairePresented === null
        ? null
        : { ...json.questionnaire, questions: readQuestionnaire(lead.questionnairePresented).questions },
    history: lead.history.map(({ at, event, detail }) => ({
      at: isoTime(at),
      event,
      detail: JSON.parse(detail) as unknown,
    })),
    deliveryAttempts: lead.deliveryAttempts.map(attempt => ({ ...attempt, at: isoTime(attempt.at) })),
    otherLeadsOfThePerson: lead.otherLeadsOfThePerson,
  }
}

/** Null once erased. */
function contactJson(lead: LeadRecord) {
  if (lead.state === 'erased') return null
  const fields = Object.fromEntries(contactFields.map(field => [field, lead[field]]))
  return {
    ...(fields as Readonly<Record<ContactField, string | null>>),
    phoneE164: lead.phone === null ? null : e164(lead.phone),
  }
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
