/** How the desk says no: a code for its pages, a sentence for the person, and never anything about a lead. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Refusal, RefusalCode } from '../api/session.ts'

const statuses: Readonly<Record<RefusalCode, ContentfulStatusCode>> = {
  'bad request': 400,
  'not signed in': 401,
  'may not act': 403,
  'not from here': 403,
  'invitation invalid': 403,
  'passkey refused': 403,
  'not found': 404,
  'changed meanwhile': 409,
  'last passkey': 409,
  'wrong address': 421,
  'too many attempts': 429,
  failed: 500,
  'not built yet': 501,
  'store unavailable': 503,
  'took too long': 503,
}

/** Thrown by a route or a guard; `app.ts` makes the answer of it. */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'Refused'
    this.code = code
    this.headers = headers
  }

  get status(): ContentfulStatusCode {
    return statuses[this.code]
  }

  get answer(): Refusal {
    return { error: this.code, message: this.message }
  }
}
