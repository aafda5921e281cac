/** Waits for a condition in what also runs outside a test runner. */
import { setInterval } from 'node:timers/promises'

/** Long enough for a busy machine: only a hang should end it. */
const GIVE_UP_MS = 300_000

export async function until<T>(condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for await (const _ of setInterval(10)) {
    const found = await condition()
    if (found) return found
    if (performance.now() > giveUpAt) break
  }
  throw new Error(`Gave up waiting for ${condition}`)
}
