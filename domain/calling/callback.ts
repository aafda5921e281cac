/** By when the office calls someone back, for a letter. The thank-you page says the same with the visitor's own clock. */
import { HOUR } from '../durations.ts'
import { type Place, places } from './area-codes.ts'
import { createCallingClock, readCallingHours } from './hours.ts'
import { instantOf, localTime } from './local-time.ts'

export interface Office {
  /** Mon-Fri 9:00-18:00 */
  readonly hours: string
  readonly timeZone: Place['zones'][number]
  /** Dates on which it's closed, besides Sundays and holidays. */
  readonly closed?: readonly string[]
}

/** Calls are allowed in every state then. */
const [FROM, UNTIL] = [10 * 60, 18 * 60]
const OPENINGS_AHEAD = 10

/** The end of the first office day with an hour in which calls to that place are allowed everywhere. Null if there's none. */
export function callbackBy(
  { hours: text, timeZone, closed = [] }: Office,
  place: Place | null,
  askedAt: number,
): number | null {
  const hours = readCallingHours(text)
  const office = [...places.values()].find(({ zones: [zone] }) => zone === timeZone)
  if (typeof hours === 'string' || !office || place === null) return null
  const clock = createCallingClock({ ...hours, closed })
  let time = askedAt
  for (let opening = 0; opening < OPENINGS_AHEAD; opening++) {
    const next = clock.nextOpening(office, time)
    if (next === null) return null
    const isEnough = place.zones.every(zone => {
      const { date } = localTime(zone, next.until - 1)
      const from = Math.max(next.from, instantOf(zone, date, FROM))
      return Math.min(next.until, instantOf(zone, date, UNTIL)) - from >= HOUR
    })
    if (isEnough) return next.until
    time = next.until
  }
  return null
}
