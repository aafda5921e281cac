/** `list`: the newest leads, a line each. */
import { type LeadRecord, leadsInOrder } from '../../server/leads/lead-records.ts'
import type { Command } from '../command.ts'
import { exitCodes, Misuse } from '../failure.ts'
import { filterOptions, readFilter } from '../lead-options.ts'
import { withStore } from '../store.ts'
import { table } from '../table.ts'
import { age, campaignInWords, counted, plain } from '../words.ts'

const DEFAULT_LIMIT = 50
const MOST_IN_A_BATCH = 1000

export const list: Command = {
  summary: 'The newest leads, a line each.',
  usage: ['[OPTIONS]'],
  about:
    'Lists leads, the newest first, with the name of the person but without phone and e-mail: `show` has everything.\n' +
    'The delivery is none for leads that are held, repeat an earlier one or were erased before they were delivered.',
  options: {
    ...filterOptions,
    limit: { value: 'NUMBER', about: `How many at most; ${DEFAULT_LIMIT} if not said.` },
    json: { about: 'As a JSON array.' },
  },
  examples: ['', '--state held', '--delivery dead --since 7d', '--campaign utm_source=news --limit 500 --json'],
  mostWords: 0,
  async run(run) {
    const { typed, out, notes, stdout, now } = run
    const time = now()
    const filter = readFilter(typed, time)
    const limit = readLimit(typed.text('limit'))
    // One more than is shown tells whether there are more.
    const wanted = limit + 1
    const leads: LeadRecord[] = []
    await withStore(run, 'read', async database => {
      for await (const batch of leadsInOrder(database, filter, 'newest first', Math.min(wanted, MOST_IN_A_BATCH))) {
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
    const head = ['ID', 'STATE', 'DELIVERY', 'AGE', 'NAME', 'PAGE', 'CAMPAIGN']
    await out.write(
      table(
        head,
        shown.map(lead => cells(lead, time)),
        stdout.isTTY ? stdout.columns : undefined,
      ),
    )
    if (leads.length > limit) await notes.write(`Only the newest ${counted(limit, 'lead')}: --limit shows more.\n`)
    return exitCodes.done
  },
}

function cells(lead: LeadRecord, now: number): readonly string[] {
  return [
    lead.id,
    lead.heldReason && lead.state === 'held' ? `held (${lead.heldReason})` : lead.state,
    deliveryInWords(lead, now),
    age(now - lead.receivedAt),
    plain([lead.firstName, lead.lastName].filter(name => name !== null).join(' ')),
    plain(lead.page),
    campaignInWords(lead.campaign),
  ]
}

function deliveryInWords({ delivery }: LeadRecord, now: number): string {
  if (!delivery) return 'none'
  if (delivery.state !== 'pending' || delivery.attempts === 0) return delivery.state
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
