/**
 * WebAuthn's ceremonies: registering a passkey, signing in with one, and confirming with one. Synced passkeys don't count their uses, so a
 * replayed response would pass. Deleting the challenge before checking anything prevents that.
 */
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { DeskPerson } from '../../../server/store/facts/desk-people.ts'
import type { PasskeyWithOwner } from '../../../server/store/operations/desk/accounts.ts'
import type { Challenge, ChallengePurpose, NewPasskey } from '../../../server/store/tables/desk-access.ts'
import { ApiError } from '../api-error.ts'
import type { DeskServices } from '../services.ts'

const CHALLENGE_MS = 5 * 60_000

/** EdDSA, ES256, RS256. Passed to both calls, because the library's default depends on the machine. */
const algorithms = [-8, -7, -257]

const selection = { residentKey: 'required', requireResidentKey: true, userVerification: 'required' } as const

/** An answer to a challenge. */
interface Answered {
  readonly challengeId: string
  readonly answer: AuthenticationResponseJSON
}

interface Registrant {
  readonly person: DeskPerson
  readonly handle: string
}

export function createCeremonies({ store, origin, demo }: Pick<DeskServices, 'store' | 'origin' | 'demo'>) {
  const rpID = new URL(origin).hostname

  async function save(challenge: Challenge): Promise<string> {
    const id = crypto.randomUUID()
    await store.addChallenge({ ...challenge, id, ttlMs: CHALLENGE_MS })
    return id
  }

  async function take(id: string, purpose: ChallengePurpose, personId: string | null): Promise<string> {
    const taken = await store.takeChallenge(id)
    if (taken?.purpose !== purpose || taken.personId !== personId) {
      throw new ApiError('passkey refused', 'That request expired or was already used. Try again.')
    }
    return taken.challenge
  }

  return {
    async startRegistration({ person, handle }: Registrant, purpose: ChallengePurpose, exclude: readonly string[]) {
      const options: PublicKeyCredentialCreationOptionsJSON = await generateRegistrationOptions({
        rpName: 'SSDI Advocate desk',
        rpID,
        userID: new Uint8Array(Buffer.from(handle, 'base64url')),
        userName: person.name,
        userDisplayName: person.name,
        timeout: CHALLENGE_MS,
        attestationType: 'none',
        excludeCredentials: exclude.map(id => ({ id })),
        authenticatorSelection: selection,
        supportedAlgorithmIDs: algorithms,
      })
      return { challengeId: await save({ challenge: options.challenge, purpose, personId: person.id }), options }
    },

    async verifyRegistration(
      request: { readonly challengeId: string; readonly answer: RegistrationResponseJSON },
      purpose: ChallengePurpose,
      personId: string,
    ): Promise<NewPasskey> {
      const expectedChallenge = await take(request.challengeId, purpose, personId)
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: request.answer,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => ({ verified: false as const, registrationInfo: undefined }))
      if (!verified) throw new ApiError('passkey refused', 'The passkey couldn’t be registered. Try again.')
      const { credential, credentialDeviceType } = registrationInfo
      return {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: (credential.transports ?? []).filter(isTransport),
        synced: credentialDeviceType === 'multiDevice',
      }
    },

    async startSignIn() {
      const options = await generateAuthenticationOptions({ rpID, timeout: CHALLENGE_MS, userVerification: 'required' })
      return { challengeId: await save({ challenge: options.challenge, purpose: 'sign in', personId: null }), options }
    },

    /** Returns the passkey that was used and its new counter. */
    verifySignIn: (request: Answered) => verify(request, 'sign in', null),

    /** Null in the demo, where nobody has a passkey. */
    async startConfirmation({ id: personId }: DeskPerson) {
      if (demo) return null
      const allowCredentials = (await store.passkeysOf(personId)).map(({ id }) => ({ id }))
      const options = await generateAuthenticationOptions({
        rpID,
        timeout: CHALLENGE_MS,
        userVerification: 'required',
        allowCredentials,
      })
      return { challengeId: await save({ challenge: options.challenge, purpose: 'confirm', personId }), options }
    },

    /** For whatever gives someone access: a fresh answer from the person's own passkey, because a cookie may be stolen. */
    async confirm({ id: personId }: DeskPerson, request: Answered | null): Promise<void> {
      if (demo) return
      if (request === null) throw new ApiError('passkey refused', 'Confirm with your passkey that it’s you.')
      const { passkey, counter } = await verify(request, 'confirm', personId)
      const isTheirs = passkey.person.id === personId
      if (!isTheirs || !(await store.countPasskey({ id: passkey.id, counter }))) throw unknownPasskey()
    },
  }

  async function verify(
    request: Answered,
    purpose: ChallengePurpose,
    personId: string | null,
  ): Promise<{ readonly passkey: PasskeyWithOwner; readonly counter: number }> {
    const expectedChallenge = await take(request.challengeId, purpose, personId)
    const passkey = await store.passkey(request.answer.id)
    if (passkey === null || !isOwner(request.answer, passkey.handle)) throw unknownPasskey()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: request.answer,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
        transports: [...passkey.transports] as AuthenticatorTransport[],
      },
    }).catch(() => ({ verified: false as const, authenticationInfo: undefined }))
    if (!verified) throw unknownPasskey()
    return { passkey, counter: authenticationInfo.newCounter }
  }
}

const transports: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** The browser says what it likes, and it's stored. */
const isTransport = (name: unknown) => typeof name === 'string' && transports.includes(name)

function isOwner({ response }: AuthenticationResponseJSON, handle: string): boolean {
  return response.userHandle === undefined || response.userHandle === handle
}

/** The same message for every failure, so strangers learn nothing about accounts. */
function unknownPasskey(): ApiError {
  return new ApiError(
    'passkey refused',
    'We don’t recognize this passkey. Ask the person who invited you for a new invitation.',
  )
}
