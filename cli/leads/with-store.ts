/** The store of the running server, opened for as long as a command works with it. */
import { joinStore } from '../../server/store/open-store.ts'
import type { Store } from '../../server/store/store.ts'
import type { Surroundings } from '../terminal/surroundings.ts'

export async function withStore<T>(
  { readConfig, now, busyTimeoutMs }: Surroundings,
  access: 'read' | 'write',
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await joinStore(readConfig(), { access, now, busyTimeoutMs })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Reminds the operator that what is in the outbox stays there as long as there is no webhook. */
export function webhookNote({ readConfig }: Surroundings): string {
  return readConfig().webhookUrl === null ? ' LEAD_WEBHOOK_URL is not set: delivery waits until it is.' : ''
}
