/** Signatures and secrets per Standard Webhooks, for messages to the webhook and from the CRM. */
import { createHmac } from 'node:crypto'

/** `signed`: the ID, the timestamp, and the content, joined by dots. */
export function signatureOf(secret: string, signed: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(signed).digest()
}

/** A Standard Webhooks secret is this prefix plus at least 24 bytes in base64. We also accept any 24 or more characters. */
const PREFIX = 'whsec_'
const MIN_BYTES = 24

/** Libraries decode the part after the prefix and accept only strict base64. */
function keyOf(secret: string): Buffer {
  return isStandardSecret(secret) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
}

export function isStandardSecret(secret: string): boolean {
  return secret.startsWith(PREFIX)
}

/** What's wrong with a secret, without quoting it. Null if it's valid. */
export function secretProblem(secret: string): string | null {
  if (!isStandardSecret(secret)) {
    return [...secret].length >= MIN_BYTES ? null : `must have at least ${MIN_BYTES} characters`
  }
  const key = keyOf(secret)
  if (key.toString('base64') !== secret.slice(PREFIX.length)) {
    return `starts with ${PREFIX}, so the rest must be base64, with its padding`
  }
  if (key.length >= MIN_BYTES) return null
  return `starts with ${PREFIX}, so the rest must be base64 of at least ${MIN_BYTES} bytes, but has ${key.length}`
}
