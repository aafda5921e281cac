/** Reads the JSON of a request after a schema, or refuses it. What was sent is never repeated in the answer. */
import { sValidator } from '@hono/standard-validator'
import type { GenericSchema } from 'valibot'
import { Refused } from './refusal.ts'

export const UNREADABLE = 'The desk could not read that. Load the page again.'

export function jsonBody<Schema extends GenericSchema>(schema: Schema) {
  return sValidator('json', schema, result => {
    if (!result.success) throw new Refused('bad request', UNREADABLE)
  })
}
