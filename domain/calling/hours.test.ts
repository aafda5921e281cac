import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../durations.ts'
import { areaCodes, type Place, places, type State, states, zones } from './area-codes.ts'
import { createCallingClock, DEFAULT_CALLING_HOURS, readCallingHours } from './hours.ts'
import { formatLocalTime, instantOf } from './local-time.ts'

const clock = createCallingClock()
const at = Date.parse

function placeOf(code: string): Place {
  const place = areaCodes.get(code)
  if (!place) throw new Error(`No place for ${code}`)
  return place
}

/** A local time in the place's first zone, such as 2026-11-17 09:00. */
function local(place: Place, text: string): number {
  const [date = '', time = ''] = text.split(' ')
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return instantOf(place.zones[0], date, hour * 60 + minute)
}

test.each(Object.keys(states) as State[])('%s is open on a Tuesday from its first minute to its last', state => {
  const opens = state === 'KY' ? '10:00' : '09:00'
  const closes = state === 'RI' ? '18:00' : '20:00'
  for (const [id, place] of places) {
    if (!id.startsWith(`${state} `)) continue
    for (const date of ['2026-01-13', '2026-07-14']) {
      const first = local(place, `${date} ${opens}`)
      const end = local(place, `${date} ${closes}`)
      expect(clock.at(place, first - 1)).toMatchObject({ allowed: false, why: 'too early', next: first })
      expect(clock.at(place, first)).toEqual({ allowed: true, until: end })
      expect(clock.at(place, end - 1).allowed).toBe(true)
      expect(clock.at(place, end)).toMatchObject({ allowed: false, why: 'too late' })
    }
  }
})

test('Rhode Island is open from 10 to 5 on Saturdays', () => {
  const place = placeOf('401')
  const isAllowed = (time: string) => clock.at(place, local(place, `2026-11-14 ${time}`)).allowed
  expect(['09:59', '10:00', '16:59', '17:00'].map(isAllowed)).toEqual([false, true, true, false])
})

test('nobody is called on a day when the organization is closed, where the person is', () => {
  const closed = createCallingClock({ ...DEFAULT_CALLING_HOURS, closed: ['2026-11-27'] })
  const [florida, hawaii] = [placeOf('305'), placeOf('808')]
  expect(closed.at(florida, local(florida, '2026-11-27 10:00'))).toEqual({
    allowed: false,
    why: 'day off',
    message: 'No calls to Florida on Nov 27, 2026, when we’re closed.',
    next: local(florida, '2026-11-28 09:00'),
  })
  // The day before was Thanksgiving.
  expect(closed.nextOpening(hawaii, local(hawaii, '2026-11-25 20:00'))?.from).toBe(local(hawaii, '2026-11-28 09:00'))
  expect(clock.at(florida, local(florida, '2026-11-27 10:00')).allowed).toBe(true)
})

test('two possible zones: only when it’s allowed in both', () => {
  const idaho = placeOf('208')
  // 9:30 AM Mountain is 8:30 AM Pacific.
  expect(clock.at(idaho, at('2026-11-17T16:30Z'))).toEqual({
    allowed: false,
    why: 'too early',
    message: 'Possibly too early in Idaho: calls start at 9:00 AM.',
    next: at('2026-11-17T17:00Z'),
  })
  expect(clock.at(idaho, at('2026-11-17T17:00Z'))).toEqual({ allowed: true, until: at('2026-11-18T03:00Z') })
  expect(clock.at(idaho, at('2026-11-18T03:00Z'))).toMatchObject({ why: 'too late', next: at('2026-11-18T17:00Z') })
})

test('Arizona has no daylight saving time, but the Navajo Nation in 928 has', () => {
  expect(clock.at(placeOf('602'), at('2026-07-14T16:00Z')).allowed).toBe(true)
  expect(clock.at(placeOf('602'), at('2026-07-15T02:59Z')).allowed).toBe(true)
  // In July, 8 p.m. on the Navajo Nation is 7 p.m. in Flagstaff. In January, both have the same time.
  expect(clock.at(placeOf('928'), at('2026-07-15T02:00Z'))).toMatchObject({ why: 'too late' })
  expect(clock.at(placeOf('928'), at('2026-01-14T02:59Z')).allowed).toBe(true)
})

