/** Calls the methods of an object that lives in a worker thread. Each takes at most one argument, of plain data. */
import type { MessagePort, Worker } from 'node:worker_threads'
import { QueryTimeoutError, StoreUnavailable, StoreUnusable } from '../store-errors.ts'

interface Call {
  readonly id: number
  readonly method: string
  readonly argument: unknown
}

type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: unknown; readonly kind: string }
  | { readonly event: string }

/** Structured clone carries an error, but not its class. */
const errorClasses = { QueryTimeoutError, StoreUnavailable, StoreUnusable }

function revive(error: unknown, kind: string): unknown {
  const Kind = errorClasses[kind as keyof typeof errorClasses]
  return Kind && error instanceof Error ? new Kind(error.message) : error
}

export interface Served {
  /** Tells the other side that something happened. */
  emit(event: string): void
}

/** In the worker. `target` may be a promise: calls wait for it, and fail as it fails. */
export function serveCalls<T extends object>(port: MessagePort, target: T | Promise<T>): Served {
  const reply = batchMessages<Reply>(port)
  // Each call is told.
  Promise.resolve(target).catch(() => {})
  async function answer({ id, method, argument }: Call): Promise<void> {
    try {
      const served = (await target) as Record<string, (argument: unknown) => unknown>
      reply({ id, value: await served[method]?.(argument) })
    } catch (error) {
      // What was thrown may not be an error, and must not end the worker because it can't be cloned.
      const thrown = error instanceof Error ? error : new Error(typeof error)
      reply({ id, error: thrown, kind: thrown.name })
    }
  }
  port.on('message', (calls: readonly Call[]) => {
    for (const call of calls) void answer(call)
  })
  return { emit: event => reply({ event }) }
}

/** On this side of the worker. Calls that are under way when the worker ends never settle. */
export function callWorker<T extends object>(worker: Worker, onEvent: (event: string) => void = () => {}): T {
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
      if ('error' in reply) call?.reject(revive(reply.error, reply.kind))
      else call?.resolve(reply.value)
    }
  })
  return proxyOf<T>((method, argument) => {
    const id = ++calls
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    send({ id, method, argument })
    return answer.promise
  })
}

/** An object whose every method makes this call. */
export function proxyOf<T extends object>(call: (method: string, argument: unknown) => Promise<unknown>): T {
  return new Proxy({} as T, {
    get: (own, name) =>
      name in own || typeof name === 'symbol' || name === 'then'
        ? Reflect.get(own, name)
        : (argument: unknown) => call(name, argument),
  })
}

/**
 * Sends what comes in one turn of the event loop as one message, since a message costs more than what it carries: a whole
 * group of leads that one commit stored is answered together.
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
