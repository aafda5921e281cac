/**
 * The funnel from first view to delivered lead, grouped by campaign, page, day, variant, or language. The last three days' leads are
 * counted directly. Earlier days come from a daily rollup, which is recounted once a day for 35 days, because leads are delivered,
 * approved, and erased later. After that, a day's counts are final, even if its leads are erased.
 */
import type { CampaignKey } from '../../../domain/campaigns/campaign.ts'
import { languageOfPath } from '../../../domain/languages.ts'
import { type Calendar, createCalendar } from '../../settings/calendar.ts'
import { firstIdAt, timeOfId } from '../facts/leads/lead-id.ts'
import { isApart } from '../facts/leads/states.ts'
import { type Days, daysNotRolledUp, leadStages, leadsOn, viewStages } from '../facts/visits/funnel-days.ts'
import type { Sql, SqlPort } from '../sql.ts'

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

export function createFunnel({ read, now }: SqlPort) {
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
  }
}

const sumsOf = (stages: readonly Stage[]) => stages.map(stage => `SUM(${stage}) AS ${stage}`).join(', ')

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
