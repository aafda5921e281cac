import { expect, test } from 'vitest'
import { createCalendar } from '../server/settings/calendar.ts'
import { parseInstant } from './options.ts'

// 23:30 in New York, already the next day in UTC.
const lateEvening = Date.UTC(2030, 0, 16, 4, 30)

test.each<readonly [word: string, zone: string, now: number, instant: number | null]>([
  ['today', 'America/New_York', lateEvening, Date.UTC(2030, 0, 15, 5)],
  ['today', 'UTC', lateEvening, Date.UTC(2030, 0, 16)],
  ['yesterday', 'America/New_York', lateEvening, Date.UTC(2030, 0, 14, 5)],
  // Yesterday has 25 hours, because daylight saving time ended.
  ['yesterday', 'America/New_York', Date.UTC(2026, 10, 2, 5, 30), Date.UTC(2026, 10, 1, 4)],
  ['90m', 'UTC', lateEvening, lateEvening - 90 * 60_000],
  ['7d', 'UTC', lateEvening, lateEvening - 7 * 86_400_000],
  ['2030-07-01', 'America/New_York', 0, Date.UTC(2030, 6, 1, 4)],
  ['2030-07-01T09:00', 'America/New_York', 0, Date.UTC(2030, 6, 1, 13)],
  ['2030-07-01T09:00Z', 'America/New_York', 0, Date.UTC(2030, 6, 1, 9)],
  ['2030-07-01 09:00:30.5+02:00', 'America/New_York', 0, Date.UTC(2030, 6, 1, 7, 0, 30, 500)],
  ...['tomorrow', '2030-02-30', '2030-13-01', '2030-01-31T25:00', '2030-01-31Z', '7 days', ''].map(
    word => [word, 'UTC', 0, null] as const,
  ),
])('parses %j in %s', (word, zone, now, instant) => expect(parseInstant(word, now, createCalendar(zone))).toBe(instant))
