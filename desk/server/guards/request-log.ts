/** One line a request: method, pattern of the route, status, duration. No address, no query, no body, no name. */
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Log } from '../../../server/log.ts'

export function logRequests(log: Log): MiddlewareHandler {
  return async (context, next) => {
    const startedAt = performance.now()
    await next()
    log('request', {
      method: context.req.method,
      route: routePath(context, -1),
      status: context.res.status,
      durationMs: Math.round(performance.now() - startedAt),
    })
  }
}
