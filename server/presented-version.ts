/** The version of a text shown to visitors: its hash, the same in the page, the request and the store. */
import { createHash } from 'node:crypto'

export function versionOf(presented: string): string {
  return createHash('sha256').update(presented).digest('hex')
}
