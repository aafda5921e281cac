import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stopOnSignals } from './exit.ts'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const
const exit = vi.fn()
const listenersBefore = new Map(signals.map(signal => [signal, process.listeners(signal)]))

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(process, 'exit').mockImplementation(exit as never)
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})

afterEach(() => {
  vi.useRealTimers()
  exit.mockClear()
  for (const [signal, listeners] of listenersBefore) {
    for (const listener of process.listeners(signal)) if (!listeners.includes(listener)) process.off(signal, listener)
  }
})

test.each(signals)('a third %s stops the process immediately, but only two seconds after the first', signal => {
  const stop = vi.fn(() => new Promise<never>(() => {}))
  stopOnSignals(stop, 10_000)
  // npm and the terminal may both send one.
  for (let sent = 0; sent < 4; sent++) process.emit(signal, signal)
  vi.advanceTimersByTime(1999)
  process.emit(signal, signal)
  expect([stop.mock.calls.length, exit.mock.calls]).toEqual([1, []])
  vi.advanceTimersByTime(1)
  process.emit(signal, signal)
  expect(exit.mock.calls).toEqual([[1]])
})

test('after two seconds, the second signal doesn’t stop it yet', () => {
  stopOnSignals(() => new Promise<never>(() => {}), 10_000)
  process.emit('SIGTERM', 'SIGTERM')
  vi.advanceTimersByTime(60_000)
  process.emit('SIGTERM', 'SIGTERM')
  expect(exit.mock.calls).toEqual([])
})
