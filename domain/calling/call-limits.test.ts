import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../durations.ts'
import { areaCodes, type Place } from './area-codes.ts'
import { callAllowedAt, MAX_TRIES, nextTry } from './call-limits.ts'
import { createCallingClock } from './hours.ts'
import { localTime } from './local-time.ts'

const hours = createCallingClock()
const at = Date.parse
const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString().slice(0, 16))
const newYork = areaCodes.get('212') as Place

const earlierThanAny = Number.NEGATIVE_INFINITY
const three = ['2026-11-17T20:00Z', '2026-11-17T14:00Z', '2026-11-17T16:00Z']

test.each<[string, readonly string[], number]>([
  ['never called: at any time', [], earlierThanAny],
  ['an hour after the last call', ['2026-11-17T14:00Z'], at('2026-11-17T15:00Z')],
  ['after three, in any order: 24 hours after the first', three, at('2026-11-18T14:00Z')],
  ['an editor allowed a fourth: only the latest three count', [...three, '2026-11-17T22:00Z'], at('2026-11-18T16:00Z')],
  [
    'the gap still counts when the day’s limit has passed',
    ['2026-11-16T14:00Z', '2026-11-16T15:00Z', '2026-11-17T13:50Z'],
    at('2026-11-17T14:50Z'),
  ],
])('the next call to a number is allowed, %s', (_, calls, allowedAt) => {
  expect(callAllowedAt(calls.map(at))).toBe(allowedAt)
})

test('no try without a call; then six calls at other times of day, and no more', () => {
  expect(nextTry([], newYork, hours)).toBeNull()
  // Tuesday, 9:30 a.m. in New York.
  const calls = [at('2026-11-17T14:30Z')]
  const next: (string | null)[] = []
  for (let each = 0; each < MAX_TRIES; each++) {
    const time = nextTry(calls, newYork, hours)
    next.push(iso(time))
    if (time !== null) calls.push(time)
  }
  expect(next).toEqual([
    '2026-11-17T15:30', // 10:30 AM
    '2026-11-17T19:30', // 2:30 PM
    '2026-11-18T23:00', // day 2, 6:00 PM
    '2026-11-20T15:45', // day 4, 10:45 AM
    '2026-11-24T15:45', // day 8
    null,
  ])
})

test('a call that would be too late waits until the next morning', () => {
  // 7:30 p.m.
  expect(iso(nextTry([at('2026-11-18T00:30Z')], newYork, hours))).toBe('2026-11-18T14:00')
})

test('a day off moves the call to the next open day, not to its first minute', () => {
  // First call on Tuesday, November 17; day 2 is Wednesday. From Wednesday the 25th, day 2 is Thanksgiving.
  const calls = [at('2026-11-25T14:30Z'), at('2026-11-25T15:30Z'), at('2026-11-25T19:30Z')]
  expect(iso(nextTry(calls, newYork, hours))).toBe('2026-11-27T23:00')
})

test('an unknown place still gets a time, for when someone sets it', () => {
  const first = at('2026-11-17T14:30Z')
  expect(iso(nextTry([first], null, hours))).toBe('2026-11-17T15:30')
  expect(iso(nextTry([first, first + HOUR, first + 5 * HOUR], null, hours))).toBe('2026-11-18T14:30')
})

const anyInstant = fc
  .integer({ min: at('2026-01-01') / MINUTE, max: at('2029-01-01') / MINUTE })
  .map(each => each * MINUTE)

test('every try is within calling hours and the limits, and after the last call', () => {
  const anyPlace = fc.constantFrom(...new Set(areaCodes.values()))
  fc.assert(
    fc.property(
      anyPlace,
      anyInstant,
      fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 4 }),
      (place, first, gaps) => {
        const calls = [first]
        for (const gap of gaps) calls.push((calls.at(-1) ?? 0) + gap * MINUTE)
        const next = nextTry(calls, place, hours)
        if (next === null) return false
        return hours.at(place, next).allowed && next >= callAllowedAt(calls) && next > (calls.at(-1) ?? 0)
      },
    ),
  )
})

test('days are counted where the person is', () => {
  const guam = areaCodes.get('671') as Place
  const next = nextTry([at('2026-11-16T23:30Z'), at('2026-11-17T00:30Z'), at('2026-11-17T04:30Z')], guam, hours)
  expect(localTime('Chamorro', next ?? 0).date).toBe('2026-11-18')
})
