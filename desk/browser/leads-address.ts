/**
 * Which leads a list shows, as its address: every figure links to its list, and lists can be bookmarked. What people
 * search for is personal data, and never part of an address.
 */
import { deliveryStates, leadStates } from '../../domain/lead-states.ts'
import { type LeadSort, leadSorts } from '../limits.ts'
import type { LeadsFilter, Today } from './client.ts'

const periods = ['today', 'yesterday', '7d', '30d'] as const
export type Period = (typeof periods)[number]

/** One of a period that moves with the days, dates, or instants. */
export interface LeadsAddress {
  readonly filter: { readonly [Name in 'state' | 'delivery' | 'page' | 'campaign']?: LeadsFilter[Name] | undefined }
  readonly sort: LeadSort
  readonly period: Period | null
  /** Dates in the operator's time zone, both included: 2030-01-31. */
  readonly from: string | null
  readonly to: string | null
  readonly since: number | null
  readonly until: number | null
}

/** Kept with an entry of the browser's history, and nowhere else. */
export interface ListHistoryState {
  readonly search?: string
  /** Opened by the search shortcut: focus the search box. */
  readonly find?: true
  /** The list that a lead was opened from, for the way back. */
  readonly list?: { readonly href: string; readonly search: string }
}

export const noTime = { period: null, from: null, to: null, since: null, until: null } as const

export const everything: LeadsAddress = { filter: {}, sort: 'newest', ...noTime }

const FIRST_DAY = Date.parse('1970-01-02')

const oneOf = <T extends string>(known: readonly T[], value: string | null) =>
  known.find(each => each === value) ?? null
const instantIn = (value: string | null) => {
  const time = Date.parse(value ?? '')
  return time >= 0 ? time : null
}
/** PostgreSQL can't store NUL, and the desk refuses it. */
const textIn = (value: string | null) => value?.replaceAll('\0', '\uFFFD') ?? null
/** A plausible date: while someone types a year, its first digits are the years 2, 20, and 202. */
export function dateIn(value: string | null): string | null {
  if (!value || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const time = Date.parse(value)
  // Some browsers turn February 31 into a day in March.
  return time > FIRST_DAY && new Date(time).toISOString().startsWith(value) ? value : null
}

/** Ignores what it doesn't understand. */
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
    period: oneOf(periods, given.get('period')),
    from: dateIn(given.get('from')),
    to: dateIn(given.get('to')),
    since: instantIn(given.get('since')),
    until: instantIn(given.get('until')),
  }
}

export function hrefOfAddress({ filter, sort, period, from, to, since, until }: LeadsAddress): string {
  const given = new URLSearchParams()
  for (const name of ['state', 'delivery', 'page', 'campaign'] as const) {
    const value = filter[name]
    if (value !== undefined) given.set(name, value)
  }
  if (period) given.set('period', period)
  if (from) given.set('from', from)
  if (to) given.set('to', to)
  if (since !== null) given.set('since', new Date(since).toISOString())
  if (until !== null) given.set('until', new Date(until).toISOString())
  if (sort !== 'newest') given.set('sort', sort)
  const query = given.toString()
  return query ? `/leads?${query}` : '/leads'
}

/** The list behind a figure. */
export function hrefOfFilter({ since, until, ...filter }: Today['received']['today']['filter']): string {
  return hrefOfAddress({ ...everything, filter, since: since ?? null, until: until ?? null })
}
