/** What the receiver reads out of a request: the facts of a submission, or why there is none. */
import type { Answer, HttpRequest } from '../http/handler.ts'
import type { Submission } from '../store/store.ts'

/** What the request itself says of a submission, parsed and checked. */
export type Facts = Omit<Submission, 'clientAddress' | 'userAgent' | 'holdReason' | 'announceRepeat'>

export interface Refusal {
  readonly status: 400 | 403 | 413 | 414 | 415 | 429 | 503
  readonly message: string
  readonly headers?: Answer['headers']
}

/** An answer is for what was understood but is no lead: a wrong field, or a visitor who is not eligible. */
export type Reading = { readonly facts: Facts } | { readonly refusal: Refusal } | { readonly answer: Answer }

export type ReadRequest = (request: HttpRequest) => Promise<Reading>

export function refuse(status: Refusal['status'], message: string, headers: Answer['headers'] = {}): Reading {
  return { refusal: { status, message, headers } }
}

/** Of several parameters with one name the first counts. */
export function firstValues(fields: URLSearchParams): Readonly<Record<string, string>> {
  // Without a prototype: a visitor chooses the names.
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of fields) values[name] ??= value
  return values
}
