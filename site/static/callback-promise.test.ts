import { afterEach, expect, test, vi } from 'vitest'
import { fill } from '../../domain/text/fill.ts'
import { words } from '../../site-folder/site.ts'
import script from '../browser/inline/callback-promise.ts?inline-script'
import { callbackSchedule, closingTime } from './callback-promise.ts'

const { thankYou } = words.en

const office = { hours: 'Mon-Fri 9:00-18:00', timeZone: 'Eastern' } as const
const BUILT = Date.parse('2026-11-10T15:00Z')

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

interface Visit {
  /** A local time in the visitor's zone, with its offset. */
  readonly at: string
  readonly zone?: string
  readonly callbacks?: Parameters<typeof callbackSchedule>[0]
  /** The history entry's, from an earlier view of the page. */
  readonly state?: object | null
}

/** What the page says to a visitor, or null. */
function said({ at, zone = 'America/New_York', callbacks = office, state = null }: Visit) {
  vi.stubEnv('TZ', zone)
  vi.useFakeTimers({ now: Date.parse(at) })
  const { closes, data } = callbackSchedule(callbacks, BUILT)
  const { today, tomorrow, later, zones } = thankYou.callback
  const byTime = closingTime('en', closes, zones[callbacks.timeZone])
  const dataset = {
    callbacks: data,
    today: fill(today, { byTime }),
    tomorrow: fill(tomorrow, { byTime }),
    later: fill(later, { byTime }),
  }
  const line = { dataset, hidden: true, textContent: '' }
  const history = {
    state,
    replaceState(next: object) {
      this.state = next
    },
  }
  const document = { querySelector: () => line, documentElement: { lang: 'en' } }
  new Function('document', 'history', script)(document, history)
  return { text: line.hidden ? null : line.textContent, state: history.state }
}

test.each<[string, Visit, string | null]>([
  ['in the morning', { at: '2026-11-17T09:30-05:00' }, "We'll call you today before 6:00 PM Eastern."],
  ['before the office opens', { at: '2026-11-17T06:00-05:00' }, "We'll call you today before 6:00 PM Eastern."],
  ['an hour before closing', { at: '2026-11-17T17:00-05:00' }, "We'll call you today before 6:00 PM Eastern."],
  ['too late for today', { at: '2026-11-17T17:01-05:00' }, "We'll call you tomorrow before 6:00 PM Eastern."],
  ['on a Friday evening', { at: '2026-11-13T20:00-05:00' }, "We'll call you on Monday before 6:00 PM Eastern."],
  ['the day before Thanksgiving', { at: '2026-11-25T18:00-05:00' }, "We'll call you on Friday before 6:00 PM Eastern."],
  [
    'before a day off',
    { at: '2026-11-17T19:00-05:00', callbacks: { ...office, closed: ['2026-11-18'] } },
    "We'll call you on Thursday before 6:00 PM Eastern.",
  ],
  ['after clocks change', { at: '2027-03-12T17:30-05:00' }, "We'll call you on Monday before 6:00 PM Eastern."],
])('%s', (_, visit, text) => expect(said(visit).text).toBe(text))

test.each<[string, Visit, string | null]>([
  // 1:30 PM Eastern; from 10 a.m. in Honolulu, three hours are left.
  [
    'Hawaii in the morning',
    { at: '2026-11-17T08:30-10:00', zone: 'Pacific/Honolulu' },
    "We'll call you today before 6:00 PM Eastern.",
  ],
  // The office closes at 10:30 in Honolulu, half an hour after calls start there.
  [
    'Hawaii, with an office that closes early',
    { at: '2026-11-17T08:30-10:00', zone: 'Pacific/Honolulu', callbacks: { ...office, hours: 'Mon-Fri 9:00-15:30' } },
    null,
  ],
  // Already Wednesday in New York.
  [
    'Hawaii in the evening',
    { at: '2026-11-17T20:00-10:00', zone: 'Pacific/Honolulu' },
    "We'll call you tomorrow before 6:00 PM Eastern.",
  ],
  // The office's day is the night there.
  ['Guam', { at: '2026-11-17T09:30+10:00', zone: 'Pacific/Guam' }, null],
  // 5:30 PM in New York is only 2:30 PM in the office, but calls to New York must end.
  [
    'an office in the west',
    { at: '2026-11-17T17:30-05:00', callbacks: { ...office, timeZone: 'Pacific' } },
    "We'll call you tomorrow before 6:00 PM Pacific.",
  ],
])('a promise can be kept where the visitor is: %s', (_, visit, text) => expect(said(visit).text).toBe(text))

test('reloading keeps the promise until it has passed, then says nothing', () => {
  const { state } = said({ at: '2026-11-17T09:30-05:00' })
  const again = (at: string) => said({ at, state }).text
  expect(again('2026-11-17T17:45-05:00')).toBe("We'll call you today before 6:00 PM Eastern.")
  expect(again('2026-11-17T18:00-05:00')).toBeNull()
  expect(again('2026-11-18T09:30-05:00')).toBeNull()
})

test('a page that was built too long ago says nothing, and so does one with a wrong clock', () => {
  expect(said({ at: '2028-01-04T09:30-05:00' }).text).toBeNull()
  expect(said({ at: '2026-10-01T09:30-04:00' }).text).toBeNull()
})

test('the schedule is short enough for the page', () => {
  expect(callbackSchedule(office, BUILT).closes).toBe('6:00 PM')
  expect(callbackSchedule(office, BUILT).data.length).toBeLessThan(1500)
})

test.each([
  ['1:00 PM', 'la 1:00 p.m., hora del Este'],
  ['6:00 PM', 'las 6:00 p.m., hora del Este'],
  ['11:30 AM', 'las 11:30 a.m., hora del Este'],
])('%s in Spanish', (clock, said) => {
  expect(closingTime('es', clock, 'hora del Este')).toBe(said)
})
