/** A lead with everything that is known of it, as a POST after Standard Webhooks. docs/webhook.md is its contract. */
import { e164 } from '../../../domain/phone.ts'
import { readQuestionnaire } from '../../../domain/questions-as-asked.ts'
import type { LeadToSend } from '../../store/delivery-records.ts'
import type { WebhookRequest } from './exchange.ts'

export type MessageType = 'lead.created' | 'lead.repeated' | 'lead.test'

export function jsonRequest(
  address: string,
  lead: LeadToSend,
  type: MessageType,
  sign: (content: string) => Record<string, string>,
): WebhookRequest {
  const body = JSON.stringify(messageOf(lead, type))
  const headers = { accept: 'application/json', 'content-type': 'application/json', ...sign(body) }
  return { method: 'POST', url: new URL(address), headers, body }
}

/** Nothing in it depends on the attempt: every attempt sends the same bytes. */
function messageOf(lead: LeadToSend, type: MessageType) {
  const receivedAt = new Date(lead.receivedAt).toISOString()
  const { text, button } = JSON.parse(lead.consentPresented) as { readonly text: string; readonly button: string }
  return {
    type,
    timestamp: receivedAt,
    data: {
      ...(type === 'lead.test' ? { test: true } : {}),
      id: lead.leadId,
      receivedAt,
      repeatOf: lead.repeatOf,
      contact: { ...lead.contact, phoneE164: e164(lead.contact.phone) },
      page: lead.page,
      campaign: lead.campaign,
      consent: {
        version: lead.consentVersion,
        text,
        button,
        givenAt: receivedAt,
        ipAddress: lead.clientAddress,
        userAgent: lead.userAgent,
      },
      certificate: lead.certificate && { ...lead.certificate, trustedForm: lead.trustedForm },
      questionnaire:
        lead.questionnairePresented === null
          ? null
          : { version: lead.questionnaireVersion, questions: readQuestionnaire(lead.questionnairePresented).questions },
    },
  }
}
