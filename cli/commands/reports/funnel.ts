/** `funnel`: from the first view to the delivered lead, by campaign, page, day, or variant, and where people leave. */
import { questions } from '../../../content/questions.ts'
import { dropOff } from '../../../domain/drop-off.ts'
import { OWN_LEAD_ENDPOINT } from '../../../server/config.ts'
import { type FunnelGroup, funnelGroups } from '../../../server/store/funnel.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { drawn, funnelOf, groupTable, questionTable, whatIsMeant } from '../../leads/funnel-report.ts'
import { oneOf } from '../../leads/lead-options.ts'
import { comparisons, inWords } from '../../leads/variant-comparison.ts'
import { calendarOf, readRange } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'

const DEFAULT_DAYS = 30
const DEFAULT_LIMIT = 25
const USUAL_COLUMNS = 80

export const funnel: Command = {
  summary: 'How many people saw the pages, answered, and became leads, by campaign.',
  usage: ['[OPTIONS]'],
  about:
    'Shows page views and what came of them. The server counts without cookies, by the parameters utm_source, utm_medium,\n' +
    'and utm_campaign of the addresses in your ads. Days are in TIME_ZONE. Views are stored every ten seconds.\n' +
    'The second table shows at which question people leave.',
  options: {
    by: { value: 'WHAT', about: `One of ${funnelGroups.join(', ')}. Default: campaign.` },
    since: {
      value: 'WHEN',
      about: `From that day on: today, yesterday, 2030-01-31, 7d. Default: ${DEFAULT_DAYS}d.`,
    },
    until: { value: 'WHEN', about: 'Before that day, in the same formats.' },
    limit: { value: 'NUMBER', about: `How many lines at most. Default: ${DEFAULT_LIMIT}.` },
    json: { about: 'JSON, with every line.' },
  },
  examples: ['', '--since today', '--by page --since 7d', '--by variant --since 2030-01-01', '--json > funnel.json'],
  mostWords: 0,
  async run(run) {
    const { typed, out, notes } = run
    const by: FunnelGroup = oneOf('by', typed.text('by'), funnelGroups) ?? 'campaign'
    const limit = readLimit(typed.text('limit'))
    const days = readDays(run)
    const { timeZone, leadEndpoint } = run.readConfig()
    const { lines, reached } = await withStore(run, 'read', async store => ({
      lines: (await store.funnel({ by: [by], ...days, timeZone }))[by],
      reached: await store.questionsReached(days),
    }))
    const report = funnelOf(by, lines, leadEndpoint === OWN_LEAD_ENDPOINT)
    const { finished, qualified } = report.total
    const steps = dropOff(reached, questions.length, { declined: finished - qualified, submitted: qualified })
    if (typed.isSet('json')) {
      const json = { ...days, timeZone, by, total: report.total, groups: report.groups, questions: steps }
      await out.write(`${JSON.stringify({ ...json, comparisons: comparisons(report) }, null, 2)}\n`)
      return exitCodes.done
    }
    const period = days.since === days.until ? days.since : `${days.since} to ${days.until}`
    if (report.groups.length === 0) {
      await notes.write(
        `Nothing was counted (${period}).\nViews are counted while the server runs. Use --since to go further back.\n`,
      )
      return exitCodes.done
    }
    const columns = run.stdout.isTTY ? (run.stdout.columns ?? USUAL_COLUMNS) : USUAL_COLUMNS
    await out.write(`${period}, days in ${timeZone}\n\n${drawn(report)}\n${groupTable(report, limit, columns)}`)
    for (const words of comparisons(report).map(inWords)) await out.write(`\n${words}\n`)
    if (steps.length > 0) await out.write(`\n${questionTable(steps, columns)}`)
    await out.write(`\n${whatIsMeant(report)}`)
    const left = report.groups.length - limit
    if (left > 0)
      await notes.write(`${left.toLocaleString('en-US')} more: --limit ${report.groups.length} shows them.\n`)
    return exitCodes.done
  },
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
