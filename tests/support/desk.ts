/** The production desk with a real store, and simulated browsers, each with a cookie and a passkey. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { PAGE_OF } from '../../desk/limits.ts'
import { createDesk } from '../../desk/server/app.ts'
import type { DeskSite } from '../../desk/server/site.ts'
import type { DeskRole } from '../../domain/roles.ts'
import type { Log } from '../../server/process/log.ts'
import { readConfig } from '../../server/settings/config.ts'
import { createToken } from '../../server/store/operations/desk/accounts.ts'
import type { Store } from '../../server/store/store.ts'
import { ERASURE_KEY } from './lead-store.ts'
import { siteCopy } from './site-copy.ts'

export const DESK = 'http://localhost:3001'

export interface DeskOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly log?: Log
  readonly now?: () => number
  readonly origin?: string
  /** What the site says, if not what the original says. */
  readonly copy?: DeskSite['copy']
  readonly launch?: DeskSite['launch']
}

export type TestDesk = ReturnType<typeof createTestDesk>

/** A staff member's simulated browser. */
export interface DeskClient {
  cookie: string
  /** Whom its page was loaded for; empty before someone signs in. */
  person: string
  readonly authenticator: ReturnType<typeof createAuthenticator>
  /** Sends a request the way the desk's own page does: a POST if there's a body. */
  fetch(path: string, options?: FetchOptions): Promise<Response>
}

export type SessionHeaders = Readonly<Record<string, string>>

/** The cookie, and whom the page was loaded for, as far as there are any. */
export const sessionHeaders = ({ cookie, person }: Pick<DeskClient, 'cookie' | 'person'>): SessionHeaders => ({
  ...(cookie && { cookie }),
  ...(person && { [PAGE_OF]: person }),
})

interface FetchOptions {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function createTestDesk(store: Store, options: DeskOptions = {}) {
  const { env = {}, log = () => {}, now = Date.now, origin = DESK, copy = siteCopy } = options
  const { launch = { points: [], justified: [] } } = options
  const site = () => ({ copy, launch, publication: null })
  const config = readConfig({ TIME_ZONE: 'America/New_York', ERASURE_KEY, ...env })
  const app = createDesk({ config, store, reader: store, site, origin, now, log, demo: false })

  function client(): DeskClient {
    const self: DeskClient = {
      cookie: '',
      person: '',
      authenticator: createAuthenticator({ origin }),
      async fetch(path, { method, body, headers = {} } = {}) {
        const response = await app.request(`${origin}${path}`, {
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: {
            host: new URL(origin).host,
            ...(body !== undefined || (method ?? 'GET') !== 'GET' ? { origin } : {}),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            'sec-fetch-site': 'same-origin',
            ...sessionHeaders(self),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        })
        const set = response.headers.get('set-cookie')?.split(';')[0]
        if (set !== undefined) self.cookie = set.endsWith('=') ? '' : set
        if (set !== undefined && self.cookie !== '') self.person = (await response.clone().json()).id
        return response
      },
    }
    return self
  }

  /** Works like `leads invite`. Returns the link's token. */
  async function invite(name: string, role: DeskRole | null = null): Promise<string> {
    const { token, hash } = createToken()
    await store.invite({ name, role, tokenHash: hash, ttlMs: 3_600_000, by: 'root@here' })
    return token
  }

  return {
    app,
    store,
    invite,
    client,
    /** Invites someone and registers their passkey. */
    async signedIn(name: string, role: DeskRole = 'editor') {
      const someone = client()
      const response = await register(someone, await invite(name, role))
      if (!response.ok) throw new Error(`Registration failed: ${await response.text()}`)
      return someone
    },
  }
}

/** Opens an invitation link and registers a passkey. */
export async function register(client: DeskClient, token: string): Promise<Response> {
  const opened = await client.fetch('/api/session/invitation', { body: { token } })
  if (!opened.ok) return opened
  const { challengeId, options } = (await opened.json()) as never
  const answer = client.authenticator.register(options)
  return client.fetch('/api/session/registration', { body: { token, challengeId, answer } })
}

export async function signIn(client: DeskClient): Promise<Response> {
  const opened = await client.fetch('/api/session/sign-in/options', { body: {} })
  const { challengeId, options } = (await opened.json()) as never
  return client.fetch('/api/session/sign-in', { body: { challengeId, answer: client.authenticator.signIn(options) } })
}

/** Answers with the client's own passkey, as actions that need more than a session require. */
export async function confirm(client: DeskClient) {
  const asked = await client.fetch('/api/session/confirmation', { body: {} })
  const { challengeId, options } = (await asked.json()) as never
  return { challengeId, answer: client.authenticator.signIn(options) }
}

export interface AuthenticatorOptions {
  readonly origin: string
  /** Synced passkeys don't count their uses; the counter stays 0. */
  readonly counts?: boolean
  /** Whether it checks a fingerprint or PIN. */
  readonly verifiesUser?: boolean
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

/** Responds to WebAuthn challenges as a phone would. */
export function createAuthenticator(options: AuthenticatorOptions) {
  const { origin, counts = true, verifiesUser = true } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let handle = ''
  let uses = 0

  const authenticatorData = (flags: number, rest: Uint8Array = new Uint8Array()) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(counts ? ++uses : 0)
    const flagByte = flags | PRESENT | (verifiesUser ? VERIFIED : 0)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flagByte]), counter, rest])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' } as const

  return {
    register({ challenge, user }: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON {
      handle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = Buffer.from(isoCBOR.encode(coseOf(publicKey)))
      const authData = authenticatorData(HAS_KEY, Buffer.concat([Buffer.alloc(16), length, id, key]))
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]) as never,
      )
      return {
        ...common,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    signIn({ challenge }: PublicKeyCredentialRequestOptionsJSON): AuthenticationResponseJSON {
      const authData = authenticatorData(0)
      const client = clientData('webauthn.get', challenge)
      return {
        ...common,
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey).toString('base64url'),
          userHandle: handle,
        },
      }
    },
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** An ES256 key as COSE. */
function coseOf(key: KeyObject): Map<number, number | Uint8Array> {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
}
