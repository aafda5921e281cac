/** The time where a person is, beside the office's. Both are labeled, because the date can differ, too. */
import { type Place, zones } from '../../../../domain/calling/area-codes.ts'
import { formatLocalTime } from '../../../../domain/calling/local-time.ts'
import { useSession } from '../../session.ts'
import { dateAt, formatWait, minutesBetween, timesIn, useTimes } from '../../times.ts'

/** "6:51 AM, Hawaii", or "Time zone unknown" */
export const localTimeLabel = (place: Place | null, at: number) =>
  place ? formatLocalTime(place, at) : 'Time zone unknown'

/** "Thu, Nov 19, 3:00 PM their time (12:00 AM office time)", with the office's date if it's another day there; once if they're the same. */
export function useBothTimes() {
  const ours = useTimes()
  const { timeZone } = useSession()
  return (place: Place | null, at: number) => {
    if (place === null) return `${ours.short(at)} office time`
    const zone = zones[place.zones[0]]
    const theirs = timesIn(zone).short(at)
    if (theirs === ours.short(at)) return theirs
    const office = dateAt(at, zone) === dateAt(at, timeZone) ? ours.time(at) : ours.short(at)
    return `${theirs} their time (${office} office time)`
  }
}

/** ", 47 minutes late" */
export const lateness = (promisedAt: number, now: number) =>
  now - promisedAt < 60_000 ? '' : `, ${formatWait(minutesBetween(promisedAt, now))} late`
