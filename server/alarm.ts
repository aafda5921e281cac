/** Timers that tests can replace. */

/** Returns a function that cancels the timer. */
export type SetTimer = (run: () => void, ms: number) => () => void

export const setRealTimer: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Runs the work now and then every `ms`, one run at a time. The work must not reject. Returns a function that stops it and
 * waits for the run in progress.
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

/** Resolves when the work is done, or after the limit. */
export async function within(limitMs: number, work: Promise<unknown>, setTimer: SetTimer): Promise<void> {
  let cancel = () => {}
  const limit = new Promise<void>(resolve => {
    cancel = setTimer(resolve, limitMs)
  })
  await Promise.race([work, limit])
  cancel()
}

/** A sleep that `ring` ends early. */
export function createAlarm(setTimer: SetTimer) {
  // Ringing while awake skips the next sleep, so a lead that arrives just before it doesn't wait.
  let rung = false
  let wake = () => {}
  return {
    async sleep(ms: number): Promise<void> {
      if (!rung) {
        await new Promise<void>(resolve => {
          const cancel = setTimer(resolve, ms)
          wake = () => {
            cancel()
            resolve()
          }
        })
      }
      rung = false
      wake = () => {}
    },
    ring(): void {
      rung = true
      wake()
    },
  }
}
