/** The form of what a browser says of a passkey. The library checks what is in it, with the challenge. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { custom, is, literal, looseObject, maxLength, pipe, string } from 'valibot'

export const shortText = pipe(string(), maxLength(200))

const credential = { id: pipe(string(), maxLength(2000)), rawId: string(), type: literal('public-key') }

const registration = looseObject({
  ...credential,
  response: looseObject({ clientDataJSON: string(), attestationObject: string() }),
})

const signIn = looseObject({
  ...credential,
  response: looseObject({ clientDataJSON: string(), authenticatorData: string(), signature: string() }),
})

export const registrationAnswer = custom<RegistrationResponseJSON>(input => is(registration, input))
export const signInAnswer = custom<AuthenticationResponseJSON>(input => is(signIn, input))
