/**
 * The funnel from first view to delivered lead, grouped by campaign, page, day, variant, or language. The last three days' leads are
 * counted directly. Earlier days come from a daily rollup, which is recounted once a day for 35 days, because leads are delivered,
 * approved, and erased later. After that, a day's counts are final, even if its leads are erased.
 */

import type { CampaignKey } from '../../../domain/campaigns/campaign.ts'
import { DAY } from '../../../domain/durations.ts'
import { languageOfPath } from '../../../domain/languages.ts'
import { type Calendar, createCalendar } from '../../settings/calendar.ts'
import { firstIdAt, timeOfId } from '../facts/leads/lead-id.ts'
import { isAccepted, isApart, isDelivered } from '../facts/leads/states.ts'
import { insert, insertAll, type Sql, type SqlPort, type Tx } from '../sql.ts'
import { type Days, viewStages } from '../tables/page-views.ts'

export const funnelGroups = ['campaign', 'page', 'day', 'variant', 'language'] as const
export type FunnelGroup = (typeof funnelGroups)[number]

/** The page's language, for views and leads alike: a lead's own language changes if an agent corrects it. */
type Column = Exclude<FunnelGroup, 'language'>
const columnOf = (group: FunnelGroup): Column => (group === 'language' ? 'page' : group)
const keyOf = (group: FunnelGroup, value = '') => (group === 'language' ? languageOfPath(value) : value)

export interface FunnelRequest<Group extends FunnelGroup> extends Days {
  readonly by: readonly Group[]
  readonly timeZone: string
  /** Lines by campaign are for all, the others only for this one. All by default. */
  readonly campaign?: CampaignKey | undefined
}

const leadStages = ['submitted', 'leads', 'delivered'] as const
/** `submitted`: all leads. `received`: first submissions of the form. */
const stages = [...viewStages, ...leadStages, 'received'] as const
type Stage = (typeof stages)[number]

export interface FunnelLine extends Readonly<Record<Stage, number>> {
  /** A campaign key, a path, a date, a variant name, or a language. */
  readonly key: string
  /** Whether the row covers pages with the questionnaire; other pages can't produce leads. */
  readonly asks: boolean
}

type Sums = Readonly<Partial<Record<Column, string> & Record<Stage, number>>>

type LeadCounts = Readonly<Record<Column, string> & Record<(typeof leadStages)[number], number>>

/** A day is rolled up this long after it ends. Most of its leads have been delivered and reviewed by then. */
const ROLL_UP_DELAY_MS = 2 * DAY
const RECOUNT_DAYS = 35
const RECOUNT_MS = DAY

export function createFunnel({ read, transact, now }: SqlPort) {
  return {
    async funnel<Group extends FunnelGroup>({ by, since, until, timeZone, campaign }: FunnelRequest<Group>) {
      const calendar = createCalendar(timeZone)
      const lines = createLines(by, campaign)
      const needed = new Set([...by.map(columnOf), ...(campaign === undefined ? [] : ['campaign'])])
      const columns = [...needed].join()
      const views = await read<Sums & { asks: number }>(
        `SELECT ${columns}, asks, ${sumsOf(viewStages)} FROM page_counts
         WHERE day >= $1 AND day <= $2 GROUP BY ${columns}, asks`,
        [since, until],
      )
      for (const row of views) lines.add(row, row.asks === 1)
      // Do this before reading the rollup, so a day that's rolled up in between is counted exactly once.
      const live = await daysNotRolledUp(read, calendar, await now(), { since, until })
      const counted = await read<Sums>(
        `SELECT ${columns}, ${sumsOf(leadStages)} FROM lead_counts
         WHERE day >= $1 AND day <= $2 AND day IN (SELECT day FROM rolled_up_days WHERE time_zone = $3)
           AND day <> ALL($4) GROUP BY ${columns}`,
        [since, until, timeZone, live],
      )
      const add = (row: Sums) => lines.add({ ...row, received: row.submitted ?? 0 }, true)
      for (const row of counted) add(row)
      for (const day of live) for (const row of await leadsOn(read, calendar, day)) add(row)
      for (const row of await leadsApart(read, calendar, { since, until })) lines.add(row, true)
      return lines.all()
    },

    /** Updates the daily rollup, one day per call. Returns false if there's nothing left to do. */
    async rollUpLeads({ timeZone }: { readonly timeZone: string }) {
      const calendar = createCalendar(timeZone)
      const at = await now()
      const until = calendar.daysAfter(calendar.dateOf(at - ROLL_UP_DELAY_MS), -1)
      async function nextDay(sql: Sql): Promise<string | undefined> {
        const [missing] = await daysNotRolledUp(sql, calendar, at, { since: '', until })
        if (missing !== undefined) return missing
        const [outdated] = await sql<{ day: string }>(
          'SELECT day FROM rolled_up_days WHERE day >= $1 AND day <= $2 AND counted_at NOT BETWEEN $3 AND $4 ORDER BY day LIMIT 1',
          [calendar.daysAfter(until, -RECOUNT_DAYS), until, at - RECOUNT_MS, at],
        )
        return outdated?.day
      }
      // Check before starting a transaction, because there's almost never anything to do.
      if ((await nextDay(read)) === undefined) return false
      return transact(async sql => {
        await sql.dialect.lockKeys(sql, ['daily rollup'])
        const day = await nextDay(sql)
        if (day === undefined) return false
        await sql('DELETE FROM rolled_up_days WHERE day = $1', [day])
        await sql('DELETE FROM lead_counts WHERE day = $1', [day])
        await insert(sql, 'rolled_up_days', { day, timeZone, countedAt: at })
        await insertAll(sql, 'lead_counts', await leadsOn(sql, calendar, day))
        return true
      })
    },
  }
}

