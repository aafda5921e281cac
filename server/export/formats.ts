/** What exports of leads and of calls share: CSV that spreadsheets read as plain text, and times in UTC. */
import { outcomeName } from '../../domain/calling/outcomes.ts'
import { campaignKey, campaignName } from '../../domain/campaigns/campaign.ts'
import { languageName } from '../../domain/languages.ts'
import {
  type DeliveryState,
  deliveryNames,
  deliveryValues,
  type LeadState,
  stateNames,
} from '../../domain/leads/lead-states.ts'
import { escapeFormulas } from '../../domain/text/table-cells.ts'
import type { Calendar } from '../settings/calendar.ts'
import { plain } from './plain-text.ts'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Makes Excel read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

const readable: Readonly<Record<string, string>> = {
  id: 'ID',
  leadId: 'Lead ID',
  clientAddress: 'IP address',
  userAgent: 'Browser',
  certificateUrl: 'Certificate',
  trustedForm: 'TrustedForm',
  clientOn: 'Became a client on',
}

/** A column's heading for people: `receivedAt` is "Received at". */
const heading = (column: string): string =>
  readable[column] ?? capitalized(column.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`))

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const yesOrNo = (value: string) => ({ true: 'Yes', false: 'No' })[value] ?? value

/** Values for people, as on the desk's pages. */
const words: Readonly<Record<string, (value: string) => string>> = {
  campaign: value => campaignName(campaignKey(Object.fromEntries(new URLSearchParams(value)))),
  state: value => stateNames[value as LeadState],
  delivery: value => deliveryNames[value === deliveryValues.dead ? 'dead' : (value as DeliveryState)],
  language: languageName,
  outcome: outcomeName,
  certificateFormKnown: yesOrNo,
  doNotCall: yesOrNo,
  overridden: yesOrNo,
  trustedForm: capitalized,
  consent: capitalized,
  direction: capitalized,
}

type Cell = string | number | null

/** How a table reads. Times are in the operator's time zone. */
export interface CsvStyle {
  readonly heading: (column: string) => string
  /** A cell of its own. */
  readonly time: (instant: number) => string
  /** Within a cell's text. */
  readonly timeInText: (instant: number) => string
  readonly cell: (column: string, value: Cell) => Cell
}

/** Scripts rely on the original names and values. */
export const forScripts = ({ iso }: Calendar): CsvStyle => ({
  heading: column => column,
  time: iso,
  timeInText: iso,
  cell: (_, value) => value,
})

/** The heading names the zone, so that a spreadsheet reads each time as a time. */
export const timeHeading = (text: string, { zone }: Calendar): string => `${text} (${zone.replaceAll('_', ' ')})`

export const forPeople = (calendar: Calendar): CsvStyle => ({
  heading: column => (column.endsWith('At') ? timeHeading(heading(column), calendar) : heading(column)),
  time: calendar.withoutZone,
  timeInText: calendar.format,
  cell: (column, value) => (typeof value === 'string' ? (words[column]?.(value) ?? value) : value),
})

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A shortcut: most cells have none of these, and a million leads have 20 million cells. */
const NEEDS_ESCAPING = /[^ -~]|^[\s']*[=+\-@]|[",;]/

function csvCell(value: Cell): string {
  const text = String(value ?? '')
  if (!NEEDS_ESCAPING.test(text)) return text
  // Keeps tabs and line breaks, because the quotes protect them.
  const safe = escapeFormulas(text.replaceAll(/[^\t\r\n]+/g, plain))
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
