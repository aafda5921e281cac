/** Clocks in the time zones of area codes. Uses Intl rather than Temporal, which not every browser has. */
import { type Place, states, type Zone, zones } from './area-codes.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export interface LocalTime {
  /** 2026-11-17 */
  readonly date: string
  /** Minutes after midnight. */
  readonly minutes: number
}

// Creating a formatter takes a hundred times as long as using it.
const formatters = new Map<Zone, Intl.DateTimeFormat>()

function formatter(zone: Zone): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const created = new Intl.DateTimeFormat('en-US', {
    timeZone: zones[zone],
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formatters.set(zone, created)
  return created
}

export function localTime(zone: Zone, instant: number): LocalTime {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatter(zone).formatToParts(instant)) parts[type] = value
  return {
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
    minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
  }
}

/** The instant of a local time. A time that clocks skip gives the one an hour later. */
export function instantOf(zone: Zone, date: string, minutes: number): number {
  const asUtc = Date.parse(date) + minutes * MINUTE
  const offsetAt = (instant: number) => {
    const local = localTime(zone, instant)
    return Date.parse(local.date) + local.minutes * MINUTE - instant
  }
  const guess = asUtc - offsetAt(asUtc)
  const offset = offsetAt(guess)
  const instant = asUtc - offset
  // The guess is on the other side of a clock change.
  return offsetAt(instant) === offset ? instant : guess
}

/** 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay()
}

/** 9:00 AM */
export function formatMinutes(minutes: number): string {
  const hour = Math.floor(minutes / 60)
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** "6:51 AM, Hawaii", or "6:51 AM or 5:51 AM, Idaho" if the person could be in either zone. */
export function formatLocalTime(place: Place, instant: number): string {
  const times = place.zones.map(zone => formatMinutes(localTime(zone, instant).minutes))
  return `${[...new Set(times)].join(' or ')}, ${states[place.state]}`
}
