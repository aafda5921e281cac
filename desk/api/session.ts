/** Signing in: what the browser sends and gets. Challenges and passkeys are WebAuthn's own JSON. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { DeskRole } from '../../server/store/accounts.ts'

/** Every refusal and every fault. The message is for the person in front of the screen, and says what to do. */
export interface Refusal {
  readonly error: RefusalCode
  readonly message: string
}

export type RefusalCode =
  | 'not signed in'
  | 'may not act'
  | 'not from here'
  | 'wrong address'
  | 'bad request'
  | 'not found'
  | 'invitation invalid'
  | 'passkey refused'
  | 'last passkey'
  | 'too many attempts'
  | 'changed meanwhile'
  | 'store unavailable'
  | 'took too long'
  | 'not built yet'
  | 'failed'

/** `GET /api/session`: 401 without one. */
export interface SessionAnswer {
  readonly name: string
  readonly role: DeskRole
  /** Milliseconds since the epoch, as all times. */
  readonly endsAt: number
  /** The operator's, for all times on the screen. */
  readonly timeZone: string
  /** How many passkeys the person has: with one alone, a lost phone locks them out. */
  readonly passkeys: number
  /** Made-up leads in a scratch store. */
  readonly demo: boolean
}

/** `POST /api/session/sign-in/options` with `{}`. The challenge is good once, for five minutes. */
export interface SignInOptions {
  readonly challengeId: string
  readonly options: PublicKeyCredentialRequestOptionsJSON
}

/** `POST /api/session/sign-in`: answers with a SessionAnswer and the cookie. */
export interface SignInRequest {
  readonly challengeId: string
  readonly answer: AuthenticationResponseJSON
}

/** `POST /api/session/invitation`: the token is what follows the # in the link. It is not used up by asking. */
export interface InvitationRequest {
  readonly token: string
}

export interface InvitationAnswer {
  readonly name: string
  readonly role: DeskRole
  readonly endsAt: number
  /** The person has passkeys: registering ends them and all sessions. */
  readonly replaces: boolean
  readonly challengeId: string
  readonly options: PublicKeyCredentialCreationOptionsJSON
}

/** `POST /api/session/registration`: uses the invitation up, and answers with a SessionAnswer and the cookie. */
export interface RegistrationRequest {
  readonly token: string
  readonly challengeId: string
  readonly answer: RegistrationResponseJSON
}

/** `POST /api/session/passkeys/options` with `{}`: for one more passkey of whoever is signed in. */
export interface PasskeyOptions {
  readonly challengeId: string
  readonly options: PublicKeyCredentialCreationOptionsJSON
}

/** `POST /api/session/passkeys`: answers with PasskeyList. */
export interface PasskeyRequest {
  readonly challengeId: string
  readonly answer: RegistrationResponseJSON
}

/** `GET /api/session/passkeys`. `DELETE /api/session/passkeys/:id` takes one away, but never the last. */
export interface PasskeyList {
  readonly passkeys: readonly PasskeySummary[]
}

export interface PasskeySummary {
  readonly id: string
  readonly addedAt: number
  readonly lastUsedAt: number | null
  /** Kept by the system's account and on all of its devices, or on this one device alone. */
  readonly synced: boolean
}

// `POST /api/session/sign-out` with `{}` answers with 204 and takes the cookie away.
