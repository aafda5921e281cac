import { expect, test } from 'vitest'
import { whereabouts } from './area-codes.ts'
import { goodTimes } from './good-times.ts'
import { createCallingClock, DEFAULT_CALLING_HOURS } from './hours.ts'

const clock = createCallingClock(DEFAULT_CALLING_HOURS)

function timesAt(now: string, phone = '2125550101'): readonly string[] {
  const { place } = whereabouts(phone, null)
  if (!place) throw new Error('The number has no place.')
  const iso = (instant: number) => new Date(instant).toISOString().slice(5, 16)
  return goodTimes(place, clock, Date.parse(now)).map(({ from, until }) => `${iso(from)} ${iso(until).slice(6)}`)
}

test('parts of the next days on which we may call, without the one that has started', () => {
  // A Tuesday, 10 a.m. in New York.
  expect(timesAt('2030-01-15T15:00Z')).toEqual([
    '01-15T17:00 22:00',
    '01-15T22:00 01:00',
    '01-16T14:00 17:00',
    '01-16T17:00 22:00',
    '01-16T22:00 01:00',
    '01-17T14:00 17:00',
  ])
})

test('skips Sundays, and is only when all of the number’s time zones are open', () => {
  // A Saturday evening, for 850 in Florida, where most people are on Central time.
  expect(timesAt('2030-01-13T02:00Z', '8505550101')[0]).toBe('01-14T15:00 18:00')
})
