/** Middleware that runs before the routes: request log, security headers, origin, session, role, and sign-in rate limit. */
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { type DeskRole, roleAllows } from '../../domain/roles.ts'
import { createClientAddress } from '../../server/http/client-address.ts'
import { createRateLimit } from '../../server/http/rate-limit.ts'
import type { Log } from '../../server/process/log.ts'
import type { DeskPerson } from '../../server/store/facts/desk-people.ts'
import { PAGE_OF } from '../limits.ts'
import { ApiError, roleRequired } from './api-error.ts'
import { sessionHash } from './auth/cookie.ts'
import type { DeskRequest, DeskServices } from './services.ts'

/** One line per request: method, route pattern, status, duration. No address, query, body, or name. */
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

/** The desk's pages load nothing from other origins, and no one can frame them. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

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
  const hsts = origin.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }
  const all = Object.entries({ ...headers, ...hsts })
  return async (context, next) => {
    // Set headers first, so routes can override them. Adding them to a finished response would copy it.
    for (const [name, value] of all) context.header(name, value)
    await next()
    // A handler that created its own Response bypassed them.
    if (!context.res.headers.has('content-security-policy')) {
      for (const [name, value] of all) context.header(name, value)
    }
  }
}

/** Refuses other hostnames (DNS rebinding), other sites' scripts, and frames. */
export function guardOrigin(origin: string): MiddlewareHandler {
  const { host } = new URL(origin)
  return async (context, next) => {
    if (context.req.header('host') !== host) throw new ApiError('wrong address', `The desk is at ${origin}.`)
    if (!isFromDesk(context, origin)) {
      throw new ApiError('wrong origin', `This request didn’t come from the desk. Open ${origin} directly.`)
    }
    await next()
  }
}

function isFromDesk({ req }: Context, origin: string): boolean {
  const from = req.header('origin')
  if (from === undefined ? !isSafeMethod(req.method) : from !== origin) return false
  const site = req.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return !isFramed(req.header('sec-fetch-dest'))
  // Links in emails and chats can open a page, because a page has no data until its own script requests it.
  return !req.path.startsWith('/api/') && isSafeMethod(req.method) && req.header('sec-fetch-dest') === 'document'
}

export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isFramed(destination: string | undefined): boolean {
  return destination !== undefined && /^(i?frame|embed|object|fencedframe)$/.test(destination)
}

/** All other routes under /api/ require a session. */
const publicRoutes: readonly string[] = [
  'POST /api/session/sign-in/options',
  'POST /api/session/sign-in',
  'POST /api/session/invitation',
  'POST /api/session/registration',
]

/** Hono answers HEAD with a GET's handler, so both need the same. */
const routeOf = (context: Context) =>
  `${context.req.method === 'HEAD' ? 'GET' : context.req.method} ${routePath(context, -1)}`

export const isPublicRoute = (context: Context) => publicRoutes.includes(routeOf(context))

/**
 * The role a route requires, if it isn't `viewer` for reads and `editor` for writes. Viewers can use their own session,
 * queries that must not be in a URL, and lead actions, which check the role themselves. Agents call. A new write elsewhere is closed.
 */
const routeRoles: ReadonlyMap<string, DeskRole> = new Map([
  ['POST /api/leads/search', 'viewer'],
  ['POST /api/leads/count', 'viewer'],
  ['POST /api/records/check', 'viewer'],
  ['POST /api/leads/:id/actions', 'viewer'],
  ['POST /api/leads/:id/correction', 'agent'],
  ['POST /api/do-not-call/search', 'viewer'],
  ['POST /api/do-not-call', 'agent'],
  ['POST /api/do-not-call/undo', 'agent'],
  ['GET /api/do-not-call/colleagues', 'editor'],
  ['GET /api/setup', 'editor'],
  ['GET /api/setup/texts', 'editor'],
  ['GET /api/people', 'editor'],
  ['GET /api/do-not-call/export', 'editor'],
])

const areaRoles: readonly (readonly [start: string, role: DeskRole])[] = [
  ['POST /api/session/', 'viewer'],
  ['POST /api/calls/', 'agent'],
]

/** `route`: its method and pattern, such as `GET /api/leads/:id`. */
export const roleFor = (route: string): DeskRole =>
  routeRoles.get(route) ??
  areaRoles.find(([start]) => route.startsWith(start))?.[1] ??
  (isSafeMethod(route.split(' ', 1)[0] ?? '') ? 'viewer' : 'editor')

/** In another tab, someone else may have signed in since the page was loaded. A link for a download names its person in the query. */
function refuseOtherPerson({ req }: Context, { id, name }: DeskPerson): void {
  const pageOf = req.header(PAGE_OF) ?? req.query(PAGE_OF)
  if (pageOf === id || (pageOf === undefined && isSafeMethod(req.method))) return
  throw new ApiError(
    'someone else',
    `${name} is signed in now, so nothing is saved here. What you typed stays in this tab until you sign in again.`,
  )
}

/** How often to record that someone is there. */
const ACTIVITY_INTERVAL_MS = 5 * 60_000

/** Requires a session, of the person whose page it is, and the role for the route. */
export function guardSession({ store, now }: Pick<DeskServices, 'store' | 'now'>): MiddlewareHandler<DeskRequest> {
  return async (context, next) => {
    if (!isPublicRoute(context)) {
      const hash = sessionHash(context)
      const session = hash === null ? null : await store.session(hash)
      if (hash === null || session === null) throw new ApiError('not signed in', 'Sign in to continue.')
      refuseOtherPerson(context, session.person)
      const needed = roleFor(routeOf(context))
      if (!roleAllows(session.person.role, needed)) throw roleRequired(needed)
      if (Math.abs(now() - (session.lastActiveAt ?? 0)) > ACTIVITY_INTERVAL_MS) {
        // A store that can't be written to can still be read.
        await store.recordActivity({ personId: session.person.id, intervalMs: ACTIVITY_INTERVAL_MS }).catch(() => {})
      }
      const { id, name } = session.person
      context.set('person', session.person)
      context.set('agent', { id, name })
      context.set('session', session)
      context.set('isSignedIn', async () => (await store.session(hash)) !== null)
    }
    await next()
  }
}

const MAX_ATTEMPTS = 60
/** Anyone can get an IPv6 network with 65,536 clients. */
const MAX_ATTEMPTS_OF_NETWORK = 3 * MAX_ATTEMPTS

/**
 * Rate-limits sign-in attempts. Successful ones don't count, since an office may share an IP address. Challenge
 * requests do, since each one adds a row to the store.
 */
export function limitAttempts({ config }: Pick<DeskServices, 'config'>): MiddlewareHandler {
  const clientAddress = createClientAddress(config.trustProxy)
  const limit = createRateLimit({ hardLimit: MAX_ATTEMPTS, networkHardLimit: MAX_ATTEMPTS_OF_NETWORK })
  return async (context, next) => {
    const { incoming } = (context.env ?? {}) as Partial<HttpBindings>
    const address = clientAddress(incoming?.socket.remoteAddress, context.req.header('x-forwarded-for'))
    const verdict = limit.count(address)
    if (verdict.kind === 'refuse') {
      const minutes = Math.ceil(verdict.retryAfterSeconds / 60)
      throw new ApiError('too many attempts', `Too many attempts. Try again in ${minutes} min.`, {
        'retry-after': String(verdict.retryAfterSeconds),
      })
    }
    await next()
    if (!context.res.ok || !context.res.headers.has('set-cookie')) return
    // Once for the challenge request, once for the sign-in.
    limit.uncount(address)
    limit.uncount(address)
  }
}
