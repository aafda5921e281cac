/** The search in a thread of its own, with its own way into the store; `start-lead-search.ts` starts it and asks it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { connectStore, type StoreSettings } from '../open-store.ts'
import { serveCalls } from '../sqlite/worker-rpc.ts'
import { createLeadSearch, type LeadSearchOptions } from './lead-search.ts'

const LOOK_FOR_ERASED_EVERY_MS = 1000

const desk = parentPort as MessagePort
const { settings, options } = workerData as { readonly settings: StoreSettings; readonly options: LeadSearchOptions }
const store = await connectStore(settings, { access: 'read', giveUpAfterMs: options.giveUpAfterMs })
const search = createLeadSearch(store, options)
// When the store is away now, the first search tries again.
void search.prepare().catch(() => {})
// Likewise, the next look will do.
const forgetErased = async () => {
  await search.forgetErased().catch(() => {})
  setTimeout(forgetErased, LOOK_FOR_ERASED_EVERY_MS)
}
void forgetErased()

serveCalls(desk, search)
