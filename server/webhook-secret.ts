/** Secrets that sign deliveries, per Standard Webhooks: `whsec_` and base64, or any text that is long enough. */

const PREFIX = 'whsec_'

/** The minimum of Standard Webhooks. */
const LEAST_BYTES = 24

/** Libraries decode what follows the prefix, and accept only strict base64. */
export function keyOf(secret: string): Buffer {
  return isStandardSecret(secret) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
}

export function isStandardSecret(secret: string): boolean {
  return secret.startsWith(PREFIX)
}

/** What is wrong with a secret, without quoting it; null if it is fine. */
export function secretFault(secret: string): string | null {
  if (!isStandardSecret(secret)) {
    return [...secret].length >= LEAST_BYTES ? null : `must have at least ${LEAST_BYTES} characters`
  }
  const key = keyOf(secret)
  if (key.toString('base64') !== secret.slice(PREFIX.length)) {
    return `starts with ${PREFIX}, so the rest must be base64, with its padding`
  }
  if (key.length >= LEAST_BYTES) return null
  return `starts with ${PREFIX}, so the rest must be base64 of at least ${LEAST_BYTES} bytes, but has ${key.length}`
}
