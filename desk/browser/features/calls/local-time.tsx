/** The time where a person is, beside ours. */
import { type Place, states, zones } from '../../../../domain/calling/area-codes.ts'
import { formatLocalTime } from '../../../../domain/calling/local-time.ts'
import { dateAt, timesIn, useTimes } from '../../times.ts'

/** "6:51 AM, Hawaii", or "Unknown place" */
export const localTimeLabel = (place: Place | null, at: number) =>
  place ? formatLocalTime(place, at) : 'Time zone unknown'

/** "3:00 PM in Hawaii · 8:00 PM here", with the day if it isn't today. */
export function useBothTimes(now: number) {
  const ours = useTimes()
  return (place: Place, at: number) => {
    const zone = zones[place.zones[0]]
    const theirs = timesIn(zone)
    const day = dateAt(at, zone) === dateAt(now, zone) ? '' : `${theirs.day(at)}, `
    return `${day}${theirs.time(at)} in ${states[place.state]} · ${ours.time(at)} here`
  }
}
