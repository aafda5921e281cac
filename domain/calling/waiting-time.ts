/** How long people waited for a call, counting only the time when they may be called. */
import { DAY } from '../durations.ts'
import { type Place, placeKey } from './area-codes.ts'
import type { CallingClock } from './hours.ts'

interface Opening {
  readonly from: number
  readonly until: number
}

const MOST_DAYS = 50_000

export type WaitingTime = (place: Place, from: number, until: number) => number

/** Remembers each place's openings by UTC day, because a month of calls asks thousands of times about the same days. */
export function createWaitingTime(clock: CallingClock): WaitingTime {
  const known = new Map<string, readonly Opening[]>()

  function openingsOn(place: Place, day: number): readonly Opening[] {
    const openings: Opening[] = []
    const end = (day + 1) * DAY
    for (let from = day * DAY; from < end; ) {
      const next = clock.nextOpening(place, from)
      if (next === null || next.from >= end) break
      openings.push({ from: next.from, until: Math.min(next.until, end) })
      from = next.until
    }
    return openings
  }

  return (place, from, until) => {
    const id = placeKey(place)
    let waited = 0
    for (let day = Math.floor(from / DAY); day * DAY < until; day++) {
      const key = `${id} ${day}`
      const openings = known.get(key) ?? openingsOn(place, day)
      if (known.size >= MOST_DAYS) known.clear()
      known.set(key, openings)
      for (const opening of openings) {
        waited += Math.max(0, Math.min(until, opening.until) - Math.max(from, opening.from))
      }
    }
    return waited
  }
}
