import { expect, test, vi } from 'vitest'
import { dateAt, daysAfter, formatDuration, formatWait, minutesBetween, timesIn } from './times.ts'

test('dates follow the operator’s time zone, regardless of the browser’s date format', () => {
  // This is how Safari formats en-CA; other browsers put the year first.
  const dates = Intl.DateTimeFormat.prototype as { readonly format: unknown }
  const format = vi.spyOn(dates, 'format', 'get').mockReturnValue(() => '11/16/2026')
  expect(dateAt(Date.parse('2026-11-16T02:00Z'), 'UTC')).toBe('2026-11-16')
  expect(dateAt(Date.parse('2026-11-16T02:00Z'), 'America/New_York')).toBe('2026-11-15')
  format.mockRestore()
  expect(daysAfter('2026-03-01', -1)).toBe('2026-02-28')
})

test('a time zone without a long name is shown as its abbreviation', () => {
  const january = Date.UTC(2026, 0, 15)
  expect(timesIn('America/New_York').zoneName(january)).toBe('Eastern Time (EST)')
  expect(timesIn('UTC').zoneName(january)).toBe('UTC')
})

test('lateness is what the two times on the screen say, and never more minutes than have passed', () => {
  const at = (text: string) => Date.parse(`2026-11-19T${text}Z`)
  expect(formatWait(minutesBetween(at('14:00:00'), at('14:41:40')))).toBe('41 min')
  expect(formatWait(minutesBetween(at('14:00:00'), at('15:20:59')))).toBe('1 h 20 min')
  expect(formatDuration(at('14:41:40') - at('14:00:00'))).toBe('41 minutes')
  expect(formatWait(29.9)).toBe('29 min')
})
