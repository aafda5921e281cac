/** The search in a thread of its own, with its own way into the store; `start-lead-search.ts` starts it and asks it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { joinStore, type StoreSettings } from '../open-store.ts'
import { carryFault } from '../sqlite/thread/thread-messages.ts'
import { createLeadSearch, type LeadSearchOptions } from './lead-search.ts'
import type { SearchAnswer, SearchCall } from './start-lead-search.ts'

const LOOK_FOR_ERASED_EVERY_MS = 1000

const desk = parentPort as MessagePort
const { settings, options } = workerData as { readonly settings: StoreSettings; readonly options: LeadSearchOptions }
const store = await joinStore(settings, { access: 'read', giveUpAfterMs: options.giveUpAfterMs })
const search = createLeadSearch(store, options)
// When the store is away now, the first search tries again.
void search.prepare().catch(() => {})
// Likewise, the next look will do.
const forgetErased = async () => {
  await search.forgetErased().catch(() => {})
  setTimeout(forgetErased, LOOK_FOR_ERASED_EVERY_MS)
}
void forgetErased()

async function answer({ id, operation, argument }: SearchCall): Promise<SearchAnswer> {
  try {
    return { id, value: await search[operation](argument as never) }
  } catch (error) {
    return { id, fault: carryFault(error) }
  }
}

desk.on('message', (call: SearchCall) => {
  void answer(call).then(answered => desk.postMessage(answered))
})
