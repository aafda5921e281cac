/** What an unfinished day is compared with: the same weekday, up to the same time of day, and the whole day. */
import type { Calendar } from '../../../server/calendar.ts'

interface Span {
  readonly since: number
  readonly until: number
}

export function weekBefore(calendar: Calendar, at: number): { readonly sameStretch: Span; readonly wholeDay: Span } {
  const day = calendar.daysAfter(calendar.dateOf(at), -7)
  const since = calendar.startOf(day)
  const until = calendar.startOf(calendar.daysAfter(day, 1))
  // By the clock on the wall: a day on which clocks change has an hour more or less.
  const timeOfDay = calendar.iso(at).slice('2030-01-31T'.length, '2030-01-31T09:00:00.000'.length)
  const sameTime = calendar.instantOf(`${day}T${timeOfDay}`)
  return { sameStretch: { since, until: Math.min(Math.max(sameTime, since), until) }, wholeDay: { since, until } }
}
