/** Security headers for every response, and the Content-Security-Policy for pages. */
import type { TrustedFormMode } from '../../domain/leads/lead.ts'
import { type Config, OWN_LEAD_ENDPOINT } from '../settings/config.ts'
import type { SiteFile } from './site-manifest.ts'

export function securityHeaders({ siteUrl, hstsSubdomains }: Pick<Config, 'siteUrl' | 'hstsSubdomains'>) {
  const transport = hstsSubdomains ? 'max-age=31536000; includeSubDomains' : 'max-age=31536000'
  return {
    'x-content-type-options': 'nosniff',
    // We need the Referer to know which page a lead came from. Other sites don't get it.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    ...(siteUrl.startsWith('https:') ? { 'strict-transport-security': transport } : {}),
  }
}

/** Settings that determine which other origins the questionnaire pages can connect to. */
export interface LeadSettings {
  readonly leadEndpoint: string
  readonly trustedForm: TrustedFormMode
}

const TRUSTED_FORM_HOSTS = ['https://api.trustedform.com', 'https://cdn.trustedform.com']

/** For pictures that someone opens on their own: a drawing can't load or run anything. */
export const ASSET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** A page's policy. Allows our own files, its inline blocks (by hash), and the endpoint it sends leads to. */
export function contentSecurityPolicy(page: Pick<SiteFile, 'inline' | 'sendsLeads'>, settings: LeadSettings): string {
  const { scripts = [], styles = [] } = page.inline ?? {}
  const direct = page.sendsLeads === true && settings.leadEndpoint !== OWN_LEAD_ENDPOINT
  const endpoint = direct ? [new URL(settings.leadEndpoint).origin] : []
  const certificateHosts = page.sendsLeads === true && settings.trustedForm !== 'off' ? TRUSTED_FORM_HOSTS : []
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts, ...certificateHosts],
    'style-src': styles,
    'img-src': ["'self'", ...certificateHosts],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...endpoint, ...certificateHosts],
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
