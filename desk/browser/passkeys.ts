/** Passkeys in this browser: creating one, signing in with one, and explaining what went wrong. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { answer, api, type Invitation, messageOf } from './client.ts'

// WebAuthn's own JSON: only optional fields differ after a trip through JSON.
type SignInOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']
type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

export const canUsePasskeys = browserSupportsWebAuthn

export async function signIn() {
  const { challengeId, options } = await answer(api.session['sign-in'].options.$post())
  const json = { challengeId, answer: await startAuthentication({ optionsJSON: options as object as SignInOptions }) }
  return answer(api.session['sign-in'].$post({ json }))
}

/** Looking at an invitation doesn't use it up. */
export const readInvitation = (token: string) => answer(api.session.invitation.$post({ json: { token } }))

export async function acceptInvitation(token: string, { challengeId, options }: Invitation) {
  const json = {
    token,
    challengeId,
    answer: await startRegistration({ optionsJSON: options as object as RegistrationOptions }),
  }
  return answer(api.session.registration.$post({ json }))
}

export async function addPasskey() {
  const { challengeId, options } = await answer(api.session.passkeys.options.$post())
  const json = {
    challengeId,
    answer: await startRegistration({ optionsJSON: options as object as RegistrationOptions }),
  }
  return answer(api.session.passkeys.$post({ json }))
}

export function whyNot(error: unknown): string {
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      return 'This device already has a passkey of yours. Use another device or a security key.'
    }
    if (error.code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT') {
      return 'This device has no screen lock. Set up a PIN, fingerprint, or face first, then try again.'
    }
    if (error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID') {
      return 'Passkeys don’t work at this address. Use the address your administrator gave you.'
    }
  }
  if (error instanceof Error && /^(NotAllowedError|AbortError)$/.test(error.name)) {
    return 'No passkey was used. It was canceled, timed out, or there is none on this device. Try again.'
  }
  return messageOf(error)
}
