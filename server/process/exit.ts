/** How our programs exit: gracefully on signals, and always after flushing the log. */
import { flushLog, log } from './log.ts'

/** npm forwards a signal that the process group has already received. A repeat within this time isn't another Ctrl+C. */
const REPEATED_SIGNAL_MS = 2000

/** Includes closing the terminal (SIGHUP) and Ctrl+\ (SIGQUIT), which shouldn't cut off responses either. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** `stop` must exit the process. A third signal, two seconds or more after the first, exits immediately. */
export function stopOnSignals(stop: () => Promise<never>, limitMs: number): void {
  let signals = 0
  let firstAt = 0
  const onSignal = (signal: string) => {
    signals++
    if (signals === 1) {
      firstAt = performance.now()
      log('stopping', { signal })
      void stop()
    } else if (signals === 2 || performance.now() - firstAt < REPEATED_SIGNAL_MS) {
      log('still_stopping', { signal, limitMs, hint: 'a third signal stops the process immediately' })
    } else {
      log('stopped', { signal, drained: false, reason: 'a third signal' })
      exit(1)
    }
  }
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal)
}

export function exit(code = 0): never {
  flushLog()
  process.exit(code)
}

/** For errors that the operator has to fix, so there's no stack trace. */
export function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  exit(1)
}
