import { expect, test } from 'vitest'
import { areaCodes, type Place } from './area-codes.ts'
import { callbackChoices, callbackOpenings } from './callbacks.ts'
import { createCallingClock } from './hours.ts'

const clock = createCallingClock()
const iso = (at: number) => new Date(at).toISOString()
const choices = (code: string, time: string) =>
  callbackChoices(areaCodes.get(code) as Place, Date.parse(time), clock).map(({ label, at }) => [label, iso(at)])

test('callbacks are offered in an hour, this evening, and tomorrow morning, where the person is', () => {
  expect(choices('808', '2030-01-15T12:02-10:00')).toEqual([
    ['In 1 hour', '2030-01-15T23:05:00.000Z'],
    ['This evening', '2030-01-16T04:00:00.000Z'],
    ['Tomorrow morning', '2030-01-16T20:00:00.000Z'],
  ])
})

test('times at which calls aren’t allowed aren’t offered, and the nearest allowed time comes first', () => {
  // Saturday evening: calls end at 8 PM, there are none on Sunday, and Monday is a holiday.
  const tuesday = ['Tuesday morning', '2030-01-22T15:00:00.000Z']
  expect(choices('212', '2030-01-19T18:30-05:00')).toEqual([['In 1 hour', '2030-01-20T00:30:00.000Z'], tuesday])
  expect(choices('212', '2030-01-19T19:30-05:00')).toEqual([
    ['As soon as calls are allowed', '2030-01-22T14:00:00.000Z'],
    tuesday,
  ])
})

test.each([
  ['an hour from now', { incoming: false }, '2030-01-15T08:00:00.000Z'],
  ['now, if they called us', { incoming: true }, '2030-01-15T07:00:00.000Z'],
])('the allowed hours start %s', (_, call, start) => {
  const at = Date.parse('2030-01-15T17:00+10:00')
  const [today, tomorrow] = callbackOpenings(areaCodes.get('671') as Place, at, clock, call)
  expect([today, tomorrow].map(opening => opening && [iso(opening.from), iso(opening.until)])).toEqual([
    [start, '2030-01-15T10:00:00.000Z'],
    ['2030-01-15T23:00:00.000Z', '2030-01-16T10:00:00.000Z'],
  ])
})
