/** `funnel`: from the first view to the delivered lead, by campaign, page, day or variant. */
import { OWN_LEAD_ENDPOINT } from '../../../server/settings/addresses.ts'
import { type FunnelGroup, funnelGroups } from '../../../server/store/reports/kept-counts.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { drawn, type Funnel, funnelOf, groupTable, whatIsMeant } from '../../leads/funnel-report.ts'
import { oneOf } from '../../leads/lead-options.ts'
import { comparisons, inWords } from '../../leads/variant-comparison.ts'
import { calendarOf, readRange } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'

const DEFAULT_DAYS = 30
const DEFAULT_LIMIT = 25
const USUAL_COLUMNS = 80

export const funnel: Command = {
  summary: 'How many saw the pages, answered, became leads; by campaign.',
  usage: ['[OPTIONS]'],
  about:
    'Counts views of the pages and what came of them, without cookies: the server counts by itself, by the parameters\n' +
    'utm_source, utm_medium and utm_campaign of the addresses that a campaign sends people to.\n' +
    'Days are those of TIME_ZONE. Views are in the store about a second after they happen.',
  options: {
    by: { value: 'WHAT', about: `One of ${funnelGroups.join(', ')}; campaign if not said.` },
    since: {
      value: 'WHEN',
      about: `From that day on: today, yesterday, 2030-01-31, 7d; ${DEFAULT_DAYS}d if not said.`,
    },
    until: { value: 'WHEN', about: 'Before that day, said in the same ways.' },
    limit: { value: 'NUMBER', about: `How many lines at most; ${DEFAULT_LIMIT} if not said.` },
    json: { about: 'As JSON, with every line.' },
  },
  examples: ['', '--since today', '--by page --since 7d', '--by variant --since 2030-01-01', '--json > funnel.json'],
  mostWords: 0,
  async run(run) {
    const { typed, out, notes } = run
    const by: FunnelGroup = oneOf('by', typed.text('by'), funnelGroups) ?? 'campaign'
    const limit = readLimit(typed.text('limit'))
    const days = readDays(run)
    const { timeZone, leadEndpoint } = run.readConfig()
    const lines = await withStore(run, 'read', store => store.funnel({ by, ...days, timeZone }))
    const report = funnelOf(by, lines, leadEndpoint === OWN_LEAD_ENDPOINT)
    if (typed.isSet('json')) {
      await out.write(`${JSON.stringify(asJson(report, { ...days, timeZone }), null, 2)}\n`)
      return exitCodes.done
    }
    const period = days.since === days.until ? days.since : `${days.since} to ${days.until}`
    if (report.groups.length === 0) {
      await notes.write(
        `Nothing was counted (${period}).\nViews are counted while the server runs. --since looks further back.\n`,
      )
      return exitCodes.done
    }
    await out.write(`${period}, days of ${timeZone}\n\n${drawn(report)}\n${tableOf(run, report, limit)}`)
    for (const words of comparisons(report).map(inWords)) await out.write(`\n${words}\n`)
    await out.write(`\n${whatIsMeant(report)}`)
    const left = report.groups.length - limit
    if (left > 0)
      await notes.write(`${left.toLocaleString('en-US')} more: --limit ${report.groups.length} shows them.\n`)
    return exitCodes.done
  },
}

function tableOf({ stdout }: Run, report: Funnel, limit: number): string {
  return groupTable(report, limit, stdout.isTTY ? (stdout.columns ?? USUAL_COLUMNS) : USUAL_COLUMNS)
}

/** Counts are of whole days. */
function readDays(run: Run): { readonly since: string; readonly until: string } {
  const calendar = calendarOf(run)
  const now = run.now()
  const { since, until } = readRange(run.typed, now, calendar)
  const lastDay = until === undefined ? calendar.dateOf(now) : calendar.dateOf(until - 1)
  return {
    since: since === undefined ? calendar.daysAfter(lastDay, 1 - DEFAULT_DAYS) : calendar.dateOf(since),
    until: lastDay,
  }
}

function readLimit(value = String(DEFAULT_LIMIT)): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value)
  throw new Misuse(`--limit is ${JSON.stringify(value)}, but must be a number from 1 to 999999.`)
}

function asJson(report: Funnel, asked: { readonly since: string; readonly until: string; readonly timeZone: string }) {
  return { ...asked, by: report.by, total: report.total, groups: report.groups, comparisons: comparisons(report) }
}
