import { describe, expect, test } from 'vitest'
import { createCalendar } from '../../server/calendar.ts'
import { parseTyped } from '../typed.ts'
import { rangeOptions, readRange } from './when.ts'

const read = (zone: string, now: number, ...argv: string[]) =>
  readRange(parseTyped(argv, rangeOptions, 0), now, createCalendar(zone))

// 23:30 in New York, when it is the next day already in UTC.
const lateEvening = Date.UTC(2030, 0, 16, 4, 30)

test('today begins at midnight where the operator is', () => {
  expect(read('America/New_York', lateEvening, '--since', 'today')).toEqual({ since: Date.UTC(2030, 0, 15, 5) })
  expect(read('UTC', lateEvening, '--since', 'today')).toEqual({ since: Date.UTC(2030, 0, 16) })
})

test('yesterday is the day before, and until today leaves today out', () => {
  expect(read('America/New_York', lateEvening, '--since', 'yesterday', '--until', 'today')).toEqual({
    since: Date.UTC(2030, 0, 14, 5),
    until: Date.UTC(2030, 0, 15, 5),
  })
})

describe('on the days that clocks are changed', () => {
  test.each([
    ['forward', Date.UTC(2026, 2, 8, 20), 23],
    ['back', Date.UTC(2026, 10, 1, 20), 25],
  ])('today is a day of its own length when they go %s', (_, now, hours) => {
    const { since = 0 } = read('America/New_York', now, '--since', 'today')
    const { since: next = 0 } = read('America/New_York', now + 24 * 3_600_000, '--since', 'today')
    expect((next - since) / 3_600_000).toBe(hours)
  })

  test('yesterday is a date, not 24 hours', () => {
    expect(read('America/New_York', Date.UTC(2026, 10, 2, 5, 30), '--since', 'yesterday')).toEqual({
      since: Date.UTC(2026, 10, 1, 4),
    })
  })
})

test('dates and times are of the operator’s zone unless they name another', () => {
  expect(read('America/New_York', 0, '--since', '2030-07-01')).toEqual({ since: Date.UTC(2030, 6, 1, 4) })
  expect(read('America/New_York', 0, '--since', '2030-07-01T09:00')).toEqual({ since: Date.UTC(2030, 6, 1, 13) })
  expect(read('America/New_York', 0, '--since', '2030-07-01T09:00Z')).toEqual({ since: Date.UTC(2030, 6, 1, 9) })
  expect(read('America/New_York', 0, '--since', '2030-07-01 09:00:30.5+02:00')).toEqual({
    since: Date.UTC(2030, 6, 1, 7, 0, 30, 500),
  })
})

test.each(['tomorrow', '2030-02-30', '2030-13-01', '2030-01-31T25:00', '2030-01-31Z', '7 days', ''])(
  '%j is explained',
  word => expect(() => read('UTC', 0, `--since=${word}`)).toThrow(/--since/),
)

test('a range that ends before it begins is explained', () => {
  expect(() => read('UTC', lateEvening, '--since', 'today', '--until', 'yesterday')).toThrow(
    '--since must be earlier than --until.',
  )
})