test('Hawaii, Puerto Rico, and Guam keep their time all year', () => {
  for (const day of ['2026-01-13', '2026-07-14']) {
    expect(clock.at(placeOf('808'), at(`${day}T18:59Z`))).toMatchObject({ next: at(`${day}T19:00Z`) })
    expect(clock.at(placeOf('787'), at(`${day}T12:59Z`))).toMatchObject({ next: at(`${day}T13:00Z`) })
  }
  // Monday 9 a.m. in Guam is still Sunday on the mainland.
  expect(clock.at(placeOf('671'), at('2026-11-15T22:59Z'))).toMatchObject({ next: at('2026-11-15T23:00Z') })
})

test('the morning after clocks change starts at 9 local time', () => {
  const place = placeOf('212')
  // Saturday evening to Monday morning, over the night of March 8 and of November 1.
  expect(clock.at(place, at('2026-03-08T01:00Z'))).toMatchObject({ next: at('2026-03-09T13:00Z') })
  expect(clock.at(place, at('2026-11-01T00:00Z'))).toMatchObject({ next: at('2026-11-02T14:00Z') })
})

test.each([
  ['2026-01-01', 'New Year’s Day'],
  ['2026-01-19', 'Martin Luther King Jr. Day'],
  ['2026-02-16', 'Presidents’ Day'],
  ['2026-05-25', 'Memorial Day'],
  ['2027-05-31', 'Memorial Day'],
  ['2026-06-19', 'Juneteenth'],
  ['2026-07-03', 'Independence Day (observed)'],
  ['2026-07-04', 'Independence Day'],
  ['2026-09-07', 'Labor Day'],
  ['2026-10-12', 'Columbus Day'],
  ['2026-11-11', 'Veterans Day'],
  ['2026-11-26', 'Thanksgiving Day'],
  ['2026-12-25', 'Christmas Day'],
  ['2027-06-18', 'Juneteenth (observed)'],
  ['2027-07-05', 'Independence Day (observed)'],
  ['2027-12-24', 'Christmas Day (observed)'],
  ['2027-12-31', 'New Year’s Day (observed)'],
  ['2026-11-15', 'Sundays'],
])('%s is closed: %s', (date, name) => {
  const place = placeOf('305')
  expect(clock.at(place, local(place, `${date} 12:00`))).toMatchObject({
    allowed: false,
    why: 'day off',
    message: `No calls to Florida on ${name}.`,
  })
})

test('an unknown place is closed', () => {
  expect(clock.at(null, at('2026-11-17T17:00Z'))).toMatchObject({ allowed: false, why: 'unknown place', next: null })
})

test('narrowed hours apply on top of the state’s', () => {
  const narrow = createCallingClock({ days: [1, 2, 3, 4, 5], open: 9 * 60, close: 17 * 60 + 30 })
  const kentucky = placeOf('502')
  expect(narrow.describe(kentucky)).toBe('Monday to Friday, 10:00 AM to 5:30 PM their time, except on federal holidays')
  expect(narrow.at(kentucky, local(kentucky, '2026-11-13 17:30'))).toMatchObject({
    message: 'Too late in Kentucky: calls end at 5:30 PM.',
    next: local(kentucky, '2026-11-16 10:00'),
  })
  expect(narrow.at(kentucky, local(kentucky, '2026-11-14 12:00'))).toMatchObject({
    message: 'No calls to Kentucky on Saturdays.',
  })
})

test('hours too narrow for both zones never open until someone sets the place', () => {
  const narrow = createCallingClock({ days: [1, 2], open: 9 * 60, close: 10 * 60 })
  expect(narrow.at(placeOf('208'), at('2026-11-17T17:00Z'))).toMatchObject({ allowed: false, next: null })
  const chosen = places.get('ID Pacific') ?? null
  expect(narrow.at(chosen, at('2026-11-17T17:00Z')).allowed).toBe(true)
})

test('hours are described as agents read them', () => {
  expect(clock.describe(placeOf('808'))).toMatch(/^Monday to Saturday, 9:00 AM to 8:00 PM their time/)
  expect(clock.describe(placeOf('401'))).toMatch(
    /^Monday to Friday, 9:00 AM to 6:00 PM; Saturday, 10:00 AM to 5:00 PM their/,
  )
})

