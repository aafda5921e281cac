import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Detail, logEvents, logOnceAMinute, textLine } from './log.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a frequent event is logged immediately, then once a minute with its count', () => {
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

test('in a terminal, a line has the time, the event, and its details', () => {
  const line = (detail: Detail) => textLine('2030-01-31T09:00:00.000Z', logEvents.delivery, detail)
  expect(line({})).toBe('09:00:00  delivery\n')
  expect(line({ lead: '0195f2d1', status: 200 })).toBe('09:00:00  delivery (lead: 0195f2d1, status: 200)\n')
})

test('docs/operations.md lists every code with its message, and no others', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z_]+)` +\| ([^|]+?) +\|/gm)].map(([, code, message]) => [code, message])
  expect(Object.fromEntries(rows)).toEqual(logEvents)
})
