/** Times to offer for a callback, where the person is. */
import { addDays } from '../dates.ts'
import type { Place } from './area-codes.ts'
import type { CallingClock } from './hours.ts'
import { HOUR, instantOf, localTime, MINUTE } from './local-time.ts'

export interface CallbackChoice {
  readonly label: string
  readonly at: number
}

const EVENING = 18 * 60
const MORNING = 10 * 60

/** Only times at which calls are allowed there. With two possible zones, the times are those of the likelier one. */
export function callbackChoices(place: Place, now: number, clock: CallingClock): readonly CallbackChoice[] {
  const zone = place.zones[0]
  const today = localTime(zone, now).date
  const inOneHour = Math.ceil((now + HOUR) / (5 * MINUTE)) * 5 * MINUTE
  const choices = [
    { label: 'In 1 hour', at: inOneHour },
    { label: 'This evening', at: instantOf(zone, today, EVENING) },
    { label: 'Tomorrow morning', at: instantOf(zone, addDays(today, 1), MORNING) },
  ]
  return choices.filter(({ at }) => at >= inOneHour && clock.at(place, at).allowed)
}
