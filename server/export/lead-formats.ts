/** Leads as CSV and JSON, for the terminal and the desk. JSON uses the field names in docs/webhook.md. */

import { outcomeName } from '../../domain/calling/outcomes.ts'
import { type ContactField, contactFields } from '../../domain/contact/contact-fields.ts'
import { e164 } from '../../domain/contact/phone.ts'
import { describeLeadEvent } from '../../domain/events/lead-events.ts'
import { consentKind, readConsent, readQuestionnaire } from '../../domain/leads/as-presented.ts'
import { deliveryValues } from '../../domain/leads/lead-states.ts'
import type { CorrectableField, Correction } from '../store/facts/leads/corrections.ts'
import type { DeliveryRecord, LeadDetails, LeadRecord } from '../store/facts/leads/lead-records.ts'
import type { Store } from '../store/store.ts'
import type { LeadCalls } from '../store/views/call-list.ts'
import type { RecordedEvent } from '../store/views/contact-history.ts'
import { callDetailsJson } from './call-formats.ts'
import { BYTE_ORDER_MARK, type CsvStyle, csvLine, isoTime } from './formats.ts'
import { jsonText } from './plain-text.ts'

export interface LeadFormat {
  readonly head: string
  readonly lines: (store: ExportReader, leads: readonly LeadRecord[]) => Promise<string>
}

type ExportReader = Pick<
  Store,
  'find' | 'leadsOnDoNotCallList' | 'corrections' | 'recordedEvents' | 'callsOfLeads' | 'callsOfAll'
>

const csvColumns = [
  ...['id', 'receivedAt', 'state', 'heldReason', 'rejectedReason', 'repeatOf'],
  ...contactFields,
  ...['page', 'campaign', 'clientAddress', 'userAgent', 'certificateUrl', 'certificateFormKnown'],
  ...['trustedForm', 'consentVersion', 'questionnaireVersion'],
  ...['delivery', 'deliveryAttempts', 'deliveryFinishedAt', 'doNotCall', 'language', 'consent'],
  ...['consentTakenBy', 'consentLimits', 'corrections', 'changes', 'clientOn', 'callOutcome'],
]

/** `parameters`: campaign parameters that get their own column. */
export const csvFormat = (
  { heading, time, timeInText, cell }: CsvStyle,
  parameters: readonly string[],
): LeadFormat => ({
  head: BYTE_ORDER_MARK + csvLine([...csvColumns.map(heading), ...parameters.map(name => `campaign.${name}`)]),
  async lines(store, leads) {
    const ids = leads.map(({ id }) => id)
    const onList = await store.leadsOnDoNotCallList(ids)
    const corrections = Map.groupBy(await store.corrections(ids), ({ leadId }) => leadId)
    const changes = Map.groupBy(await store.recordedEvents(ids), ({ leadId }) => leadId)
    const calls = await store.callsOfLeads(ids)
    const line = (lead: LeadRecord) => {
      const cells = [
        ...csvCells(lead, time),
        String(onList.has(lead.id)),
        lead.language,
        ...consentCells(lead),
        (corrections.get(lead.id) ?? []).map(correction => correctionText(correction, timeInText)).join('; '),
        (changes.get(lead.id) ?? []).map(change => changeText(change, timeInText)).join('; '),
        lead.clientOn,
        outcomeText(calls.get(lead.id)),
      ]
      return csvLine([
        ...csvColumns.map((column, index) => cell(column, cells[index] ?? null)),
        ...parameters.map(name => parameterOf(lead, name)),
      ])
    }
    return leads.map(line).join('')
  },
})

/** Everything we know about each lead: for machines, and for anyone who asks what we have on file. */
export const jsonLinesFormat: LeadFormat = {
  head: '',
  async lines(store, leads) {
    const onList = await store.leadsOnDoNotCallList(leads.map(({ id }) => id))
    const line = async ({ id }: LeadRecord) => {
      const [lead, calls] = await Promise.all([store.find(id), store.callsOfAll([id])])
      const more = { doNotCall: onList.has(id), calls: calls.map(callDetailsJson) }
      return lead === null ? '' : `${jsonText({ ...leadDetailsJson(lead), ...more })}\n`
    }
    return (await Promise.all(leads.map(line))).join('')
  },
}

