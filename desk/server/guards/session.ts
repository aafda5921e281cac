/** Lets nobody at the API but those who are signed in, and nobody change anything but those who act. */
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { Refused } from '../refusal.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { sessionHash } from '../sign-in/session-cookie.ts'
import { isReading } from './origin.ts'

/** Whoever signs in is not signed in yet. All else below /api/ needs a session. */
export const withoutSession: readonly string[] = [
  'POST /api/session/sign-in/options',
  'POST /api/session/sign-in',
  'POST /api/session/invitation',
  'POST /api/session/registration',
]

/**
 * What changes no lead, though it is a POST: one's own session, and questions that must not stand in an address. Everything
 * else that is not a GET is for those who act: a route that somebody adds and forgets to list is closed, not open.
 */
export const forLookers: readonly string[] = [
  'POST /api/session/sign-out',
  'POST /api/session/passkeys/options',
  'POST /api/session/passkeys',
  'DELETE /api/session/passkeys/:id',
  'POST /api/leads/search',
  'POST /api/leads/count',
]

export function guardSession({ store }: Pick<DeskServices, 'store'>): MiddlewareHandler<DeskRequest> {
  return async (context, next) => {
    const route = routeOf(context)
    if (!withoutSession.includes(route)) {
      const hash = sessionHash(context)
      const session = hash === null ? null : await store.session(hash)
      if (hash === null || session === null) throw new Refused('not signed in', 'Sign in to go on.')
      if (session.person.role !== 'editor' && !isReading(context.req.method) && !forLookers.includes(route)) {
        throw new Refused(
          'may not act',
          'You may look at leads, but not change them. Ask whoever runs the desk for it.',
        )
      }
      context.set('person', session.person)
      context.set('session', session)
      context.set('sessionStands', async () => (await store.session(hash)) !== null)
    }
    await next()
  }
}

function routeOf(context: Context): string {
  return `${context.req.method} ${routePath(context, -1)}`
}
