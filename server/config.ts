/** All settings, read from the environment in one place. Every fault is reported at once, in plain words. */
import { resolve } from 'node:path'
import { type TrustedFormMode, trustedFormModes } from '../domain/lead.ts'
import { isProxyEntry } from './http/client-address.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** The public address of the site, without a path. */
  readonly siteUrl: string
  /** Where the browser sends the lead: a path of ours, or the operator's webhook. Built into the pages. */
  readonly leadEndpoint: string
  /** The folder of the embedded store, as an absolute path. */
  readonly dataDir: string
  /** Where stored leads are delivered. Without one they are kept. */
  readonly webhookUrl: string | null
  /** Signs deliveries. */
  readonly webhookSecret: string | null
  readonly trustedForm: TrustedFormMode
  /** Addresses and CIDR ranges of the proxies whose forwarded-for header is believed. */
  readonly trustProxy: readonly string[]
}

export const OWN_LEAD_ENDPOINT = '/api/leads'

/** Faults are for the operator's eyes: the message lists all of them, one a line. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n${faults.map(f => `  - ${f}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = []
  const setting = (name: string) => env[name]?.trim() || undefined
  const host = setting('HOST') ?? '127.0.0.1'
  const port = readPort(setting('PORT'), faults)
  const config: Config = {
    host,
    port,
    siteUrl: readSiteUrl(setting('SITE_URL'), host, port, faults),
    leadEndpoint: readLeadEndpoint(setting('SITE_LEAD_ENDPOINT'), faults),
    dataDir: resolve(setting('DATA_DIR') ?? 'data'),
    webhookUrl: readWebhookUrl(setting('LEAD_WEBHOOK_URL'), faults),
    webhookSecret: setting('LEAD_WEBHOOK_SECRET') ?? null,
    trustedForm: readTrustedForm(setting('TRUSTEDFORM'), faults),
    trustProxy: readTrustProxy(setting('TRUST_PROXY'), faults),
  }
  if (setting('DATABASE_URL') !== undefined) {
    faults.push('DATABASE_URL is set, but PostgreSQL is not supported yet. Unset it to use the embedded store.')
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

function readPort(value: string | undefined, faults: string[]): number {
  if (value === undefined) return 3000
  const port = Number(value)
  if (/^\d+$/.test(value) && port <= 65_535) return port
  faults.push(`PORT is ${JSON.stringify(value)}, but must be a number from 0 to 65535.`)
  return 0
}

function readSiteUrl(value: string | undefined, host: string, port: number, faults: string[]): string {
  if (value === undefined) return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const url = httpUrl(value)
  if (url && url.pathname === '/' && url.search === '' && url.hash === '') return url.origin
  faults.push(
    `SITE_URL is ${JSON.stringify(value)}, but must be an address such as https://www.example.org, without a path.`,
  )
  return ''
}

function readLeadEndpoint(value: string | undefined, faults: string[]): string {
  if (value === undefined || value === OWN_LEAD_ENDPOINT) return OWN_LEAD_ENDPOINT
  const url = httpUrl(value)
  if (url) return url.href
  faults.push(
    `SITE_LEAD_ENDPOINT is ${JSON.stringify(value)}, but must be ${OWN_LEAD_ENDPOINT} or an address such as https://hooks.example.org/leads.`,
  )
  return ''
}

/** The value is not repeated in the fault: the path of a webhook is often its only secret. */
function readWebhookUrl(value: string | undefined, faults: string[]): string | null {
  if (value === undefined) return null
  const url = httpUrl(value)
  if (url) return url.href
  faults.push(
    'LEAD_WEBHOOK_URL must be an address such as https://hooks.example.org/leads, without a user name or a password.',
  )
  return null
}

function readTrustedForm(value: string | undefined, faults: string[]): TrustedFormMode {
  if (value === undefined) return 'off'
  const mode = trustedFormModes.find(known => known === value)
  if (mode) return mode
  faults.push(`TRUSTEDFORM is ${JSON.stringify(value)}, but must be off, sandbox or on.`)
  return 'off'
}

function readTrustProxy(value: string | undefined, faults: string[]): readonly string[] {
  const proxies = value?.split(/[\s,]+/).filter(entry => entry !== '') ?? []
  for (const proxy of proxies.filter(entry => !isProxyEntry(entry))) {
    faults.push(
      `TRUST_PROXY has ${JSON.stringify(proxy)}, but must list addresses or ranges such as 10.0.0.1 or 10.0.0.0/8.`,
    )
  }
  return proxies
}

/** An http(s) address without a user name or a password: those would end up in the pages, and fetch refuses them. */
function httpUrl(value: string): URL | null {
  const url = URL.parse(value)
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return usable ? url : null
}
