/** One's own session: who is signed in, their passkeys, and signing out. */
import { Hono } from 'hono'
import { object } from 'valibot'
import type { DeskSession } from '../../../server/store/accounts.ts'
import type { PasskeyList, PasskeyOptions, SessionAnswer } from '../../api/session.ts'
import { Refused } from '../refusal.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { createCeremonies } from '../sign-in/passkeys.ts'
import { registrationAnswer, shortText } from '../sign-in/schemas.ts'
import { clearSession, sessionHash } from '../sign-in/session-cookie.ts'

export async function sessionAnswer(
  { config, demo, store }: Pick<DeskServices, 'config' | 'demo' | 'store'>,
  { person, endsAt }: DeskSession,
): Promise<SessionAnswer> {
  const passkeys = (await store.passkeysOf(person.id)).length
  return { name: person.name, role: person.role, endsAt, timeZone: config.timeZone, passkeys, demo }
}

export function createSessionRoutes(services: DeskServices): Hono<DeskRequest> {
  const { store } = services
  const ceremonies = createCeremonies(services)

  async function passkeyList(personId: string): Promise<PasskeyList> {
    const passkeys = await store.passkeysOf(personId)
    return {
      passkeys: passkeys.map(({ id, addedAt, lastUsedAt, synced }) => ({ id, addedAt, lastUsedAt, synced })),
    }
  }

  return new Hono<DeskRequest>()
    .get('/', async context => context.json(await sessionAnswer(services, context.get('session'))))
    .post('/sign-out', async context => {
      const hash = sessionHash(context)
      if (hash !== null) await store.endSession(hash)
      clearSession(context)
      return context.body(null, 204)
    })
    .get('/passkeys', async context => context.json(await passkeyList(context.get('person').id)))
    .post('/passkeys/options', async context => {
      const session = context.get('session')
      const known = (await store.passkeysOf(session.person.id)).map(({ id }) => id)
      return context.json<PasskeyOptions>(await ceremonies.offerRegistration(session, 'add a passkey', known))
    })
    .post('/passkeys', jsonBody(object({ challengeId: shortText, answer: registrationAnswer })), async context => {
      const { id: personId } = context.get('person')
      const passkey = await ceremonies.checkRegistration(context.req.valid('json'), 'add a passkey', personId)
      const added = await store.addPasskey({ personId, sessionHash: sessionHash(context) ?? '', passkey })
      if (added === 'session ended') throw new Refused('not signed in', 'Sign in to go on.')
      if (added === 'known') throw new Refused('passkey refused', 'This passkey is registered already.')
      return context.json(await passkeyList(personId))
    })
    .delete('/passkeys/:id', async context => {
      const { id: personId } = context.get('person')
      const removed = await store.removePasskey({ personId, id: context.req.param('id') })
      if (removed === 'unknown') throw new Refused('not found', 'There is no such passkey any more.')
      if (removed === 'last') {
        throw new Refused(
          'last passkey',
          'This is your only passkey. Add another one first, or you could not come in again.',
        )
      }
      return context.json(await passkeyList(personId))
    })
}
