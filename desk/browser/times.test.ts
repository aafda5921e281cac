import { expect, test, vi } from 'vitest'
import { createCalendar } from '../../server/calendar.ts'
import { dateAt, daysAfter, startOfDate, timesIn } from './times.ts'

test.each([
  'UTC',
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Honolulu',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
])('a day of %s begins when the server’s calendar says so, around every change of the clocks', zone => {
  const calendar = createCalendar(zone)
  for (let date = '2026-01-01'; date < '2027-01-01'; date = daysAfter(date, 1)) {
    expect(startOfDate(date, zone), date).toBe(calendar.startOf(date))
    expect(dateAt(calendar.startOf(date), zone)).toBe(date)
  }
})

test('dateAt doesn’t depend on the browser’s date format', () => {
  // As Safari writes them for Canada, where other browsers begin with the year.
  const dates = Intl.DateTimeFormat.prototype as { readonly format: unknown }
  const format = vi.spyOn(dates, 'format', 'get').mockReturnValue(() => '11/16/2026')
  expect(dateAt(Date.parse('2026-11-16T12:00Z'), 'UTC')).toBe('2026-11-16')
  format.mockRestore()
})

test('where clocks go forward at midnight, the day begins at one o’clock', () => {
  expect(startOfDate('2026-03-27', 'Africa/Cairo')).toBe(createCalendar('Africa/Cairo').startOf('2026-03-27'))
  expect(startOfDate('2026-04-24', 'Africa/Cairo')).toBe(createCalendar('Africa/Cairo').startOf('2026-04-24'))
})

test('a time zone without a name of its own is shown by its abbreviation', () => {
  const january = Date.UTC(2026, 0, 15)
  expect(timesIn('America/New_York').zoneName(january)).toBe('Eastern Time (EST)')
  expect(timesIn('UTC').zoneName(january)).toBe('UTC')
})
