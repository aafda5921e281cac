/** The Campaigns page: views, leads, headline variants, and where visitors drop off, for a range of days. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { OTHER_CAMPAIGNS } from '../../domain/campaigns/campaign.ts'
import { differenceInterval } from '../../domain/campaigns/proportions.ts'
import { ENGLISH } from '../../domain/languages.ts'
import { dropOff } from '../../domain/visits/drop-off.ts'
import { ORIGINAL, PREVIEW } from '../../domain/visits/variants.ts'
import { copyIn, type ServerQuestion } from '../../server/http/site-manifest.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { OWN_LEAD_ENDPOINT } from '../../server/settings/config.ts'
import type { CampaignResults } from '../../server/store/views/campaign-results.ts'
import type { FunnelGroup, FunnelLine } from '../../server/store/views/funnel.ts'
import { campaignKeyText, day } from './fields.ts'
import { figure, sum } from './figures.ts'
import { type LeadsFilter, storeFilter } from './leads/filter.ts'
import { query } from './request-body.ts'
import { type DeskRequest, type DeskServices, showsCalls } from './services.ts'
import { cameInApart, campaignRows } from './today.ts'

const MAX_ROWS = 50
/** Campaigns beside each other. */
const MOST_COMPARED = 4

const range = v.object({ from: day, to: day, campaign: v.optional(campaignKeyText) })

/** Without `campaign`, pages, variants, and drop-off are for all campaigns. */
export function createCampaignRoutes({ reader, config, site }: DeskServices) {
  return new Hono<DeskRequest>().get('/', query(range), async context => {
    const { from, to, campaign } = context.req.valid('query')
    const days = { since: from, until: to, timeZone: config.timeZone }
    // If leads go straight to a webhook, we only see visits to the thank-you page.
    const outside = config.leadEndpoint !== OWN_LEAD_ENDPOINT
    const by = ['campaign', 'page', 'variant', 'language'] as const
    const lines = seenFrom(outside, await reader.funnel({ ...days, by, campaign }))
    const reached = await reader.questionsReached({ since: from, until: to, campaign })
    const compared = campaign === undefined ? mostVisited(lines.campaign) : []
    const reachedBy = await reader.questionsReachedBy({
      since: from,
      until: to,
      campaigns: compared.map(({ key }) => key),
    })
    const { copy } = site()
    const { questions } = copyIn(copy, ENGLISH)
    const pages = lines.page.filter(({ asks }) => asks)
    const ofCampaign = campaign === undefined ? {} : { campaign }
    const calendar = createCalendar(config.timeZone)
    const period = { since: calendar.startOf(from), until: calendar.startOf(calendar.daysAfter(to, 1)) }
    const isCalling = await showsCalls({ config, reader })
    const calls = isCalling ? await reader.campaignCalls(period) : null
    const isTesting = lines.variant.some(({ key }) => key !== '')
    const goingAhead = isCalling && isTesting ? await reader.goingAheadByVariant({ ...period, campaign }) : null
    const campaigns = outside ? lines.campaign : withResults(lines.campaign, await reader.campaignResults(period))
    const counted = async (filter: LeadsFilter) => figure(await reader.count(storeFilter(filter, calendar)), filter)
    return context.json({
      outside,
      apart: outside ? [] : await cameInApart(counted, { ...ofCampaign, from, to }),
      campaigns: rowsOf(campaigns, key => (outside ? noLists : listsOf({ campaign: key, from, to }))),
      /** What has come of their leads. Null if they aren't called from here. */
      calls: calls && campaignRows(campaigns, calls, { from, to }).slice(0, MAX_ROWS),
      // Leads by page come from the daily rollup, which an approval reaches a day later.
      pages: rowsOf(pages, key => ({
        received: outside ? null : { page: key, ...ofCampaign, from, to, cameIn: 'form' },
        leads: null,
      })),
      // A lead's own language can differ from its page's, so these rows don't link to a list.
      languages: mostLeadsFirst(lines.language).map(line => ({ language: line.key, ...countsOf([line]) })),
      variants: variantsOf(lines.variant, copy.headlines, goingAhead),
      questions: questionsOf(questions, reached, pages),
      /** The most visited campaigns, to compare. */
      questionsBy: compared.map((line, index) => ({
        campaign: line.key,
        questions: questionsOf(questions, reachedBy[index] ?? [], [line]),
      })),
    })
  })
}

function seenFrom<Group extends FunnelGroup>(outside: boolean, lines: Readonly<Record<Group, readonly FunnelLine[]>>) {
  if (!outside) return lines
  const groups = Object.entries<readonly FunnelLine[]>(lines)
  const counted = groups.map(([group, each]) => [group, each.map(line => ({ ...line, received: line.thanked }))])
  return Object.fromEntries(counted) as typeof lines
}

