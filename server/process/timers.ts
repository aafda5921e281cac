/** Timers and sleeps. Tests can pass their own `SetTimer`. */
import type { LogCode } from './log.ts'

/** Returns a function that cancels the timer. */
export type SetTimer = (run: () => void, ms: number) => () => void

export const setRealTimer: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Told of each failed run, and how many runs in a row have failed. */
export type OnFailure = (error: unknown, inARow: number) => void

/** What reports the failures of a background job, by the code to log. */
export type ReportFailures = (code: LogCode) => OnFailure

/**
 * Runs the work immediately and then every `ms`, one run at a time. A run that fails ends nothing else: the next one tries again.
 * Returns a function that stops the timer and waits for the run in progress.
 */
export function repeat(ms: number, work: () => Promise<unknown>, onFailure: OnFailure): () => Promise<void> {
  let current: Promise<void> | null = null
  let failures = 0
  async function attempt(): Promise<void> {
    try {
      await work()
      failures = 0
    } catch (error) {
      failures++
      onFailure(error, failures)
    }
  }
  const run = () => {
    current ??= attempt().finally(() => {
      current = null
    })
  }
  const timer = setInterval(run, ms).unref()
  run()
  return async () => {
    clearInterval(timer)
    await current
  }
}

/** Resolves when the work is done or the time is up. */
export async function within(limitMs: number, work: Promise<unknown>, setTimer: SetTimer): Promise<void> {
  const limit = Promise.withResolvers<void>()
  const cancel = setTimer(limit.resolve, limitMs)
  await Promise.race([work, limit.promise])
  cancel()
}

/** A sleep that `wake` ends early. */
export function createSleep(setTimer: SetTimer) {
  // Waking it while awake skips the next sleep, so a lead that arrives just before the sleep doesn't have to wait.
  let awake = Promise.withResolvers<void>()
  return {
    async sleep(ms: number): Promise<void> {
      const cancel = setTimer(awake.resolve, ms)
      await awake.promise
      cancel()
      awake = Promise.withResolvers()
    },
    wake: () => awake.resolve(),
  }
}
