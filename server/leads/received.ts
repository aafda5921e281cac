/** A request as the receiver sees it: what it says, and how it is refused. */
import type { Answer, HttpRequest } from '../http/handler.ts'

export type RefusalStatus = 400 | 403 | 413 | 414 | 415 | 429 | 503

/** The answer to a request that is not taken: JSON for the script, a page for the plain form. */
export type Refuse = (status: RefusalStatus, message: string, headers?: Answer['headers']) => Answer

export type ReceiveLead = (request: HttpRequest, refuse: Refuse) => Promise<Answer>

/** Of several parameters with one name the first counts. */
export function firstValues(fields: URLSearchParams): Readonly<Record<string, string>> {
  // Without a prototype: a visitor chooses the names.
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of fields) values[name] ??= value
  return values
}
