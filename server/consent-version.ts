/** The version of a consent text: the hash of what was presented, the same in the page, in the request and in the store. */
import { createHash } from 'node:crypto'

export function consentVersionOf(presented: string): string {
  return createHash('sha256').update(presented).digest('hex')
}
