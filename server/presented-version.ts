/** The version of a text that visitors are shown: its hash, the same in the page, in the request and in the store. */
import { createHash } from 'node:crypto'

export function versionOf(presented: string): string {
  return createHash('sha256').update(presented).digest('hex')
}
