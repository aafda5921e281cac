/** Reads the database's rows into records: the only place that knows what type a column has. */
import { certificateUrl } from '../../domain/certificate.ts'
import { type ContactField, contactFields } from '../../domain/contact-fields.ts'
import { type Contact, type TrustedFormMode, trustedFormModes } from '../../domain/lead.ts'
import {
  type DeliveryAttempt,
  type DeliveryRecord,
  deliveryStates,
  type HistoryLine,
  type KeptCertificate,
  type LeadRecord,
  leadStates,
} from './lead-records.ts'
import type { Row } from './sql.ts'

export function text(row: Row | undefined, column: string): string {
  const value = row?.[column]
  if (typeof value !== 'string') throw new TypeError(`${column} is not a text`)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

/** PostgreSQL gives a bigint, and every count is one, as text. */
export function number(row: Row | undefined, column: string): number {
  const value = row?.[column]
  const read = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof read !== 'number' || Number.isNaN(read)) throw new TypeError(`${column} is not a number`)
  return read
}

export function numberOrNull(row: Row | undefined, column: string): number | null {
  return row?.[column] === null || row === undefined ? null : number(row, column)
}

function oneOf<T extends string>(row: Row, column: string, known: readonly T[]): T {
  const found = known.find(each => each === row[column])
  if (found === undefined) throw new TypeError(`${column} is none of ${known.join(', ')}`)
  return found
}

/** The columns of a LeadRecord, from `leads LEFT JOIN deliveries`. */
export const leadRecordColumns = `leads.id, leads.received_at, leads.state, leads.held_reason, leads.rejected_reason, leads.repeat_of,
  leads.contact, leads.client_address,
  leads.user_agent, leads.page, leads.campaign, leads.variant, leads.certificate_id, leads.certificate_other, leads.trusted_form,
  leads.consent_version, leads.questionnaire_version,
  deliveries.state AS delivery_state, deliveries.attempts, deliveries.next_at, deliveries.finished_at`

export function readLead(row: Row): LeadRecord {
  return {
    id: text(row, 'id'),
    receivedAt: number(row, 'received_at'),
    state: oneOf(row, 'state', leadStates),
    heldReason: textOrNull(row, 'held_reason'),
    rejectedReason: textOrNull(row, 'rejected_reason'),
    repeatOf: textOrNull(row, 'repeat_of'),
    ...contactOrNulls(row),
    clientAddress: textOrNull(row, 'client_address'),
    userAgent: textOrNull(row, 'user_agent'),
    page: text(row, 'page'),
    campaign: readCampaign(row),
    variant: text(row, 'variant'),
    certificate: readCertificate(row),
    trustedForm: readTrustedForm(row),
    consentVersion: text(row, 'consent_version'),
    questionnaireVersion: textOrNull(row, 'questionnaire_version'),
    delivery: readDelivery(row),
  }
}

function readDelivery(row: Row): DeliveryRecord | null {
  if (row['delivery_state'] === null) return null
  return {
    state: oneOf(row, 'delivery_state', deliveryStates),
    attempts: number(row, 'attempts'),
    nextAt: number(row, 'next_at'),
    finishedAt: numberOrNull(row, 'finished_at'),
  }
}

export function readHistoryLine(row: Row): HistoryLine {
  return { at: number(row, 'at'), event: text(row, 'event'), detail: text(row, 'detail') }
}

export function readAttempt(row: Row): DeliveryAttempt {
  return {
    at: number(row, 'at'),
    durationMs: number(row, 'duration_ms'),
    outcome: text(row, 'outcome'),
    status: numberOrNull(row, 'status'),
  }
}

export function readCampaign(row: Row): Readonly<Record<string, string>> {
  return JSON.parse(text(row, 'campaign'))
}

export function readTrustedForm(row: Row): TrustedFormMode | null {
  return row['trusted_form'] === null ? null : oneOf(row, 'trusted_form', trustedFormModes)
}

/** Most are known by their id alone. */
export function readCertificate(row: Row): KeptCertificate | null {
  const id = textOrNull(row, 'certificate_id')
  if (id !== null) return { url: certificateUrl(id), formKnown: true }
  const url = textOrNull(row, 'certificate_other')
  return url === null ? null : { url, formKnown: false }
}

/** The contact fields as submitted, from the column `contact`. A field that was added later is missing in older leads. */
export function readContact(row: Row): Contact {
  return JSON.parse(text(row, 'contact'))
}

function contactOrNulls(row: Row): Readonly<Record<ContactField, string | null>> {
  const contact = row['contact'] === null ? null : readContact(row)
  return Object.fromEntries(contactFields.map(field => [field, contact?.[field] ?? null])) as Record<
    ContactField,
    string | null
  >
}
