/** `list`: the newest leads, one per line, or lead counts. */
import { describeHoldReason } from '../../domain/hold-reasons.ts'
import { ENGLISH, languageName } from '../../domain/languages.ts'
import { deliveryStates, deliveryValues, leadStates } from '../../domain/lead-states.ts'
import { leadJson } from '../../server/export/lead-formats.ts'
import type { LeadFilter, LeadRecord } from '../../server/store/leads/lead-records.ts'
import { type Command, type Run, UsageError } from '../command.ts'
import { describePause } from '../deliveries.ts'
import { byOption, filterOptions, readFilter, shortIds } from '../options.ts'
import { formatAge, formatCampaign, formatNumber, table } from '../terminal/text.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000

export const list: Command = {
  summary: 'List the newest leads, or count them.',
  about:
    'For everything about a lead, use `show`. Delivery is “none” for repeats and for leads that are on hold, were rejected, or were erased before they were sent.\n' +
    'In a terminal, IDs are shortened; every command accepts short IDs. Piped output has full IDs.\n' +
    'Lists show phone numbers, so the number of leads you list is recorded with your name and shown on the desk’s Health page.',
  options: {
    ...filterOptions,
    limit: {
      value: 'NUMBER',
      about: `At most this many leads. Default: ${DEFAULT_LIMIT}. For more than ${formatNumber(MAX_LIMIT)}, use \`export\`.`,
    },
    summary: { about: 'Count leads by state and by delivery instead of listing them.' },
    json: { about: 'Print JSON.' },
    ...byOption,
  },
  examples: [
    '',
    '--delivery failed --since 7d',
    '--summary --since today',
    '--campaign utm_source=news --json > news.json',
  ],
  async run(run) {
    const { args, notes, stdout } = run
    const limit = Number(args.text('limit') ?? DEFAULT_LIMIT)
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
      throw new UsageError(`--limit must be a number from 1 to ${formatNumber(MAX_LIMIT)}.`)
    }
    const filter = readFilter(run)
    const by = readBy(run)
    if (args.isSet('summary')) return showSummary(run, filter)
    const store = await run.openStore('write')
    // Fetch one extra, to know whether there are more.
    const found = await store.page({ filter, order: 'newest first', limit: limit + 1, after: null })
    const leads = found.slice(0, limit)
    // Record the view before showing anything, as the desk does.
    const withPhone = leads.filter(({ phone }) => phone !== null).length
    const day = run.calendar().dateOf(run.now())
    if (withPhone > 0) await store.recordListView({ by, day, leads: withPhone })
    if (args.isSet('json')) return run.json(leads.map(listedJson))
    if (leads.length === 0) return notes.write('No leads found.\n')
    const ids = leads.map(({ id }) => id)
    const shownIds = stdout.isTTY ? shortIds(ids) : ids
    // Most lists are in English only, and a terminal is narrow.
    const withLanguage = leads.some(({ language }) => language !== ENGLISH)
    const rows = leads.map((lead, index) => ({
      id: shownIds[index] ?? '',
      ...cellsOf(lead, run.now()),
      ...(withLanguage && { language: lead.language === ENGLISH ? '' : languageName(lead.language) }),
    }))
    await run.out.write(table(rows, stdout, ['name', 'page', 'campaign']))
    if (found.length > limit)
      await notes.write(`Showing the newest ${formatNumber(limit)} leads. Use --limit to see more.\n`)
  },
}

/** Through 0.5.3, `--by` grouped lead counts. Keeps old scripts from recording a page or a campaign as a person's name. */
function readBy(run: Run): string {
  const by = run.by()
  if (!/^(campaign|page|day|state|delivery|utm_\w+)$/.test(by)) return by
  throw new UsageError('--by is now the name to record. To count leads, use --summary or `leads funnel`.')
}

function cellsOf(lead: LeadRecord, now: number) {
  const { state, heldReason, delivery, firstName, lastName } = lead
  const isRetry = delivery?.state === 'pending' && delivery.attempts > 0
  return {
    state: state === 'held' && heldReason ? `held: ${describeHoldReason(heldReason).label}` : state,
    delivery: isRetry ? `retry in ${formatAge(delivery.nextAt - now)}` : deliveryValues[delivery?.state ?? 'none'],
    age: formatAge(now - lead.receivedAt),
    name: `${firstName ?? ''} ${lastName ?? ''}`.trim(),
    phone: lead.phone ?? '',
    page: lead.page,
    campaign: formatCampaign(lead.campaign),
  }
}

/** The table's fields, with the same names as in `export` and `show`. */
function listedJson(lead: LeadRecord) {
  const { contact, consent, certificate, questionnaire, ...rest } = leadJson(lead)
  return {
    ...rest,
    contact: contact && { firstName: contact.firstName, lastName: contact.lastName, phone: contact.phone },
  }
}

async function showSummary(run: Run, filter: LeadFilter): Promise<void> {
  const states = leadStates.filter(state => state === (filter.state ?? state))
  const deliveries = ([...deliveryStates, 'none'] as const).filter(each => each === (filter.delivery ?? each))
  const store = await run.openStore('read')
  const byState = []
  for (const state of states) byState.push({ state, leads: await store.count({ ...filter, state }) })
  const byDelivery = []
  for (const delivery of deliveries) {
    byDelivery.push({ delivery: deliveryValues[delivery], leads: await store.count({ ...filter, delivery }) })
  }
  if (run.args.isSet('json')) return run.json([...byState, ...byDelivery])
  await run.out.write(`${table(byState, run.stdout)}\n${table(byDelivery, run.stdout)}`)
  const pause = await store.deliveryPause()
  if (pause) await run.notes.write(`${describePause(pause, run.calendar())}\n`)
}
