/** Reads the JSON of a request after a schema, or refuses it. What was sent is never repeated in the answer. */
import { sValidator } from '@hono/standard-validator'
import type { GenericSchema } from 'valibot'
import { Refused } from './refusal.ts'

export const UNREADABLE = 'The desk could not read that. Load the page again.'

export const NUL = '\0'

export function jsonBody<Schema extends GenericSchema>(schema: Schema) {
  return sValidator('json', schema, result => {
    if (!result.success || hasNul(result.data)) throw new Refused('bad request', UNREADABLE)
  })
}

/** PostgreSQL keeps no text with this character in it, and would fail over it. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(NUL)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul)
}
