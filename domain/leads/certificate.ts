/**
 * A lead's TrustedForm certificate. It is evidence, so any TrustedForm URL is stored verbatim. Whether it matches a known
 * certificate format is recorded with it but has no effect.
 */

export type Certificate =
  /** Any TrustedForm URL. */
  | { readonly kind: 'present'; readonly url: string }
  | { readonly kind: 'none' }
  /** Some other value, or one that's too long. The value is discarded; the lead is kept. */
  | { readonly kind: 'invalid' }

/** TrustedForm deletes a certificate after this many days unless it is retained. */
export const CERTIFICATE_DAYS = 90

const HOST = 'cert.trustedform.com'
const ADDRESS = `https://${HOST}/`
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{80}|0\.[\w.-]{1,254})$/i

/** Four times the longest known certificate. */
const MAX_LENGTH = 1000

/** The page can have two certificate fields: its own and one added by TrustedForm's script. The first non-empty one counts. */
export function parseCertificate(values: readonly string[]): Certificate {
  const value = values.map(each => each.trim()).find(each => each !== '')
  if (value === undefined) return { kind: 'none' }
  return value.length <= MAX_LENGTH && isTrustedFormUrl(value) ? { kind: 'present', url: value } : { kind: 'invalid' }
}

/** Strict, because other programs may parse a backslash or a space differently. */
function isTrustedFormUrl(value: string): boolean {
  if (!/^[!-~]+$/.test(value) || value.includes('\\')) return false
  const url = URL.parse(value)
  return url?.origin === `https://${HOST}` && url.username === '' && url.password === ''
}

export function certificateUrl(id: string): string {
  return ADDRESS + id
}

/** The ID in a URL that looks like a known certificate, or null. */
export function certificateId(url: string): string | null {
  const id = url.startsWith(ADDRESS) ? url.slice(ADDRESS.length) : ''
  return ID.test(id) ? id : null
}
