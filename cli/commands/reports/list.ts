/** `list`: the newest leads, one line for each, or how many there are. */

import { holdReasonWords } from '../../../domain/hold-reasons.ts'
import { jsonText, plain } from '../../../server/export/plain-text.ts'
import type { DeliveryRecord, LeadRecord } from '../../../server/store/lead-records.ts'
import { leadPages } from '../../../server/store/leads.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { byOption, readGrouping } from '../../leads/grouping.ts'
import { shortened } from '../../leads/lead-ids.ts'
import { filterOptions, readFilter } from '../../leads/lead-options.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { type Column, table } from '../../terminal/table.ts'
import { age, campaignInWords, counted } from '../../terminal/words.ts'
import { summarize } from './summary.ts'

const DEFAULT_LIMIT = 50
const MOST_IN_A_BATCH = 1000
const USUAL_COLUMNS = 80

export const list: Command = {
  summary: 'The newest leads, one line each.',
  usage: ['[OPTIONS]'],
  about:
    'Lists leads, the newest first, with the name of the person but without phone and e-mail: `show` has everything. Only\n' +
    '--state held and --state rejected show these, too: by them you decide whether to release or to reject.\n' +
    'The delivery is none for leads that are held, rejected, a repeat, or were erased before they were delivered.\n' +
    'On a terminal ids are cut short; every command takes them so. Files and other programs get them whole.',
  options: {
    ...filterOptions,
    limit: { value: 'NUMBER', about: `How many at most; ${DEFAULT_LIMIT} if not said.` },
    json: { about: 'As JSON.' },
    summary: { about: 'Only how many there are: by state, by delivery, and on each of the last 14 days.' },
    ...byOption,
  },
  examples: [
    '',
    '--state held',
    '--delivery dead --since 7d',
    '--phone 555-010-2030',
    '--summary --since today',
    '--by campaign --since 2030-01-01',
    '--campaign utm_source=news --limit 500 --json > news.json',
  ],
  mostWords: 0,
  async run(run) {
    const { typed, out, notes, stdout, now } = run
    const time = now()
    const calendar = calendarOf(run)
    const filter = readFilter(typed, time, calendar)
    const limit = readLimit(typed.text('limit'))
    const grouping = readGrouping(typed)
    if (typed.isSet('summary') || grouping) return summarize(run, { filter, grouping, limit, calendar })
    // One more than is shown tells whether there are more.
    const wanted = limit + 1
    const leads: LeadRecord[] = []
    await withStore(run, 'read', async store => {
      const request = { filter, order: 'newest first', limit: Math.min(wanted, MOST_IN_A_BATCH) } as const
      for await (const batch of leadPages(store, request)) {
        leads.push(...batch)
        if (leads.length >= wanted) break
      }
    })
    const shown = leads.slice(0, limit)
    const withContact = filter.state === 'held' || filter.state === 'rejected'
    const shape = withContact ? decisions : overview
    if (typed.isSet('json')) {
      await out.write(
        `${jsonText(
          shown.map(lead => listed(lead, withContact)),
          2,
        )}\n`,
      )
      return exitCodes.done
    }
    if (shown.length === 0) {
      await notes.write('No leads.\n')
      return exitCodes.done
    }
    await out.write(
      stdout.isTTY
        ? table(shape.columns, shape.shortRows(shown, time), stdout.columns ?? USUAL_COLUMNS)
        : table(
            shape.columns,
            shown.map(lead => shape.row(lead, time)),
          ),
    )
    if (leads.length > limit) await notes.write(`Only the newest ${counted(limit, 'lead')}: --limit shows more.\n`)
    return exitCodes.done
  },
}

/** Which columns a list has, and how much of a lead is in them. */
interface Shape {
  readonly columns: readonly Column[]
  row(lead: LeadRecord, now: number): readonly string[]
  /** In so few words that a usual terminal has room for all columns; `show` has the rest. */
  shortRows(leads: readonly LeadRecord[], now: number): readonly (readonly string[])[]
}

