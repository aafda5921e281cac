/** Leads as CSV and as JSON lines, the same from the terminal and from the desk. */
import { contactFields } from '../../domain/contact-fields.ts'
import type { Calendar } from '../calendar.ts'
import type { LeadRecord } from '../store/lead-records.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { leadJson } from './lead-json.ts'
import { jsonText } from './plain-text.ts'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

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

/** `parameters`: campaign parameters that get their own column. */
export const leadFormats: Readonly<
  Record<ExportFormat, (calendar: Calendar, parameters: readonly string[]) => LeadFormat>
> = {
  csv: (calendar, parameters) => ({
    head: BYTE_ORDER_MARK + csvLine([...csvColumns, ...parameters.map(name => `campaign.${name}`)]),
    line: lead => csvLine([...csvCells(lead, calendar), ...parameters.map(name => parameterOf(lead, name))]),
  }),
  jsonl: () => ({ head: '', line: lead => `${jsonText(leadJson(lead))}\n` }),
}

/** The name may be one that every object has, such as `constructor`. */
function parameterOf({ campaign }: LeadRecord, name: string): string {
  return Object.hasOwn(campaign, name) ? (campaign[name] ?? '') : ''
}

/** For people: times in the operator's zone, with its offset. JSON lines are for programs. */
function csvCells(lead: LeadRecord, calendar: Calendar): readonly (string | number | null)[] {
  const { id, state, heldReason, rejectedReason, repeatOf, page, campaign, certificate, delivery } = lead
  const finishedAt = delivery?.finishedAt ?? null
  return [
    ...[id, calendar.iso(lead.receivedAt), state, heldReason, rejectedReason, repeatOf],
    ...contactFields.map(field => lead[field]),
    ...[page, new URLSearchParams(campaign).toString(), lead.clientAddress, lead.userAgent, certificate?.url ?? null],
    ...[String(certificate?.formKnown ?? ''), lead.trustedForm, lead.consentVersion, lead.questionnaireVersion],
    ...[delivery?.state ?? 'none', delivery?.attempts ?? 0, finishedAt === null ? null : calendar.iso(finishedAt)],
  ]
}
