/** What the server and the lead service say to each other across threads. */
import type { LeadService } from '../lead-service.ts'
import { DatabaseUnavailable, DatabaseUnusable } from '../leads/database.ts'
import type { Log } from '../log.ts'

/** A function of the service to be called. The thread opens the service by itself, which counts as the first call. */
export interface Call {
  readonly id: number
  readonly name: keyof LeadService
  readonly argument: unknown
}

export const OPENING = 0

export type Said =
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: CarriedError }
  | { readonly kind: 'log'; readonly line: Parameters<Log> }

/** The copy of an error on the other side has lost its class: those that are told apart there are made anew. */
const toldApart = { DatabaseUnavailable, DatabaseUnusable } as const

type CarriedError =
  | { readonly kind: keyof typeof toldApart; readonly message: string }
  | { readonly kind: 'other'; readonly error: unknown }

export function carryError(error: unknown): CarriedError {
  for (const kind of ['DatabaseUnavailable', 'DatabaseUnusable'] as const) {
    if (error instanceof toldApart[kind]) return { kind, message: error.message }
  }
  return { kind: 'other', error }
}

export function unpackError(carried: CarriedError): unknown {
  return carried.kind === 'other' ? carried.error : new toldApart[carried.kind](carried.message)
}

/**
 * Sends what is said in one moment as one message, since a message costs more than what it carries. The moment ends
 * when everything that could run has run: a whole group of leads that came to disk together is answered together.
 */
export function createSender<T>(line: { postMessage(message: T[]): void }): (item: T) => void {
  let unsent: T[] = []
  return item => {
    if (unsent.push(item) > 1) return
    process.nextTick(() => {
      line.postMessage(unsent)
      unsent = []
    })
  }
}
