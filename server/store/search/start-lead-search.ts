/** Starts the search in a thread of its own: reading through the text of a million leads must not hold up any answer. */
import { Worker } from 'node:worker_threads'
import type { StoreSettings } from '../open-store.ts'
import { callWorker } from '../sqlite/worker-rpc.ts'
import type { LeadSearch, LeadSearchOptions } from './lead-search.ts'

export interface SearchThread extends LeadSearch {
  close(): Promise<void>
}

export interface SearchThreadOptions extends LeadSearchOptions {
  /** The thread has ended by an error that nothing in it expected. */
  readonly onCrash: (error: unknown) => void
}

export async function startLeadSearch(
  settings: StoreSettings,
  { onCrash, ...options }: SearchThreadOptions,
): Promise<SearchThread> {
  const thread = new Worker(new URL('./search-thread.ts', import.meta.url), { workerData: { settings, options } })
  thread.on('error', onCrash)
  return Object.assign(callWorker<LeadSearch>(thread), { close: async () => void (await thread.terminate()) })
}
