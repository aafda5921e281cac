import { expect, test } from 'vitest'
import { createCalendar } from '../../../server/calendar.ts'
import { weekBefore } from './today.ts'

const calendar = createCalendar('America/New_York')
const at = (text: string) => Date.parse(text)

test.each([
  ['an ordinary day', '2026-11-18T15:00:00-05:00', '2026-11-11T15:00:00-05:00'],
  ['the day on which clocks go back', '2026-11-01T15:00:00-05:00', '2026-10-25T15:00:00-04:00'],
  ['a week after that day', '2026-11-08T15:00:00-05:00', '2026-11-01T15:00:00-05:00'],
  ['the day on which clocks go forward', '2026-03-08T15:00:00-04:00', '2026-03-01T15:00:00-05:00'],
  ['the last second of a longer day', '2026-11-01T23:59:59-05:00', '2026-10-25T23:59:59-04:00'],
])('%s is compared with the weekday before up to the same time by the clock on the wall', (_, now, before) => {
  expect(weekBefore(calendar, at(now)).sameStretch.until).toBe(at(before))
})

test('the whole day before begins and ends at midnight, however many hours it had', () => {
  expect(weekBefore(calendar, at('2026-11-08T15:00:00-05:00')).wholeDay).toEqual({
    since: at('2026-11-01T00:00:00-04:00'),
    until: at('2026-11-02T00:00:00-05:00'),
  })
})