/** How the calling ended, or what came of the last call so far. */
function outcomeText(call: LeadCalls | undefined): string {
  const outcome = call?.ended ?? call?.lastOutcome ?? null
  return outcome === null ? '' : outcomeName(outcome)
}

/** "2026-03-02T10:11:40-05:00, Maria Lopez: phone (555) 234-5678 → (212) 555-0187 (typed it wrong)" */
function correctionText({ at, by, before, after, reason }: Correction, time: CsvStyle['time']): string {
  const changes = Object.entries(before ?? {}).map(
    ([field, value]) => `${field} ${value} → ${after?.[field as CorrectableField] ?? ''}`,
  )
  return `${time(at)}, ${by}: ${before === null ? 'erased' : changes.join(', ')}${reason === null ? '' : ` (${reason})`}`
}

/** "2026-03-02T10:11:40-05:00, Maria Lopez: State set: Florida (Central)" */
function changeText({ at, event }: RecordedEvent, time: CsvStyle['time']): string {
  const { text, by } = describeLeadEvent(event, (from, until) => `${time(from)} to ${time(until)}`)
  return `${time(at)}${by === null ? '' : `, ${by}`}: ${text}`
}

const correctionJson = ({ at, by, reason, before, after }: Correction) => ({
  at: isoTime(at),
  by,
  reason,
  before,
  after,
})

function consentCells({ consentTakenBy }: LeadRecord): readonly (string | null)[] {
  const { kind, takenBy, limits } = consentKind(consentTakenBy)
  return [kind, takenBy, limits]
}

/** Checks own properties only: the name could be `constructor`. */
function parameterOf({ campaign }: LeadRecord, name: string): string {
  return Object.hasOwn(campaign, name) ? (campaign[name] ?? '') : ''
}

function csvCells(lead: LeadRecord, time: CsvStyle['time']): readonly (string | number | null)[] {
  const { id, state, heldReason, rejectedReason, repeatOf, page, campaign, certificate, delivery } = lead
  const finishedAt = delivery?.finishedAt ?? null
  return [
    ...[id, time(lead.receivedAt), state, heldReason, rejectedReason, repeatOf],
    ...contactFields.map(field => lead[field]),
    ...[page, new URLSearchParams(campaign).toString(), lead.clientAddress, lead.userAgent, certificate?.url ?? null],
    ...[String(certificate?.formKnown ?? ''), lead.trustedForm, lead.consentVersion, lead.questionnaireVersion],
    ...[
      deliveryValues[delivery?.state ?? 'none'],
      delivery?.attempts ?? 0,
      finishedAt === null ? null : time(finishedAt),
    ],
  ]
}

function leadJson(lead: LeadRecord) {
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
    language: lead.language,
    clientOn: lead.clientOn,
    campaign,
    consent: {
      version: lead.consentVersion,
      ...consentKind(lead.consentTakenBy),
      givenAt: receivedAt,
      ipAddress: lead.clientAddress,
      userAgent: lead.userAgent,
    },
    certificate: certificate && { ...certificate, trustedForm },
    questionnaire: lead.questionnaireVersion === null ? null : { version: lead.questionnaireVersion },
    delivery: deliveryJson(lead.delivery),
  }
}

/** Includes the consent and questions as shown to the visitor, and the lead's history. */
function leadDetailsJson(lead: LeadDetails) {
  const json = leadJson(lead)
  return {
    ...json,
    consent: { ...json.consent, ...readConsent(lead.consentPresented) },
    questionnaire:
      lead.questionnairePresented === null
        ? null
        : { ...json.questionnaire, questions: readQuestionnaire(lead.questionnairePresented).questions },
    corrections: lead.corrections.map(correctionJson),
    history: lead.history.map(({ at, event, detail }) => ({
      at: isoTime(at),
      event,
      detail: JSON.parse(detail) as unknown,
    })),
    deliveryAttempts: lead.deliveryAttempts.map(attempt => ({ ...attempt, at: isoTime(attempt.at) })),
    otherLeadsOfThePerson: lead.otherLeadsBySamePerson,
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
    state: deliveryValues[state],
    attempts,
    nextAt: state === 'pending' ? isoTime(nextAt) : null,
    finishedAt: finishedAt === null ? null : isoTime(finishedAt),
  }
}
