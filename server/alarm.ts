/** A sleep that ends after a time or when it is woken, whichever comes first. */

/** Runs something later, unless the returned function is called first. */
export type SetTimer = (run: () => void, ms: number) => () => void

export const setRealTimer: SetTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export interface Alarm {
  sleep(ms: number): Promise<void>
  ring(): void
}

export function createAlarm(setTimer: SetTimer): Alarm {
  // A wake-up while nobody sleeps counts for the next sleep: a lead that arrives just before it must not wait.
  let rung = false
  let rise = () => {}
  return {
    async sleep(ms) {
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
    ring() {
      rung = true
      rise()
    },
  }
}
