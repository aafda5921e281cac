/**
 * The URL determines which leads a list shows, so every figure can link to its list, and lists can be bookmarked. The search
 * text is personal data, so it's never in the URL.
 */
import { callLanguages } from '../../domain/calling/list.ts'
import { filterOutcomes, soFarKeys } from '../../domain/calling/outcomes.ts'
import { deliveryStates, leadStates } from '../../domain/lead-states.ts'
import { type LeadSort, leadSorts } from '../limits.ts'
import type { LeadsFilter } from './client.ts'
import { daysAfter, timesIn } from './times.ts'

/** Periods relative to today. */
const periods = {
  today: { name: 'Today', firstDay: (today: string) => today },
  yesterday: { name: 'Yesterday', firstDay: (today: string) => daysAfter(today, -1) },
  '7d': { name: 'Last 7 days', firstDay: (today: string) => daysAfter(today, -6) },
  '30d': { name: 'Last 30 days', firstDay: (today: string) => daysAfter(today, -29) },
} as const
export type Period = keyof typeof periods
const periodIds = Object.keys(periods) as readonly Period[]
export const periodChoices = periodIds.map(id => [id, periods[id].name] as const)

export interface LeadsUrl {
  readonly filter: {
    readonly [Name in Exclude<keyof LeadsFilter, 'search' | 'from' | 'to'>]?: LeadsFilter[Name] | undefined
  }
  readonly sort: LeadSort
  readonly period: Period | null
  /** Dates in the operator's time zone, inclusive: 2030-01-31. */
  readonly from: string | null
  readonly to: string | null
}

type TimeFilter = Pick<LeadsUrl, 'period' | 'from' | 'to'>

/** Stored in the browser's history entry and nowhere else. */
export interface ListHistoryState {
  readonly search?: string
  /** Opened with the search shortcut: focus the search box. */
  readonly find?: true
  /** The list that the lead was opened from, for the back link. */
  readonly list?: { readonly href: string; readonly search: string }
}

export const anyTime = { period: null, from: null, to: null } as const

export const allLeads: LeadsUrl = { filter: {}, sort: 'newest', ...anyTime }

const EARLIEST = Date.parse('1970-01-02')

const oneOf = <T extends string>(known: readonly T[], value: string | null) =>
  known.find(each => each === value) ?? null
/** PostgreSQL can't store NUL, so the server rejects it. */
const replaceNul = (value: string | null) => value?.replaceAll('\0', '\uFFFD') ?? null
/** Null unless the date is plausible: while someone is typing 2026, the year is 2, then 20, then 202. */
export function parseDate(value: string | null): string | null {
  if (!value || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const time = Date.parse(value)
  // Some browsers turn February 31 into a day in March.
  return time > EARLIEST && new Date(time).toISOString().startsWith(value) ? value : null
}

const callDates = ['calledFrom', 'calledTo', 'callbackFrom', 'callbackTo'] as const

/** Ignores unknown values. */
export function parseLeadsUrl(query: string): LeadsUrl {
  const params = new URLSearchParams(query)
  const state = oneOf(leadStates, params.get('state'))
  const delivery = oneOf([...deliveryStates, 'none'] as const, params.get('delivery'))
  const language = oneOf(callLanguages, params.get('language'))
  const page = replaceNul(params.get('page'))
  const campaign = replaceNul(params.get('campaign'))
  const outcome = oneOf(filterOutcomes, params.get('outcome'))
  const soFar = oneOf(soFarKeys, params.get('soFar'))
  const caller = replaceNul(params.get('caller'))
  const called = oneOf(['us'] as const, params.get('called'))
  const callback = oneOf(['missed'] as const, params.get('callback'))
  const dates = callDates.flatMap(name => {
    const date = parseDate(params.get(name))
    return date === null ? [] : [[name, date] as const]
  })
  return {
    filter: {
      ...(state && { state }),
      ...(delivery && { delivery }),
      ...(language && { language }),
      ...(page !== null && { page }),
      ...(campaign !== null && { campaign }),
      ...(outcome && { outcome }),
      ...(soFar && { soFar }),
      ...(caller !== null && { caller }),
      ...(called && { called }),
      ...(callback && { callback }),
      ...Object.fromEntries(dates),
    },
    sort: oneOf(leadSorts, params.get('sort')) ?? 'newest',
    period: oneOf(periodIds, params.get('period')),
    from: parseDate(params.get('from')),
    to: parseDate(params.get('to')),
  }
}

export function leadsHref({ filter, sort, period, from, to }: LeadsUrl): string {
  const named = { ...filter, period, from, to, sort: sort === 'newest' ? null : sort }
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(named)) if (value !== null && value !== undefined) params.set(name, value)
  return params.size > 0 ? `/leads?${params}` : '/leads'
}

type FigureFilter = { readonly [Name in keyof LeadsFilter]?: LeadsFilter[Name] | undefined }

/** The URL for the list behind a figure. */
export function hrefOfFilter({ search: _, from, to, ...filter }: FigureFilter): string {
  return leadsHref({ ...allLeads, filter, from: from ?? null, to: to ?? null })
}

/** Combines the URL, the search text, and today's date into the server's filter. */
export function filterOf(url: LeadsUrl, search: string, today: string): LeadsFilter {
  const { from, to } = datesOf(url, today)
  const typed = search.trim()
  const chosen = Object.entries(url.filter).filter(([, value]) => value !== undefined)
  return {
    ...(Object.fromEntries(chosen) as LeadsFilter),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(typed && { search: typed }),
  }
}

/** The first and last dates, inclusive. */
export function datesOf({ period, from, to }: TimeFilter, today: string): Pick<LeadsUrl, 'from' | 'to'> {
  if (period === null) return { from, to }
  const firstDay = periods[period].firstDay(today)
  return { from: firstDay, to: period === 'yesterday' ? firstDay : today }
}

/** Null if there's no time filter. */
export function timeLabel({ period, from, to }: TimeFilter, today: string): string | null {
  if (period !== null) return periods[period].name
  return datesLabel(from, to, today)
}

/** "Yesterday", "Since Nov 1", "Nov 1 to Nov 7"; null without dates. */
export function datesLabel(from: string | null, to: string | null, today: string): string | null {
  // Plain dates have no time zone, so format them in UTC.
  const name = (date: string) => timesIn('UTC').date(Date.parse(date))
  if (from === null) return to === null ? null : `Through ${name(to)}`
  if (from === today && (to === null || to === today)) return periods.today.name
  if (from === to) return from === daysAfter(today, -1) ? periods.yesterday.name : name(from)
  return to === null ? `Since ${name(from)}` : `${name(from)} to ${name(to)}`
}
