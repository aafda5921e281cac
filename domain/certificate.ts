/**
 * The TrustedForm certificate of a lead. It is evidence, so what its field held is kept to the letter as long as it is an
 * address at TrustedForm: whether it has the form that certificates have today is said beside it, and decides nothing.
 */

export const certificateKinds = ['present', 'none', 'invalid'] as const satisfies readonly Certificate['kind'][]

export type Certificate =
  /** An address at TrustedForm, of whatever form. */
  | { readonly kind: 'present'; readonly url: string }
  | { readonly kind: 'none' }
  /** Something was sent that leads elsewhere or nowhere, or is too long. It is not kept. The lead is still a lead. */
  | { readonly kind: 'invalid' }

const HOST = 'cert.trustedform.com'
const ADDRESS = `https://${HOST}/`
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{80}|0\.[\w.-]{1,254})$/i

/** Four times the longest that is known. */
const LONGEST = 1000

/** The page may have two fields of that name, its own and the one that the script adds: the first filled one counts. */
export function parseCertificate(values: readonly string[]): Certificate {
  const value = values.map(each => each.trim()).find(each => each !== '')
  if (value === undefined) return { kind: 'none' }
  return value.length <= LONGEST && isAtTrustedForm(value) ? { kind: 'present', url: value } : { kind: 'invalid' }
}

/** In the eyes of whoever reads it next, too: programs disagree about what a backslash or a space does to an address. */
function isAtTrustedForm(value: string): boolean {
  if (!/^[!-~]+$/.test(value) || value.includes('\\')) return false
  const url = URL.parse(value)
  return url?.origin === `https://${HOST}` && url.username === '' && url.password === ''
}

export function certificateUrl(id: string): string {
  return ADDRESS + id
}

/** The id in an address of the form that certificates are known to have; null for any other. */
export function certificateId(url: string): string | null {
  const id = url.startsWith(ADDRESS) ? url.slice(ADDRESS.length) : ''
  return ID.test(id) ? id : null
}