test('local time names the place, and both times if there are two', () => {
  expect(formatLocalTime(placeOf('808'), at('2026-11-17T16:51Z'))).toBe('6:51 AM, Hawaii')
  expect(formatLocalTime(placeOf('208'), at('2026-11-17T19:05Z'))).toBe('12:05 PM or 11:05 AM, Idaho')
  expect(formatLocalTime(placeOf('928'), at('2026-01-13T07:00Z'))).toBe('12:00 AM, Arizona')
})

const anyPlace = fc.constantFrom(...new Set(areaCodes.values()), ...places.values())
const anyInstant = fc
  .integer({ min: at('2026-01-01') / MINUTE, max: at('2029-01-01') / MINUTE })
  .map(each => each * MINUTE)

test('the next time is allowed, and nothing before it is', () => {
  fc.assert(
    fc.property(anyPlace, anyInstant, (place, instant) => {
      const status = clock.at(place, instant)
      if (status.allowed) return clock.at(place, status.until - 1).allowed && !clock.at(place, status.until).allowed
      const { next } = status
      if (next === null || !clock.at(place, next).allowed) return false
      // Every hour until then, and the last minute. A new clock remembers nothing.
      const before = [next - MINUTE]
      for (let time = instant; time < next; time += HOUR) before.push(time)
      return before.every(time => time < instant || !createCallingClock().at(place, time).allowed)
    }),
    { numRuns: 200 },
  )
})

test('never before 9 or after 8 in any possible zone, and never on Sundays', () => {
  fc.assert(
    fc.property(anyPlace, anyInstant, (place, instant) => {
      if (!clock.at(place, instant).allowed) return true
      return place.zones.every(zone => {
        const options = { timeZone: zones[zone], hourCycle: 'h23', weekday: 'short', hour: 'numeric' } as const
        const text = new Intl.DateTimeFormat('en-US', options).format(instant)
        const hour = Number(/\d+/.exec(text)?.[0])
        return !text.startsWith('Sun') && hour >= 9 && hour < 20
      })
    }),
  )
})

test('a remembered status is the same as a new one, in any order', () => {
  const remembering = createCallingClock()
  fc.assert(
    fc.property(anyPlace, anyInstant, fc.integer({ min: -2000, max: 2000 }), (place, instant, minutes) => {
      remembering.at(place, instant)
      const later = instant + minutes * MINUTE
      expect(remembering.at(place, later)).toEqual(createCallingClock().at(place, later))
    }),
  )
})

const nineToFive = { open: 540, close: 1020 }

test.each([
  ['Mon-Fri 9:00-17:00', { days: [1, 2, 3, 4, 5], ...nineToFive }],
  ['9-17', { days: [1, 2, 3, 4, 5, 6], ...nineToFive }],
  ['monday-wednesday, SAT 10:30 - 20', { days: [1, 2, 3, 6], open: 630, close: 1200 }],
  ['Fri 9-17', { days: [5], ...nineToFive }],
  ['Mon-Sat 9:00-20:00', { days: [1, 2, 3, 4, 5, 6], open: 540, close: 1200 }],
])('the setting %s is read', (text, expected) => expect(readCallingHours(text)).toEqual(expected))

test.each([
  ['8-17', 'can only narrow the hours allowed everywhere, Mon-Sat 9:00-20:00'],
  ['9-21', 'can only narrow the hours allowed everywhere, Mon-Sat 9:00-20:00'],
  ['Sun-Fri 9-17', 'can only narrow the hours allowed everywhere, Mon-Sat 9:00-20:00'],
  ['9-5', 'must end later than it starts. Write 17 for 5 p.m'],
  ['9-9', 'must end later than it starts. Write 17 for 5 p.m'],
  ['Fri-Mon 9-17', 'must be days and hours such as Mon-Fri 9:00-17:30'],
  ['Mo-Fr 9-17', 'must be days and hours such as Mon-Fri 9:00-17:30'],
  ['Mon-Tue-Wed 9-17', 'must be days and hours such as Mon-Fri 9:00-17:30'],
  ['9:75-17', 'must be days and hours such as Mon-Fri 9:00-17:30'],
  ['9am-5pm', 'must be days and hours such as Mon-Fri 9:00-17:30'],
  ['always', 'must be days and hours such as Mon-Fri 9:00-17:30'],
])('the setting %s is refused: %s', (text, problem) => expect(readCallingHours(text)).toBe(problem))
