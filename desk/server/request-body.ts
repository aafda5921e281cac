/** Reads and validates request bodies and queries, with size limits. Error responses never echo the input. */
import { sValidator } from '@hono/standard-validator'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { GenericSchema } from 'valibot'
import { ApiError } from './api-error.ts'
import { isSafeMethod } from './guards.ts'

/** A passkey response is about 2 KB; a list of selected leads is at most 700 KB. */
const MAX_BODY_BYTES = 1024 * 1024

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

/** Node enforces Content-Length, so checking the header is enough. Only chunked bodies need Hono's limit, which adds a stream. */
export function limitBody(): MiddlewareHandler {
  const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => rejectTooLarge() })
  return async (context, next) => {
    if (isSafeMethod(context.req.method)) return next()
    const length = context.req.header('content-length')
    if (length === undefined || context.req.header('transfer-encoding') !== undefined) return limit(context, next)
    if (Number(length) > MAX_BODY_BYTES) rejectTooLarge()
    return next()
  }
}

/** Hono caches the text, so handlers can still parse it as JSON. */
export const readWholeBody: MiddlewareHandler = async (context, next) => {
  if (!isSafeMethod(context.req.method)) await context.req.text()
  await next()
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
