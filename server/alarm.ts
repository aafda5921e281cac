/** Waiting with a limit, by a clock that tests can replace. */

/** Runs something later, unless the returned function is called first. */
export type SetTimer = (run: () => void, ms: number) => () => void

export const setRealTimer: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
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

/** A sleep that ends after a time or when it is woken, whichever comes first. */
export function createAlarm(setTimer: SetTimer) {
  // A wake-up while awake counts for the next sleep: a lead that arrives just before it must not wait.
  let rung = false
  let rise = () => {}
  return {
    async sleep(ms: number): Promise<void> {
      if (!rung) {
        await new Promise<void>(resolve => {
          const cancel = setTimer(resolve, ms)
          rise = () => {
            cancel()
            resolve()
          }
        })
      }
      rung = false
      rise = () => {}
    },
    ring(): void {
      rung = true
      rise()
    },
  }
}
