/**
 * Deals out the variants of a page: the same visitor gets the same one all day, from whichever server, and nobody can
 * tell afterwards who got which. An address is hashed with a salt of the day, and neither is kept.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { ClientAddress } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import { clientOf } from '../http/rate-limit.ts'

type Visitor = Pick<HttpRequest, 'header' | 'socketAddress'>

export interface Dealing {
  /** Which of so many, from 0 on, on this day. */
  pick(visit: Visitor, count: number, day: string): number
  /** From now on as all servers do. Until then, for the first moments, this one deals by itself. */
  shareSecret(secret: string): void
}

export const newSecret = () => randomBytes(32).toString('hex')

export function createDealing(clientAddress: ClientAddress): Dealing {
  let secret = newSecret()
  let salt = { day: '', value: 0 }

  function saltOf(day: string): number {
    if (salt.day !== day) salt = { day, value: createHmac('sha256', secret).update(day).digest().readInt32BE() }
    return salt.value
  }

  return {
    pick({ socketAddress, header }, count, day) {
      const named = clientAddress(socketAddress, header('x-forwarded-for'))
      // Asked here, since nearly all of them have none.
      const address = named.includes(':') ? clientOf(named) : named
      return hashOf(address, saltOf(day)) % count
    },
    shareSecret(shared) {
      secret = shared
      salt = { day: '', value: 0 }
    },
  }
}

/** FNV-1a from the salt on, mixed as MurmurHash ends. It only has to deal evenly: a page must not wait for a stronger one. */
function hashOf(text: string, salt: number): number {
  let hash = salt
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
