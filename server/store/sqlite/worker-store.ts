/** The embedded store in a worker thread: its disk writes and queries must not stop the thread that answers visitors. */
import { Worker } from 'node:worker_threads'
import type { Store } from '../store.ts'
import { QueryTimeoutError } from '../store-errors.ts'
import type { StoreWorkerData } from './store-worker.ts'
import { callWorker, proxyOf } from './worker-rpc.ts'

export interface StoreWorker {
  readonly store: Store
  /** Resolves when the worker has ended, for whatever reason. In-flight calls never settle. */
  readonly ended: Promise<void>
  terminate(): Promise<void>
}

/** `onCrash`: the worker ended by an error that nothing in it expected. */
export async function startStoreWorker(
  file: string,
  access: StoreWorkerData['access'],
  onCrash: (error: unknown) => void,
): Promise<StoreWorker> {
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), {
    workerData: { file, access } satisfies StoreWorkerData,
  })
  worker.on('error', onCrash)
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  const terminate = async () => void (await worker.terminate())
  const listeners = new Set<() => void>()
  const store = callWorker<Store & { opened(): Promise<void> }>(worker, () => {
    for (const listener of listeners) listener()
  })
  const close = store.close
  Object.assign(store, {
    onDue(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      await close()
      await terminate()
    },
  })
  try {
    await store.opened()
  } catch (error) {
    await terminate()
    throw error
  }
  return { store, ended, terminate }
}

/**
 * A store that is only read, with a time limit for each query. SQLite can't be told to stop, so the worker of a query that takes
 * too long is terminated, and queries that waited behind it are asked again in a new one. A worker that can't be started fails
 * the queries that need it; the next query tries again.
 */
export async function createReadWorker(start: () => Promise<StoreWorker>, timeoutMs: number): Promise<Store> {
  let current: Promise<StoreWorker> | null = Promise.resolve(await start())

  function worker(): Promise<StoreWorker> {
    if (current) return current
    const starting = start()
    current = starting
    starting.catch(() => replace(starting))
    return starting
  }

  function replace(old: Promise<StoreWorker>): void {
    if (current === old) current = null
  }

  async function ask(method: string, argument: unknown): Promise<unknown> {
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(new QueryTimeoutError()), timeoutMs)
    try {
      for (;;) {
        const asked = worker()
        const { store, ended, terminate } = await Promise.race([asked, timeout.promise])
        const call = (store as unknown as Record<string, (argument: unknown) => Promise<unknown>>)[method]
        const again = ended.then(() => replace(asked)).then(() => AGAIN)
        const answer = await Promise.race([call?.(argument), again, timeout.promise]).catch(error => {
          if (error instanceof QueryTimeoutError) {
            replace(asked)
            void terminate()
          }
          throw error
        })
        if (answer !== AGAIN) return answer
      }
    } finally {
      clearTimeout(timer)
    }
  }

  return Object.assign(proxyOf<Store>(ask), {
    onDue: () => () => {},
    async close() {
      await (await current?.catch(() => null))?.terminate()
    },
  })
}

const AGAIN = Symbol('the worker ended before it answered')
