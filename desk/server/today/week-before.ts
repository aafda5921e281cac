/** With what a day is compared that is not over: the same weekday, up to the same time by the clock on the wall, and as a whole. */
import type { Calendar } from '../../../server/calendar.ts'

interface Span {
  readonly since: number
  readonly until: number
}

export function weekBefore(calendar: Calendar, at: number): { readonly sameStretch: Span; readonly wholeDay: Span } {
  const day = calendar.daysAfter(calendar.dateOf(at), -7)
  const since = calendar.startOf(day)
  const until = calendar.startOf(calendar.daysAfter(day, 1))
  // Not so many hours after midnight: a day on which clocks change has one more or one less.
  const timeOfDay = calendar.iso(at).slice('2030-01-31T'.length, '2030-01-31T09:00:00.000'.length)
  const sameTime = calendar.instantOf(`${day}T${timeOfDay}`)
  return { sameStretch: { since, until: Math.min(Math.max(sameTime, since), until) }, wholeDay: { since, until } }
}
