/** One line a request: what was asked for and how it went. Never a query, and no path that a visitor made up. */
import type { MiddlewareHandler } from 'hono'
import type { Log } from '../log.ts'

export function logRequests(log: Log, isKnownPath: (path: string) => boolean): MiddlewareHandler {
  return async (context, next) => {
    const started = performance.now()
    await next()
    log('request', {
      method: context.req.method,
      path: isKnownPath(context.req.path) ? context.req.path : '(unknown)',
      status: context.res.status,
      durationMs: Math.round(performance.now() - started),
    })
  }
}
