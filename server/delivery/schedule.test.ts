import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryInMs } from './worker.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000

function wait(attempts: number, retryAfter: string | null = null, random = 0.5): number | null {
  return retryInMs({ attempts, now: NOW, retryAfter, random: () => random })
}

describe('the schedule', () => {
  test('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then gives up', () => {
    const seconds = Array.from({ length: 10 }, (_, index) => wait(index + 1)).map(ms =>
      ms === null ? null : ms / 1000,
    )
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null])
  })

  test('is spread by a fifth to either side', () => {
    expect(wait(2, null, 0)).toBe(240_000)
    expect(wait(2, null, 1)).toBe(360_000)
  })
})

describe('Retry-After', () => {
  test('in seconds is honoured when it asks for more than the schedule', () => {
    expect(wait(1, '120')).toBe(120_000)
  })

  test('as a date is honoured when it asks for more than the schedule', () => {
    expect(wait(1, 'Sun, 01 Mar 2026 12:03:00 GMT')).toBe(180_000)
  })

  test('never shortens the schedule', () => {
    expect(wait(2, '1')).toBe(300_000)
    expect(wait(2, 'Sun, 01 Mar 2026 11:00:00 GMT')).toBe(300_000)
  })

  test('is cut at 24 hours', () => {
    expect(wait(1, '99999999999999999999')).toBe(24 * HOUR)
    expect(wait(1, 'Mon, 01 Mar 2027 12:00:00 GMT')).toBe(24 * HOUR)
  })

  test('does not revive what is dead', () => {
    expect(wait(10, '60')).toBeNull()
  })

  test('is ignored when it makes no sense', () => {
    for (const nonsense of ['', 'soon', '-5', '1.5', '2027-03-01', 'Sun, 99 Foo 2026 GMT'])
      expect(wait(1, nonsense)).toBe(5000)
  })
})

test('whatever the webhook says, the next attempt is a whole millisecond between 4 s and 28.8 h away', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.oneof(
        fc.string(),
        fc.nat().map(String),
        fc.date({ noInvalidDate: true }).map(date => date.toUTCString()),
      ),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, retryAfter, random) => {
        const ms = wait(attempts, retryAfter, random)
        expect(Number.isInteger(ms)).toBe(true)
        expect(ms).toBeGreaterThanOrEqual(4000)
        expect(ms).toBeLessThanOrEqual(28.8 * HOUR)
      },
    ),
  )
})
