import { expect, test } from 'vitest'
import { MINUTE } from '../durations.ts'
import type { Place } from './area-codes.ts'
import { createCallingClock, DEFAULT_CALLING_HOURS } from './hours.ts'
import { createWaitingTime } from './waiting-time.ts'

const waitingTime = createWaitingTime(createCallingClock(DEFAULT_CALLING_HOURS))
const newYork: Place = { state: 'NY', zones: ['Eastern'] }
const hawaii: Place = { state: 'HI', zones: ['Hawaii'] }
const idaho: Place = { state: 'ID', zones: ['Mountain', 'Pacific'] }

test.each([
  ['within calling hours, every minute', newYork, '2026-11-17T10:00-05:00', '2026-11-17T10:25-05:00', 25],
  ['at night, none', newYork, '2026-11-17T21:00-05:00', '2026-11-18T08:30-05:00', 0],
  ['over a night, only before 8 PM and after 9 AM', newYork, '2026-11-17T19:50-05:00', '2026-11-18T09:15-05:00', 25],
  ['over a Sunday', newYork, '2026-11-14T19:00-05:00', '2026-11-16T10:00-05:00', 120],
  ['over the night when clocks go back', newYork, '2026-10-31T19:30-04:00', '2026-11-02T09:30-05:00', 60],
  ['over Thanksgiving', newYork, '2026-11-25T19:30-05:00', '2026-11-27T09:30-05:00', 60],
  ['where the day continues past midnight UTC', hawaii, '2026-11-17T13:00-10:00', '2026-11-17T15:00-10:00', 120],
  [
    'where two zones are possible, only when both are open',
    idaho,
    '2026-11-17T09:00-07:00',
    '2026-11-17T11:00-07:00',
    60,
  ],
  ['several whole days', newYork, '2026-11-16T00:00-05:00', '2026-11-18T23:00-05:00', 3 * 11 * 60],
  ['if the clock was set back, none', newYork, '2026-11-17T10:30-05:00', '2026-11-17T10:00-05:00', 0],
])('counts, %s', (_, place, from, until, minutes) => {
  expect(waitingTime(place, Date.parse(from), Date.parse(until)) / MINUTE).toBe(minutes)
})
