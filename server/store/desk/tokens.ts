/** The secrets of invitations and sessions: random, in a link or a cookie alone, and known to the store by their hashes. */
import { createHash, randomBytes } from 'node:crypto'

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export interface Token {
  readonly token: string
  readonly hash: string
}

export function createToken(): Token {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** Null for what never was a token of ours, so that the store is not asked about it. */
export function hashToken(token: string | undefined): string | null {
  return token !== undefined && TOKEN.test(token) ? hashOf(token) : null
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