/** An erased lead isn't in any list of leads anymore. Days that are final stay as they are. */
export async function recountDayOf(tx: Tx, leadId: string): Promise<void> {
  const at = timeOfId(leadId)
  if (tx.at - at > RECOUNT_DAYS * DAY) return
  // Whatever the time zone, its day is one of these. They're counted directly until they're rolled up again.
  const days = [at - DAY, at, at + DAY].map(time => new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length))
  await tx('DELETE FROM rolled_up_days WHERE day = ANY($1)', [days])
}

/** Days in this range, from the first lead to the last, that aren't in the rollup. */
async function daysNotRolledUp(
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

const sumsOf = (stages: readonly Stage[]) => stages.map(stage => `SUM(${stage}) AS ${stage}`).join(', ')

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

/** Leads that weren't received, to subtract from all leads. */
async function leadsApart(sql: Sql, calendar: Calendar, { since, until }: Days): Promise<readonly Sums[]> {
  const rows = await sql<Readonly<Record<Exclude<Column, 'day'> | 'id', string>>>(
    `SELECT id, page, variant, campaign_key AS campaign FROM leads WHERE ${isApart} AND id >= $1 AND id < $2`,
    [firstIdAt(calendar.startOf(since)), firstIdAt(calendar.startOf(calendar.daysAfter(until, 1)))],
  )
  return rows.map(({ id, ...row }) => ({ ...row, day: calendar.dateOf(timeOfId(id)), received: -1 }))
}

function createLines<Group extends FunnelGroup>(by: readonly Group[], campaign: CampaignKey | undefined) {
  const lines = new Map(by.map(group => [group, new Map<string, FunnelLine>()]))
  return {
    add(row: Sums, asks: boolean) {
      for (const [group, byKey] of lines) {
        const isChosen = campaign === undefined || group === 'campaign' || row.campaign === campaign
        // Pages without the questionnaire aren't part of the funnel, so they're listed only when grouping by page.
        if (!isChosen || !(asks || group === 'page')) continue
        const key = keyOf(group, row[columnOf(group)])
        const line = byKey.get(key)
        const sums = stages.map(stage => [stage, (line?.[stage] ?? 0) + (row[stage] ?? 0)])
        const all = Object.fromEntries(sums) as Record<Stage, number>
        byKey.set(key, { key, asks: asks || (line?.asks ?? false), ...all })
      }
    },
    all() {
      const entries = [...lines].map(([group, byKey]) => [group, [...byKey.values()]])
      return Object.fromEntries(entries) as Readonly<Record<Group, readonly FunnelLine[]>>
    },
  }
}
