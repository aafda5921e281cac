/**
 * Runs the embedded store in a worker thread, so its disk writes and queries don't block the thread that serves visitors. Every
 * call is a message with the method name and a single plain-data argument.
 */
import { type MessagePort, Worker } from 'node:worker_threads'
import type { Store } from '../store.ts'
import { QueryTimeoutError, StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import type { UsedSettings } from '../upgrades/used-settings.ts'
import type { UpgradeOptions } from './open-file.ts'

export interface StoreWorkerData {
  readonly file: string
  readonly access: 'owner' | 'write' | 'read'
  readonly settings?: UsedSettings | undefined
}

export interface StoreWorker {
  readonly store: Store
  /** Resolves when the worker ends, for any reason. In-flight calls never settle. */
  readonly ended: Promise<void>
  terminate(): Promise<void>
}

/** `onCrash` is called if the worker dies with an unexpected error after the store was opened. */
export async function startStoreWorker(
  file: string,
  access: StoreWorkerData['access'],
  onCrash: (error: unknown) => void,
  { onUpgrade = () => {}, settings }: UpgradeOptions = {},
): Promise<StoreWorker> {
  const worker = new Worker(new URL('./store-worker.ts', import.meta.url), {
    workerData: { file, access, settings } satisfies StoreWorkerData,
    // By default, new objects take up to 100 MB in each thread, and keep it, after a few lists of 5,000 calls.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  })
  const crashed = new Promise<never>((_, reject) => worker.once('error', reject))
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  const terminate = async () => void (await worker.terminate())
  const listeners = new Set<() => void>()
  const store = callWorker<Store & { opened(): Promise<void> }>(worker, event => {
    if (event === 'upgrading') return onUpgrade()
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
    await Promise.race([store.opened(), crashed])
  } catch (error) {
    await terminate()
    throw error
  }
  crashed.catch(onCrash)
  return { store, ended, terminate }
}

/**
 * A read-only store with a time limit for each query. SQLite can't cancel a query, so if one takes too long, we terminate the
 * worker and rerun the queries that were waiting behind it in a new one. If the new worker can't start, those queries fail; the
 * next query tries again.
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

  async function query(method: string, argument: unknown): Promise<unknown> {
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(new QueryTimeoutError()), timeoutMs)
    try {
      for (;;) {
        const currentWorker = worker()
        const { store, ended, terminate } = await Promise.race([currentWorker, timeout.promise])
        const call = (store as unknown as Record<string, (argument: unknown) => Promise<unknown>>)[method]
        const again = ended.then(() => replace(currentWorker)).then(() => AGAIN)
        const result = await Promise.race([call?.(argument), again, timeout.promise]).catch(error => {
          if (error instanceof QueryTimeoutError) {
            replace(currentWorker)
            void terminate()
          }
          throw error
        })
        if (result !== AGAIN) return result
      }
    } finally {
      clearTimeout(timer)
    }
  }

  return Object.assign(proxyOf<Store>(query), {
    onDue: () => () => {},
    async close() {
      await (await current?.catch(() => null))?.terminate()
    },
  })
}

const AGAIN = Symbol('the worker ended before it replied')

interface Call {
  readonly id: number
  readonly method: string
  readonly argument: unknown
}

type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: Error; readonly kind: string }
  | { readonly event: string }

/** Structured clone preserves an error but not its class. */
const errorClasses = { QueryTimeoutError, StoreUnavailable, StoreUnusable }

/** Runs in the worker. Calls wait for `target` and fail if it fails. */
export function serveCalls<T extends object>(port: MessagePort, target: Promise<T>): { emit(event: string): void } {
  const reply = batchMessages<Reply>(port)
  target.catch(() => {})
  async function handle({ id, method, argument }: Call): Promise<void> {
    try {
      const served = (await target) as Record<string, (argument: unknown) => unknown>
      reply({ id, value: await served[method]?.(argument) })
    } catch (error) {
      // The thrown value may not be an Error, or it may not be cloneable. Neither should crash the worker.
      const thrown = error instanceof Error ? error : new Error(typeof error)
      reply({ id, error: thrown, kind: thrown.name })
    }
  }
  port.on('message', (calls: readonly Call[]) => {
    for (const call of calls) void handle(call)
  })
  return { emit: event => reply({ event }) }
}

/** Runs in the worker, before it blocks. */
export function emitNow(port: MessagePort, event: string): void {
  port.postMessage([{ event } satisfies Reply])
}

/** For objects whose methods are called through a message: it has one argument, so a second one would be lost. */
export type WithOneArgument<T> = {
  readonly [Name in keyof T]: T[Name] extends (...given: infer Given) => unknown
    ? Given['length'] extends 0 | 1
      ? T[Name]
      : never
    : T[Name]
}

/** Runs outside the worker. Calls in flight when the worker ends never settle. */
function callWorker<T extends WithOneArgument<T>>(worker: Worker, onEvent: (event: string) => void): T {
  const send = batchMessages<Call>(worker)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0
  worker.on('message', (replies: readonly Reply[]) => {
    for (const reply of replies) {
      if ('event' in reply) {
        onEvent(reply.event)
        continue
      }
      const call = waiting.get(reply.id)
      waiting.delete(reply.id)
      if ('value' in reply) call?.resolve(reply.value)
      else {
        const Kind = errorClasses[reply.kind as keyof typeof errorClasses]
        call?.reject(Kind ? new Kind(reply.error.message) : reply.error)
      }
    }
  })
  return proxyOf<T>((method, argument) => {
    const id = ++calls
    const result = Promise.withResolvers<unknown>()
    waiting.set(id, result)
    send({ id, method, argument })
    return result.promise
  })
}

/** A proxy that passes every method call to `call`. */
function proxyOf<T extends WithOneArgument<T>>(call: (method: string, argument: unknown) => Promise<unknown>): T {
  return new Proxy({} as T, {
    get: (own, name) =>
      name in own || typeof name === 'symbol' || name === 'then'
        ? Reflect.get(own, name)
        : (argument: unknown) => call(name, argument),
  })
}

/**
 * Sends everything from one callback as one message, because each message costs more than its contents. For example, all leads
 * stored by one commit are acknowledged together. Waiting for the end of the turn would save CPU time, but this thread and the
 * worker would alternate instead of running in parallel.
 */
function batchMessages<T>(port: { postMessage(messages: readonly T[]): void }): (message: T) => void {
  let unsent: T[] = []
  return message => {
    if (unsent.push(message) > 1) return
    process.nextTick(() => {
      port.postMessage(unsent)
      unsent = []
    })
  }
}
