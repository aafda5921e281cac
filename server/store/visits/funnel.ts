/**
 * The funnel from first view to delivered lead, grouped by campaign, page, day, variant, or language. The last three days' leads are
 * counted directly. Earlier days come from a daily rollup, which is recounted once a day for 35 days, because leads are delivered,
 * approved, and erased later. After that, a day's counts are final, even if its leads are erased.
 */

import type { CampaignKey } from '../../../domain/campaign.ts'
import { DAY } from '../../../domain/durations.ts'
import { languageOfPath } from '../../../domain/languages.ts'
import { type Calendar, createCalendar } from '../../settings/calendar.ts'
import { firstIdAt, timeOfId } from '../leads/lead-id.ts'
import { isAccepted, isDelivered } from '../leads/states.ts'
import { insert, insertAll, type Sql, type SqlPort, type Tx } from '../sql.ts'
import { type Days, ofCampaign, viewStages } from './page-views.ts'

export const funnelGroups = ['campaign', 'page', 'day', 'variant', 'language'] as const
export type FunnelGroup = (typeof funnelGroups)[number]

/** The page's language, for views and leads alike: a lead's own language changes if an agent corrects it. */
type Column = Exclude<FunnelGroup, 'language'>
const columnOf = (group: FunnelGroup): Column => (group === 'language' ? 'page' : group)
const keyOf = (group: FunnelGroup, value: string) => (group === 'language' ? languageOfPath(value) : value)

export interface FunnelRequest<Group extends FunnelGroup> extends Days {
  readonly by: readonly Group[]
  readonly timeZone: string
  /** All campaigns by default. */
  readonly campaign?: CampaignKey | undefined
}

const leadStages = ['submitted', 'leads', 'delivered'] as const
const stages = [...viewStages, ...leadStages]
type Stage = (typeof stages)[number]

export interface FunnelLine extends Readonly<Record<Stage, number>> {
  /** A campaign key, a path, a date, a variant name, or a language. */
  readonly key: string
  /** Whether the row covers pages with the questionnaire; other pages can't produce leads. */
  readonly asks: boolean
}

interface Sums extends Readonly<Partial<Record<Stage, number>>> {
  readonly key: string
}

type LeadCounts = Readonly<Record<Column, string> & Record<(typeof leadStages)[number], number>>

/** A day is rolled up this long after it ends. Most of its leads have been delivered and reviewed by then. */
const ROLL_UP_DELAY_MS = 2 * DAY
const RECOUNT_DAYS = 35
const RECOUNT_MS = DAY

export function createFunnel({ read, transact, now }: SqlPort) {
  return {
    async funnel<Group extends FunnelGroup>({ by, since, until, timeZone, campaign }: FunnelRequest<Group>) {
      const calendar = createCalendar(timeZone)
      const lines = createLines(by)
      const chosen = campaign === undefined ? [] : [campaign]
      for (const group of by) {
        // Pages without the questionnaire aren't part of the funnel, so they're listed only when grouping by page.
        const views = await read<Sums & { asks: number }>(
          `SELECT ${columnOf(group)} AS key, MAX(asks) AS asks, ${sumsOf(viewStages)} FROM page_counts
           WHERE day >= $1 AND day <= $2 ${group === 'page' ? '' : 'AND asks = 1'} ${ofCampaign(campaign, 3)} GROUP BY ${columnOf(group)}`,
          [since, until, ...chosen],
        )
        for (const row of views) lines.add(group, row, row.asks === 1)
      }
      // Do this before reading the rollup, so a day that's rolled up in between is counted exactly once.
      const live = await daysNotRolledUp(read, calendar, await now(), { since, until })
      for (const group of by) {
        const rolledUp = await read<Sums>(
          `SELECT ${columnOf(group)} AS key, ${sumsOf(leadStages)} FROM lead_counts
           WHERE day >= $1 AND day <= $2 AND day IN (SELECT day FROM rolled_up_days WHERE time_zone = $3)
             AND day <> ALL($4) ${ofCampaign(campaign, 5)}
           GROUP BY ${columnOf(group)}`,
          [since, until, timeZone, live, ...chosen],
        )
        for (const row of rolledUp) lines.add(group, row, true)
      }
      for (const day of live) {
        for (const counts of await leadsOn(read, calendar, day)) {
          if (campaign !== undefined && counts.campaign !== campaign) continue
          for (const group of by) lines.add(group, { ...counts, key: counts[columnOf(group)] }, true)
        }
      }
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

function createLines<Group extends FunnelGroup>(by: readonly Group[]) {
  const lines = new Map(by.map(group => [group, new Map<string, FunnelLine>()]))
  return {
    add(group: Group, row: Sums, asks: boolean) {
      const key = keyOf(group, row.key)
      const line = lines.get(group)?.get(key)
      const sums = stages.map(stage => [stage, (line?.[stage] ?? 0) + (row[stage] ?? 0)])
      const all = Object.fromEntries(sums) as Record<Stage, number>
      lines.get(group)?.set(key, { key, asks: asks || (line?.asks ?? false), ...all })
    },
    all() {
      const entries = [...lines].map(([group, byKey]) => [group, [...byKey.values()]])
      return Object.fromEntries(entries) as Readonly<Record<Group, readonly FunnelLine[]>>
    },
  }
}
