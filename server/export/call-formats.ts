/** Calls as CSV and JSON lines, without contact details: how often, when, and with what result. */

import { placeOfId } from '../../domain/calling/area-codes.ts'
import { formatLocalTime } from '../../domain/calling/local-time.ts'
import type { Calendar } from '../settings/calendar.ts'
import type { LeadRecord } from '../store/facts/leads/lead-records.ts'
import type { Store } from '../store/store.ts'
import type { CallPeriod, CallPosition, LoggedCall } from '../store/views/call-log.ts'
import {
  BYTE_ORDER_MARK,
  type CsvStyle,
  csvLine,
  type ExportFormat,
  forPeople,
  forScripts,
  isoTime,
} from './formats.ts'
import { jsonText } from './plain-text.ts'

interface CallFormat {
  readonly head: string
  readonly line: (call: LoggedCall) => string
}

/** "6:51 AM, Hawaii". Null if nobody knows when or where it was. */
const localTimeOf = ({ place, startedAt, timeKnown }: LoggedCall): string | null =>
  place === null || !timeKnown ? null : formatLocalTime(placeOfId(place), startedAt)

const nameOf = ({ firstName, lastName }: LeadRecord) => `${firstName ?? ''} ${lastName ?? ''}`.trim()

/** In this order. */
const columns = [
  ...(['id', 'leadId', 'startedAt', 'localTime', 'savedAt', 'by', 'outcome'] as const),
  ...(['callbackAt', 'overridden', 'corrects', 'direction'] as const),
]

type Cells = Readonly<Record<(typeof columns)[number], string | null>>

function csvCells(call: LoggedCall, { time, cell }: CsvStyle) {
  const cells = callCells(call, time)
  return columns.map(name => cell(name, cells[name]))
}

export const callFormats: Readonly<Record<ExportFormat, (calendar: Calendar) => CallFormat>> = {
  csv: calendar => ({
    head: BYTE_ORDER_MARK + csvLine(columns),
    line: call => csvLine(csvCells(call, forScripts(calendar))),
  }),
  jsonl: () => ({ head: '', line: call => `${jsonText(callJson(call))}\n` }),
}

/** For people. `contacts`: also who was called, at which number. */
export function readableCalls(calendar: Calendar, contacts: boolean) {
  const style = forPeople(calendar)
  return {
    head: BYTE_ORDER_MARK + csvLine([...(contacts ? ['person', 'phone'] : []), ...columns].map(style.heading)),
    async lines(store: Pick<Store, 'leadsWithIds'>, calls: readonly LoggedCall[]) {
      const leads = contacts ? await store.leadsWithIds([...new Set(calls.flatMap(call => call.leads))]) : []
      const known = new Map(leads.map(lead => [lead.id, lead]))
      /** Without people who were erased. */
      const each = (call: LoggedCall, textOf: (lead: LeadRecord) => string | null) => {
        const found = call.leads.map(id => known.get(id)).filter(lead => lead !== undefined)
        return [...new Set(found.map(textOf))].filter(Boolean).join(', ')
      }
      const whom = (call: LoggedCall) => [each(call, nameOf), each(call, ({ phone }) => phone)]
      return calls.map(call => csvLine([...(contacts ? whom(call) : []), ...csvCells(call, style)])).join('')
    },
  }
}

/** Leaves out an override's reason: it may be about the person. */
function callCells(call: LoggedCall, time: (instant: number) => string): Cells {
  const { id, leadId, startedAt, savedAt, by, outcome, callbackAt, overrideReason, corrects, incoming } = call
  return {
    id,
    leadId,
    startedAt: time(startedAt),
    localTime: localTimeOf(call),
    savedAt: time(savedAt),
    by,
    outcome,
    callbackAt: callbackAt === null ? null : time(callbackAt),
    overridden: String(overrideReason !== null),
    corrects,
    direction: incoming ? 'incoming' : 'outgoing',
  }
}

const callJson = (call: LoggedCall) => ({ ...callCells(call, isoTime), overridden: call.overrideReason !== null })

/** With an override's reason, for one lead's details. */
export const callDetailsJson = (call: LoggedCall) => ({ ...callJson(call), overrideReason: call.overrideReason })

const BATCH = 1000

/** A period's calls, one batch at a time. */
export async function* callBatches(
  store: Pick<Store, 'savedCalls'>,
  period: Pick<CallPeriod, 'since' | 'until'>,
): AsyncGenerator<readonly LoggedCall[]> {
  let after: CallPosition | null = null
  do {
    const page: Awaited<ReturnType<typeof store.savedCalls>> = await store.savedCalls({
      ...period,
      after,
      limit: BATCH,
    })
    if (page.calls.length > 0) yield page.calls
    after = page.next
  } while (after !== null)
}
