/** The way in: an invitation becomes a passkey, and a passkey a session. Nobody is signed in yet here. */
import { type Context, Hono } from 'hono'
import { object } from 'valibot'
import { createToken, hashToken } from '../../../server/store/accounts.ts'
import type { InvitationAnswer, SessionAnswer, SignInOptions } from '../../api/session.ts'
import { limitAttempts } from '../guards/attempts.ts'
import { Refused } from '../refusal.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { createCeremonies } from '../sign-in/passkeys.ts'
import { registrationAnswer, shortText, signInAnswer } from '../sign-in/schemas.ts'
import { SESSION_MS, setSession } from '../sign-in/session-cookie.ts'
import { sessionAnswer } from './session.ts'

export function createSignInRoutes(services: DeskServices): Hono<DeskRequest> {
  const { store, log } = services
  const ceremonies = createCeremonies(services)
  const attempts = limitAttempts(services)

  async function invitationOf(token: string) {
    const hash = hashToken(token)
    const invitation = hash === null ? null : await store.invitation(hash)
    if (hash === null || invitation === null) throw invalidInvitation()
    return { hash, invitation }
  }

  async function begin(context: Context, passkeyId: string, counter: number): Promise<SessionAnswer> {
    const { token, hash } = createToken()
    const session = await store.beginSession({ tokenHash: hash, lastsMs: SESSION_MS, passkeyId, counter })
    if (session === null) throw new Refused('passkey refused', 'Access was just taken away. Ask whoever runs the desk.')
    setSession(context, token, SESSION_MS)
    log('desk_signed_in', { person: session.person.id })
    return sessionAnswer(services, session)
  }

  return new Hono<DeskRequest>()
    .post('/sign-in/options', attempts, async context => context.json<SignInOptions>(await ceremonies.offerSignIn()))
    .post('/sign-in', attempts, jsonBody(object({ challengeId: shortText, answer: signInAnswer })), async context => {
      const { passkey, counter } = await ceremonies.checkSignIn(context.req.valid('json'))
      return context.json(await begin(context, passkey.id, counter))
    })
    .post('/invitation', attempts, jsonBody(object({ token: shortText })), async context => {
      const { invitation } = await invitationOf(context.req.valid('json').token)
      const { person, endsAt, passkeys } = invitation
      const offer = await ceremonies.offerRegistration(invitation, 'accept an invitation', [])
      const { name, role } = person
      return context.json<InvitationAnswer>({ name, role, endsAt, replaces: passkeys > 0, ...offer })
    })
    .post(
      '/registration',
      attempts,
      jsonBody(object({ token: shortText, challengeId: shortText, answer: registrationAnswer })),
      async context => {
        const request = context.req.valid('json')
        const { hash, invitation } = await invitationOf(request.token)
        const passkey = await ceremonies.checkRegistration(request, 'accept an invitation', invitation.person.id)
        const person = await store.acceptInvitation({ tokenHash: hash, passkey })
        if (person === null) throw invalidInvitation()
        return context.json(await begin(context, passkey.id, passkey.counter))
      },
    )
}

function invalidInvitation(): Refused {
  return new Refused('invitation invalid', 'This link has been used, or its hour has passed. Ask for a new one.')
}
