/** Reads the JSON of a request by its schema, or refuses it. The response never repeats the input. */
import { sValidator } from '@hono/standard-validator'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { GenericSchema } from 'valibot'
import { ApiError } from './api-error.ts'
import { isReading } from './guards.ts'

/** A passkey's response is about 2 KB; a selection of leads by ID is at most 400 KB. */
const MAX_BODY_BYTES = 512 * 1024

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

/** Node enforces a declared length. Hono's limit would turn every body into a stream first, so it is for the others. */
export function limitBody(): MiddlewareHandler {
  const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => refuseTooLong() })
  return async (context, next) => {
    if (isReading(context.req.method)) return next()
    const length = context.req.header('content-length')
    if (length === undefined || context.req.header('transfer-encoding') !== undefined) return limit(context, next)
    if (Number(length) > MAX_BODY_BYTES) refuseTooLong()
    return next()
  }
}

/** Hono keeps the text, for reading it as JSON later. */
export const readWholeBody: MiddlewareHandler = async (context, next) => {
  if (!isReading(context.req.method)) await context.req.text()
  await next()
}

function refuseTooLong(): never {
  throw new ApiError('bad request', 'That’s too much data for one request.')
}

/** PostgreSQL can't store text that contains NUL. Not recursive: 100,000 nested brackets must not overflow the stack. */
function hasNul(body: unknown): boolean {
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && value.includes(NUL)) return true
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) left.push(each)
  }
  return false
}
