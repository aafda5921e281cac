/** From what the address says to the instants that the server is asked for. */
import type { LeadsFilter } from '../../api/leads.ts'
import { dateAt, daysAfter, startOfDate } from '../days.ts'
import type { LeadsAddress, Period } from '../leads-address.ts'

const firstDayOf: Readonly<Record<Period, (today: string) => string>> = {
  today: today => today,
  yesterday: today => daysAfter(today, -1),
  '7d': today => daysAfter(today, -6),
  '30d': today => daysAfter(today, -29),
}

export function filterOf(address: LeadsAddress, search: string, timeZone: string, now: number): LeadsFilter {
  const typed = search.trim()
  return { ...address.filter, ...spanOf(address, timeZone, now), ...(typed && { search: typed }) }
}

function spanOf(
  { period, from, to, since, until }: LeadsAddress,
  timeZone: string,
  now: number,
): Pick<LeadsFilter, 'since' | 'until'> {
  const starts = (date: string) => startOfDate(date, timeZone)
  if (period) {
    const today = dateAt(now, timeZone)
    return { since: starts(firstDayOf[period](today)), ...(period === 'yesterday' && { until: starts(today) }) }
  }
  if (from !== null || to !== null) {
    return { ...(from !== null && { since: starts(from) }), ...(to !== null && { until: starts(daysAfter(to, 1)) }) }
  }
  return { ...(since !== null && { since }), ...(until !== null && { until }) }
}

/** The dates, both included, of the time that an address gives in whatever way. */
export function datesOf(address: LeadsAddress, timeZone: string, now: number): Pick<LeadsAddress, 'from' | 'to'> {
  const { since, until } = spanOf(address, timeZone, now)
  return {
    from: since === undefined ? null : dateAt(since, timeZone),
    // A period without an end goes on until today; a day that ends at midnight is the one before it.
    to: until !== undefined ? dateAt(until - 1, timeZone) : address.period ? dateAt(now, timeZone) : null,
  }
}
