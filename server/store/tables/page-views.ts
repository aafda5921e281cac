/** Counts page views and questions reached per day, page, variant, and campaign. Stores no visitor data. */
import { type CampaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaigns/campaign.ts'
import { firstIdAt } from '../facts/leads/lead-id.ts'
import { type Days, viewStages } from '../facts/visits/funnel-days.ts'
import { insert, type Row, type Sql, type SqlPort } from '../sql.ts'

interface Bucket {
  readonly day: string
  readonly page: string
  /** Empty if the page has no variants. */
  readonly variant: string
  readonly campaign: CampaignKey
}

export interface PageCounts extends Bucket {
  /** Whether the page has the questionnaire. */
  readonly asks: boolean
  readonly views: number
  /** Visitors who went from this page to /decline (`declined`) or to /thank-you (`thanked`). */
  readonly declined: number
  readonly thanked: number
}

export interface QuestionCounts extends Bucket {
  /** Starts at 1. One past the last question means that all were answered. */
  readonly question: number
  readonly reached: number
}

export interface CountedVisits {
  readonly views: readonly PageCounts[]
  readonly questions: readonly QuestionCounts[]
}

/** How many campaigns per day get their own row for page views alone. Limited, because anyone can make up campaign names. */
const MAX_NAMED = 198
/** A campaign that brought in a lead within this time gets a row, regardless of the limit. */
const RECENT_LEAD_MS = 30 * 24 * 60 * 60 * 1000

type CountedTable = Readonly<{ table: string } & Record<'key' | 'latest' | 'sums', readonly string[]>>
const sharedKey = ['day', 'page', 'variant', 'campaign']
const pageCounts = { table: 'page_counts', key: sharedKey, latest: ['asks'], sums: viewStages }
const questionCounts = { table: 'question_counts', key: [...sharedKey, 'question'], latest: [], sums: ['reached'] }

export function createPageViews({ read, transact }: SqlPort) {
  return {
    /** Adds one server's counts since its last call. */
    addPageCounts: ({ views, questions }: CountedVisits) =>
      transact(async tx => {
        const counts = await nameCampaigns(tx, views, tx.at - RECENT_LEAD_MS)
        const rows = counts.map(count => ({ ...count, asks: count.asks ? 1 : 0 }))
        await addCounts(tx, pageCounts, rows)
        await addCounts(tx, questionCounts, await withNamedCampaigns(tx, questions))
      }),
    /** How many visitors reached question 1, question 2, and so on. The last number is how many answered them all. */
    async questionsReached({ since, until, campaign }: Days & { readonly campaign?: CampaignKey | undefined }) {
      const rows = await read<{ question: number; reached: number }>(
        `SELECT question, SUM(reached) AS reached FROM question_counts
         WHERE day >= $1 AND day <= $2 ${campaign === undefined ? '' : 'AND campaign = $3'} GROUP BY question`,
        [since, until, ...(campaign === undefined ? [] : [campaign])],
      )
      return inOrder(rows)
    },
    /** The same for each of these campaigns. */
    async questionsReachedBy({ since, until, campaigns }: Days & { readonly campaigns: readonly CampaignKey[] }) {
      const rows = await read<{ campaign: CampaignKey; question: number; reached: number }>(
        `SELECT campaign, question, SUM(reached) AS reached FROM question_counts
         WHERE day >= $1 AND day <= $2 AND campaign = ANY($3) GROUP BY campaign, question`,
        [since, until, campaigns],
      )
      const byCampaign = Map.groupBy(rows, ({ campaign }) => campaign)
      return campaigns.map(campaign => inOrder(byCampaign.get(campaign) ?? []))
    },
    /** The secret that makes all servers assign the same variants. Stores the suggested one if there isn't one yet. */
    async variantSecret(suggested: string) {
      await transact(sql => insert(sql, 'variant_secret', { id: 1, secret: suggested }, 'ON CONFLICT (id) DO NOTHING'))
      const [row] = await read<{ secret: string }>('SELECT secret FROM variant_secret')
      return row?.secret ?? suggested
    },
  }
}

function inOrder(rows: readonly { readonly question: number; readonly reached: number }[]): readonly number[] {
  const reached: number[] = []
  for (const row of rows) reached[row.question - 1] = row.reached
  return Array.from(reached, count => count ?? 0)
}

/** Sorted by key, because two servers that lock the same rows in different orders would deadlock. */
async function addCounts(
  sql: Sql,
  { table, key, latest, sums }: CountedTable,
  counts: readonly object[],
): Promise<void> {
  if (counts.length === 0) return
  const columns = [...key, ...latest, ...sums]
  const values = [...key, ...latest.map(name => `MAX(${name})`), ...sums.map(name => `SUM(${name})`)]
  const changes = [
    ...latest.map(name => `${name} = excluded.${name}`),
    ...sums.map(name => `${name} = ${table}.${name} + excluded.${name}`),
  ]
  await sql(
    `INSERT INTO ${table} (${columns.join()})
     SELECT ${values.join()} FROM ${sql.dialect.rowsOf('$1', table, columns)} AS added WHERE true GROUP BY ${key.join()} ORDER BY ${key.join()}
     ON CONFLICT (${key.join()}) DO UPDATE SET ${changes.join()}`,
    [counts as readonly Row[]],
  )
}

/**
 * A campaign gets its own row if there's room that day or if it recently brought in a lead. All other campaigns are counted together,
 * so fake names can't crowd out a real campaign.
 */
async function nameCampaigns(sql: Sql, views: readonly PageCounts[], leadsSince: number) {
  const leadsOf = 'SELECT 1 FROM leads WHERE campaign_key = $1 AND id >= $2 LIMIT 1'
  const counts: PageCounts[] = []
  for (const [day, ofDay] of Map.groupBy(views, count => count.day)) {
    const known = await sql<{ campaign: string }>(
      'SELECT DISTINCT campaign FROM page_counts WHERE day = $1 AND campaign NOT IN ($2, $3)',
      [day, NO_CAMPAIGN, OTHER_CAMPAIGNS],
    )
    const named = new Set(known.map(({ campaign }) => campaign))
    for (const { campaign } of ofDay) {
      if (campaign === NO_CAMPAIGN || named.has(campaign)) continue
      const hasRoom = named.size < MAX_NAMED
      if (hasRoom || (await sql(leadsOf, [campaign, firstIdAt(leadsSince)])).length > 0) named.add(campaign)
    }
    const isNamed = (campaign: CampaignKey) => campaign === NO_CAMPAIGN || named.has(campaign)
    counts.push(...ofDay.map(count => (isNamed(count.campaign) ? count : { ...count, campaign: OTHER_CAMPAIGNS })))
  }
  return counts
}

/** Visits of campaigns without their own row that day are counted together. */
async function withNamedCampaigns(sql: Sql, questions: readonly QuestionCounts[]) {
  const counts: QuestionCounts[] = []
  for (const [day, ofDay] of Map.groupBy(questions, count => count.day)) {
    const rows = await sql<{ campaign: string }>('SELECT DISTINCT campaign FROM page_counts WHERE day = $1', [day])
    const named = new Set([NO_CAMPAIGN, ...rows.map(({ campaign }) => campaign)])
    counts.push(...ofDay.map(each => (named.has(each.campaign) ? each : { ...each, campaign: OTHER_CAMPAIGNS })))
  }
  return counts
}
