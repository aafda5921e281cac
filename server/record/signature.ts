/** Signs a page, so years later anyone with the installation's key can tell whether even one character was changed. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { keyIdOf } from '../store/facts/leads/hashes.ts'

/** The last line of a signed page. Everything before it is signed. */
const SIGNATURE = /\n<!-- signature ([\w-]{12}):([0-9a-f]{64}) -->$/

export function signPage(html: string, key: string): string {
  const page = normalized(html)
  return `${page}\n<!-- signature ${keyIdOf(key)}:${macOf(page, key)} -->\n`
}

export interface SignedPage {
  readonly page: string
  readonly keyId: string
  readonly mac: string
}

/** Null if the text doesn't end with a signature. */
export function readSignedPage(text: string): SignedPage | null {
  const signed = normalized(text)
  const found = SIGNATURE.exec(signed)
  if (!found) return null
  const [, keyId = '', mac = ''] = found
  return { page: signed.slice(0, found.index), keyId, mac }
}

export const isSignedWith = ({ page, mac }: SignedPage, key: string): boolean => isEqual(macOf(page, key), mac)

/** An email or a download may have changed line endings or added a byte order mark. */
function normalized(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim()
}

export function macOf(text: string, key: string): string {
  // Derived for this purpose only, so a signature can't double as an erased person's hash.
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'sign consent records', 32))
  return createHmac('sha256', derived).update(text).digest('hex')
}

export function isEqual(expected: string, stated: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(stated)]
  return one.length === other.length && timingSafeEqual(one, other)
}
