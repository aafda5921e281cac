/** Starts the search in a thread of its own: reading through the text of a million leads must not hold up any answer. */
import { Worker } from 'node:worker_threads'
import type { StoreSettings } from '../open-store.ts'
import { type Answer, errorOf } from '../sqlite/thread/thread-messages.ts'
import type { LeadSearch, LeadSearchOptions } from './lead-search.ts'

export interface SearchCall {
  readonly id: number
  readonly operation: keyof LeadSearch
  readonly argument: unknown
}

export type SearchAnswer = Exclude<Answer, string>

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
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  thread.on('error', onCrash)
  thread.on('message', (answer: SearchAnswer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('fault' in answer) asked?.reject(errorOf(answer.fault))
    else asked?.resolve(answer.value)
  })
  let calls = 0
  function call<T>(operation: keyof LeadSearch, argument: unknown): Promise<T> {
    const id = ++calls
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    thread.postMessage({ id, operation, argument } satisfies SearchCall)
    return answer.promise as Promise<T>
  }
  return {
    search: request => call('search', request),
    searchFirst: request => call('searchFirst', request),
    searchIds: request => call('searchIds', request),
    count: request => call('count', request),
    close: async () => void (await thread.terminate()),
  }
}
