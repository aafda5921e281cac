/**
 * Slows down whoever tries to come in again and again. Who comes in does not count, since an office may share an address; who
 * only asks for a challenge does, since each is a row in the store that leads are written to.
 */
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { createClientAddress } from '../../../server/http/client-address.ts'
import { createRateLimit } from '../../../server/http/rate-limit.ts'
import { Refused } from '../refusal.ts'
import type { DeskServices } from '../services.ts'

const MOST_ATTEMPTS = 60

export function limitAttempts({ config, now }: Pick<DeskServices, 'config' | 'now'>): MiddlewareHandler {
  const clientAddress = createClientAddress(config.trustProxy)
  const limit = createRateLimit({ now, hardLimit: MOST_ATTEMPTS })
  return async (context, next) => {
    const address = clientAddress(socketAddress(context), context.req.header('x-forwarded-for'))
    const verdict = limit.count(address)
    if (verdict.kind === 'too many') {
      const minutes = Math.ceil(verdict.retryAfterSeconds / 60)
      throw new Refused('too many attempts', `Too many attempts. Try again in ${minutes} min.`, {
        'retry-after': String(verdict.retryAfterSeconds),
      })
    }
    await next()
    if (!hasComeIn(context)) return
    // The question that went before has counted as well.
    limit.forgive(address)
    limit.forgive(address)
  }
}

function hasComeIn({ res }: Context): boolean {
  return res.ok && res.headers.has('set-cookie')
}

function socketAddress({ env }: Context): string | undefined {
  return (env as Partial<HttpBindings> | undefined)?.incoming?.socket.remoteAddress
}
