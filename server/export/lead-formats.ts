/** Leads as CSV and as JSON lines, the same from the command and from the desk. */
import { contactFields } from '../../domain/contact-fields.ts'
import type { Calendar } from '../calendar.ts'
import type { LeadRecord } from '../store/lead-records.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { leadJson } from './lead-json.ts'
import { jsonText } from './plain-text.ts'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** How leads are written, one after the other. */
export interface LeadFormat {
  readonly head: string
  readonly line: (lead: LeadRecord) => string
}

const csvColumns = [
  ...['id', 'receivedAt', 'state', 'heldReason', 'rejectedReason', 'repeatOf'],
  ...contactFields,
  ...['page', 'campaign', 'clientAddress', 'userAgent', 'certificateUrl', 'certificateFormKnown'],
  ...['trustedForm', 'consentVersion', 'questionnaireVersion'],
  ...['delivery', 'deliveryAttempts', 'deliveryFinishedAt'],
]

/** `parameters`: of the campaign, with a column of their own. */
export const leadFormats: Readonly<
  Record<ExportFormat, (calendar: Calendar, parameters: readonly string[]) => LeadFormat>
> = {
  csv: (calendar, parameters) => ({
    head: BYTE_ORDER_MARK + csvLine([...csvColumns, ...parameters.map(name => `campaign.${name}`)]),
    line: lead => csvLine([...csvCells(lead, calendar), ...parameters.map(name => parameterOf(lead, name))]),
  }),
  jsonl: () => ({ head: '', line: lead => `${jsonText(leadJson(lead))}\n` }),
}

/** A name may be one that every object has. */
function parameterOf({ campaign }: LeadRecord, name: string): string {
  return Object.hasOwn(campaign, name) ? (campaign[name] ?? '') : ''
}

/** Times in the operator's zone, with its offset, as everything is that a person reads; JSON lines are for programs. */
function csvCells(lead: LeadRecord, calendar: Calendar): readonly (string | number | null)[] {
  const { delivery, campaign, ...rest } = leadJson(lead)
  const { id, state, heldReason, rejectedReason, repeatOf } = rest
  const finishedAt = lead.delivery?.finishedAt ?? null
  return [
    ...[id, calendar.iso(lead.receivedAt), state, heldReason, rejectedReason, repeatOf],
    ...contactFields.map(field => rest[field]),
    ...[rest.page, new URLSearchParams(campaign).toString(), rest.clientAddress, rest.userAgent, rest.certificateUrl],
    ...[String(rest.certificateFormKnown ?? ''), rest.trustedForm, rest.consentVersion, rest.questionnaireVersion],
    ...[delivery.state, delivery.attempts, finishedAt === null ? null : calendar.iso(finishedAt)],
  ]
}
