/**
 * Which leads a list shows, as the address says it: so that every number can lead to its list, and a list can be
 * bookmarked. What was typed into the search is personal data, and never part of an address.
 */
import { deliveryStates, leadStates } from '../../server/store/lead-records.ts'
import { type LeadSort, type LeadsFilter, leadSorts } from '../api/leads.ts'

export const periods = ['today', 'yesterday', '7d', '30d'] as const
export type Period = (typeof periods)[number]

/** Of what is given, one holds: a period that moves with the days, dates, or instants. */
export interface LeadsAddress {
  readonly filter: Omit<LeadsFilter, 'search' | 'since' | 'until'>
  readonly sort: LeadSort
  readonly period: Period | null
  /** Dates in the operator's time zone, both included: 2030-01-31. */
  readonly from: string | null
  readonly to: string | null
  readonly since: number | null
  readonly until: number | null
}

/** What an entry of the browser's history keeps beside its address, and nothing else does. */
export interface Kept {
  /** What was searched for. */
  readonly search?: string
  /** Whoever came by the key for searching goes on typing. */
  readonly find?: true
  /** The list from which a lead was opened, for the way back. */
  readonly list?: { readonly href: string; readonly search: string }
}

/** What an address says where it does not say when. */
export const noTime = { period: null, from: null, to: null, since: null, until: null } as const

export const everything: LeadsAddress = { filter: {}, sort: 'newest', ...noTime }

const FIRST_DAY = Date.parse('1970-01-02')

const oneOf = <T extends string>(known: readonly T[], value: string | null) =>
  known.find(each => each === value) ?? null
const instantIn = (value: string | null) => {
  const time = Date.parse(value ?? '')
  return time >= 0 ? time : null
}
/** Without the one character that no store keeps and the desk refuses: no lead has what takes its place. */
const textIn = (value: string | null) => value?.replaceAll('\0', '\uFFFD') ?? null
/** A date on which a lead may have come: of whoever types a year, the first digits are the years 2, 20 and 202. */
export function dateIn(value: string | null): string | null {
  if (!value || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const time = Date.parse(value)
  // Some browsers take February 31 for a day in March.
  return time > FIRST_DAY && new Date(time).toISOString().startsWith(value) ? value : null
}

/** What is not understood is left out: the list then shows more, and its filters say so. */
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

/** The list behind a number. */
export function hrefOfFilter({ search: _, since, until, ...filter }: LeadsFilter): string {
  return hrefOfAddress({ ...everything, filter, since: since ?? null, until: until ?? null })
}
