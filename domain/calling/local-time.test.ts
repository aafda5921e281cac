import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../durations.ts'
import { type Zone, zones } from './area-codes.ts'
import { formatMinutes, instantOf, localTime } from './local-time.ts'

const minutes = (text: string) => Date.parse(text) / MINUTE
const anyZone = fc.constantFrom(...(Object.keys(zones) as Zone[]))

test('a local time and its instant belong together, also in the hours around a clock change', () => {
  const times = fc.oneof(
    fc.integer({ min: minutes('2026-01-01'), max: minutes('2029-01-01') }),
    fc.integer({ min: minutes('2026-03-07'), max: minutes('2026-03-10') }),
    fc.integer({ min: minutes('2026-10-31'), max: minutes('2026-11-03') }),
  )
  fc.assert(
    fc.property(anyZone, times, (zone, time) => {
      const instant = time * MINUTE
      const local = localTime(zone, instant)
      const again = instantOf(zone, local.date, local.minutes)
      expect(localTime(zone, again)).toEqual(local)
      // The hour that repeats in November has two instants.
      expect(Math.abs(again - instant)).toBeOneOf([0, HOUR])
    }),
    { numRuns: 500 },
  )
})

test('local time is the same as by Temporal', () => {
  fc.assert(
    fc.property(anyZone, fc.integer({ min: minutes('2026-01-01'), max: minutes('2036-01-01') }), (zone, time) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(time * MINUTE).toZonedDateTimeISO(zones[zone])
      expect(localTime(zone, time * MINUTE)).toEqual({
        date: zoned.toPlainDate().toString(),
        minutes: zoned.hour * 60 + zoned.minute,
      })
    }),
    { numRuns: 500 },
  )
})

test('a time that clocks skip is an hour later', () => {
  expect(localTime('Eastern', instantOf('Eastern', '2026-03-08', 150))).toEqual({ date: '2026-03-08', minutes: 210 })
})

test.each([
  [0, '12:00 AM'],
  [1440, 'midnight'],
  [411, '6:51 AM'],
  [720, '12:00 PM'],
  [1200, '8:00 PM'],
])('%s minutes after midnight is %s', (time, text) => {
  expect(formatMinutes(time)).toBe(text)
})
