/** Dates and times as people write them, in the operator's time zone, never the browser's. */
import { useEffect, useState } from 'react'
import { useSession } from './session.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Times = ReturnType<typeof createTimes>

const made = new Map<string, Times>()

export function timesIn(timeZone: string): Times {
  const known = made.get(timeZone) ?? createTimes(timeZone)
  made.set(timeZone, known)
  return known
}

const date = { month: 'short', day: 'numeric' } as const
const clock = { hour: 'numeric', minute: '2-digit' } as const

function createTimes(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { timeZone, ...options })
  const write = (options: Intl.DateTimeFormatOptions) => format(options).format
  const year = write({ year: 'numeric' })
  /** With the year, unless it is this one. */
  const withYear = (thisYear: Intl.DateTimeFormatOptions, anyYear: Intl.DateTimeFormatOptions) => {
    const [short, long] = [write(thisYear), write({ year: 'numeric', ...anyYear })]
    return (time: number) => (year(time) === year(Date.now()) ? short : long)(time)
  }
  const zonePart = (timeZoneName: 'short' | 'longGeneric') => {
    const zone = format({ timeZoneName })
    return (time: number) => zone.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  }
  const zone = zonePart('short')
  const longZone = zonePart('longGeneric')
  return {
    /** "Mon, Nov 16" */
    day: write({ weekday: 'short', ...date }),
    /** "Nov 16" */
    date: withYear(date, date),
    /** "Mon, Nov 16, 3:04 PM", with the year instead of the weekday unless it is this one. */
    short: withYear({ weekday: 'short', ...date, ...clock }, { ...date, ...clock }),
    /** "Monday, November 16, 2026, 3:04:05 PM EST" */
    full: write({
      ...{ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
      ...{ ...clock, second: '2-digit', timeZoneName: 'short' },
    }),
    /** "EST" */
    zone,
    /** "Eastern Time (EST)", or only "UTC" where there is no other name. */
    zoneName(time: number) {
      const [name, short] = [longZone(time), zone(time)]
      return name.startsWith('GMT') ? short : `${name} (${short})`
    },
  }
}

export const useTimes = () => timesIn(useSession().timeZone)

const DAY_CHECK_MS = 10_000

/** Today's date in the operator's time zone. Changes at midnight, even in a tab that was left open. */
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

/** 2030-01-31 */
export function dateAt(time: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  // By its parts: browsers order them differently.
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

export const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10)
