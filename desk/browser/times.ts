/** Formats dates and times in the operator's time zone, never the browser's. */
import { useEffect, useState } from 'react'
import { DAY, HOUR, MINUTE } from '../../domain/durations.ts'
import { formatNumber, pluralize } from '../../domain/text/numbers.ts'
import { useSession } from './session.ts'

type Times = ReturnType<typeof createTimes>

const cache = new Map<string, Times>()

export function timesIn(timeZone: string): Times {
  const times = cache.get(timeZone) ?? createTimes(timeZone)
  cache.set(timeZone, times)
  return times
}

const date = { month: 'short', day: 'numeric' } as const
const clock = { hour: 'numeric', minute: '2-digit' } as const

function createTimes(timeZone: string) {
  const formatter = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { timeZone, ...options })
  const format = (options: Intl.DateTimeFormatOptions) => formatter(options).format
  const year = format({ year: 'numeric' })
  /** Includes the year unless it's the current year. */
  const withYear = (thisYear: Intl.DateTimeFormatOptions, anyYear: Intl.DateTimeFormatOptions) => {
    const [short, long] = [format(thisYear), format({ year: 'numeric', ...anyYear })]
    return (time: number) => (year(time) === year(Date.now()) ? short : long)(time)
  }
  const zonePart = (timeZoneName: 'short' | 'longGeneric') => {
    const zone = formatter({ timeZoneName })
    return (time: number) => zone.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  }
  const short = withYear({ weekday: 'short', ...date, ...clock }, { ...date, ...clock })
  const dateOnly = withYear(date, date)
  const timeOfDay = format(clock)
  const zone = zonePart('short')
  const longZone = zonePart('longGeneric')
  return {
    /** "Mon, Nov 16" */
    day: format({ weekday: 'short', ...date }),
    /** "Nov 16" */
    date: dateOnly,
    /** "Mon, Nov 16, 3:04 PM"; for other years, "Nov 16, 2025, 3:04 PM" */
    short,
    /** "3:04 PM" if it's today; otherwise, "Nov 16" */
    brief: (time: number) => (dateAt(time, timeZone) === dateAt(Date.now(), timeZone) ? timeOfDay : dateOnly)(time),
    /** "3:04 PM" */
    time: timeOfDay,
    /** "3:04 PM" if it's the same day as `now`; otherwise, "Mon, Nov 16, 3:04 PM" */
    near: (time: number, now: number) => (dateAt(time, timeZone) === dateAt(now, timeZone) ? timeOfDay : short)(time),
    /** "Monday, November 16, 2026, 3:04:05 PM EST" */
    full: format({
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      ...clock,
      second: '2-digit',
      timeZoneName: 'short',
    }),
    /** "Eastern Time (EST)", or just "UTC" for a zone without a long name. */
    zoneName(time: number) {
      const [name, short] = [longZone(time), zone(time)]
      return name.startsWith('GMT') ? short : `${name} (${short})`
    },
  }
}

export const useTimes = () => timesIn(useSession().timeZone)

const DAY_CHECK_MS = 10_000

/** Today's date in the operator's time zone. Updates at midnight, even in a tab that was left open. */
export function useToday(): string {
  const { timeZone } = useSession()
  const [today, setToday] = useState(() => dateAt(Date.now(), timeZone))
  useEffect(() => {
    const timer = setInterval(() => setToday(dateAt(Date.now(), timeZone)), DAY_CHECK_MS)
    return () => clearInterval(timer)
  }, [timeZone])
  return today
}

/** "4 minutes", "3 hours", "12 days" */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < MINUTE) return pluralize(Math.round(ms / 1000), 'second')
  if (ms < HOUR) return pluralize(Math.floor(ms / MINUTE), 'minute')
  if (ms < 2 * DAY) return pluralize(Math.round(ms / HOUR), 'hour')
  return pluralize(Math.round(ms / DAY), 'day')
}

/** "<1 min", "4 min", "1 h 20 min": of calling hours, or of lateness, so there are no days. Never more than has passed. */
export function formatWait(minutes: number): string {
  if (minutes < 1) return '<1 min'
  const [hours, rest] = [Math.floor(minutes / 60), Math.floor(minutes % 60)]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${formatNumber(hours)} h` : `${formatNumber(hours)} h ${rest} min`
}

/** As the two times are shown, without seconds: 2:00 PM to 2:41 PM is 41 minutes. */
export const minutesBetween = (from: number, to: number) => Math.floor(to / MINUTE) - Math.floor(from / MINUTE)

export const ago = (time: number, now: number) =>
  now - time < MINUTE ? 'just now' : `${formatDuration(now - time)} ago`

/** 2030-01-31 */
export function dateAt(time: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  // Assembled here because browsers order the parts differently.
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

export const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10)
