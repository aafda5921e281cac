/** Which days the funnel counts directly, and their leads. */
import type { Calendar } from '../../../settings/calendar.ts'
import type { Sql } from '../../sql.ts'
import { firstIdAt, timeOfId } from '../leads/lead-id.ts'
import { isAccepted, isDelivered } from '../leads/states.ts'

/** The first and last days, in the operator's time zone, such as 2030-01-31. */
export interface Days {
  readonly since: string
  readonly until: string
}

export const viewStages = ['views', 'declined', 'thanked'] as const
export const leadStages = ['submitted', 'leads', 'delivered'] as const

/** A day's counts are final after this long. */
export const RECOUNT_DAYS = 35

type LeadCounts = Readonly<
  Record<'campaign' | 'page' | 'day' | 'variant', string> & Record<(typeof leadStages)[number], number>
>

/** Days in this range, from the first lead to the last, that aren't in the rollup. */
export async function daysNotRolledUp(
  sql: Sql,
  calendar: Calendar,
  now: number,
  { since, until }: Days,
): Promise<readonly string[]> {
  const [first] = await sql<{ id: string }>('SELECT id FROM leads ORDER BY id LIMIT 1')
  const [last] = await sql<{ id: string }>('SELECT id FROM leads ORDER BY id DESC LIMIT 1')
  if (!first || !last) return []
  const dayOf = ({ id }: { id: string }) => calendar.dateOf(timeOfId(id))
  // Another server's clock may be slightly ahead of ours.
  const newest = [calendar.dateOf(now), dayOf(last)].toSorted().at(-1) ?? until
  const end = until < newest ? until : newest
  const known = await sql<{ day: string }>('SELECT day FROM rolled_up_days WHERE time_zone = $1', [calendar.zone])
  const rolledUp = new Set(known.map(({ day }) => day))
  const days: string[] = []
  const start = dayOf(first)
  for (let day = since > start ? since : start; day <= end; day = calendar.daysAfter(day, 1)) {
    if (!rolledUp.has(day)) days.push(day)
  }
  return days
}

/** Restricts the IDs in both tables; otherwise, PostgreSQL would read the whole outbox. IDs start with the time of receipt. */
export async function leadsOn(sql: Sql, calendar: Calendar, day: string): Promise<readonly LeadCounts[]> {
  const [since, until] = [calendar.startOf(day), calendar.startOf(calendar.daysAfter(day, 1))]
  const rows = await sql<Omit<LeadCounts, 'day'>>(
    `SELECT leads.page, leads.variant, leads.campaign_key AS campaign, COUNT(*) AS submitted,
       SUM(CASE WHEN ${isAccepted} THEN 1 ELSE 0 END) AS leads,
       SUM(CASE WHEN ${isAccepted} AND ${isDelivered} THEN 1 ELSE 0 END) AS delivered
     FROM leads LEFT JOIN outbox ON outbox.id = leads.id AND outbox.id >= $1 AND outbox.id < $2
     WHERE leads.id >= $1 AND leads.id < $2 GROUP BY leads.page, leads.variant, leads.campaign_key`,
    [firstIdAt(since), firstIdAt(until)],
  )
  return rows.map(row => ({ day, ...row }))
}
