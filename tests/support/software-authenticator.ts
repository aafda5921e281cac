/** An authenticator made of software: answers WebAuthn's challenges as a phone would, for tests without a browser. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export interface AuthenticatorOptions {
  readonly origin: string
  /** Whether it counts its uses. Those that keep passkeys in an account do not: they always say 0. */
  readonly counts?: boolean
  /** Whether it asks for a finger or a PIN. */
  readonly verifiesUser?: boolean
}

export interface SoftwareAuthenticator {
  register(options: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON
  signIn(options: PublicKeyCredentialRequestOptionsJSON): AuthenticationResponseJSON
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

export function createAuthenticator(options: AuthenticatorOptions): SoftwareAuthenticator {
  const { origin, counts = true, verifiesUser = true } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let handle = ''
  let uses = 0

  const authenticatorData = (flags: number, rest: Uint8Array = new Uint8Array()) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(counts ? ++uses : 0)
    const said = flags | PRESENT | (verifiesUser ? VERIFIED : 0)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([said]), counter, rest])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' } as const

  return {
    register({ challenge, user }) {
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
    signIn({ challenge }) {
      const authData = authenticatorData(0)
      const said = clientData('webauthn.get', challenge)
      return {
        ...common,
        clientExtensionResults: {},
        response: {
          clientDataJSON: said.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', Buffer.concat([authData, sha256(said)]), privateKey).toString('base64url'),
          userHandle: handle,
        },
      }
    },
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** An ES256 key in the words of COSE. */
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
