/** What browsers are told never to do with our pages. */
import { type Config, OWN_LEAD_ENDPOINT } from '../config.ts'
import type { InlineHashes } from './site-manifest.ts'

/** Headers for every answer. */
export function securityHeaders({ siteUrl }: Pick<Config, 'siteUrl'>): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    // Our own receiver learns from the Referer which page a lead came from; nobody else learns anything.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    ...(siteUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/** The policy of one page: its own files, its own inline blocks by their hashes, and the endpoint for leads. */
export function contentSecurityPolicy(inline: InlineHashes, leadEndpoint: string): string {
  const connect = leadEndpoint === OWN_LEAD_ENDPOINT ? [] : [new URL(leadEndpoint).origin]
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inline.scripts],
    'style-src': inline.styles,
    'img-src': ["'self'"],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...connect],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
