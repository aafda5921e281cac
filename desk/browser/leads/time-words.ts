/** The time that a list is narrowed to, as people say it: days where they are whole, and the clock only where they are not. */
import { dateAt, daysAfter, startOfDate } from '../days.ts'
import type { LeadsAddress, Period } from '../leads-address.ts'
import { timesIn } from '../times.ts'

export const periodNames: Readonly<Record<Period, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}

type Time = Pick<LeadsAddress, 'period' | 'from' | 'to' | 'since' | 'until'>

/** Null where no time is set. */
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
  // Nothing was received after today.
  if (from === today && (to === null || to === today)) return periodNames.today
  if (from !== null && from === to) return from === daysAfter(today, -1) ? periodNames.yesterday : name(from)
  if (from === null) return `Until ${name(to ?? today)}`
  return to === null ? `Since ${name(from)}` : `${name(from)} to ${name(to)}`
}

function instantsInWords(since: number | null, until: number | null, timeZone: string): string {
  const times = timesIn(timeZone)
  if (since === null) return `Until ${times.short(until ?? 0)}`
  if (until === null) return `Since ${times.short(since)}`
  const isOneDay = dateAt(since, timeZone) === dateAt(until, timeZone)
  return `${times.short(since)} to ${isOneDay ? times.clock(until) : times.short(until)}`
}
