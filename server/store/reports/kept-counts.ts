/**
 * What is counted already, by campaign, page, day or variant. A year of campaigns is read from sums that the store keeps;
 * day by day only what is no whole month. Shared by the engines.
 */
import { number, text } from '../rows.ts'
import type { Row, Sql, Value } from '../sql.ts'
import type { PageCounts } from './page-counts.ts'
import { readJournal, WHOLE_JOURNAL } from './view-journal.ts'

export const funnelGroups = ['campaign', 'page', 'day', 'variant'] as const
export type FunnelGroup = (typeof funnelGroups)[number]

/** The first and the last day in question. */
export interface Days {
  readonly since: string
  readonly until: string
}

export const viewStages = ['views', 'bots', 'prefetches', 'declined', 'thanked'] as const
const leadStages = ['submitted', 'leads', 'delivered'] as const
export const stages = [...viewStages, ...leadStages]

export interface FunnelLine extends Readonly<Record<(typeof stages)[number], number>> {
  /** A campaign's key, a path, a date or the name of a variant. */
  readonly key: string
  /** Whether it is about pages with the questionnaire: on others nobody can become a lead. */
  readonly asks: boolean
}

/** Lines by their keys, for each group that was asked for. */
export type LinesBy<Group extends FunnelGroup> = Readonly<Record<Group, Map<string, FunnelLine>>>

export interface KeptCounts<Group extends FunnelGroup> {
  readonly lines: LinesBy<Group>
  /** Leads from this instant on are not among them. */
  readonly countedUntil: number
  /** What is in the journal, and not among them. */
  readonly journal: readonly PageCounts[]
}

const JOURNAL = 'journal'

/** In one statement, so that no lead is counted, and no view posted, while we look, and then once more by whoever asks. */
export async function keptCounts<Group extends FunnelGroup>(
  sql: Sql,
  { by, ...days }: Days & { readonly by: readonly Group[] },
  /** Leads of these days are left out. */
  changed: readonly string[],
): Promise<KeptCounts<Group>> {
  const parameters: Value[] = []
  const parameter = (value: Value) => `$${parameters.push(value)}`
  const grouped = by.map(
    group => `SELECT '${group}' AS grouped_by, lines.* FROM (
      ${group === 'campaign' ? byCampaign(days, changed, parameter) : byDay({ by: group, ...days }, changed, parameter)}
    ) AS lines`,
  )
  const noCounts = stages.map(() => '0').join(', ')
  grouped.push(`SELECT '${JOURNAL}', ${WHOLE_JOURNAL}, 0, ${noCounts} FROM view_journal`)
  const rows = await sql(
    `SELECT funnel_state.counted_until, grouped.* FROM funnel_state
     LEFT JOIN (${grouped.join(' UNION ALL ')}) AS grouped ON true`,
    parameters,
  )
  const lines = Object.fromEntries(by.map(group => [group, new Map<string, FunnelLine>()])) as LinesBy<Group>
  let journal: readonly PageCounts[] = []
  for (const row of rows.filter(({ key }) => key !== null)) {
    const group = text(row, 'grouped_by')
    if (group === JOURNAL) {
      journal = readJournal(text(row, 'key'))
      continue
    }
    const line = readLine(row)
    lines[group as Group].set(line.key, line)
  }
  return { lines, journal, countedUntil: number(rows[0], 'counted_until') }
}

function readLine(row: Row): FunnelLine {
  const counts = Object.fromEntries(stages.map(stage => [stage, number(row, stage)]))
  return {
    key: text(row, 'key'),
    asks: number(row, 'asks') === 1,
    ...(counts as Record<(typeof stages)[number], number>),
  }
}

type Parameter = (value: Value) => string

const sums = stages.map(stage => `SUM(${stage}) AS ${stage}`).join(', ')

function byDay(
  { by, since, until }: Days & { readonly by: FunnelGroup },
  changed: readonly string[],
  parameter: Parameter,
) {
  const [first, last] = [since, until].map(parameter)
  // A page without the questionnaire is no part of a funnel; it is only shown among the pages.
  const where = `day >= ${first} AND day <= ${last} ${by === 'page' ? '' : 'AND asks = 1'}`
  const counted = ['asks', ...stagesWithout(changed, parameter)].join(', ')
  return `SELECT key, MAX(asks) AS asks, ${sums} FROM (SELECT ${by} AS key, ${counted} FROM day_counts WHERE ${where}) AS days
    GROUP BY key`
}

function byCampaign(days: Days, changed: readonly string[], parameter: Parameter): string {
  const { whole, rest } = inMonths(days, [...new Set(changed.map(monthOf))])
  const without = whole.without.map(parameter).join(', ')
  const months = `SELECT campaign, ${stages.join(', ')} FROM campaign_counts
    WHERE month >= ${parameter(whole.since)} AND month <= ${parameter(whole.until)}
    ${without === '' ? '' : `AND month NOT IN (${without})`}`
  const counted = stagesWithout(changed, parameter).join(', ')
  const others = rest.map(
    ({ since, until }) => `SELECT campaign, ${counted} FROM page_counts
      WHERE day >= ${parameter(since)} AND day <= ${parameter(until)} AND asks = 1`,
  )
  return `SELECT campaign AS key, 1 AS asks, ${sums} FROM (${[months, ...others].join(' UNION ALL ')}) AS counted
    GROUP BY campaign`
}

/** The counts of a row, with no leads on the days that were changed since. */
function stagesWithout(changed: readonly string[], parameter: Parameter): readonly string[] {
  if (changed.length === 0) return stages
  const days = changed.map(parameter).join(', ')
  return [...viewStages, ...leadStages.map(stage => `CASE WHEN day IN (${days}) THEN 0 ELSE ${stage} END AS ${stage}`)]
}

export interface InMonths {
  /** From the first to the last month of which every day is in question, without some. */
  readonly whole: { readonly since: string; readonly until: string; readonly without: readonly string[] }
  /** The days that are left. None is in two of them. */
  readonly rest: readonly Days[]
}

/** `broken`: months that are to be read day by day. */
export function inMonths({ since, until }: Days, broken: readonly string[]): InMonths {
  const [first, last] = [monthOf(since), monthOf(until)]
  const isCut = (month: string) =>
    (month === first && since > firstDayOf(month)) || (month === last && until < lastDayOf(month))
  const inQuestion = [...new Set([first, last, ...broken])].filter(month => month >= first && month <= last)
  const without = inQuestion.filter(month => isCut(month) || broken.includes(month))
  const rest = without.map(month => ({
    since: month === first ? since : firstDayOf(month),
    until: month === last ? until : lastDayOf(month),
  }))
  return { whole: { since: first, until: last, without }, rest }
}

const monthOf = (day: string) => day.slice(0, '2030-01'.length)
const firstDayOf = (month: string) => `${month}-01`
/** Or later: days are compared as texts. */
const lastDayOf = (month: string) => `${month}-31`
