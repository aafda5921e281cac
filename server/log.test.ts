import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logOnceAMinute } from './log.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what happens often is told at once, then once a minute with how often it happened, until it is over', () => {
  const lines: unknown[] = []
  const log = logOnceAMinute((code, detail) => lines.push([code, detail]))
  for (let time = 0; time < 1000; time++) log('lead_flood', { level: 'alert' })
  log('lead_held')
  expect(lines).toEqual([
    ['lead_flood', { level: 'alert', times: 1 }],
    ['lead_held', { times: 1 }],
  ])
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(2)).toEqual([['lead_flood', { level: 'alert', times: 999 }]])
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(3)
  log('lead_flood', { level: 'alert' })
  expect(lines.slice(3)).toEqual([['lead_flood', { level: 'alert', times: 1 }]])
})
