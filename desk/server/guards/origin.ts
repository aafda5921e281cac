/** Refuses what does not come from the desk's own pages: another name (DNS rebinding), another site's script, a frame. */
import type { Context, MiddlewareHandler } from 'hono'
import { Refused } from '../refusal.ts'

export function guardOrigin(origin: string): MiddlewareHandler {
  const { host } = new URL(origin)
  return async (context, next) => {
    if (context.req.header('host') !== host) throw new Refused('wrong address', `The desk answers at ${origin} only.`)
    if (!isFromHere(context, origin)) {
      throw new Refused('not from here', `This request did not come from the desk. Open ${origin} itself.`)
    }
    await next()
  }
}

function isFromHere({ req }: Context, origin: string): boolean {
  const from = req.header('origin')
  if (from === undefined ? !isReading(req.method) : from !== origin) return false
  const site = req.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'none') return !isFramed(req.header('sec-fetch-dest'))
  // A link in a colleague's message leads to an empty page, which then asks by itself: only that much is anybody's.
  return !req.path.startsWith('/api/') && isReading(req.method) && req.header('sec-fetch-dest') === 'document'
}

export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isFramed(destination: string | undefined): boolean {
  return destination !== undefined && /^(i?frame|embed|object|fencedframe)$/.test(destination)
}
