/**
 * How many leads a day, a page and a campaign brought, and how many of them were delivered. To read through a million
 * leads takes seconds, so those that have come to rest are counted once and kept beside the page views; the newest are
 * counted when somebody asks. A lead that changes later has a trigger note it, and its day is counted again. So the
 * figures are always those of the leads themselves. Shared by the engines.
 */
import { campaignKey } from '../../../domain/campaign.ts'
import { type Calendar, createCalendar } from '../../calendar.ts'
import { firstIdAt, timeOfId } from '../lead-id.ts'
import { number, text } from '../rows.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'
import { addLeadCounts, type LeadCounts } from './page-counts.ts'

/** Few enough at a time that captures, which wait meanwhile, go on. */
const MOST_AT_A_TIME = 2000

export interface CountingOrder {
  /** The operator's: it says when a day begins. */
  readonly timeZone: string
  /** Leads younger than this are left alone: they are still being captured and delivered. */
  readonly restMs: number
}

interface CountingState {
  readonly timeZone: string
  /** All leads that came before this instant are counted. */
  readonly countedUntil: number
}

export interface Span {
  readonly since: number
  readonly until: number
}

/** Counts the next leads that are at rest, or a day again in which some changed. False when nothing is left to do. */
export async function countLeads({ read, transact, now, dialect }: SqlPort, order: CountingOrder): Promise<boolean> {
  const calendar = createCalendar(order.timeZone)
  const until = (await now()) - order.restMs
  // Looked at first: where nothing is to do, nothing is written.
  if ((await nextTask(read, calendar, until)) === null) return false
  return transact(async sql => {
    // Another server that wants to do the same waits here, and then finds it done.
    await sql('UPDATE funnel_state SET id = id')
    const task = await nextTask(sql, calendar, until)
    if (task) await perform(sql, dialect, calendar, task)
    return task !== null
  })
}

type Task =
  | { readonly kind: 'start over' }
  | { readonly kind: 'count again'; readonly day: string; readonly span: Span }
  | { readonly kind: 'count on'; readonly span: Span }

async function nextTask(sql: Sql, calendar: Calendar, until: number): Promise<Task | null> {
  const { timeZone, countedUntil } = await countingState(sql)
  if (timeZone !== calendar.zone) return { kind: 'start over' }
  const [changedDay] = await changedDays(sql, calendar)
  if (changedDay) {
    const { since, until: end } = spanOf(calendar, changedDay)
    return { kind: 'count again', day: changedDay, span: { since, until: Math.min(end, countedUntil) } }
  }
  const [next] = await sql('SELECT id FROM leads WHERE id >= $1 AND id < $2 ORDER BY id LIMIT 1', [
    firstIdAt(countedUntil),
    firstIdAt(until),
  ])
  if (!next) return null
  const since = timeOfId(text(next, 'id'))
  const dayEnds = spanOf(calendar, calendar.dateOf(since)).until
  const [beyond] = await sql(`SELECT id FROM leads WHERE id >= $1 ORDER BY id LIMIT 1 OFFSET ${MOST_AT_A_TIME}`, [
    firstIdAt(since),
  ])
  const enough = beyond ? timeOfId(text(beyond, 'id')) : Number.POSITIVE_INFINITY
  return { kind: 'count on', span: { since, until: Math.min(dayEnds, until, enough > since ? enough : dayEnds) } }
}

async function perform(sql: Sql, dialect: Dialect, calendar: Calendar, task: Task): Promise<void> {
  if (task.kind === 'start over') {
    // Days begin at another instant now.
    await sql('UPDATE page_counts SET submitted = 0, leads = 0, delivered = 0 WHERE submitted > 0')
    await sql('DELETE FROM late_changes')
    await sql('UPDATE funnel_state SET time_zone = $1, counted_until = 0', [calendar.zone])
    return
  }
  const { span } = task
  const day = task.kind === 'count again' ? task.day : calendar.dateOf(span.since)
  if (task.kind === 'count again') {
    await sql('DELETE FROM late_changes WHERE received_at >= $1 AND received_at < $2', [
      span.since,
      spanOf(calendar, day).until,
    ])
    await sql('UPDATE page_counts SET submitted = 0, leads = 0, delivered = 0 WHERE day = $1 AND submitted > 0', [day])
  } else {
    await sql('UPDATE funnel_state SET counted_until = $1', [span.until])
  }
  await addLeadCounts(sql, dialect, await leadsIn(sql, span, day))
}

export async function countingState(sql: Sql): Promise<CountingState> {
  const [state] = await sql('SELECT time_zone, counted_until FROM funnel_state')
  return { timeZone: text(state, 'time_zone'), countedUntil: number(state, 'counted_until') }
}

/** The days with a lead that changed after it was counted. */
export async function changedDays(sql: Sql, calendar: Calendar): Promise<readonly string[]> {
  const rows = await sql('SELECT DISTINCT received_at FROM late_changes ORDER BY received_at LIMIT 10000')
  return [...new Set(rows.map(row => calendar.dateOf(number(row, 'received_at'))))]
}

export function spanOf(calendar: Calendar, day: string): Span {
  return { since: calendar.startOf(day), until: calendar.startOf(calendar.daysAfter(day, 1)) }
}

/**
 * Read from the leads themselves. Those of one campaign differ in the ids of clicks: they are put together here. The outbox is
 * bounded, too, or PostgreSQL would read it from its very beginning; and looked up for each lead, it would take three times as long.
 */
export async function leadsIn(sql: Sql, { since, until }: Span, day: string): Promise<readonly LeadCounts[]> {
  const rows = await sql(
    `SELECT leads.page, leads.variant, leads.campaign, COUNT(*) AS submitted,
       SUM(CASE WHEN ${isNewPerson} THEN 1 ELSE 0 END) AS leads,
       SUM(CASE WHEN (${isNewPerson}) AND deliveries.state = 'delivered' THEN 1 ELSE 0 END) AS delivered
     FROM leads LEFT JOIN deliveries ON deliveries.lead_id = leads.id AND deliveries.lead_id >= $1 AND deliveries.lead_id < $2
     WHERE leads.id >= $1 AND leads.id < $2 GROUP BY leads.page, leads.variant, leads.campaign`,
    [firstIdAt(since), firstIdAt(until)],
  )
  return rows.map(row => ({
    day,
    page: text(row, 'page'),
    variant: text(row, 'variant'),
    campaign: campaignKey(JSON.parse(text(row, 'campaign')) as Readonly<Record<string, string>>),
    submitted: number(row, 'submitted'),
    leads: number(row, 'leads'),
    delivered: number(row, 'delivered'),
  }))
}

/** An erased lead was one, too, unless it repeated another or was never released. */
const isNewPerson = `leads.state = 'accepted'
  OR (leads.state = 'erased' AND leads.repeat_of IS NULL AND leads.held_reason IS NULL)`
