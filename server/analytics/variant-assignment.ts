/**
 * Assigns variants of a page: a visitor gets the same one all day, from any server, and nobody can tell afterwards who got
 * which. The address is hashed with the day and a secret, and the hash is not stored.
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
  return {
    pick({ socketAddress, header }, count, day) {
      const address = clientOf(clientAddress(socketAddress, header('x-forwarded-for')))
      return createHmac('sha256', secret).update(`${day} ${address}`).digest().readUInt32BE() % count
    },
    shareSecret(shared) {
      secret = shared
    },
  }
}
