/** Validates the browser's filter and converts it to the store's. */
import {
  check,
  exactOptional,
  type InferOutput,
  maxLength,
  object,
  picklist,
  pipe,
  strictObject,
  string,
} from 'valibot'
import { callLanguages } from '../../../domain/calling/list.ts'
import { filterOutcomes, outcomesOf, soFarKeys } from '../../../domain/calling/outcomes.ts'
import { campaignOf, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaign.ts'
import { deliveryStates, leadStates } from '../../../domain/lead-states.ts'
import type { Calendar } from '../../../server/settings/calendar.ts'
import type { CallFilter, LeadFilter } from '../../../server/store/leads/lead-records.ts'
import { ApiError } from '../api-error.ts'
import { NUL } from '../request-body.ts'

/** 2030-01-31, in the operator's time zone. */
export const date = pipe(
  string(),
  check(text => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(Date.parse(text) || 0).toISOString().startsWith(text)),
)

/** Page and campaign come from the address bar and can be any length; an unknown value matches no leads. */
export const filterSchema = strictObject({
  search: exactOptional(pipe(string(), maxLength(500))),
  state: exactOptional(picklist(leadStates)),
  delivery: exactOptional(picklist([...deliveryStates, 'none'])),
  language: exactOptional(picklist(callLanguages)),
  page: exactOptional(string()),
  campaign: exactOptional(string()),
  /** `from` and `to` are inclusive. */
  from: exactOptional(date),
  to: exactOptional(date),
  soFar: exactOptional(picklist(soFarKeys)),
  // About one call to the lead's number.
  outcome: exactOptional(picklist(filterOutcomes)),
  /** The ID of the person who called. */
  caller: exactOptional(pipe(string(), maxLength(100))),
  /** They called us. Otherwise, the dates below are about our calls. */
  called: exactOptional(picklist(['us'])),
  calledFrom: exactOptional(date),
  calledTo: exactOptional(date),
  /** For when it promised a callback. */
  callbackFrom: exactOptional(date),
  callbackTo: exactOptional(date),
  callback: exactOptional(picklist(['missed'])),
})

/** One filter for the list, its count, bulk jobs, and exports. Everything except `search` can be in a URL. */
export type LeadsFilter = InferOutput<typeof filterSchema>

export const filterBody = object({ filter: filterSchema })

/** Matches nothing: no lead is that old. */
const NO_LEADS = { until: 0 } as const

/** `now`: for missed callbacks. */
export function storeFilter(wanted: LeadsFilter, calendar: Calendar, now = Date.now()): LeadFilter {
  const { campaign, from, to, outcome, caller, called, calledFrom, calledTo, ...others } = wanted
  const { callbackFrom, callbackTo, callback, ...rest } = others
  const about = { outcome, caller, called, calledFrom, calledTo, callbackFrom, callbackTo, callback }
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

type CallNames =
  | 'outcome'
  | 'caller'
  | 'called'
  | 'calledFrom'
  | 'calledTo'
  | 'callbackFrom'
  | 'callbackTo'
  | 'callback'

function callFilter(
  about: { readonly [Name in CallNames]: LeadsFilter[Name] | undefined },
  calendar: Calendar,
  now: number,
): CallFilter {
  const { outcome, caller, called, calledFrom, calledTo, callbackFrom, callbackTo, callback } = about
  const hasDates = (calledFrom ?? calledTo) !== undefined
  const startOf = (day: string) => calendar.startOf(day)
  const endOf = (day: string) => calendar.startOf(calendar.daysAfter(day, 1))
  return {
    ...(outcome !== undefined && { outcomes: outcomesOf(outcome) }),
    ...(caller !== undefined && { personId: caller }),
    ...((called !== undefined || hasDates) && { incoming: called !== undefined }),
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

function isCampaign(key: string): boolean {
  if (key === NO_CAMPAIGN) return true
  try {
    const campaign = campaignOf(key)
    return [campaign?.source, campaign?.medium, campaign?.campaign].every(isPartOfKey)
  } catch {
    return false
  }
}

/** JSON can contain NUL and lone surrogates, which databases can't store. */
function isPartOfKey(part: unknown): boolean {
  return typeof part === 'string' && part.isWellFormed() && !part.includes(NUL)
}
