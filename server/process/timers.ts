/** Timers and sleeps. Tests can pass their own `SetTimer`. */

/** Returns a function that cancels the timer. */
export type SetTimer = (run: () => void, ms: number) => () => void

export const setRealTimer: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Runs the work immediately and then every `ms`, one run at a time. The work must not reject. Returns a function that stops
 * the timer and waits for the run in progress.
 */
export function repeat(ms: number, work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  const run = () => {
    current ??= work().finally(() => {
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
