/** Leads as CSV and JSON, for the terminal and the desk. JSON uses the field names in docs/webhook.md. */
import { consentKind, readConsent, readQuestionnaire } from '../../domain/as-presented.ts'
import { type ContactField, contactFields } from '../../domain/contact-fields.ts'
import { describeLeadEvent } from '../../domain/events/lead-events.ts'
import { deliveryValues } from '../../domain/lead-states.ts'
import { e164 } from '../../domain/phone.ts'
import type { Calendar } from '../settings/calendar.ts'
import type { RecordedEvent } from '../store/leads/contact-history.ts'
import type { CorrectableField, Correction } from '../store/leads/corrections.ts'
import type { DeliveryRecord, LeadDetails, LeadRecord } from '../store/leads/lead-records.ts'
import type { Store } from '../store/store.ts'
import { jsonText, plain } from './plain-text.ts'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface LeadFormat {
  readonly head: string
  readonly line: (lead: LeadRecord, more: ExportedDetails) => string
}

interface ExportedDetails {
  readonly doNotCall: boolean
  /** Oldest first. */
  readonly corrections: readonly Correction[]
  /** As in the contact record, oldest first. */
  readonly changes: readonly RecordedEvent[]
}

/** `store` tells who is on the do-not-call list right now. */
export async function exportLines(
  { line }: LeadFormat,
  store: Pick<Store, 'leadsOnDoNotCallList' | 'corrections' | 'recordedEvents'>,
  leads: readonly LeadRecord[],
): Promise<string> {
  const ids = leads.map(({ id }) => id)
  const onList = await store.leadsOnDoNotCallList(ids)
  const corrections = Map.groupBy(await store.corrections(ids), ({ leadId }) => leadId)
  const changes = Map.groupBy(await store.recordedEvents(ids), ({ leadId }) => leadId)
  const detailsOf = (id: string): ExportedDetails => ({
    doNotCall: onList.has(id),
    corrections: corrections.get(id) ?? [],
    changes: changes.get(id) ?? [],
  })
  return leads.map(lead => line(lead, detailsOf(lead.id))).join('')
}

const csvColumns = [
  ...['id', 'receivedAt', 'state', 'heldReason', 'rejectedReason', 'repeatOf'],
  ...contactFields,
  ...['page', 'campaign', 'clientAddress', 'userAgent', 'certificateUrl', 'certificateFormKnown'],
  ...['trustedForm', 'consentVersion', 'questionnaireVersion'],
  ...['delivery', 'deliveryAttempts', 'deliveryFinishedAt', 'doNotCall', 'language', 'consent'],
  ...['consentTakenBy', 'consentLimits', 'corrections', 'changes'],
]

/** `parameters`: campaign parameters that get their own column. */
export const leadFormats: Readonly<
  Record<ExportFormat, (calendar: Calendar, parameters: readonly string[]) => LeadFormat>
> = {
  csv: (calendar, parameters) => ({
    head: BYTE_ORDER_MARK + csvLine([...csvColumns, ...parameters.map(name => `campaign.${name}`)]),
    line: (lead, { doNotCall, corrections, changes }) =>
      csvLine([
        ...csvCells(lead, calendar),
        String(doNotCall),
        lead.language,
        ...consentCells(lead),
        corrections.map(correction => correctionText(correction, calendar)).join('; '),
        changes.map(change => changeText(change, calendar)).join('; '),
        ...parameters.map(name => parameterOf(lead, name)),
      ]),
  }),
  jsonl: () => ({
    head: '',
    line: (lead, { corrections }) =>
      `${jsonText({ ...leadJson(lead), corrections: corrections.map(correctionJson) })}\n`,
  }),
}

