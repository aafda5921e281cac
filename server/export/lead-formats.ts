/** Leads as CSV and as JSON lines, the same from the terminal and from the desk. */
import { contactFields } from '../../domain/contact-fields.ts'
import type { Calendar } from '../calendar.ts'
import type { LeadRecord } from '../store/lead-records.ts'
import { leadJson } from './lead-json.ts'
import { jsonText, plain } from './plain-text.ts'

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

/** Makes Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * A spreadsheet runs a cell that starts like a formula, so it gets an apostrophe in front. A separator or a line break may
 * start a cell as well: a spreadsheet that separates by semicolons finds our quotes in the middle of its cells, where they
 * don't count, and drops a doubled quote after its separator.
 */
const FORMULA_START = /(?<=^|[,;\t\r\n])(?=(?:[\s"]|\p{Default_Ignorable_Code_Point})*[=+\-@\t\r＝＋－＠])/gu

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Most cells have none of these, and a million leads have twenty million cells. */
const NEEDS_CARE = /[^ -~]|^\s*[=+\-@]|[",;]/

/** Quotes protect separators and line breaks inside a cell. */
const withoutUnseen = (text: string) => text.replaceAll(/[^\t\r\n]+/g, plain)

function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  if (!NEEDS_CARE.test(text)) return text
  const harmless = withoutUnseen(text).replace(FORMULA_START, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