/** Leads as in the lists that the numbers open. The funnel's counts of days gone by include people who were erased since. */
function withResults(lines: readonly FunnelLine[], results: readonly CampaignResults[]): readonly FunnelLine[] {
  const none = { asks: true, views: 0, declined: 0, thanked: 0, delivered: 0 }
  const linesOf = new Map(lines.map(line => [line.key, line]))
  const resultsOf = new Map(results.map(row => [row.campaign, row]))
  return [...new Set([...linesOf.keys(), ...resultsOf.keys()])].map(key => {
    const { submitted = 0, received = 0, leads = 0 } = resultsOf.get(key) ?? {}
    return { ...none, ...linesOf.get(key), key, submitted, received, leads }
  })
}

/** The filters of the lists that numbers open; null if there's none. */
type Lists = Readonly<Record<'received' | 'leads', LeadsFilter | null>>

const noLists: Lists = { received: null, leads: null }
const listsOf = (filter: LeadsFilter): Lists => ({
  received: { ...filter, cameIn: 'form' },
  leads: { ...filter, state: 'accepted' },
})

const countsOf = (lines: readonly FunnelLine[], lists = noLists) => ({
  views: sum(lines, 'views'),
  received: figure(sum(lines, 'received'), lists.received),
  leads: figure(sum(lines, 'leads'), lists.leads),
  delivered: sum(lines, 'delivered'),
})

const mostLeadsFirst = (lines: readonly FunnelLine[]) =>
  lines.toSorted((a, b) => b.leads - a.leads || b.views - a.views)

/** Others are too few to compare. */
const mostVisited = (lines: readonly FunnelLine[]) =>
  lines
    .filter(({ key, views }) => key !== OTHER_CAMPAIGNS && views > 0)
    .toSorted((a, b) => b.views - a.views)
    .slice(0, MOST_COMPARED)

/** Most leads first. The last row, without a key, is all others combined. */
function rowsOf(lines: readonly FunnelLine[], listsFor: (key: string) => Lists) {
  const sorted = mostLeadsFirst(lines)
  const shown = sorted.filter(({ key }) => key !== OTHER_CAMPAIGNS).slice(0, MAX_ROWS)
  const rest = sorted.filter(line => !shown.includes(line))
  const rows = shown.map(line => ({ key: line.key as string | null, ...countsOf([line], listsFor(line.key)) }))
  return rest.length > 0 ? [...rows, { key: null, ...countsOf(rest) }] : rows
}

/** The original first. `differences`: how many more leads, and people who move forward, per view than the original, with 95% confidence. */
function variantsOf(
  lines: readonly FunnelLine[],
  headlines: Readonly<Record<string, string>>,
  goingAhead: ReadonlyMap<string, number> | null,
) {
  const variants = lines.filter(({ key }) => key !== '' && !key.startsWith(PREVIEW))
  const original = variants.find(({ key }) => key === ORIGINAL)
  // A page left open overnight can produce a lead on a day without a view.
  const proportionOf = (count: number, views: number) => ({ count: Math.min(count, views), of: views })
  const goingAheadOf = ({ key }: FunnelLine) => goingAhead && (goingAhead.get(key) ?? 0)
  const differencesFrom = (from: FunnelLine, line: FunnelLine) => {
    const difference = (of: (each: FunnelLine) => number) =>
      differenceInterval(proportionOf(of(line), line.views), proportionOf(of(from), from.views))
    return {
      leads: difference(({ leads }) => leads),
      goingAhead: goingAhead && difference(each => goingAheadOf(each) ?? 0),
    }
  }
  return variants
    .toSorted((a, b) => Number(b === original) - Number(a === original) || (a.key < b.key ? -1 : 1))
    .map(line => ({
      name: line.key,
      /** Null if the test is over. */
      headline: headlines[line.key] ?? null,
      /** Null if they aren't called from here. */
      goingAhead: goingAheadOf(line),
      ...countsOf([line]),
      differences: original && line !== original ? differencesFrom(original, line) : null,
    }))
}

/** Where visitors dropped off. Empty until a page reports progress. */
function questionsOf(questions: readonly ServerQuestion[], reached: readonly number[], pages: readonly FunnelLine[]) {
  const visitors = { views: sum(pages, 'views'), declined: sum(pages, 'declined'), submitted: sum(pages, 'received') }
  return dropOff(reached, questions.length, visitors).map(({ question, ...counts }) => ({
    name:
      question === null
        ? 'Contact form'
        : question === 'declined'
          ? 'Didn’t qualify'
          : (questions[question - 1]?.text ?? `Question ${question}`),
    ...counts,
  }))
}
