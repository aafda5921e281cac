/** `list`: the newest leads, one per line, or lead counts. */
import { describeHoldReason } from '../../domain/hold-reasons.ts'
import { deliveryStates, leadStates } from '../../domain/lead-states.ts'
import { leadJson } from '../../server/export/lead-formats.ts'
import { plain } from '../../server/export/plain-text.ts'
import type { LeadFilter, LeadRecord } from '../../server/store/lead-records.ts'
import { leadPages } from '../../server/store/leads.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, type ParsedArgs, type Run, UsageError } from '../command.ts'
import { describePause } from '../deliveries.ts'
import { filterOptions, readFilter, shortIds, systemUser } from '../options.ts'
import { age, type Column, figure, formatCampaign, table } from '../terminal/text.ts'

const DEFAULT_LIMIT = 50
const PAGE = 1000

export const list: Command = {
  summary: 'List the newest leads, or count them.',
  about:
    'Newest first. For everything about a lead, use `show`. Delivery shows “none” for repeats and for leads that are on hold, were rejected, or were erased before they were sent.\n' +
    'In a terminal, IDs are shortened; every command accepts short IDs. Piped output has full IDs.\n' +
    'Lists show phone numbers, so how many leads you list is recorded with your system user name and shown on the desk’s Health page.',
  options: {
    ...filterOptions,
    limit: { value: 'NUMBER', about: `Maximum number of leads. Default: ${DEFAULT_LIMIT}.` },
    json: { about: 'Print JSON.' },
    summary: { about: 'Count the leads by state and by delivery.' },
    by: { value: 'WHAT', about: 'Count by campaign, page, or a parameter such as utm_source.' },
  },
  examples: [
    '',
    '--state held',
    '--delivery dead --since 7d',
    '--phone 555-234-5678',
    '--summary --since today',
    '--by campaign --since 2030-01-01',
    '--campaign utm_source=news --limit 500 --json > news.json',
  ],
  async run(run) {
    const { args, out, notes, stdout } = run
    const limit = readLimit(args)
    const filter = readFilter(run)
    if (args.isSet('summary') || args.isSet('by')) return showCounts(run, filter)
    const leads = await run.withStore('write', async store => {
      // Fetch one extra, to know whether there are more.
      const found = await newest(store, filter, limit + 1)
      // Record it before showing anything, as the desk does.
      const withPhone = found.slice(0, limit).filter(({ phone }) => phone !== null).length
      const view = { by: systemUser(), day: run.calendar().dateOf(run.now()), leads: withPhone }
      if (withPhone > 0) await store.recordListView(view)
      return found
    })
    const shown = leads.slice(0, limit)
    if (args.isSet('json')) return run.json(shown.map(listedJson))
    if (shown.length === 0) return notes.write('No leads found.\n')
    const ids = shown.map(({ id }) => id)
    const shownIds = stdout.isTTY ? shortIds(ids) : ids
    const rows = shown.map((lead, index) => [shownIds[index] ?? '', ...cellsOf(lead, run.now())])
    await out.write(table(columns, rows, stdout))
    if (leads.length > limit) await notes.write(`Showing the newest ${figure(limit)} leads. Use --limit to see more.\n`)
  },
}

function readLimit(args: ParsedArgs): number {
  const value = args.text('limit') ?? String(DEFAULT_LIMIT)
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value)
  throw new UsageError(`--limit must be a number from 1 to 9999999, not ${JSON.stringify(value)}.`)
}

async function newest(store: Store, filter: LeadFilter, limit: number): Promise<readonly LeadRecord[]> {
  const leads: LeadRecord[] = []
  for await (const page of leadPages(store, { filter, order: 'newest first', limit: Math.min(limit, PAGE) })) {
    leads.push(...page)
    if (leads.length >= limit) break
  }
  return leads
}

const columns: readonly Column[] = [
  ...['ID', 'STATE', 'DELIVERY', 'AGE'].map(head => ({ head })),
  ...[{ head: 'NAME', elastic: true } as const, { head: 'PHONE' }],
  ...['PAGE', 'CAMPAIGN'].map(head => ({ head, elastic: true }) as const),
]

function cellsOf(lead: LeadRecord, now: number): readonly string[] {
  const { state, heldReason, delivery, firstName, lastName, phone, receivedAt, page, campaign } = lead
  const isRetry = delivery?.state === 'pending' && delivery.attempts > 0
  return [
    state === 'held' && heldReason ? `held: ${describeHoldReason(heldReason).label}` : state,
    isRetry ? `retry in ${age(delivery.nextAt - now)}` : (delivery?.state ?? 'none'),
    age(now - receivedAt),
    ...[
      plain(`${firstName ?? ''} ${lastName ?? ''}`.trim()),
      plain(phone ?? ''),
      plain(page),
      formatCampaign(campaign),
    ],
  ]
}

/** The table's fields, with the same names as in `export` and `show`. */
function listedJson(lead: LeadRecord) {
  const { contact, consent, certificate, questionnaire, ...rest } = leadJson(lead)
  return {
    ...rest,
    contact: contact && { firstName: contact.firstName, lastName: contact.lastName, phone: contact.phone },
  }
}

async function showCounts(run: Run, filter: LeadFilter): Promise<void> {
  const by = run.args.text('by')
  const { groups, pause } = await run.withStore('read', async store => ({
    groups: by === undefined ? await summary(store, filter) : [await countBy(store, filter, by)],
    pause: await store.deliveryPause(),
  }))
  if (run.args.isSet('json')) {
    return run.json(groups.flatMap(({ name, rows }) => rows.map(([key, leads]) => ({ [name]: key, leads }))))
  }
  const tables = groups.map(({ name, rows }) => {
    const heads = [{ head: name.toUpperCase(), elastic: true } as const, { head: 'LEADS', right: true } as const]
    return table(
      heads,
      rows.map(([key, leads]) => [plain(key ?? '(none)'), figure(leads)]),
      run.stdout,
    )
  })
  await run.out.write(tables.join('\n'))
  if (pause) await run.notes.write(`${describePause(pause, run.calendar())}\n`)
}

interface Counts {
  readonly name: string
  readonly rows: readonly (readonly [key: string | null, leads: number])[]
}

async function summary(store: Store, filter: LeadFilter): Promise<readonly Counts[]> {
  const [all] = await store.tally({ filter, by: 'all' })
  return [
    { name: 'state', rows: leadStates.map(name => [name, all?.[name] ?? 0]) },
    { name: 'delivery', rows: deliveryStates.map(name => [name, all?.[name] ?? 0]) },
  ]
}

/** Largest first. */
async function countBy(store: Store, filter: LeadFilter, by: string): Promise<Counts> {
  if (by === 'state' || by === 'delivery') throw new UsageError(`To count by ${by}, use --summary.`)
  if (!/^[\w-]{1,60}$/.test(by)) {
    throw new UsageError(`--by must be campaign, page, or a parameter such as utm_source, not ${JSON.stringify(by)}.`)
  }
  const parameters = by === 'campaign' ? ['utm_campaign', 'campaign'] : [by]
  const tallies = await store.tally({ filter, by: by === 'page' ? by : { parameters } })
  const rows = tallies.map(({ key, keyErased, received }) => [keyErased ? '(erased)' : key, received] as const)
  return {
    name: by === 'campaign' ? 'utm_campaign' : by,
    rows: rows.toSorted(([a, many], [b, more]) => more - many || ((a ?? '') < (b ?? '') ? -1 : 1)),
  }
}
