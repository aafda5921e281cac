/** The secrets of links and cookies: random, and known to the store by their hashes alone. */
import { createHash, randomBytes } from 'node:crypto'

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Null for what was never a token of ours, so that the store is not asked about it. */
export function hashToken(token: string | undefined): string | null {
  if (token === undefined || !TOKEN.test(token)) return null
  return createHash('sha256').update(token).digest('hex')
}
