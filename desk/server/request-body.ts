/** Reads and validates request bodies and queries, with size limits. Error responses never echo the input. */
import { sValidator } from '@hono/standard-validator'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type * as v from 'valibot'
import { isStorable } from '../../domain/text/text.ts'
import { ApiError } from './api-error.ts'
import { isPublicRoute, isSafeMethod } from './guards.ts'
import type { DeskRequest } from './services.ts'

/** A list of selected leads is at most 700 KB. */
const MAX_BODY_BYTES = 1024 * 1024
/** For people who aren't signed in. A passkey response is about 2 KB. */
const MAX_PUBLIC_BODY_BYTES = 16 * 1024

export const UNREADABLE = 'That request didn’t go through. Reload the page.'

export function jsonBody<Schema extends v.GenericSchema>(schema: Schema) {
  return sValidator('json', schema, result => {
    if (!result.success || !isStorable(result.data)) throw new ApiError('bad request', UNREADABLE)
  })
}

export function query<Schema extends v.GenericSchema>(schema: Schema) {
  return sValidator('query', schema, result => {
    if (!result.success) throw new ApiError('bad request', UNREADABLE)
  })
}

/** For addresses: a path, and a query that no route may even read. */
export const refuseUnstorable: MiddlewareHandler = async ({ req }, next) => {
  if (!isStorable([decode(req.path), req.queries()])) throw new ApiError('bad request', UNREADABLE)
  await next()
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
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
