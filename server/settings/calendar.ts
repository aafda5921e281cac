/** Days and times in the operator's time zone. */

export type Calendar = ReturnType<typeof createCalendar>

/** The zone's canonical name, or null if there's no such zone. */
export function canonicalTimeZone(name: string): string | null {
  // Offsets such as +05:00 are valid too, but they'd be wrong for half the year.
  if (!/^[a-z]/i.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export function createCalendar(zone: string) {
  const zoned = (time: number) => Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone)
  const names = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
  const times = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' })
  const days = new Intl.DateTimeFormat('en-US', { timeZone: zone, month: 'short', day: 'numeric' })
  const nameAt = (time: number) => names.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? zone
  const withoutZone = (time: number) =>
    zoned(time).toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')
  return {
    zone,
    /** The local date at an instant, such as 2030-01-31. */
    dateOf: (time: number) => zoned(time).toPlainDate().toString(),
    /** When a date starts. Where clocks go forward at midnight, that's 1 a.m. */
    startOf: (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds,
    daysAfter: (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString(),
    /** Converts a local time to an instant: the first one if the hour repeats, an hour later if it's skipped. */
    instantOf: (localTime: string) => Temporal.PlainDateTime.from(localTime).toZonedDateTime(zone).epochMilliseconds,
    /** 2030-01-31 09:00:00 EST */
    format: (time: number) => `${withoutZone(time)} ${nameAt(time)}`,
    /** 2030-01-31 09:00:00, which a spreadsheet reads as a time; with the zone's name, it's text. */
    withoutZone,
    /** "at 1:13 PM", or "on Nov 16 at 1:13 PM" if that wasn't today. */
    spoken: (time: number, now: number) => {
      const day = zoned(time).toPlainDate().equals(zoned(now).toPlainDate()) ? '' : `on ${days.format(time)} `
      // Intl puts a narrow no-break space before "PM".
      return `${day}at ${times.format(time)}`.replace('\u202f', ' ')
    },
    /** ISO 8601 to the millisecond, with the offset at that time. */
    iso: (time: number) =>
      zone === 'UTC'
        ? new Date(time).toISOString()
        : zoned(time).toString({ smallestUnit: 'millisecond', timeZoneName: 'never' }),
  }
}
