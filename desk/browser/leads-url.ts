/**
 * The URL determines which leads a list shows, so every figure can link to its list, and lists can be bookmarked. The search
 * text is personal data, so it's never in the URL.
 */
import { isCalendarDate } from '../../domain/dates.ts'
import {
  type ChosenFilters,
  isFilterValue,
  type LeadFilterName,
  leadFilterNames,
} from '../../domain/leads/lead-filters.ts'
import { type LeadSort, leadSorts } from '../limits.ts'
import type { LeadsFilter } from './client.ts'
import { daysAfter, timesIn } from './times.ts'

function lastMonth(today: string) {
  const last = daysAfter(`${today.slice(0, 'YYYY-MM'.length)}-01`, -1)
  return [`${last.slice(0, 'YYYY-MM'.length)}-01`, last] as const
}

/** Periods relative to today. */
const periods = {
  today: { name: 'Today', dates: (today: string) => [today, today] },
  yesterday: { name: 'Yesterday', dates: (today: string) => [daysAfter(today, -1), daysAfter(today, -1)] },
  '7d': { name: 'Last 7 days', dates: (today: string) => [daysAfter(today, -6), today] },
  '30d': { name: 'Last 30 days', dates: (today: string) => [daysAfter(today, -29), today] },
  month: { name: 'Last month', dates: lastMonth },
} as const
export type Period = keyof typeof periods
const periodIds = Object.keys(periods) as readonly Period[]
export const periodChoices = periodIds.map(id => [id, periods[id].name] as const)

export interface LeadsUrl {
  readonly filter: { readonly [Name in LeadFilterName]?: ChosenFilters[Name] | undefined }
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
/** The server refuses NUL. */
const storable = (value: string | null) => value?.replaceAll('\0', '\uFFFD') ?? null
/** Null unless the date is plausible: while someone is typing 2026, the year is 2, then 20, then 202. */
export function parseDate(value: string | null): string | null {
  return value && isCalendarDate(value) && Date.parse(value) > EARLIEST ? value : null
}

/** Ignores unknown values. */
export function parseLeadsUrl(query: string): LeadsUrl {
  const params = new URLSearchParams(query)
  const chosen = leadFilterNames.flatMap(name => {
    const value = storable(params.get(name))
    const isKnown = value !== null && isFilterValue(name, value)
    return isKnown ? [[name, value]] : []
  })
  return {
    filter: Object.fromEntries(chosen),
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
  const [first = null, last = null] = periods[period].dates(today)
  return { from: first, to: last }
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
