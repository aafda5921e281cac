/** Times to offer for a callback, where the person is, and when calls are allowed there. */
import { addDays } from '../dates.ts'
import { HOUR, MINUTE } from '../durations.ts'
import type { Place } from './area-codes.ts'
import type { CallingClock } from './hours.ts'
import { instantOf, localTime } from './local-time.ts'

/** When to call back, one entry per choice: its keyboard shortcut, which is the same for everyone, and the help's words. */
export const callbackTimes = {
  soon: { key: '=', help: 'Call back in 1 hour, or as soon as allowed' },
  evening: { key: '9', help: 'Call back this evening' },
  morning: { key: '0', help: 'Call back tomorrow morning, or the next morning calls are allowed' },
  pick: { key: '-', help: 'Pick a time to call back' },
} as const

export interface CallbackChoice {
  readonly time: 'soon' | 'evening' | 'morning'
  readonly label: string
  readonly at: number
}

const EVENING = 18 * 60
const MORNING = 10 * 60
/** How many openings to name: about two weeks. */
const OPENINGS = 12

const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })

const inOneHour = (now: number) => Math.ceil((now + HOUR) / (5 * MINUTE)) * 5 * MINUTE

/** Only times at which calls are allowed there, nearest first. With two possible zones, the times are those of the likelier one. */
export function callbackChoices(place: Place, now: number, clock: CallingClock): readonly CallbackChoice[] {
  const zone = place.zones[0]
  const today = localTime(zone, now).date
  const hour = inOneHour(now)
  const soonest = clock.nextOpening(place, hour)?.from ?? hour
  const isPossible = ({ at }: CallbackChoice) => at > soonest && clock.at(place, at).allowed
  const mornings = Array.from({ length: 7 }, (_, index) => {
    const date = addDays(today, index + 1)
    const day = index === 0 ? 'Tomorrow' : weekdays.format(Date.parse(date))
    return { time: 'morning', label: `${day} morning`, at: instantOf(zone, date, MORNING) } as const
  })
  const evening = { time: 'evening', label: 'This evening', at: instantOf(zone, today, EVENING) } as const
  return [
    { time: 'soon', label: soonest === hour ? 'In 1 hour' : 'As soon as calls are allowed', at: soonest },
    ...[evening].filter(isPossible),
    ...mornings.filter(isPossible).slice(0, 1),
  ]
}

/**
 * When calls are allowed there, so a forbidden time can be shown while someone picks it. From an hour from now on, unless they called us:
 * that isn't a call of ours.
 */
export function callbackOpenings(place: Place, now: number, clock: CallingClock, { incoming }: { incoming: boolean }) {
  const openings: { readonly from: number; readonly until: number }[] = []
  let next = clock.nextOpening(place, incoming ? now : inOneHour(now))
  while (next && openings.length < OPENINGS) {
    openings.push(next)
    next = clock.nextOpening(place, next.until)
  }
  return openings
}
