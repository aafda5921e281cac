/** `list`: the newest leads, one line for each, or how many there are. */
import { leadPages } from '../../../server/store/lead-pages.ts'
import type { DeliveryRecord, LeadRecord } from '../../../server/store/lead-records.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { shortened } from '../../leads/lead-ids.ts'
import { filterOptions, readFilter } from '../../leads/lead-options.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { type Column, table } from '../../terminal/table.ts'
import { age, campaignInWords, counted, plain } from '../../terminal/words.ts'

const DEFAULT_LIMIT = 50
const MOST_IN_A_BATCH = 1000
const USUAL_COLUMNS = 80
const SUMMARY_DAYS = 14

export const list: Command = {
  summary: 'The newest leads, one line each.',
  usage: ['[OPTIONS]'],
  about:
    'Lists leads, the newest first, with the name of the person but without phone and e-mail: `show` has everything.\n' +
    'The delivery is none for leads that are held, repeat an earlier one or were erased before they were delivered.\n' +
    'On a terminal ids are cut short; every command takes them so. Files and other programs get them whole.',
  options: {
    ...filterOptions,
    limit: { value: 'NUMBER', about: `How many at most; ${DEFAULT_LIMIT} if not said.` },
    json: { about: 'As JSON.' },
    summary: { about: 'Only how many there are: by state, by delivery, and on each of the last 14 days.' },
  },
  examples: [
    '',
    '--state held',
    '--delivery dead --since 7d',
    '--phone 555-010-2030',
    '--summary',
    '--campaign utm_source=news --limit 500 --json > news.json',
  ],
  mostWords: 0,
  async run(run) {
    const { typed, out, notes, stdout, now } = run
    if (typed.isSet('summary')) {
      const chosen = ['limit', ...Object.keys(filterOptions)].some(name => typed.isSet(name))
      if (chosen) throw new Misuse('--summary counts all leads: only --json may stand beside it.')
      return showSummary(run)
    }
    const time = now()
    const filter = readFilter(typed, time, calendarOf(run))
    const limit = readLimit(typed.text('limit'))
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
    if (typed.isSet('json')) {
      await out.write(`${JSON.stringify(shown.map(listed), null, 2)}\n`)
      return exitCodes.done
    }
    if (shown.length === 0) {
      await notes.write('No leads.\n')
      return exitCodes.done
    }
    await out.write(
      stdout.isTTY
        ? table(columns, shortCells(shown, time), stdout.columns ?? USUAL_COLUMNS)
        : table(
            columns,
            shown.map(lead => cells(lead, time)),
          ),
    )
    if (leads.length > limit) await notes.write(`Only the newest ${counted(limit, 'lead')}: --limit shows more.\n`)
    return exitCodes.done
  },
}

const columns: readonly Column[] = [
  { head: 'ID' },
  { head: 'STATE' },
  { head: 'DELIVERY' },
  { head: 'AGE' },
  { head: 'NAME', elastic: true },
  { head: 'PAGE', elastic: true },
  { head: 'CAMPAIGN', elastic: true },
]

function cells(lead: LeadRecord, now: number): readonly string[] {
  const state = lead.heldReason && lead.state === 'held' ? `held (${lead.heldReason})` : lead.state
  return [lead.id, state, deliveryInWords(lead, now), ...otherCells(lead, now)]
}

/** In so few words that a usual terminal has room for all columns; `show` has the rest. */
function shortCells(leads: readonly LeadRecord[], now: number): readonly (readonly string[])[] {
  const ids = shortened(leads.map(({ id }) => id))
  return leads.map((lead, index) => {
    const reason = lead.state === 'held' ? shortReasons[lead.heldReason ?? ''] : undefined
    return [
      ids[index] ?? lead.id,
      reason ? `held: ${reason}` : lead.state,
      isRetried(lead) ? `retry ${age(lead.delivery.nextAt - now)}` : (lead.delivery?.state ?? 'none'),
      ...otherCells(lead, now),
    ]
  })
}

const shortReasons: Readonly<Record<string, string>> = {
  'many from one address': 'many',
  'many from one network': 'network',
  'many from everywhere': 'flood',
  'a link in the name': 'link',
}

function otherCells(lead: LeadRecord, now: number): readonly string[] {
  return [
    age(now - lead.receivedAt),
    plain([lead.firstName, lead.lastName].filter(name => name !== null).join(' ')),
    plain(lead.page),
    campaignInWords(lead.campaign),
  ]
}

function isRetried(lead: LeadRecord): lead is LeadRecord & { readonly delivery: DeliveryRecord } {
  return lead.delivery?.state === 'pending' && lead.delivery.attempts > 0
}

function deliveryInWords(lead: LeadRecord, now: number): string {
  if (!isRetried(lead)) return lead.delivery?.state ?? 'none'
  const { delivery } = lead
  return `pending (${counted(delivery.attempts, 'attempt')}, next in ${age(delivery.nextAt - now)})`
}

function listed(lead: LeadRecord) {
  const { id, receivedAt, state, heldReason, repeatOf, firstName, lastName, page, campaign, delivery } = lead
  return {
    id,
    receivedAt: new Date(receivedAt).toISOString(),
    state,
    heldReason,
    repeatOf,
    delivery: delivery?.state ?? 'none',
    firstName,
    lastName,
    page,
    campaign,
  }
}

function readLimit(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value)
  throw new Misuse(`--limit is ${JSON.stringify(value)}, but must be a number from 1 to 9999999.`)
}

async function showSummary(run: Run): Promise<number> {
  const summary = await withStore(run, 'read', store => store.summary(SUMMARY_DAYS))
  if (run.typed.isSet('json')) {
    await run.out.write(`${JSON.stringify(summary, null, 2)}\n`)
    return exitCodes.done
  }
  const counts = (about: string, entries: readonly (readonly [string, number])[]) =>
    table(
      [{ head: about }, { head: 'LEADS' }],
      entries.map(([name, count]) => [name, count.toLocaleString('en-US').padStart('LEADS'.length)]),
    )
  await run.out.write(
    [
      counts('STATE', Object.entries(summary.states)),
      counts('DELIVERY', Object.entries(summary.deliveries)),
      counts(
        'DAY (UTC)',
        summary.days.map(({ date, leads }) => [date, leads]),
      ),
    ].join('\n'),
  )
  return exitCodes.done
}
