/** From the first view to the delivered lead, by campaign, page, day or variant. Shared by the engines. */
import { type Calendar, createCalendar } from '../../calendar.ts'
import { firstIdAt, timeOfId } from '../lead-id.ts'
import { number, text } from '../rows.ts'
import type { Sql, SqlPort } from '../sql.ts'
import { changedDays, leadsIn, type Span, spanOf } from './lead-counts.ts'
import { type LeadCounts, namedCampaigns } from './page-counts.ts'

export const funnelGroups = ['campaign', 'page', 'day', 'variant'] as const
export type FunnelGroup = (typeof funnelGroups)[number]

export interface FunnelRequest {
  readonly by: FunnelGroup
  /** The first and the last day in question. */
  readonly since: string
  readonly until: string
  readonly timeZone: string
}

const viewStages = ['views', 'bots', 'prefetches', 'declined', 'thanked'] as const
const leadStages = ['submitted', 'leads', 'delivered'] as const
const stages = [...viewStages, ...leadStages]

export interface FunnelLine extends Readonly<Record<(typeof stages)[number], number>> {
  /** A campaign's key, a path, a date or the name of a variant. */
  readonly key: string
  /** Whether it is about pages with the questionnaire: on others nobody can become a lead. */
  readonly asks: boolean
}

export async function funnel({ read, now }: SqlPort, request: FunnelRequest): Promise<readonly FunnelLine[]> {
  const { by, since, until } = request
  const calendar = createCalendar(request.timeZone)
  const isAsked = (day: string) => day >= since && day <= until
  const changed = (await changedDays(read, calendar)).filter(isAsked)
  const { lines, countedUntil } = await keptCounts(read, request, changed)
  const counted = changed.map(day => ({ day, ...spanOf(calendar, day) }))
  const live = [
    ...counted.map(({ day, ...span }) => ({ day, since: span.since, until: Math.min(span.until, countedUntil) })),
    ...(await uncountedDays(read, calendar, countedUntil, await now())).filter(({ day }) => isAsked(day)),
  ]
  for (const { day, ...span } of live) {
    const named = await namedCampaigns(read, [day])
    for (const leads of await leadsIn(read, span, day)) {
      const key = by === 'campaign' ? named.keyFor(leads) : leads[by]
      lines.set(key, withLeads(lines.get(key) ?? emptyLine(key), leads))
    }
  }
  return [...lines.values()]
}

interface KeptCounts {
  readonly lines: Map<string, FunnelLine>
  /** Leads from this instant on are not among them. */
  readonly countedUntil: number
}

/** In one statement, so that no lead is counted while we look, and then once more by us. */
async function keptCounts(sql: Sql, request: FunnelRequest, without: readonly string[]): Promise<KeptCounts> {
  const { by, since, until } = request
  const parameters = [since, until, ...without]
  const changed = without.map((_, index) => `$${index + 3}`).join(', ')
  const valid = (stage: string) =>
    without.length === 0 ? stage : `CASE WHEN day IN (${changed}) THEN 0 ELSE ${stage} END`
  const sums = [
    'MAX(asks) AS asks',
    ...viewStages.map(stage => `SUM(${stage}) AS ${stage}`),
    ...leadStages.map(stage => `SUM(${valid(stage)}) AS ${stage}`),
  ].join(', ')
  // A page without the questionnaire is no part of a funnel; it is only shown among the pages.
  const where = `day >= $1 AND day <= $2 ${by === 'page' ? '' : 'AND asks = 1'}`
  // In the order of the key nothing has to be sorted, and little is left to be grouped as was asked.
  const byKey = `SELECT day, page, variant, ${sums} FROM page_counts WHERE ${where} GROUP BY day, page, variant`
  const again = ['MAX(asks) AS asks', ...stages.map(stage => `SUM(${stage}) AS ${stage}`)].join(', ')
  const grouped =
    by === 'campaign'
      ? `SELECT campaign AS key, ${sums} FROM page_counts WHERE ${where} GROUP BY campaign`
      : `SELECT ${by} AS key, ${again} FROM (${byKey}) AS by_key GROUP BY ${by}`
  const rows = await sql(
    `SELECT funnel_state.counted_until, grouped.* FROM funnel_state LEFT JOIN (${grouped}) AS grouped ON true`,
    parameters,
  )
  const lines = rows
    .filter(row => row['key'] !== null)
    .map(row => ({
      key: text(row, 'key'),
      asks: number(row, 'asks') === 1,
      ...(Object.fromEntries(stages.map(stage => [stage, number(row, stage)])) as Record<
        (typeof stages)[number],
        number
      >),
    }))
  return { lines: new Map(lines.map(line => [line.key, line])), countedUntil: number(rows[0], 'counted_until') }
}

/** The days, or what is left of them, whose leads are not counted yet. */
async function uncountedDays(
  sql: Sql,
  calendar: Calendar,
  countedUntil: number,
  now: number,
): Promise<readonly (Span & { readonly day: string })[]> {
  const [first] = await sql('SELECT id FROM leads WHERE id >= $1 ORDER BY id LIMIT 1', [firstIdAt(countedUntil)])
  if (!first) return []
  const days: (Span & { day: string })[] = []
  const since = timeOfId(text(first, 'id'))
  // A lead may be of a clock that is a little ahead of ours.
  for (let day = calendar.dateOf(since); days.length === 0 || calendar.startOf(day) <= now; ) {
    const whole = spanOf(calendar, day)
    days.push({ day, since: Math.max(whole.since, countedUntil), until: whole.until })
    day = calendar.daysAfter(day, 1)
  }
  return days
}

function emptyLine(key: string): FunnelLine {
  const none = Object.fromEntries(stages.map(stage => [stage, 0])) as Record<(typeof stages)[number], number>
  return { key, asks: true, ...none }
}

function withLeads(line: FunnelLine, { submitted, leads, delivered }: LeadCounts): FunnelLine {
  return {
    ...line,
    asks: true,
    submitted: line.submitted + submitted,
    leads: line.leads + leads,
    delivered: line.delivered + delivered,
  }
}
