/** What the server and the thread of the embedded store send each other: arrays of plain data. */
import type { Store } from '../../store.ts'
import { StoreUnavailable, StoreUnusable, TookTooLong } from '../../store-errors.ts'

export type Operation = Exclude<keyof Store, 'onDue'>

/** What the thread begins with. */
export interface ThreadData {
  readonly file: string
  readonly access: 'own' | 'write' | 'read'
}

export interface Call {
  readonly id: number
  readonly operation: Operation
  readonly argument: unknown
}

/** The id of the answer that tells how the opening of the store went, for which nobody has to call. */
export const OPENING = 0

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: Fault }
  | 'deliveries are due'

/** Structured clone carries an error, but not its class. */
type Fault =
  | { readonly kind: 'unavailable' | 'unusable' | 'took too long'; readonly message: string }
  | { readonly kind: 'unexpected'; readonly error: unknown }

export function carryFault(error: unknown): Fault {
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message: error.message }
  if (error instanceof StoreUnusable) return { kind: 'unusable', message: error.message }
  if (error instanceof TookTooLong) return { kind: 'took too long', message: error.message }
  return { kind: 'unexpected', error: error instanceof Error ? error : new Error(typeof error) }
}

export function errorOf(fault: Fault): unknown {
  if (fault.kind === 'unexpected') return fault.error
  if (fault.kind === 'took too long') return new TookTooLong(fault.message)
  return fault.kind === 'unusable' ? new StoreUnusable(fault.message) : new StoreUnavailable(fault.message)
}

/**
 * Sends what is put in during one moment as one message, since a message costs more than what it carries. The moment ends
 * when everything that could run has run: a whole group of leads that came to disk together is answered together.
 */
export function createOutbasket<T>(port: { postMessage(messages: readonly T[]): void }): (message: T) => void {
  let unsent: T[] = []
  return message => {
    if (unsent.push(message) > 1) return
    process.nextTick(() => {
      port.postMessage(unsent)
      unsent = []
    })
  }
}
