import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { noTime } from '../leads-address.ts'
import { timeInWords } from './time-words.ts'

const zone = 'America/New_York'
const at = (text: string) => Date.parse(text)
const now = at('2026-11-16T12:00:00-05:00')

beforeAll(() => vi.useFakeTimers({ now }))
afterAll(() => vi.useRealTimers())

test.each([
  [{}, null],
  [{ period: '7d' }, 'Last 7 days'],
  [{ since: at('2026-11-16T00:00:00-05:00') }, 'Today'],
  [{ since: at('2026-11-15T00:00:00-05:00'), until: at('2026-11-16T00:00:00-05:00') }, 'Yesterday'],
  [{ since: at('2026-10-28T00:00:00-04:00'), until: at('2026-10-29T00:00:00-04:00') }, 'Oct 28'],
  // The clocks go back in between.
  [{ since: at('2026-10-28T00:00:00-04:00'), until: at('2026-11-04T00:00:00-05:00') }, 'Oct 28 to Nov 3'],
  [{ since: at('2026-10-18T00:00:00-04:00') }, 'Since Oct 18'],
  [{ until: at('2025-11-04T00:00:00-05:00') }, 'Until Nov 3, 2025'],
  [{ from: '2026-10-28', to: '2026-11-03' }, 'Oct 28 to Nov 3'],
  [{ from: '2026-10-28' }, 'Since Oct 28'],
  [{ to: '2026-10-28' }, 'Until Oct 28'],
] as const)('%j is %s', (time, words) => {
  expect(timeInWords({ ...noTime, ...time }, zone, now)).toBe(words)
})

test('the clock is said only where a day is not whole', () => {
  const words = (time: object) => timeInWords({ ...noTime, ...time }, zone, now)?.replaceAll('\u202F', ' ')
  const since = at('2026-11-15T12:04:00-05:00')
  expect(words({ since })).toBe('Since Nov 15, 12:04 PM')
  expect(words({ since, until: at('2026-11-15T13:04:00-05:00') })).toBe('Nov 15, 12:04 PM to 1:04 PM')
  expect(words({ since, until: at('2026-11-16T00:00:00-05:00') })).toBe('Nov 15, 12:04 PM to Nov 16, 12:00 AM')
})
