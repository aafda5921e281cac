/** The TrustedForm certificate of a lead: only its id is kept, and only when its address is really TrustedForm's. */

export const certificateKinds = ['present', 'none', 'invalid'] as const satisfies readonly Certificate['kind'][]

export type Certificate =
  | { readonly kind: 'present'; readonly id: string }
  | { readonly kind: 'none' }
  /** Something was sent that is not a certificate. The lead is still a lead. */
  | { readonly kind: 'invalid' }

const ADDRESS = 'https://cert.trustedform.com/'
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{80}|0\.[\w.-]{1,254})$/i

/** The page may have two fields of that name, its own and the one that the script adds: the first filled one counts. */
export function parseCertificate(values: readonly string[]): Certificate {
  const value = values.map(each => each.trim()).find(each => each !== '')
  if (value === undefined) return { kind: 'none' }
  const id = value.startsWith(ADDRESS) ? value.slice(ADDRESS.length) : ''
  return ID.test(id) ? { kind: 'present', id } : { kind: 'invalid' }
}

export function certificateUrl(id: string): string {
  return ADDRESS + id
}
