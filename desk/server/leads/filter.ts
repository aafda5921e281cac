/** Validates the browser's filter and converts it to the store's. */
import * as v from 'valibot'
import { outcomesOf } from '../../../domain/calling/outcomes.ts'
import { campaignOf, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaigns/campaign.ts'
import { type ChosenFilters, isFilterValue, leadFilterNames } from '../../../domain/leads/lead-filters.ts'
import { isStorable } from '../../../domain/text/text.ts'
import type { Calendar } from '../../../server/settings/calendar.ts'
import type { CallFilter, LeadFilter } from '../../../server/store/facts/leads/lead-records.ts'
import { ApiError } from '../api-error.ts'
import { day } from '../fields.ts'

/** `from` and `to`: when leads came in, inclusive. Everything except `search` can be in a URL. */
export interface LeadsFilter extends ChosenFilters {
  readonly search?: string
  readonly from?: string
  readonly to?: string
}

export const filterSchema: v.GenericSchema<LeadsFilter> = v.strictObject({
  search: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  from: v.exactOptional(day),
  to: v.exactOptional(day),
  ...Object.fromEntries(
    leadFilterNames.map(name => [
      name,
      v.exactOptional(
        v.pipe(
          v.string(),
          v.check(value => isFilterValue(name, value)),
        ),
      ),
    ]),
  ),
})

export const filterBody = v.object({ filter: filterSchema })

/** Matches nothing: no lead is that old. */
const NO_LEADS = { until: 0 } as const

/** `now`: for missed callbacks. */
export function storeFilter(wanted: LeadsFilter, calendar: Calendar, now = Date.now()): LeadFilter {
  const { campaign, from, to, outcome, caller, called, people, calledFrom, calledTo, ...others } = wanted
  const { callbackFrom, callbackTo, callback, ...rest } = others
  const about = { outcome, caller, called, people, calledFrom, calledTo, callbackFrom, callbackTo, callback }
  const call = callFilter(about, calendar, now)
  const filter = {
    ...rest,
    ...(Object.keys(call).length > 0 && { call }),
    ...(from !== undefined && { since: calendar.startOf(from) }),
    ...(to !== undefined && { until: calendar.startOf(calendar.daysAfter(to, 1)) }),
  }
  if (campaign === undefined) return filter
  if (campaign === OTHER_CAMPAIGNS) {
    throw new ApiError('bad request', 'You can’t open “All other campaigns” as a list. Choose a single campaign.')
  }
  // Probably an old bookmark. An empty list still shows the filter, so people can clear it; an error wouldn't.
  return { ...filter, ...(isCampaign(campaign) ? { campaignKey: campaign } : NO_LEADS) }
}

function callFilter(
  about: { readonly [Name in keyof LeadsFilter]: LeadsFilter[Name] | undefined },
  calendar: Calendar,
  now: number,
): CallFilter {
  const { outcome, caller, called, people, calledFrom, calledTo, callbackFrom, callbackTo, callback } = about
  const startOf = (day: string) => calendar.startOf(day)
  const endOf = (day: string) => calendar.startOf(calendar.daysAfter(day, 1))
  return {
    ...(outcome !== undefined && { outcomes: outcomesOf(outcome) }),
    ...(caller !== undefined && { personId: caller }),
    ...(called !== undefined && { incoming: called === 'us' }),
    ...(people !== undefined && { eachPersonOnce: true }),
    ...(calledFrom !== undefined && { since: startOf(calledFrom) }),
    ...(calledTo !== undefined && { until: endOf(calledTo) }),
    ...(callbackFrom !== undefined && { callbackSince: startOf(callbackFrom) }),
    ...(callbackTo !== undefined && { callbackUntil: endOf(callbackTo) }),
    ...(callback !== undefined && { missedAt: now }),
  }
}

/** Excludes leads that arrived after `instant`. */
export function frozenAt(filter: LeadFilter, instant: number): LeadFilter {
  return { ...filter, until: Math.min(filter.until ?? instant, instant) }
}

export function isCampaign(key: string): boolean {
  if (key === NO_CAMPAIGN) return true
  try {
    const campaign = campaignOf(key)
    return [campaign?.source, campaign?.medium, campaign?.campaign].every(isPartOfKey)
  } catch {
    return false
  }
}

/** The key is JSON, which can hide what databases can't store. */
const isPartOfKey = (part: unknown): boolean => typeof part === 'string' && isStorable(part)