const overview: Shape = {
  columns: [
    ...[{ head: 'ID' }, { head: 'STATE' }, { head: 'DELIVERY' }, { head: 'AGE' }],
    ...(['NAME', 'PAGE', 'CAMPAIGN'] as const).map(head => ({ head, elastic: true }) as const),
  ],
  row: (lead, now) => [
    ...[lead.id, stateInWords(lead), deliveryInWords(lead, now), age(now - lead.receivedAt)],
    ...[nameOf(lead), plain(lead.page), campaignInWords(lead.campaign)],
  ],
  shortRows: (leads, now) =>
    withShortIds(leads, lead => [
      stateInShort(lead),
      isRetried(lead) ? `retry ${age(lead.delivery.nextAt - now)}` : (lead.delivery?.state ?? 'none'),
      ...[age(now - lead.receivedAt), nameOf(lead), plain(lead.page), campaignInWords(lead.campaign)],
    ]),
}

/** Of leads that somebody has to decide about: by phone and e-mail they are told from a joke. None has a delivery. */
const decisions: Shape = {
  columns: [
    ...([
      { head: 'ID' },
      { head: 'STATE' },
      { head: 'AGE' },
      { head: 'NAME', elastic: true },
      { head: 'PHONE' },
    ] as const),
    ...(['E-MAIL', 'PAGE', 'CAMPAIGN'] as const).map(head => ({ head, elastic: true }) as const),
  ],
  row: (lead, now) => [lead.id, stateInWords(lead), ...decisionCells(lead, now)],
  shortRows: (leads, now) => withShortIds(leads, lead => [stateInShort(lead), ...decisionCells(lead, now)]),
}

function decisionCells(lead: LeadRecord, now: number): readonly string[] {
  return [
    ...[age(now - lead.receivedAt), nameOf(lead), plain(lead.phone ?? ''), plain(lead.email ?? '')],
    ...[plain(lead.page), campaignInWords(lead.campaign)],
  ]
}

function withShortIds(
  leads: readonly LeadRecord[],
  cells: (lead: LeadRecord) => readonly string[],
): readonly (readonly string[])[] {
  const ids = shortened(leads.map(({ id }) => id))
  return leads.map((lead, index) => [ids[index] ?? lead.id, ...cells(lead)])
}

function stateInWords({ state, heldReason, rejectedReason }: LeadRecord): string {
  if (state === 'held' && heldReason) return `held (${heldReason})`
  return state === 'rejected' && rejectedReason ? `rejected (${plain(rejectedReason)})` : state
}

function stateInShort({ state, heldReason }: LeadRecord): string {
  return state === 'held' && heldReason ? `held: ${holdReasonWords(heldReason).label}` : state
}

function nameOf({ firstName, lastName }: LeadRecord): string {
  return plain([firstName, lastName].filter(name => name !== null).join(' '))
}

function isRetried(lead: LeadRecord): lead is LeadRecord & { readonly delivery: DeliveryRecord } {
  return lead.delivery?.state === 'pending' && lead.delivery.attempts > 0
}

function deliveryInWords(lead: LeadRecord, now: number): string {
  if (!isRetried(lead)) return lead.delivery?.state ?? 'none'
  const { delivery } = lead
  return `pending (${counted(delivery.attempts, 'attempt')}, next in ${age(delivery.nextAt - now)})`
}

function listed(lead: LeadRecord, withContact: boolean) {
  const { id, receivedAt, state, heldReason, rejectedReason, repeatOf, page, campaign, delivery } = lead
  const { firstName, lastName, email, phone } = lead
  return {
    id,
    receivedAt: new Date(receivedAt).toISOString(),
    state,
    heldReason,
    rejectedReason,
    repeatOf,
    delivery: delivery?.state ?? 'none',
    firstName,
    lastName,
    ...(withContact && { email, phone }),
    page,
    campaign,
  }
}

function readLimit(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value)
  throw new Misuse(`--limit is ${JSON.stringify(value)}, but must be a number from 1 to 9999999.`)
}
