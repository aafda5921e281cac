/**
 * Assigns variants of a page: a visitor gets the same one all day, from any server, and nobody can tell afterwards who got
 * which. The address is hashed with a salt of the day, and neither is stored.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { ClientAddress } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import { clientOf } from '../http/rate-limit.ts'

type Visitor = Pick<HttpRequest, 'header' | 'socketAddress'>

export interface VariantAssignment {
  /** Which of `count` variants, from 0. */
  pick(visitor: Visitor, count: number, day: string): number
  /** The secret of all servers. Until it is known, for the first moments, this server assigns by its own. */
  shareSecret(secret: string): void
}

export const newSecret = () => randomBytes(32).toString('hex')

export function createVariantAssignment(clientAddress: ClientAddress): VariantAssignment {
  let secret = newSecret()
  let salt = { day: '', value: 0 }

  function saltOf(day: string): number {
    if (salt.day !== day) salt = { day, value: createHmac('sha256', secret).update(day).digest().readInt32BE() }
    return salt.value
  }

  return {
    pick({ socketAddress, header }, count, day) {
      const address = clientOf(clientAddress(socketAddress, header('x-forwarded-for')))
      return hashOf(address, saltOf(day)) % count
    },
    shareSecret(shared) {
      secret = shared
      salt = { day: '', value: 0 }
    },
  }
}

/** FNV-1a from the salt on, finished like MurmurHash. It only has to spread evenly, and pages must not wait for it. */
function hashOf(text: string, salt: number): number {
  let hash = salt
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
