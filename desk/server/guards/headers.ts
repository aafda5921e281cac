/** What every answer of the desk carries: nothing from elsewhere runs in its pages, nobody frames them, nothing is cached. */
import type { MiddlewareHandler } from 'hono'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
}

const YEAR_SECONDS = 31_536_000

export function addHeaders(origin: string): MiddlewareHandler {
  const all = {
    ...headers,
    ...(origin.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  }
  return async (context, next) => {
    // Beforehand: added to an answer that is there already, each of them would have it made anew. A page that is made for
    // itself puts a policy of its own in place of this one, and a file that never changes its own keeping.
    const setAll = () => {
      for (const [name, value] of Object.entries(all)) context.header(name, value)
    }
    setAll()
    await next()
    // An answer that was not made by the context knows nothing of them.
    if (!context.res.headers.has('content-security-policy')) setAll()
  }
}
