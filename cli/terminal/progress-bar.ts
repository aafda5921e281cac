/** A bar that shows how far a long command is: on a terminal only, and a few times a second. */
import type { OutputStream } from './surroundings.ts'

const WIDTH = 30
const EVERY_MS = 100

export interface ProgressBar {
  show(done: number): void
  /** Clears the line, so that what follows is not written behind the bar. */
  end(): void
}

export function progressBar(stream: OutputStream, total: number, now: () => number): ProgressBar {
  if (!stream.isTTY) return { show() {}, end() {} }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show(done) {
      if (now() - shownAt < EVERY_MS) return
      shownAt = now()
      // Leads that came in since the count make more than all.
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.')
      stream.write(`\r[${bar}] ${Math.floor(share * 100)} %  ${done.toLocaleString('en-US')} leads`)
    },
    end() {
      stream.write('\r\u001b[K')
    },
  }
}
