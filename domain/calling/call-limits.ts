/** How many calls a day a number gets, and when a person is called again until they're reached. */

import { addDays } from '../dates.ts'
import { DAY, HOUR, MINUTE } from '../durations.ts'
import type { Place } from './area-codes.ts'
import type { CallingClock } from './hours.ts'
import { instantOf, localTime } from './local-time.ts'

/** Per phone number, over all its leads. Florida, Maryland, and Oklahoma allow three in 24 hours. */
export const CALLS_PER_DAY = 3
const GAP = HOUR

/**
 * When a number may be called again, given the times of its earlier calls. In the past if it may be called now. `elsewhere`: calls to
 * numbers that the person had before.
 */
export function callAllowedAt(calls: readonly number[], elsewhere: readonly number[] = []): number {
  return Math.max(Math.max(...calls) + GAP, redialAllowedAt([...calls, ...elsewhere]))
}

/** The same for a dropped call, which needs no gap. */
export function redialAllowedAt(calls: readonly number[]): number {
  const latest = calls.toSorted((one, other) => other - one)
  return (latest[CALLS_PER_DAY - 1] ?? Number.NEGATIVE_INFINITY) + DAY
}

/** Whether a call at `at` leaves room for those made and planned before and after it, in any 24 hours around it. */
export function leavesRoom(at: number, others: readonly number[], elsewhere: readonly number[] = []): boolean {
  const hasGap = others.every(other => Math.abs(other - at) >= GAP)
  const near = [...others, ...elsewhere, at].filter(time => Math.abs(time - at) < DAY)
  return hasGap && near.every(from => near.filter(time => time >= from && time < from + DAY).length <= CALLS_PER_DAY)
}

/** After each unanswered call: a wait, or a day counted from the first call's. Six calls in all. */
const cadence = [{ wait: HOUR }, { wait: 4 * HOUR }, { day: 2 }, { day: 4 }, { day: 8 }] as const

export const MAX_TRIES = cadence.length + 1

/** The earliest time the next try can be, wherever the person is. Null after the last one. */
export function earliestTry(calls: readonly number[]): number | null {
  const step = cadence[calls.length - 1]
  const [first, last] = [calls[0], calls.at(-1)]
  if (step === undefined || first === undefined || last === undefined) return null
  const allowed = callAllowedAt(calls)
  return Math.max(allowed, 'wait' in step ? last + step.wait : first + (step.day - 2) * DAY)
}

/**
 * When to call again after the calls so far, oldest first: within calling hours and the limits. Null after the last one: "Not reached".
 */
export function nextTry(calls: readonly number[], place: Place | null, hours: CallingClock): number | null {
  const step = cadence[calls.length - 1]
  const [first, last] = [calls[0], calls.at(-1)]
  if (step === undefined || first === undefined || last === undefined) return null
  const allowed = callAllowedAt(calls)
  const earliest = Math.max(allowed, last + ('wait' in step ? step.wait : 0))
  // Not on the list until someone sets the place, so any time will do.
  if (place === null) return 'wait' in step ? earliest : Math.max(earliest, first + (step.day - 1) * DAY)
  const opening = (instant: number) => hours.nextOpening(place, instant)
  if ('wait' in step) return opening(earliest)?.from ?? earliest

  const zone = place.zones[0]
  const dateOf = (instant: number) => localTime(zone, instant).date
  const planned = instantOf(zone, addDays(dateOf(first), step.day - 1), 0)
  const nextDay = instantOf(zone, addDays(dateOf(last), 1), 0)
  const day = opening(Math.max(planned, nextDay))
  if (day === null) return earliest
  const used = calls.map(call => localTime(zone, call).minutes)
  /** Minutes to the closest time of day that was tried. */
  const freshness = (instant: number) => Math.min(...used.map(one => Math.abs(localTime(zone, instant).minutes - one)))
  const [best] = timesOfDay(day.from, day.until)
    .filter(time => time >= earliest)
    .toSorted((one, other) => freshness(other) - freshness(one))
  return best ?? opening(earliest)?.from ?? earliest
}

/** Morning, midday, and evening, to the quarter of an hour. */
function timesOfDay(from: number, until: number): readonly number[] {
  const quarter = 15 * MINUTE
  return [1 / 6, 1 / 2, 5 / 6].map(part => from + Math.floor(((until - from) * part) / quarter) * quarter)
}
