/** Launch blockers in the settings. */
import type { TrustedFormMode } from '../leads/lead.ts'
import type { LaunchFinding } from './findings.ts'

export interface LaunchSettings {
  readonly siteUrl: string
  readonly leadEndpoint: string
  readonly webhookUrl: string | null
  readonly callList: boolean
  readonly alertUrl: string | null
  /** Alerts go there, too. */
  readonly mailTo: readonly string[]
  readonly trustedForm: TrustedFormMode
  readonly trustProxy: readonly string[]
  readonly hasTimeZone: boolean
  /** Why the store won't survive a restart, or null. Always null with PostgreSQL. */
  readonly temporaryStore: string | null
}

const OWN_RECEIVER = /^\/(?!\/)/

export function settingFindings(settings: LaunchSettings): readonly LaunchFinding[] {
  const {
    siteUrl,
    leadEndpoint,
    webhookUrl,
    callList,
    alertUrl,
    mailTo,
    trustedForm,
    trustProxy,
    hasTimeZone,
    temporaryStore,
  } = settings
  const isOwnReceiver = OWN_RECEIVER.test(leadEndpoint)
  const found: LaunchFinding[] = []
  const add = (code: LaunchFinding['code'], setting: string, detail?: string) =>
    found.push({ code, subject: setting, change: { setting }, ...(detail === undefined ? {} : { detail }) })

  if (isOwnReceiver && callList) {
    const change = { key: 'reviews.toml accepted.calling_hours_unreviewed:CALL_LIST' }
    found.push({ code: 'calling_hours_unreviewed', subject: 'CALL_LIST', change })
  }
  if (temporaryStore !== null) add('temporary_store', 'DATA_DIR', temporaryStore)
  if (isOwnReceiver && webhookUrl === null && !callList) add('no_webhook', 'LEAD_WEBHOOK_URL')
  if (webhookUrl !== null && isUnencrypted(webhookUrl)) add('webhook_unencrypted', 'LEAD_WEBHOOK_URL')
  if (!isOwnReceiver) add('leads_bypass_record', 'SITE_LEAD_ENDPOINT')
  if (!isOwnReceiver && isUnencrypted(leadEndpoint)) add('webhook_unencrypted', 'SITE_LEAD_ENDPOINT')
  if (!isPublicAddress(siteUrl)) add('no_public_address', 'SITE_URL', siteUrl)
  const addresses = { SITE_URL: siteUrl, LEAD_WEBHOOK_URL: webhookUrl, ALERT_WEBHOOK_URL: alertUrl }
  for (const [setting, address] of Object.entries(addresses)) {
    if (address !== null && isExample(address)) add('example_address', setting, address)
  }
  if (trustProxy.length === 0) add('no_trusted_proxy', 'TRUST_PROXY')
  if (trustProxy.some(entry => entry.endsWith('/0'))) add('proxy_trusts_everybody', 'TRUST_PROXY')
  if (trustedForm !== 'on') add('trusted_form_off', 'TRUSTEDFORM', trustedForm)
  if (alertUrl === null && mailTo.length === 0) add('no_alert_address', 'ALERT_WEBHOOK_URL')
  if (!hasTimeZone) add('no_time_zone', 'TIME_ZONE')
  return found
}

function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol !== 'https:' && !isLoopback(hostname)
}

function isPublicAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname.includes('.') && !isLoopback(hostname) && !PRIVATE.test(hostname)
}

/** Private IP ranges and local domains. */
const PRIVATE =
  /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2,3}$|\.(?:local|localhost|internal|lan|home\.arpa)$/

/** Domains reserved for examples (RFC 2606), as in .env.example. */
export const isExample = (url: string) => /(?:^|\.)example\.(?:org|com|net)$/.test(new URL(url).hostname)

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
