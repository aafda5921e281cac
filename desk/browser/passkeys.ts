/** Passkeys in this browser: creating one, signing in with one, and explaining what went wrong. */
import type { InferRequestType } from 'hono/client'
import { api, type Invitation, messageOf, unwrap } from './client.ts'

type Assertion = InferRequestType<(typeof api.session)['sign-in']['$post']>['json']['answer']
type Registration = InferRequestType<typeof api.session.registration.$post>['json']['answer']

/** Chrome 129+, Firefox 119+, and Safari 18.4+ can convert WebAuthn data to and from JSON. */
export const canUsePasskeys = () =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

export async function signIn() {
  const json = await answerWithPasskey(await unwrap(api.session['sign-in'].options.$post()))
  return unwrap(api.session['sign-in'].$post({ json }))
}

/** Asks for the passkey again, for what a session alone may not do. Null in the demo. */
export async function confirmWithPasskey() {
  const asked = await unwrap(api.session.confirmation.$post())
  return asked && answerWithPasskey(asked)
}

async function answerWithPasskey({ challengeId, options }: { challengeId: string; options: object }) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return { challengeId, answer: await jsonOf<Assertion>(navigator.credentials.get({ publicKey })) }
}

/** Viewing an invitation doesn't use it up. */
export const readInvitation = (token: string) => unwrap(api.session.invitation.$post({ json: { token } }))

/** Gets a new challenge, because the page may have been open for longer than a challenge is valid. */
export async function acceptInvitation(token: string) {
  const { challengeId, options } = await readInvitation(token)
  const json = { token, challengeId, answer: await createPasskey(options) }
  return unwrap(api.session.registration.$post({ json }))
}

export async function addPasskey() {
  const confirmation = await confirmWithPasskey()
  const { challengeId, options } = await unwrap(api.session.passkeys.options.$post({ json: { confirmation } }))
  return unwrap(api.session.passkeys.$post({ json: { challengeId, answer: await createPasskey(options) } }))
}

export async function removePasskey(id: string) {
  const confirmation = await confirmWithPasskey()
  return unwrap(api.session.passkeys[':id'].remove.$post({ param: { id }, json: { confirmation } }))
}

function createPasskey(options: Invitation['options']) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as object as PublicKeyCredentialCreationOptionsJSON,
  )
  return jsonOf<Registration>(navigator.credentials.create({ publicKey }))
}

async function jsonOf<Json>(credential: Promise<Credential | null>): Promise<Json> {
  return ((await credential) as PublicKeyCredential).toJSON() as Json
}

const messages: Readonly<Record<string, string>> = {
  ConstraintError: 'This device has no screen lock. Set up a PIN, fingerprint, or face unlock first, then try again.',
  InvalidStateError: 'You already have a passkey on this device. Use another device or a security key.',
  NotAllowedError:
    'That didn’t go through. It was canceled or timed out. Try again. If this device has no passkey, ask for a new link.',
  SecurityError: 'Passkeys don’t work at this address. Use the address in the link you got.',
}

export const explainError = (error: unknown) =>
  (error instanceof DOMException ? messages[error.name] : undefined) ?? messageOf(error)
