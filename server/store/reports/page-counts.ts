/**
 * How often pages were seen, by day, page, variant and campaign, and how the visits ended. What servers count comes here by the
 * journal (view-journal.ts). Shared by the engines.
 */
import { type CampaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaign.ts'
import { text } from '../rows.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'

/** What is counted on its own. */
export interface PlaceOfCount {
  /** In the operator's time zone: 2030-01-31. */
  readonly day: string
  /** Where the questionnaire was seen; a view of another page stands under that page. */
  readonly page: string
  readonly variant: string
  readonly campaign: CampaignKey
}

/** What servers count. */
export interface PageCounts extends PlaceOfCount {
  /** Whether the page has the questionnaire. */
  readonly asks: boolean
  readonly views: number
  /** By programs that say what they are, and not by people. */
  readonly bots: number
  /** Fetched by a browser ahead of a visitor who may never look at it. */
  readonly prefetches: number
  /** Went on from this page to /decline, and to /thank-you. */
  readonly declined: number
  readonly thanked: number
}

/** What is known from the leads themselves. */
export interface LeadCounts extends PlaceOfCount {
  /** Contact forms stored, repeats and held ones included. */
  readonly submitted: number
  /** New people among them. */
  readonly leads: number
  readonly delivered: number
}

/** Rows of a day for one page: names, and one each for visits without a campaign and for all other campaigns. */
const MOST_CAMPAIGNS = 200
const MOST_NAMED = MOST_CAMPAIGNS - [NO_CAMPAIGN, OTHER_CAMPAIGNS].length

/** Longer than any of ours; nobody else's gets here but by the Referer of a lead. */
const LONGEST_PAGE = 200

const placeColumns = ['day', 'page', 'variant', 'campaign'] as const
const viewCounts = ['asks', 'views', 'bots', 'prefetches', 'declined', 'thanked'] as const
const counts = [...viewCounts, 'submitted', 'leads', 'delivered'] as const

/** Everything but what is counted from the leads. */
export const viewColumns = [...placeColumns, ...viewCounts]

export function addViewCounts(sql: Sql, dialect: Dialect, all: readonly PageCounts[]): Promise<void> {
  return addCounts(
    sql,
    dialect,
    all.map(({ asks, ...count }) => ({ ...count, asks: asks ? 1 : 0, ...noLeads })),
  )
}

const noLeads = { submitted: 0, leads: 0, delivered: 0 }
const noViews = { asks: 1, views: 0, bots: 0, prefetches: 0, declined: 0, thanked: 0 }

export function addLeadCounts(sql: Sql, dialect: Dialect, all: readonly LeadCounts[]): Promise<void> {
  return addCounts(
    sql,
    dialect,
    all.map(count => ({ ...noViews, ...count, page: count.page.slice(0, LONGEST_PAGE) })),
  )
}

/** One at a time, whichever server: two that each saw room for a last name would both take it. */
async function addCounts(sql: Sql, dialect: Dialect, added: readonly PlaceOfCount[]): Promise<void> {
  if (added.length === 0) return
  await sql('UPDATE funnel_state SET id = id')
  const named = await namedCampaigns(sql, [...new Set(added.map(({ day }) => day))])
  const placed = added.map(count => ({ ...count, campaign: named.keyFor(count) }))
  const place = placeColumns.join(', ')
  const rows = dialect.rowsOf('$1', { text: placeColumns, bigint: counts })
  // Added up first: what falls to the other campaigns would meet itself, which PostgreSQL does not allow.
  const sums = counts.map(name => (name === 'asks' ? 'MAX(asks)' : `SUM(${name})`))
  const updates = counts.map(name => `${name} = ${name === 'asks' ? '' : `page_counts.${name} + `}excluded.${name}`)
  await sql(
    `INSERT INTO page_counts (${place}, ${counts.join(', ')})
     SELECT ${place}, ${sums.join(', ')} FROM ${rows} AS added WHERE true GROUP BY ${place}
     ON CONFLICT (${place}) DO UPDATE SET ${updates.join(', ')}`,
    [JSON.stringify(placed)],
  )
}

export interface NamedCampaigns {
  /** The campaign's own key while there is room on that day, or that of all others. */
  keyFor(place: Pick<PlaceOfCount, 'day' | 'campaign'>): CampaignKey
}

/** Whoever makes campaigns up gets no more rows than there is room for. */
export async function namedCampaigns(sql: Sql, days: readonly string[]): Promise<NamedCampaigns> {
  const named = new Map<string, Set<string>>()
  for (const day of days) {
    const rows = await sql('SELECT DISTINCT campaign FROM page_counts WHERE day = $1', [day])
    const names = rows
      .map(row => text(row, 'campaign'))
      .filter(name => name !== NO_CAMPAIGN && name !== OTHER_CAMPAIGNS)
    named.set(day, new Set(names))
  }
  return {
    keyFor({ day, campaign }) {
      const names = named.get(day)
      if (campaign === NO_CAMPAIGN || !names || names.has(campaign)) return campaign
      if (names.size >= MOST_NAMED) return OTHER_CAMPAIGNS
      names.add(campaign)
      return campaign
    },
  }
}

/** The secret by which servers deal out variants alike, made by whoever comes first. */
export async function dealingSecret({ read, transact }: SqlPort, suggested: string): Promise<string> {
  const [known] = await read('SELECT dealing_secret FROM funnel_state')
  if (known?.['dealing_secret']) return text(known, 'dealing_secret')
  const [kept] = await transact(sql =>
    sql('UPDATE funnel_state SET dealing_secret = COALESCE(dealing_secret, $1) RETURNING dealing_secret', [suggested]),
  )
  return text(kept, 'dealing_secret')
}
