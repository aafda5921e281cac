/** Passkeys in this browser: making one, signing in with one, and saying in plain words why it did not work. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type {
  InvitationAnswer,
  PasskeyList,
  PasskeyOptions,
  PasskeyRequest,
  RegistrationRequest,
  SessionAnswer,
  SignInOptions,
  SignInRequest,
} from '../api/session.ts'
import { ask, messageOf } from './client.ts'

export const canUsePasskeys = browserSupportsWebAuthn

export async function signIn(): Promise<SessionAnswer> {
  const { challengeId, options } = await ask<SignInOptions>('/api/session/sign-in/options', { body: {} })
  const body: SignInRequest = { challengeId, answer: await startAuthentication({ optionsJSON: options }) }
  return ask<SessionAnswer>('/api/session/sign-in', { body })
}

/** What an invitation is for. It is not used up by looking at it. */
export const readInvitation = (token: string) => ask<InvitationAnswer>('/api/session/invitation', { body: { token } })

export async function acceptInvitation(token: string, invitation: InvitationAnswer): Promise<SessionAnswer> {
  const answer = await startRegistration({ optionsJSON: invitation.options })
  const body: RegistrationRequest = { token, challengeId: invitation.challengeId, answer }
  return ask<SessionAnswer>('/api/session/registration', { body })
}

export async function addPasskey(): Promise<PasskeyList> {
  const { challengeId, options } = await ask<PasskeyOptions>('/api/session/passkeys/options', { body: {} })
  const body: PasskeyRequest = { challengeId, answer: await startRegistration({ optionsJSON: options }) }
  return ask<PasskeyList>('/api/session/passkeys', { body })
}

export function whyNot(error: unknown): string {
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      return 'This device has a passkey of yours already. Use another device or a security key for the second one.'
    }
    if (error.code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT') {
      return 'This device has no screen lock. Set up a PIN, a fingerprint or a face first, then try again.'
    }
    if (error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID') {
      return 'Passkeys do not work at this address. Open the desk at the address that your administrator gave you.'
    }
  }
  if (error instanceof Error && /^(NotAllowedError|AbortError)$/.test(error.name)) {
    return 'No passkey was used: it was cancelled, took too long, or there is none on this device. Try again.'
  }
  return messageOf(error)
}