/** "2026-03-02T10:11:40-05:00, Maria Lopez: phone (555) 234-5678 → (212) 555-0187 (typed it wrong)" */
export function correctionText({ at, by, before, after, reason }: Correction, calendar: Calendar): string {
  const changes = Object.entries(before ?? {}).map(
    ([field, value]) => `${field} ${value} → ${after?.[field as CorrectableField] ?? ''}`,
  )
  return `${calendar.iso(at)}, ${by}: ${before === null ? 'erased' : changes.join(', ')}${reason === null ? '' : ` (${reason})`}`
}

/** "2026-03-02T10:11:40-05:00, Maria Lopez: State set: Florida (Central)" */
function changeText({ at, event }: RecordedEvent, { iso }: Calendar): string {
  const { text, by } = describeLeadEvent(event, (from, until) => `${iso(from)} to ${iso(until)}`)
  return `${iso(at)}${by === null ? '' : `, ${by}`}: ${text}`
}

const correctionJson = ({ at, by, reason, before, after, consentVersion }: Correction) => ({
  at: isoTime(at),
  by,
  reason,
  before,
  after,
  consentVersion,
})

function consentCells({ consentTakenBy }: LeadRecord): readonly (string | null)[] {
  const { kind, takenBy, limits } = consentKind(consentTakenBy)
  return [kind, takenBy, limits]
}

/** Checks own properties only: the name could be `constructor`. */
function parameterOf({ campaign }: LeadRecord, name: string): string {
  return Object.hasOwn(campaign, name) ? (campaign[name] ?? '') : ''
}

/** CSV is for people, so times are in the operator's time zone. */
function csvCells(lead: LeadRecord, calendar: Calendar): readonly (string | number | null)[] {
  const { id, state, heldReason, rejectedReason, repeatOf, page, campaign, certificate, delivery } = lead
  const finishedAt = delivery?.finishedAt ?? null
  return [
    ...[id, calendar.iso(lead.receivedAt), state, heldReason, rejectedReason, repeatOf],
    ...contactFields.map(field => lead[field]),
    ...[page, new URLSearchParams(campaign).toString(), lead.clientAddress, lead.userAgent, certificate?.url ?? null],
    ...[String(certificate?.formKnown ?? ''), lead.trustedForm, lead.consentVersion, lead.questionnaireVersion],
    ...[
      deliveryValues[delivery?.state ?? 'none'],
      delivery?.attempts ?? 0,
      finishedAt === null ? null : calendar.iso(finishedAt),
    ],
  ]
}

/** Makes Excel read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * Spreadsheets run cells that look like formulas, so we put an apostrophe in front. We do the same after a separator or line
 * break: if a spreadsheet splits at semicolons, our quotes end up in the middle of a cell and don't protect anything.
 */
function escapeFormulas(text: string): string {
  if (!FORMULA.test(text)) return text
  const characters = [...text]
  const escaped: string[] = []
  // From the end: whether only blanks come before a formula's first character. A pattern would look for it from each of them.
  let leadsToFormula = false
  for (let index = characters.length - 1; index >= 0; index--) {
    const character = characters[index] as string
    leadsToFormula = FORMULA.test(character) || (leadsToFormula && BLANK.test(character))
    escaped.push(character)
    if (leadsToFormula && CELL_END.test(characters[index - 1] ?? ',')) escaped.push("'")
  }
  return escaped.reverse().join('')
}

const FORMULA = /[=+\-@\t\r＝＋－＠]/
const BLANK = /[\s"]|\p{Default_Ignorable_Code_Point}/u
const CELL_END = /[,;\t\r\n]/

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A shortcut: most cells have none of these, and a million leads have 20 million cells. */
const NEEDS_ESCAPING = /[^ -~]|^\s*[=+\-@]|[",;]/

function csvCell(value: string | number | null): string {
  const text = String(value ?? '')
  if (!NEEDS_ESCAPING.test(text)) return text
  // Keeps tabs and line breaks, because the quotes protect them.
  const safe = escapeFormulas(text.replaceAll(/[^\t\r\n]+/g, plain))
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

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
    language: lead.language,
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
export function leadDetailsJson(lead: LeadDetails) {
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

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
