/**
 * Deals out the variants of a page: the same visitor gets the same one all day, from whichever server, and nobody can
 * tell afterwards who got which. An address is hashed with a salt of the day, and neither is kept.
 */
import { createHmac, hash, randomBytes } from 'node:crypto'
import type { ClientAddress } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import { clientOf } from '../http/rate-limit.ts'

export interface Dealing {
  /** Which of so many, from 0 on. */
  pick(request: HttpRequest, count: number): number
  /** From now on as all servers do. Until then, for the first moments, this one deals by itself. */
  shareSecret(secret: string): void
}

export interface DealingServices {
  readonly today: () => string
  readonly clientAddress: ClientAddress
}

export const newSecret = () => randomBytes(32).toString('hex')

export function createDealing({ today, clientAddress }: DealingServices): Dealing {
  let secret = newSecret()
  let salt = { day: '', value: '' }

  function saltOf(day: string): string {
    if (salt.day !== day) salt = { day, value: createHmac('sha256', secret).update(day).digest('hex') }
    return salt.value
  }

  return {
    pick({ socketAddress, header }, count) {
      const address = clientOf(clientAddress(socketAddress, header('x-forwarded-for')))
      const digest = hash('sha256', `${saltOf(today())} ${address}`, 'hex')
      return Number.parseInt(digest.slice(0, 8), 16) % count
    },
    shareSecret(shared) {
      secret = shared
      salt = { day: '', value: '' }
    },
  }
}
