/** Puts the HTTP app together. Production and tests both use this one. */
import { Hono } from 'hono'
import { type Config, OWN_LEAD_ENDPOINT } from './config.ts'
import type { Site } from './http/load-site.ts'
import { logRequests } from './http/log-requests.ts'
import { contentSecurityPolicy, securityHeaders } from './http/security-headers.ts'
import { ALLOWED_METHODS, serveFile } from './http/serve-file.ts'
import type { LeadService } from './lead-service.ts'
import { describeError, type Log, log as realLog } from './log.ts'

export interface Services {
  readonly site: Site
  readonly leads: Pick<LeadService, 'receiver' | 'isReady'>
  readonly log?: Log
}

const NO_STORE = { 'cache-control': 'no-store' }

export function createApp(config: Config, { site, leads, log = realLog }: Services): Hono {
  const app = new Hono()
  const headers = Object.entries(securityHeaders(config))
  const ownPaths = new Set([...site.byPath.keys(), OWN_LEAD_ENDPOINT, '/healthz', '/readyz'])

  app.use(logRequests(log, path => ownPaths.has(path)))
  // Set before the answer is made: adding to a finished one would cost more than the answer itself.
  app.use(async (context, next) => {
    for (const [name, value] of headers) context.header(name, value)
    await next()
  })

  app.get('/healthz', context => context.json({ status: 'alive' }, 200, NO_STORE))
  app.get('/readyz', async context =>
    (await leads.isReady())
      ? context.json({ status: 'ready' }, 200, NO_STORE)
      : context.json({ status: 'the store takes no writes' }, 503, NO_STORE),
  )

  // The receiver's own pages, filled in for a visitor, are held to the same policy as those from a file.
  const formPolicy = contentSecurityPolicy(site.plainForm, site)
  app.use(OWN_LEAD_ENDPOINT, async (context, next) => {
    context.header('content-security-policy', formPolicy)
    await next()
  })
  app.route(OWN_LEAD_ENDPOINT, leads.receiver)

  app.get('*', context => {
    const path = context.req.path
    const file = site.byPath.get(path)
    if (file) return serveFile(context, file, site)
    const withoutSlash = path.replace(/\/+$/, '')
    if (withoutSlash !== path && site.byPath.has(withoutSlash)) {
      const query = context.req.url.replace(/^[^?]*/, '')
      return context.redirect(withoutSlash + query, 308)
    }
    return serveFile(context, site.notFound, site, 404)
  })

  app.all('*', context => context.text('Only GET and HEAD are answered here.\n', 405, { allow: ALLOWED_METHODS }))

  app.onError((error, context) => {
    log('request failed', describeError(error))
    return serveFile(context, site.error, site, 500)
  })

  return app
}
