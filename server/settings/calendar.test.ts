import { expect, test } from 'vitest'
import { HOUR } from '../../domain/durations.ts'
import { canonicalTimeZone, createCalendar } from './calendar.ts'

const newYork = createCalendar('America/New_York')

test('an instant maps to the local date', () => {
  const time = Date.UTC(2030, 0, 31, 3)
  expect(createCalendar('UTC').dateOf(time)).toBe('2030-01-31')
  expect(newYork.dateOf(time)).toBe('2030-01-30')
  expect(createCalendar('Asia/Tokyo').dateOf(time)).toBe('2030-01-31')
})

test.each([
  ['an ordinary day', '2026-03-07', 24],
  ['the day clocks go forward', '2026-03-08', 23],
  ['the day clocks go back', '2026-11-01', 25],
])('%s has the right number of hours', (_, date, hours) => {
  const start = newYork.startOf(date)
  expect(newYork.startOf(newYork.daysAfter(date, 1)) - start).toBe(hours * HOUR)
  expect(newYork.dateOf(start)).toBe(date)
  expect(newYork.dateOf(start - 1)).toBe(newYork.daysAfter(date, -1))
})

test('a day without a midnight starts at 1 a.m.', () => {
  const santiago = createCalendar('America/Santiago')
  expect(santiago.format(santiago.startOf('2026-09-06'))).toMatch(/^2026-09-06 01:00:00 /)
})

test('a local time maps to one instant, even if it’s repeated or skipped', () => {
  expect(newYork.instantOf('2026-07-01T09:00')).toBe(Date.UTC(2026, 6, 1, 13))
  // 1:30 occurs twice, first in daylight time.
  expect(newYork.instantOf('2026-11-01T01:30')).toBe(Date.UTC(2026, 10, 1, 5, 30))
  // 2:30 is skipped: clocks show 3:30.
  expect(newYork.instantOf('2026-03-08T02:30')).toBe(Date.UTC(2026, 2, 8, 7, 30))
})

test('the abbreviation matches the time of year (EST or EDT)', () => {
  expect(newYork.format(Date.UTC(2026, 10, 1, 5, 30))).toBe('2026-11-01 01:30:00 EDT')
  expect(newYork.format(Date.UTC(2026, 10, 1, 6, 30))).toBe('2026-11-01 01:30:00 EST')
  expect(createCalendar('UTC').format(Date.UTC(2030, 0, 31, 9))).toBe('2030-01-31 09:00:00 UTC')
})

test('ISO 8601 output has the offset for that time of year', () => {
  expect(newYork.iso(Date.UTC(2026, 6, 1, 13))).toBe('2026-07-01T09:00:00.000-04:00')
  expect(createCalendar('UTC').iso(Date.UTC(2026, 6, 1, 13))).toBe('2026-07-01T13:00:00.000Z')
})

test('time zones are recognized by name, ignoring case, but not by offset', () => {
  const names = ['UTC', 'utc', 'America/New_York', 'america/los_angeles']
  expect(names.map(canonicalTimeZone)).toEqual(['UTC', 'UTC', 'America/New_York', 'America/Los_Angeles'])
  for (const name of ['', 'New York', 'Eastern', '+05:00', 'America/Nowhere', 'America/New_York ']) {
    expect([name, canonicalTimeZone(name)]).toEqual([name, null])
  }
})
