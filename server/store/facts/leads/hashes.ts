/** Hashes by which texts and erased people are found again. */
import { createHash, createHmac } from 'node:crypto'
import { canonicalEmail } from '../../../../domain/contact/email.ts'
import { phoneDigits } from '../../../../domain/contact/phone.ts'

export function keyIdOf(key: string): string {
  return macOf('which key', key).slice(0, 12)
}

/** Keyed, because ten digits are easy to guess. A plain hash would reveal the number to anyone who has the store. */
function macOf(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

export const emailMac = (email: string, key: string) => macOf(`email:${canonicalEmail(email)}`, key)
export const phoneMac = (phone: string, key: string) => macOf(`phone:${phoneDigits(phone)}`, key)

/** The hash of what visitors saw. It's the same in the page, the request, and the store. */
export function versionOf(presented: string): string {
  return createHash('sha256').update(presented).digest('hex')
}
