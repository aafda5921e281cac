/** Reads the JSON of a request after a schema, or refuses it. What was sent is never repeated in the answer. */
import { sValidator } from '@hono/standard-validator'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { GenericSchema } from 'valibot'
import { isReading } from './guards/origin.ts'
import { Refused } from './refusal.ts'

/** A passkey's answer has some 2 KB, a selection of leads by their ids at most 400. */
const MOST_BODY_BYTES = 512 * 1024

export const UNREADABLE = 'The desk could not read that. Load the page again.'

export const NUL = '\0'

export function jsonBody<Schema extends GenericSchema>(schema: Schema) {
  return sValidator('json', schema, result => {
    if (!result.success || hasNul(result.data)) throw new Refused('bad request', UNREADABLE)
  })
}

/** Whoever says how long a body is, as browsers do, is held to it by Node. Hono's own limit has a stream made of every body first. */
export function limitBody(): MiddlewareHandler {
  const watch = bodyLimit({ maxSize: MOST_BODY_BYTES, onError: () => refuseTooLong() })
  return async (context, next) => {
    if (isReading(context.req.method)) return next()
    const length = context.req.header('content-length')
    if (length === undefined || context.req.header('transfer-encoding') !== undefined) return watch(context, next)
    if (Number(length) > MOST_BODY_BYTES) refuseTooLong()
    return next()
  }
}

/** Hono keeps what was read for whoever asks for it as JSON. */
export const readWholeBody: MiddlewareHandler = async (context, next) => {
  if (!isReading(context.req.method)) await context.req.text()
  await next()
}

function refuseTooLong(): never {
  throw new Refused('bad request', 'That is more than the desk takes at once.')
}

/** PostgreSQL keeps no text with this character in it, and would fail over it. */
function hasNul(body: unknown): boolean {
  // Not by calls into calls: whoever sends a hundred thousand brackets would have the desk fail.
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && value.includes(NUL)) return true
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) left.push(each)
  }
  return false
}
