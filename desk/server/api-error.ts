/** Error responses: a code for the pages and a message for people. They never contain lead data. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { DeskRole } from '../../domain/roles.ts'

const statuses = {
  'bad request': 400,
  'not signed in': 401,
  'role required': 403,
  'wrong origin': 403,
  'invitation invalid': 403,
  'passkey refused': 403,
  'not found': 404,
  conflict: 409,
  'someone else': 409,
  'last passkey': 409,
  'wrong address': 421,
  'too many attempts': 429,
  failed: 500,
  'store unavailable': 503,
  'took too long': 503,
} as const satisfies Readonly<Record<string, ContentfulStatusCode>>

export type RefusalCode = keyof typeof statuses

/** The body of every error response. The message tells the user what to do. */
export interface Refusal {
  readonly error: RefusalCode
  readonly message: string
}

/** Thrown by routes and guards; `app.ts` turns it into a response. */
export class ApiError extends Error {
  readonly code: RefusalCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.headers = headers
  }

  get status(): ContentfulStatusCode {
    return statuses[this.code]
  }

  get body(): Refusal {
    return { error: this.code, message: this.message }
  }
}

export const roleRequired = (role: DeskRole) =>
  new ApiError('role required', `Your account can’t do this. Ask the person who invited you for ${role} access.`)
