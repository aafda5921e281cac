/**
 * From the query of a page's address to where its view is counted. A campaign sends the same address to everybody, apart
 * from the ids of clicks, of which only their presence counts: it is read once, and after that found by its text.
 */
import { type CampaignKey, campaignKey, clickIds, NO_CAMPAIGN } from '../../domain/campaign.ts'
import { readCampaign } from '../intake/lead-source.ts'
import type { PageCounts } from '../store/reports/page-counts.ts'
import type { Counts, Tally } from './tally.ts'

/** Whoever makes queries up would else fill the memory; the common ones are soon back. */
const MOST_REMEMBERED = 1000

const CLICK_ID = new RegExp(`(?:^|&)(?:${clickIds.join('|')})=[^&]`)
const CLICK_IDS = new RegExp(`((?:^|&)(?:${clickIds.join('|')})=)[^&]+`, 'g')

export function createCampaignOf(): (query: string) => CampaignKey {
  const known = new Map<string, CampaignKey>()
  return query =>
    query === '' ? NO_CAMPAIGN : remember(known, query, () => campaignKey(readCampaign(new URLSearchParams(query))))
}

export function createCountsByQuery(
  tally: Tally,
  place: Pick<PageCounts, 'page' | 'variant' | 'asks'>,
  campaignOf: (query: string) => CampaignKey,
): (query: string, day: string) => Counts {
  let [day, round] = ['', -1]
  const byQuery = new Map<string, Counts>()
  /** By what stands before the id of a click, where that is the end of the query: advertisers append it. */
  const beforeClick = new Map<string, Counts>()

  const countsOf = (query: string) => tally.countsOf({ day, ...place, campaign: campaignOf(query) })

  return (query, today) => {
    if (today !== day || tally.round !== round) {
      day = today
      round = tally.round
      byQuery.clear()
      beforeClick.clear()
    }
    const click = query === '' ? -1 : query.search(CLICK_ID)
    if (click >= 0 && !query.includes('&', click + 1)) {
      const before = query.slice(0, click)
      return remember(beforeClick, before, () => countsOf(`${before}&${clickIds[0]}=x`))
    }
    const withoutIds = click < 0 ? query : query.replace(CLICK_IDS, '$1x')
    return remember(byQuery, withoutIds, () => countsOf(withoutIds))
  }
}

function remember<Value>(known: Map<string, Value>, name: string, find: () => Value): Value {
  let value = known.get(name)
  if (value === undefined) {
    value = find()
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(name, value)
  }
  return value
}
