/** Days and times in the operator's time zone, never the browser's, and in the words of people. */
import { useEffect, useState } from 'react'
import { useSession } from './session.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export interface Times {
  /** "3:04 PM" */
  clock(time: number): string
  /** "Mon, Nov 16" */
  day(time: number): string
  /** "Nov 16", with the year unless it is this one. */
  date(time: number): string
  /** "Mon, Nov 16, 3:04 PM", with the year instead of the weekday unless it is this one. */
  short(time: number): string
  /** "Monday, November 16, 2026, 3:04:05 PM EST" */
  full(time: number): string
  /** "EST" */
  zone(time: number): string
  /** "Eastern Time (EST)", or only "UTC" where there is no other name. */
  zoneName(time: number): string
}

const made = new Map<string, Times>()

export function timesIn(timeZone: string): Times {
  const known = made.get(timeZone)
  if (known) return known
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { timeZone, ...options })
  const clock = format({ hour: 'numeric', minute: '2-digit' })
  const day = format({ weekday: 'short', month: 'short', day: 'numeric' })
  const date = format({ month: 'short', day: 'numeric' })
  const dateAndYear = format({ year: 'numeric', month: 'short', day: 'numeric' })
  const thisYear = format({ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
  const anyYear = format({ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
  const year = format({ year: 'numeric' })
  const full = format({
    ...{ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  })
  const partOf = (zone: Intl.DateTimeFormat, time: number) =>
    zone.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  const zone = format({ timeZoneName: 'short' })
  const zoneName = format({ timeZoneName: 'longGeneric' })
  const isThisYear = (time: number) => year.format(time) === year.format(Date.now())
  const times: Times = {
    clock: time => clock.format(time),
    day: time => day.format(time),
    date: time => (isThisYear(time) ? date : dateAndYear).format(time),
    short: time => (isThisYear(time) ? thisYear : anyYear).format(time),
    full: time => full.format(time),
    zone: time => partOf(zone, time),
    zoneName(time) {
      const [name, short] = [partOf(zoneName, time), partOf(zone, time)]
      return name.startsWith('GMT') ? short : `${name} (${short})`
    },
  }
  made.set(timeZone, times)
  return times
}

export const useTimes = () => timesIn(useSession().timeZone)

const DAY_CHECK_MS = 10_000

/** Today's date in the operator's time zone. Moves at midnight, also in a tab that was left open. */
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
export function span(ms: number): string {
  const of = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < MINUTE) return of(Math.round(ms / 1000), 'second')
  if (ms < HOUR) return of(Math.round(ms / MINUTE), 'minute')
  if (ms < 48 * HOUR) return of(Math.round(ms / HOUR), 'hour')
  return of(Math.round(ms / (24 * HOUR)), 'day')
}

export const ago = (time: number, now: number) => (now - time < MINUTE ? 'just now' : `${span(now - time)} ago`)

const DAY = 24 * 60 * 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** 2030-01-31 */
export function dateAt(time: number, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  // By its parts: browsers order them differently.
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

export const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10)
