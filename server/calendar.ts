/** Days and times of day in the operator's time zone: what "today" is, and how an instant is written. */

export interface Calendar {
  readonly zone: string
  /** Which date it is there at an instant: 2030-01-31. */
  dateOf(time: number): string
  /** When a date begins. Where clocks go forward at midnight, that is one o'clock. */
  startOf(date: string): number
  daysAfter(date: string, days: number): string
  /** By the clock on the wall. Of an hour that comes twice the first is meant; one that is skipped is an hour later. */
  instantOf(localTime: string): number
  /** 2030-01-31 09:00:00 EST */
  inWords(time: number): string
  /** ISO 8601 to the millisecond, with the offset that held then. */
  iso(time: number): string
}

/** The zone's name as the time zone database writes it, or null when it has none like this. */
export function timeZoneCalled(name: string): string | null {
  // Offsets such as +05:00 would pass as well, and would be wrong for half of the year.
  if (!/^[a-z]/i.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export function createCalendar(zone: string): Calendar {
  const zoned = (time: number) => Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone)
  const names = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
  const nameAt = (time: number) => names.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? zone
  return {
    zone,
    dateOf: time => zoned(time).toPlainDate().toString(),
    startOf: date => Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds,
    daysAfter: (date, days) => Temporal.PlainDate.from(date).add({ days }).toString(),
    instantOf: localTime => Temporal.PlainDateTime.from(localTime).toZonedDateTime(zone).epochMilliseconds,
    inWords: time =>
      `${zoned(time).toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')} ${nameAt(time)}`,
    iso: time =>
      zone === 'UTC'
        ? new Date(time).toISOString()
        : zoned(time).toString({ smallestUnit: 'millisecond', timeZoneName: 'never' }),
  }
}
