/** The store of the running server, opened for as long as a command works with it. */
import { connectStore } from '../../server/store/open-store.ts'
import type { Store } from '../../server/store/store.ts'
import type { Surroundings } from '../terminal/surroundings.ts'

export async function withStore<T>(
  { readConfig, now, busyTimeoutMs }: Surroundings,
  access: 'read' | 'write',
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await connectStore(readConfig(), { access, now, busyTimeoutMs })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Reminds the operator that what is in the outbox stays there: while there is no webhook, and while deliveries are paused. */
export async function outboxNote({ readConfig }: Surroundings, store: Pick<Store, 'deliveryPause'>): Promise<string> {
  if (readConfig().webhookUrl === null) return ' LEAD_WEBHOOK_URL is not set: delivery waits until it is.'
  if (await store.deliveryPause()) return ' Deliveries are paused: they go on with npm run leads -- resume'
  return ''
}
