/**
 * The URL says which leads a list shows, so every figure links to its list, and lists can be bookmarked. The search text is
 * personal data, so it's never part of the URL.
 */
import { deliveryStates, leadStates } from '../../domain/lead-states.ts'
import { type LeadSort, leadSorts } from '../limits.ts'
import type { LeadsFilter } from './client.ts'
import { daysAfter, timesIn } from './times.ts'

/** Periods that move with the days: their name, and their first day. */
const periods = {
  today: { name: 'Today', firstDay: (today: string) => today },
  yesterday: { name: 'Yesterday', firstDay: (today: string) => daysAfter(today, -1) },
  '7d': { name: 'Last 7 days', firstDay: (today: string) => daysAfter(today, -6) },
  '30d': { name: 'Last 30 days', firstDay: (today: string) => daysAfter(today, -29) },
} as const
export type Period = keyof typeof periods
const periodIds = Object.keys(periods) as readonly Period[]
export const periodChoices = periodIds.map(id => [id, periods[id].name] as const)

export interface LeadsAddress {
  readonly filter: { readonly [Name in 'state' | 'delivery' | 'page' | 'campaign']?: LeadsFilter[Name] | undefined }
  readonly sort: LeadSort
  readonly period: Period | null
  /** Dates in the operator's time zone, both included: 2030-01-31. */
  readonly from: string | null
  readonly to: string | null
}

type Time = Pick<LeadsAddress, 'period' | 'from' | 'to'>

/** Kept with an entry of the browser's history, and nowhere else. */
export interface ListHistoryState {
  readonly search?: string
  /** Opened by the search shortcut: focus the search box. */
  readonly find?: true
  /** The list that the lead was opened from, for the back link. */
  readonly list?: { readonly href: string; readonly search: string }
}

export const noTime = { period: null, from: null, to: null } as const

export const everything: LeadsAddress = { filter: {}, sort: 'newest', ...noTime }

const FIRST_DAY = Date.parse('1970-01-02')

const oneOf = <T extends string>(known: readonly T[], value: string | null) =>
  known.find(each => each === value) ?? null
/** PostgreSQL can't store NUL, and the desk refuses it. */
const textIn = (value: string | null) => value?.replaceAll('\0', '\uFFFD') ?? null
/** A plausible date: while someone types a year, its first digits are the years 2, 20, and 202. */
export function dateIn(value: string | null): string | null {
  if (!value || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const time = Date.parse(value)
  // Some browsers turn February 31 into a day in March.
  return time > FIRST_DAY && new Date(time).toISOString().startsWith(value) ? value : null
}

/** Ignores unknown values. */
export function readAddress(query: string): LeadsAddress {
  const given = new URLSearchParams(query)
  const state = oneOf(leadStates, given.get('state'))
  const delivery = oneOf([...deliveryStates, 'none'] as const, given.get('delivery'))
  const page = textIn(given.get('page'))
  const campaign = textIn(given.get('campaign'))
  return {
    filter: {
      ...(state && { state }),
      ...(delivery && { delivery }),
      ...(page !== null && { page }),
      ...(campaign !== null && { campaign }),
    },
    sort: oneOf(leadSorts, given.get('sort')) ?? 'newest',
    period: oneOf(periodIds, given.get('period')),
    from: dateIn(given.get('from')),
    to: dateIn(given.get('to')),
  }
}

export function hrefOfAddress({ filter, sort, period, from, to }: LeadsAddress): string {
  const { state, delivery, page, campaign } = filter
  const named = { state, delivery, page, campaign, period, from, to, sort: sort === 'newest' ? null : sort }
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(named)) if (value !== null && value !== undefined) given.set(name, value)
  return given.size > 0 ? `/leads?${given}` : '/leads'
}

type FigureFilter = { readonly [Name in keyof LeadsFilter]?: LeadsFilter[Name] | undefined }

/** The list behind a figure. */
export function hrefOfFilter({ search: _, from, to, ...filter }: FigureFilter): string {
  return hrefOfAddress({ ...everything, filter, from: from ?? null, to: to ?? null })
}

/** The server's filter for a URL, the search text, and today's date. */
export function filterOf(address: LeadsAddress, search: string, today: string): LeadsFilter {
  const { state, delivery, page, campaign } = address.filter
  const { from, to } = datesOf(address, today)
  const typed = search.trim()
  return {
    ...(state && { state }),
    ...(delivery && { delivery }),
    ...(page !== undefined && { page }),
    ...(campaign !== undefined && { campaign }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(typed && { search: typed }),
  }
}

/** The dates of a period, both included. */
export function datesOf({ period, from, to }: Time, today: string): Pick<LeadsAddress, 'from' | 'to'> {
  if (period === null) return { from, to }
  const firstDay = periods[period].firstDay(today)
  return { from: firstDay, to: period === 'yesterday' ? firstDay : today }
}

/** Null if no time is set. */
export function timeInWords({ period, from, to }: Time, today: string): string | null {
  if (period !== null) return periods[period].name
  // A date without a time is the same day everywhere.
  const name = (date: string) => timesIn('UTC').date(Date.parse(date))
  if (from === null) return to === null ? null : `Through ${name(to)}`
  if (from === today && (to === null || to === today)) return periods.today.name
  if (from === to) return from === daysAfter(today, -1) ? periods.yesterday.name : name(from)
  return to === null ? `Since ${name(from)}` : `${name(from)} to ${name(to)}`
}
