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

const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })

/** Only times at which calls are allowed there. With two possible zones, the times are those of the likelier one. */
export function callbackChoices(place: Place, now: number, clock: CallingClock): readonly CallbackChoice[] {
  const zone = place.zones[0]
  const today = localTime(zone, now).date
  const inOneHour = Math.ceil((now + HOUR) / (5 * MINUTE)) * 5 * MINUTE
  const isPossible = ({ at }: CallbackChoice) => at >= inOneHour && clock.at(place, at).allowed
  const mornings = Array.from({ length: 7 }, (_, index) => {
    const date = addDays(today, index + 1)
    const day = index === 0 ? 'Tomorrow' : weekdays.format(Date.parse(date))
    return { label: `${day} morning`, at: instantOf(zone, date, MORNING) }
  })
  const choices = [
    { label: 'In 1 hour', at: inOneHour },
    { label: 'This evening', at: instantOf(zone, today, EVENING) },
    ...mornings.filter(isPossible).slice(0, 1),
  ]
  return choices.filter(isPossible)
}
