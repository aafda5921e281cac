/** From the first view to the delivered lead, by campaign, page, day or variant. Shared by the engines. */
import { type Calendar, createCalendar } from '../../calendar.ts'
import { firstIdAt, timeOfId } from '../lead-id.ts'
import { text } from '../rows.ts'
import type { Sql, SqlPort } from '../sql.ts'
import { type Days, type FunnelGroup, type FunnelLine, keptCounts, stages, viewStages } from './kept-counts.ts'
import { changedDays, leadsIn, type Span, spanOf } from './lead-counts.ts'
import { type LeadCounts, namedCampaigns, type PageCounts, type PlaceOfCount } from './page-counts.ts'

export interface FunnelRequest extends Days {
  readonly by: FunnelGroup
  readonly timeZone: string
}

export interface FunnelsRequest<Group extends FunnelGroup> extends Omit<FunnelRequest, 'by'> {
  readonly by: readonly Group[]
}

export async function funnel(port: SqlPort, { by, ...request }: FunnelRequest): Promise<readonly FunnelLine[]> {
  return (await funnels(port, { ...request, by: [by] }))[by]
}

/** Those that are not counted yet are read once for all groups: of a busy hour there are many. */
export async function funnels<Group extends FunnelGroup>(
  { read, now }: SqlPort,
  request: FunnelsRequest<Group>,
): Promise<Readonly<Record<Group, readonly FunnelLine[]>>> {
  const { by, since, until } = request
  const calendar = createCalendar(request.timeZone)
  const isAsked = (day: string) => day >= since && day <= until
  const changed = (await changedDays(read, calendar)).filter(isAsked)
  const { lines, journal, countedUntil } = await keptCounts(read, request, changed)
  const counted = changed.map(day => ({ day, ...spanOf(calendar, day) }))
  const live = [
    ...counted.map(({ day, ...span }) => ({ day, since: span.since, until: Math.min(span.until, countedUntil) })),
    ...(await uncountedDays(read, calendar, countedUntil, await now())).filter(({ day }) => isAsked(day)),
  ]
  const noted = journal.filter(({ day }) => isAsked(day))
  const named = await namedCampaigns(read, [...new Set([...noted, ...live].map(({ day }) => day))])
  const addTo = (groups: readonly Group[], at: PlaceOfCount, add: (line: FunnelLine) => FunnelLine) => {
    for (const group of groups) {
      const key = group === 'campaign' ? named.keyFor(at) : at[group]
      lines[group].set(key, add(lines[group].get(key) ?? emptyLine(key)))
    }
  }
  for (const views of noted) {
    // Whatever it is asked for: a campaign takes its place among the names in the order in which it came.
    const place = { ...views, campaign: named.keyFor(views) }
    const groups = by.filter(group => group === 'page' || views.asks)
    addTo(groups, place, line => withViews(line, views))
  }
  for (const { day, ...span } of live) {
    for (const leads of await leadsIn(read, span, day)) addTo(by, leads, line => withLeads(line, leads))
  }
  const all = by.map(group => [group, [...lines[group].values()]])
  return Object.fromEntries(all) as Record<Group, readonly FunnelLine[]>
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
  return { key, asks: false, ...none }
}

function withViews(line: FunnelLine, counts: PageCounts): FunnelLine {
  const sums = viewStages.map(stage => [stage, line[stage] + counts[stage]])
  return { ...line, asks: line.asks || counts.asks, ...Object.fromEntries(sums) }
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
