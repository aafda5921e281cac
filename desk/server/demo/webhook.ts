/** The demo's webhook: it takes what is sent anew, and goes on failing where it has failed before, so that both are seen. */
import type { Store } from '../../../server/store/store.ts'

const EVERY_MS = 1000
const LEASE_MS = 60_000

/** Answers with the way to stop it. */
export function startDemoWebhook(store: Store): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  async function look(): Promise<void> {
    const durationMs = 120
    for (const { leadId, leaseToken, attempts } of await store.lease({ limit: 50, leaseMs: LEASE_MS })) {
      const attempt = { leadId, leaseToken, durationMs }
      await (attempts > 0
        ? store.settle({
            ...attempt,
            result: 'retry',
            status: 503,
            reason: 'the webhook answered 503',
            retryInMs: 25 * 60_000,
          })
        : store.settle({ ...attempt, result: 'delivered', status: 200 }))
    }
    if (!stopped) timer = setTimeout(look, EVERY_MS)
  }
  timer = setTimeout(look, EVERY_MS)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
