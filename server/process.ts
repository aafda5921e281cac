/** How our programs end: gracefully on signals, with the log written first. */
import { flushLog, log } from './log.ts'

/** npm repeats a signal that the whole process group already got; only a later one is a second Ctrl+C. */
const SAME_SIGNAL_MS = 2000

/** A closed terminal (SIGHUP) and Ctrl+\ (SIGQUIT) must not cut off responses either. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** `stop` ends the process. A third signal ends it immediately. */
export function stopOnSignals(stop: () => Promise<never>, limitMs: number): void {
  let signals = 0
  let firstAt = 0
  const onSignal = (signal: string) => {
    signals++
    if (signals === 1) {
      firstAt = performance.now()
      log('stopping', { signal })
      void stop()
    } else if (signals > 2 && performance.now() - firstAt >= SAME_SIGNAL_MS) {
      log('stopped', { signal, drained: false, reason: 'a third signal' })
      exit(1)
    } else {
      log('still_stopping', { signal, limitMs, hint: 'a third signal stops it immediately' })
    }
  }
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal)
}

export function exit(code = 0): never {
  flushLog()
  process.exit(code)
}

/** For errors that the operator has to fix: no stack trace. */
export function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  exit(1)
}
