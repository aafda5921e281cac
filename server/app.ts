/** Puts the HTTP app together. Production and tests both use this one. */
import { Hono } from 'hono'
import { type Config, OWN_LEAD_ENDPOINT } from './config.ts'
import type { Site } from './http/load-site.ts'
import { securityHeaders } from './http/security-headers.ts'
import { ALLOWED_METHODS, serveFile } from './http/serve-file.ts'
import { logError } from './log.ts'

export interface Services {
  readonly site: Site
}

export function createApp(config: Config, { site }: Services): Hono {
  const app = new Hono()
  const headers = Object.entries(securityHeaders(config))

  app.use(async (context, next) => {
    await next()
    for (const [name, value] of headers) context.res.headers.set(name, value)
  })

  app.get('/healthz', context => context.json({ status: 'alive' }, 200, { 'cache-control': 'no-store' }))

  // No receiver is built in yet, and nothing is acknowledged that is not on disk: the visitor is told to try again.
  app.all(OWN_LEAD_ENDPOINT, context =>
    context.json({ status: 'unavailable', message: 'Leads cannot be received at the moment.' }, 503, {
      'cache-control': 'no-store',
      'retry-after': '60',
    }),
  )

  app.get('*', context => {
    const path = context.req.path
    const file = site.byPath.get(path)
    if (file) return serveFile(context, file, site.leadEndpoint)
    const withoutSlash = path.replace(/\/+$/, '')
    if (withoutSlash !== path && site.byPath.has(withoutSlash)) {
      return context.redirect(withoutSlash + new URL(context.req.url).search, 308)
    }
    return serveFile(context, site.notFound, site.leadEndpoint, 404)
  })

  app.all('*', context => context.text('Only GET and HEAD are answered here.\n', 405, { allow: ALLOWED_METHODS }))

  app.onError((error, context) => {
    logError('request failed', error)
    return serveFile(context, site.error, site.leadEndpoint, 500)
  })

  return app
}
