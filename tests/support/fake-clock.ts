/** A clock that tests advance. Timers fire when they come due. */
import type { SetTimer } from '../../server/process/timers.ts'

export class FakeClock {
  #now: number
  #timers: { readonly at: number; readonly run: () => void }[] = []

  constructor(now: number) {
    this.#now = now
  }

  readonly now = (): number => this.#now

  readonly setTimer: SetTimer = (run, ms) => {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(each => each !== timer)
    }
  }

  /** Time until the next timer, if there is one. */
  get nextIn(): number | undefined {
    return this.#timers.map(timer => timer.at - this.#now).sort((a, b) => a - b)[0]
  }

  advance(ms: number): void {
    this.#now += ms
    const due = this.#timers.filter(timer => timer.at <= this.#now)
    this.#timers = this.#timers.filter(timer => timer.at > this.#now)
    for (const { run } of due) run()
  }
}
