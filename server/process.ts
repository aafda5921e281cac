/** How our programs start and end: faults in plain words, a gentle stop on signals, and the log written before the end. */
import { flushLog, log } from './log.ts'

/** npm passes on a signal that the whole process group got, so only a later one is a person pressing Ctrl+C again. */
const SAME_SIGNAL_MS = 2000

/** A closed terminal (SIGHUP) and Ctrl+\ (SIGQUIT) must not cut off answers either. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** Calls `stop` once, which then ends the process. A third signal ends it immediately. */
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
      log('still_stopping', { signal, limitMs, hint: 'a third signal ends it at once' })
    }
  }
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal)
}

export function exit(code = 0): never {
  flushLog()
  process.exit(code)
}

/** For what the operator has to fix: the message, and no stack trace. */
export function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  exit(1)
}
