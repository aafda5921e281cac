/** Reads and validates request bodies and queries, with size limits. Error responses never echo the input. */
import { sValidator } from '@hono/standard-validator'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { GenericSchema } from 'valibot'
import { ApiError } from './api-error.ts'
import { isPublicRoute, isSafeMethod } from './guards.ts'
import type { DeskRequest } from './services.ts'

/** A list of selected leads is at most 700 KB. */
const MAX_BODY_BYTES = 1024 * 1024
/** For people who aren't signed in. A passkey response is about 2 KB. */
const MAX_PUBLIC_BODY_BYTES = 16 * 1024

export const UNREADABLE = 'That request didn’t go through. Reload the page.'

export const NUL = '\0'

export function jsonBody<Schema extends GenericSchema>(schema: Schema) {
  return sValidator('json', schema, result => {
    if (!result.success || hasNul(result.data)) throw new ApiError('bad request', UNREADABLE)
  })
}

export function query<Schema extends GenericSchema>(schema: Schema) {
  return sValidator('query', schema, result => {
    if (!result.success) throw new ApiError('bad request', UNREADABLE)
  })
}

export function limitBody(): MiddlewareHandler {
  const [limitPublic, limitSignedIn] = [limitTo(MAX_PUBLIC_BODY_BYTES), limitTo(MAX_BODY_BYTES)]
  return async (context, next) => {
    if (isSafeMethod(context.req.method)) return next()
    return (isPublicRoute(context) ? limitPublic : limitSignedIn)(context, next)
  }
}

/** Node enforces Content-Length, so checking the header is enough. Only chunked bodies need Hono's limit, which adds a stream. */
function limitTo(maxSize: number): MiddlewareHandler {
  const limitChunks = bodyLimit({ maxSize, onError: () => rejectTooLarge() })
  return async (context, next) => {
    const length = context.req.header('content-length')
    if (length === undefined || context.req.header('transfer-encoding') !== undefined) return limitChunks(context, next)
    if (Number(length) > maxSize) rejectTooLarge()
    return next()
  }
}

/** Checks again after a slow upload, during which the session may have ended. Hono caches the text for the handlers. */
export function readWholeBody(guardAgain: MiddlewareHandler<DeskRequest>): MiddlewareHandler<DeskRequest> {
  return async (context, next) => {
    if (isSafeMethod(context.req.method)) return next()
    await context.req.text()
    return guardAgain(context, next)
  }
}

function rejectTooLarge(): never {
  throw new ApiError('bad request', 'That’s too much data for one request.')
}

/** PostgreSQL can't store text that contains NUL. Not recursive: 100,000 nested brackets must not overflow the stack. */
function hasNul(body: unknown): boolean {
  const remaining = [body]
  while (remaining.length > 0) {
    const value = remaining.pop()
    if (typeof value === 'string' && value.includes(NUL)) return true
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) remaining.push(each)
  }
  return false
}
