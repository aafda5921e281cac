/** One's own session: who is signed in, and signing out. */
import { Hono } from 'hono'
import type { SessionAnswer } from '../../api/session.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { clearSession, sessionHash } from '../sign-in/session-cookie.ts'

export function createSessionRoutes({ config, demo, store }: DeskServices): Hono<DeskRequest> {
  return new Hono<DeskRequest>()
    .get('/', async context => {
      const { person, endsAt } = context.get('session')
      const passkeys = (await store.passkeysOf(person.id)).length
      const { name, role } = person
      return context.json<SessionAnswer>({ name, role, endsAt, timeZone: config.timeZone, passkeys, demo })
    })
    .post('/sign-out', async context => {
      const hash = sessionHash(context)
      if (hash !== null) await store.endSession(hash)
      clearSession(context)
      return context.body(null, 204)
    })
}
