/** Clocks in the time zones of area codes. Uses Intl rather than Temporal, which not every browser has. */
import { HOUR, MINUTE } from '../durations.ts'
import { type Place, states, type Zone, zones } from './area-codes.ts'

export interface LocalTime {
  /** 2026-11-17 */
  readonly date: string
  /** Minutes after midnight. */
  readonly minutes: number
}

const formatters = new Map<Zone, Intl.DateTimeFormat>()

function formatter(zone: Zone): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const created = new Intl.DateTimeFormat('en-US', { timeZone: zones[zone], timeZoneName: 'longOffset' })
  formatters.set(zone, created)
  return created
}

// Asking Intl takes microseconds, and a list of calls asks thousands of times about the same few hours.
const offsets = new Map<string, number>()
const MOST_OFFSETS = 10_000

/** How far the zone is ahead of UTC. Ours change only on the hour. */
function offsetAt(zone: Zone, instant: number): number {
  const hour = Math.floor(instant / HOUR)
  const key = `${zone} ${hour}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const parts = formatter(zone).formatToParts(hour * HOUR)
  const [, sign, hours] = /GMT([+-])(\d\d)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  const offset = Number(`${sign}${hours}`) * HOUR
  if (offsets.size >= MOST_OFFSETS) offsets.clear()
  offsets.set(key, offset)
  return offset
}

export function localTime(zone: Zone, instant: number): LocalTime {
  const local = new Date(instant + offsetAt(zone, instant))
  return { date: local.toISOString().slice(0, 10), minutes: local.getUTCHours() * 60 + local.getUTCMinutes() }
}

/** The instant of a local time. A time that clocks skip gives the one an hour later. */
export function instantOf(zone: Zone, date: string, minutes: number): number {
  const asUtc = Date.parse(date) + minutes * MINUTE
  const guess = asUtc - offsetAt(zone, asUtc)
  const offset = offsetAt(zone, guess)
  const instant = asUtc - offset
  // The guess is on the other side of a clock change.
  return offsetAt(zone, instant) === offset ? instant : guess
}

/** 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay()
}

/** 9:00 AM */
export function formatMinutes(minutes: number): string {
  if (minutes === 24 * 60) return 'midnight'
  const hour = Math.floor(minutes / 60)
  return `${hour % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** "6:51 AM, Hawaii", or "6:51 AM or 5:51 AM, Idaho" if the person could be in either zone. */
export function formatLocalTime(place: Place, instant: number): string {
  const times = place.zones.map(zone => formatMinutes(localTime(zone, instant).minutes))
  return `${[...new Set(times)].join(' or ')}, ${states[place.state]}`
}

/** "2026-11-17 6:51 AM, Hawaii": for records that are read much later. */
export function formatLocalDateTime(place: Place, instant: number): string {
  const times = place.zones.map(zone => {
    const { date, minutes } = localTime(zone, instant)
    return `${date} ${formatMinutes(minutes)}`
  })
  return `${[...new Set(times)].join(' or ')}, ${states[place.state]}`
}
