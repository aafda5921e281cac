/** The time a list is narrowed to: as instants for the server, as dates for the fields, and in words. */
import type { LeadsFilter } from '../../client.ts'
import type { LeadsAddress, Period } from '../../leads-address.ts'
import { dateAt, daysAfter, startOfDate, timesIn } from '../../times.ts'

const firstDayOf: Readonly<Record<Period, (today: string) => string>> = {
  today: today => today,
  yesterday: today => daysAfter(today, -1),
  '7d': today => daysAfter(today, -6),
  '30d': today => daysAfter(today, -29),
}

export function filterOf(address: LeadsAddress, search: string, timeZone: string, now: number): LeadsFilter {
  const typed = search.trim()
  const { state, delivery, page, campaign } = address.filter
  return {
    ...(state && { state }),
    ...(delivery && { delivery }),
    ...(page !== undefined && { page }),
    ...(campaign !== undefined && { campaign }),
    ...spanOf(address, timeZone, now),
    ...(typed && { search: typed }),
  }
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

/** The same as dates, both included. */
export function datesOf(address: LeadsAddress, timeZone: string, now: number): Pick<LeadsAddress, 'from' | 'to'> {
  const { since, until } = spanOf(address, timeZone, now)
  return {
    from: since === undefined ? null : dateAt(since, timeZone),
    // A period without an end lasts until today; a day that ends at midnight is the one before it.
    to: until !== undefined ? dateAt(until - 1, timeZone) : address.period ? dateAt(now, timeZone) : null,
  }
}

export const periodNames: Readonly<Record<Period, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}

type Time = Pick<LeadsAddress, 'period' | 'from' | 'to' | 'since' | 'until'>

/** Days where they are whole, and the clock only where they aren't. Null if no time is set. */
export function timeInWords({ period, from, to, since, until }: Time, timeZone: string, now: number): string | null {
  if (period !== null) return periodNames[period]
  if (from !== null || to !== null) return daysInWords(from, to, timeZone, now)
  if (since === null && until === null) return null
  const isWhole = (time: number | null) => time === null || startOfDate(dateAt(time, timeZone), timeZone) === time
  if (!isWhole(since) || !isWhole(until)) return instantsInWords(since, until, timeZone)
  const dateOf = (time: number | null) => (time === null ? null : dateAt(time, timeZone))
  // A day that ends at midnight is the one before it.
  return daysInWords(dateOf(since), dateOf(until === null ? null : until - 1), timeZone, now)
}

/** Both dates are included. */
function daysInWords(from: string | null, to: string | null, timeZone: string, now: number): string {
  const today = dateAt(now, timeZone)
  const name = (date: string) => timesIn(timeZone).date(startOfDate(date, timeZone))
  if (from === today && (to === null || to === today)) return periodNames.today
  if (from !== null && from === to) return from === daysAfter(today, -1) ? periodNames.yesterday : name(from)
  if (from === null) return `Through ${name(to ?? today)}`
  return to === null ? `Since ${name(from)}` : `${name(from)} to ${name(to)}`
}

function instantsInWords(since: number | null, until: number | null, timeZone: string): string {
  const times = timesIn(timeZone)
  if (since === null) return `Before ${times.short(until ?? 0)}`
  if (until === null) return `Since ${times.short(since)}`
  const isOneDay = dateAt(since, timeZone) === dateAt(until, timeZone)
  return `${times.short(since)} to ${isOneDay ? times.clock(until) : times.short(until)}`
}
