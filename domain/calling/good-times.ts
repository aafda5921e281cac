/** Times to choose from when we ask someone when to call: parts of the next days on which we may call where their number is. */
import { HOUR } from '../durations.ts'
import type { Place } from './area-codes.ts'
import type { CallingClock } from './hours.ts'
import { instantOf, localTime } from './local-time.ts'
import type { PreferredTime } from './story-events.ts'

const MOST = 6
const FARTHEST_MS = 7 * 24 * HOUR
/** Morning, afternoon, and evening, in minutes after midnight. */
const parts = [
  [0, 12 * 60],
  [12 * 60, 17 * 60],
  [17 * 60, 24 * 60],
] as const

/** Times that start after `at`, soonest first. Each is at least an hour long. */
export function goodTimes(place: Place, clock: CallingClock, at: number): readonly PreferredTime[] {
  const [zone] = place.zones
  const times: PreferredTime[] = []
  for (let next = at; times.length < MOST; ) {
    const opening = clock.nextOpening(place, next)
    if (opening === null || opening.from > at + FARTHEST_MS) break
    const { date } = localTime(zone, opening.from)
    for (const [start, end] of parts) {
      const from = Math.max(opening.from, instantOf(zone, date, start))
      const until = Math.min(opening.until, instantOf(zone, date, end))
      if (from > at && until - from >= HOUR) times.push({ from, until })
    }
    next = opening.until
  }
  return times.slice(0, MOST)
}
