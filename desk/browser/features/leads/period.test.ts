import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { everything, noTime } from '../../leads-address.ts'
import { datesOf, filterOf, timeInWords } from './period.ts'

const zone = 'America/New_York'
const noon = Date.parse('2026-11-16T12:00:00-05:00')
const at = (text: string) => Date.parse(text)

beforeAll(() => vi.useFakeTimers({ now: noon }))
afterAll(() => vi.useRealTimers())

test.each([
  ['today', { since: at('2026-11-16T00:00:00-05:00') }],
  ['yesterday', { since: at('2026-11-15T00:00:00-05:00'), until: at('2026-11-16T00:00:00-05:00') }],
  ['7d', { since: at('2026-11-10T00:00:00-05:00') }],
  // Before the clocks went back.
  ['30d', { since: at('2026-10-18T00:00:00-04:00') }],
] as const)('%s begins and ends with days of the operator’s time zone', (period, span) => {
  expect(filterOf({ ...everything, period }, '', zone, noon)).toEqual(span)
})

test('the last date that is given is included', () => {
  expect(filterOf({ ...everything, from: '2026-11-01', to: '2026-11-01' }, '', zone, noon)).toEqual({
    since: at('2026-11-01T00:00:00-04:00'),
    until: at('2026-11-02T00:00:00-05:00'),
  })
})

test('blanks around what was typed search for nothing', () => {
  expect(filterOf(everything, '  ', zone, noon)).toEqual({})
  expect(filterOf(everything, ' ada ', zone, noon)).toEqual({ search: 'ada' })
})

test.each([
  [{ period: 'today' }, '2026-11-16', '2026-11-16'],
  [{ period: 'yesterday' }, '2026-11-15', '2026-11-15'],
  [{ period: '7d' }, '2026-11-10', '2026-11-16'],
  [{ since: at('2026-10-28T00:00:00-04:00'), until: at('2026-10-29T00:00:00-04:00') }, '2026-10-28', '2026-10-28'],
  [{ since: at('2026-11-16T09:00:00-05:00') }, '2026-11-16', null],
  [{ to: '2026-11-03' }, null, '2026-11-03'],
  [{}, null, null],
] as const)('%j is from %s to %s by the calendar', (time, from, to) => {
  expect(datesOf({ ...everything, ...time }, zone, noon)).toEqual({ from, to })
})

test.each([
  [{}, null],
  [{ period: '7d' }, 'Last 7 days'],
  [{ since: at('2026-11-16T00:00:00-05:00') }, 'Today'],
  [{ since: at('2026-11-15T00:00:00-05:00'), until: at('2026-11-16T00:00:00-05:00') }, 'Yesterday'],
  [{ since: at('2026-10-28T00:00:00-04:00'), until: at('2026-10-29T00:00:00-04:00') }, 'Oct 28'],
  // The clocks go back in between.
  [{ since: at('2026-10-28T00:00:00-04:00'), until: at('2026-11-04T00:00:00-05:00') }, 'Oct 28 to Nov 3'],
  [{ since: at('2026-10-18T00:00:00-04:00') }, 'Since Oct 18'],
  [{ until: at('2025-11-04T00:00:00-05:00') }, 'Through Nov 3, 2025'],
  [{ from: '2026-10-28', to: '2026-11-03' }, 'Oct 28 to Nov 3'],
  [{ from: '2026-10-28' }, 'Since Oct 28'],
  [{ to: '2026-10-28' }, 'Through Oct 28'],
] as const)('%j is %s', (time, words) => {
  expect(timeInWords({ ...noTime, ...time }, zone, noon)).toBe(words)
})

test('the clock is said only where a day is not whole', () => {
  const words = (time: object) => timeInWords({ ...noTime, ...time }, zone, noon)?.replaceAll('\u202F', ' ')
  const since = at('2026-11-15T12:04:00-05:00')
  expect(words({ since })).toBe('Since Sun, Nov 15, 12:04 PM')
  expect(words({ until: since })).toBe('Before Sun, Nov 15, 12:04 PM')
  expect(words({ since, until: at('2026-11-15T13:04:00-05:00') })).toBe('Sun, Nov 15, 12:04 PM to 1:04 PM')
  expect(words({ since, until: at('2026-11-16T00:00:00-05:00') })).toBe(
    'Sun, Nov 15, 12:04 PM to Mon, Nov 16, 12:00 AM',
  )
})
