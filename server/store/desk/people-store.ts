/**
 * The desk's people: who may come in, by which passkeys, and who is signed in now. Part of the store's operations.
 * Tokens of invitations and sessions are never in the store: it knows them by their hashes alone.
 */

/** Who looks sees everything and changes nothing; who acts may also change. */
export const deskRoles = ['look', 'act'] as const

export type DeskRole = (typeof deskRoles)[number]

/** Names are those of the operator's own people: they may stand in a lead's history. */
export interface DeskPerson {
  readonly id: string
  readonly name: string
  readonly role: DeskRole
}

export interface DeskPeopleStore {
  /** Takes the place of an earlier invitation of the same name, and changes nothing else until it is used. */
  invite(order: InvitationOrder): Promise<Invited>
  /** Null when there is none of that hash, or its time has passed. */
  invitation(tokenHash: string): Promise<Invitation | null>
  /** Uses an invitation up: ends all sessions and passkeys of the person, and begins with this one. Null: used meanwhile. */
  acceptInvitation(acceptance: Acceptance): Promise<DeskPerson | null>

  /** Keeps a challenge until it is answered or its time has passed. */
  addChallenge(challenge: ChallengeOrder): Promise<void>
  /** Takes a challenge away and answers with it, so that no answer can be checked twice. */
  takeChallenge(id: string): Promise<Challenge | null>

  /** Null for one that is unknown, or whose person was dismissed. */
  passkey(id: string): Promise<PasskeyOfPerson | null>
  passkeysOf(personId: string): Promise<readonly Passkey[]>
  /** As long as this session of the person stands, whatever ends it at the same moment. */
  addPasskey(order: {
    readonly personId: string
    readonly sessionHash: string
    readonly passkey: NewPasskey
  }): Promise<'added' | 'known' | 'session ended'>
  /** The last one stays: without it the person could not come in again. */
  removePasskey(which: { readonly personId: string; readonly id: string }): Promise<'removed' | 'last' | 'unknown'>
  /** Writes down that a passkey was used, and begins a session. Null when it is gone or the person was dismissed. */
  beginSession(order: SessionOrder): Promise<DeskSession | null>
  /** Null when it never was, has ended, or its person was dismissed. */
  session(tokenHash: string): Promise<DeskSession | null>
  /** Of these sessions those that stand. */
  standingSessions(tokenHashes: readonly string[]): Promise<readonly string[]>
  endSession(tokenHash: string): Promise<void>

  /** All who were ever invited, by name. */
  deskPeople(): Promise<readonly DeskPersonRecord[]>
  /** Ends all sessions of a name, however it is capitalised. Null when nobody is called so. */
  signOut(name: string): Promise<Departed | null>
  /** The same, and takes passkeys and invitation away, too. History keeps the name. */
  dismiss(name: string): Promise<Departed | null>
}

export interface InvitationOrder {
  readonly name: string
  /** Null: the role that the person has, or to look for one who is new. */
  readonly role: DeskRole | null
  readonly tokenHash: string
  readonly lastsMs: number
  readonly by: string
}

export interface Invited {
  readonly person: DeskPerson
  /** As it was invited before, which may be spelt otherwise. */
  readonly known: 'new' | 'invited' | 'registered' | 'dismissed'
  readonly endsAt: number
}

export interface Invitation {
  readonly person: DeskPerson
  readonly endsAt: number
  /** Ended by accepting it. */
  readonly passkeys: number
  /** What authenticators call the person by: random, and the same for each of their passkeys. */
  readonly handle: string
}

export interface Acceptance {
  readonly tokenHash: string
  readonly passkey: NewPasskey
}

export interface NewPasskey {
  /** As the authenticator names it, in base64url. */
  readonly id: string
  /** COSE, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  /** On all devices of an account, or on one alone. */
  readonly synced: boolean
}

export interface Passkey extends NewPasskey {
  readonly addedAt: number
  readonly lastUsedAt: number | null
}

export interface PasskeyOfPerson extends Passkey {
  readonly person: DeskPerson
  readonly handle: string
}

export type ChallengePurpose = 'sign in' | 'accept an invitation' | 'add a passkey'

export interface Challenge {
  readonly challenge: string
  readonly purpose: ChallengePurpose
  /** Whose answer is waited for; null where anybody may sign in. */
  readonly personId: string | null
}

export interface ChallengeOrder extends Challenge {
  readonly id: string
  readonly lastsMs: number
}

export interface SessionOrder {
  readonly tokenHash: string
  readonly lastsMs: number
  readonly passkeyId: string
  /** As the authenticator counted it this time. */
  readonly counter: number
}

export interface DeskSession {
  readonly person: DeskPerson
  readonly handle: string
  readonly endsAt: number
}

export interface DeskPersonRecord extends DeskPerson {
  readonly invitedAt: number
  readonly dismissedAt: number | null
  /** When an invitation that waits for its person ends. */
  readonly invitationEndsAt: number | null
  readonly passkeys: number
  readonly sessions: number
  readonly lastSignInAt: number | null
}

export interface Departed {
  readonly name: string
  readonly sessions: number
}
