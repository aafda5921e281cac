/** Signing in and out: an invitation registers a passkey, and a passkey starts a session. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { callLanguages } from '../../../domain/calling/list.ts'
import { createToken, type DeskSession, hashToken } from '../../../server/store/operations/desk/accounts.ts'
import { onlyCalls } from '../../routes.ts'
import { ApiError } from '../api-error.ts'
import { limitAttempts } from '../guards.ts'
import { jsonBody } from '../request-body.ts'
import { type DeskRequest, type DeskServices, showsCalls } from '../services.ts'
import { clearSession, SESSION_MS, sessionHash, setSession } from './cookie.ts'
import { createCeremonies } from './passkeys.ts'

const shortText = v.pipe(v.string(), v.maxLength(200))

/** Checks only the shape. The WebAuthn library verifies the content against the challenge. */
const credential = { id: v.pipe(v.string(), v.maxLength(2000)), rawId: v.string(), type: v.literal('public-key') }
const registration = v.looseObject({
  ...credential,
  response: v.looseObject({ clientDataJSON: v.string(), attestationObject: v.string() }),
})
const assertion = v.looseObject({
  ...credential,
  response: v.looseObject({ clientDataJSON: v.string(), authenticatorData: v.string(), signature: v.string() }),
})

/** Spoken on calls. */
export const spokenLanguages = v.pipe(
  v.array(v.picklist(callLanguages)),
  v.minLength(1),
  v.maxLength(callLanguages.length),
  v.transform(languages => [...new Set(languages)]),
)
const tokenBody = v.object({ token: shortText })
const registrationResponse = v.custom<RegistrationResponseJSON>(input => v.is(registration, input))
const signInBody = v.object({
  challengeId: shortText,
  answer: v.custom<AuthenticationResponseJSON>(input => v.is(assertion, input)),
})
/** With what needs more than a session. */
export const confirmation = v.nullable(signInBody)
const confirmationBody = v.object({ confirmation })
const registrationBody = v.object({ token: shortText, challengeId: shortText, answer: registrationResponse })
const languagesBody = v.object({ languages: spokenLanguages })
const passkeyBody = v.object({ challengeId: shortText, answer: registrationResponse })

export function createAuthRoutes(services: DeskServices) {
  const { config, demo, store, log } = services
  const ceremonies = createCeremonies(services)
  const attempts = limitAttempts(services)

  const sessionResponse = async ({ person: { id, name, role }, expiresAt }: DeskSession) => {
    const callList = await showsCalls(services)
    return {
      id,
      name,
      role,
      endsAt: expiresAt,
      demo,
      timeZone: config.timeZone,
      /** Whether leads are called from the desk. */
      callList,
      /** Only in the demo, when hardly anyone may be called. */
      ignoresCallingHours: config.callingHours.anytime === true,
      /** Spoken on calls. */
      languages: await store.spokenLanguages(id),
      /** Whether leads are sent to a webhook, and that's this person's business. */
      crm: config.webhookUrl !== null && !onlyCalls({ role, callList }),
    }
  }

  async function passkeyList(personId: string) {
    const passkeys = await store.passkeysOf(personId)
    return { passkeys: passkeys.map(({ id, addedAt, lastUsedAt, synced }) => ({ id, addedAt, lastUsedAt, synced })) }
  }

  async function invitationOf(token: string) {
    const hash = hashToken(token)
    const invitation = hash === null ? null : await store.invitation(hash)
    if (hash === null || invitation === null) throw invalidInvitation()
    return { hash, invitation }
  }

  async function beginSession(context: Context, passkeyId: string, counter: number | null) {
    const { token, hash } = createToken()
    const session = await store.beginSession({ tokenHash: hash, ttlMs: SESSION_MS, passkeyId, counter })
    if (session === null)
      throw new ApiError(
        'passkey refused',
        'Your passkey was just used or removed. Try again, or contact the person who invited you.',
      )
    setSession(context, token, SESSION_MS)
    log('desk_signed_in', { person: session.person.id })
    return sessionResponse(session)
  }

  return new Hono<DeskRequest>()
    .post('/sign-in/options', attempts, async context => context.json(await ceremonies.startSignIn()))
    .post('/sign-in', attempts, jsonBody(signInBody), async context => {
      const { passkey, counter } = await ceremonies.verifySignIn(context.req.valid('json'))
      return context.json(await beginSession(context, passkey.id, counter))
    })
    .post('/invitation', attempts, jsonBody(tokenBody), async context => {
      const { invitation } = await invitationOf(context.req.valid('json').token)
      const { person, passkeys } = invitation
      const ceremony = await ceremonies.startRegistration(invitation, 'accept an invitation', [])
      return context.json({ name: person.name, role: person.role, replaces: passkeys > 0, ...ceremony })
    })
    .post('/registration', attempts, jsonBody(registrationBody), async context => {
      const request = context.req.valid('json')
      const { hash, invitation } = await invitationOf(request.token)
      const passkey = await ceremonies.verifyRegistration(request, 'accept an invitation', invitation.person.id)
      if ((await store.acceptInvitation({ tokenHash: hash, passkey })) === null) throw invalidInvitation()
      return context.json(await beginSession(context, passkey.id, null))
    })
    .get('/', async context => context.json(await sessionResponse(context.get('session'))))
    .post('/languages', jsonBody(languagesBody), async context => {
      const { languages } = context.req.valid('json')
      await store.setSpokenLanguages({ personId: context.get('person').id, languages })
      return context.json(await sessionResponse(context.get('session')))
    })
    .post('/sign-out', async context => {
      const hash = sessionHash(context)
      if (hash !== null) await store.endSession(hash)
      clearSession(context)
      return context.json({})
    })
    .get('/passkeys', async context => context.json(await passkeyList(context.get('person').id)))
    .post('/confirmation', async context => context.json(await ceremonies.startConfirmation(context.get('person'))))
    .post('/passkeys/options', jsonBody(confirmationBody), async context => {
      const session = context.get('session')
      await ceremonies.confirm(session.person, context.req.valid('json').confirmation)
      const known = (await store.passkeysOf(session.person.id)).map(({ id }) => id)
      return context.json(await ceremonies.startRegistration(session, 'add a passkey', known))
    })
    .post('/passkeys', jsonBody(passkeyBody), async context => {
      const { id: personId } = context.get('person')
      const passkey = await ceremonies.verifyRegistration(context.req.valid('json'), 'add a passkey', personId)
      const added = await store.addPasskey({ personId, sessionHash: sessionHash(context) ?? '', passkey })
      if (added === 'session ended') throw new ApiError('not signed in', 'Sign in to continue.')
      if (added === 'known') throw new ApiError('passkey refused', 'This passkey is already registered.')
      return context.json(await passkeyList(personId))
    })
    .post('/passkeys/:id/remove', jsonBody(confirmationBody), async context => {
      const { id: personId } = context.get('person')
      await ceremonies.confirm(context.get('person'), context.req.valid('json').confirmation)
      const removed = await store.removePasskey({ personId, id: context.req.param('id') })
      if (removed === 'unknown') throw new ApiError('not found', 'This passkey no longer exists.')
      if (removed === 'last') {
        throw new ApiError('last passkey', 'This is your only passkey. Add another one first, or you’d be locked out.')
      }
      return context.json(await passkeyList(personId))
    })
}

function invalidInvitation(): ApiError {
  return new ApiError('invitation invalid', 'This link was already used or has expired. Ask for a new one.')
}
