/** All settings, read from the environment in one place. Every fault is reported at once, in plain words. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The public address of the site, without a path. */
  readonly siteUrl: string
  /** Where the browser sends the lead: a path of ours, or the operator's webhook. Built into the pages. */
  readonly leadEndpoint: string
}

export const OWN_LEAD_ENDPOINT = '/api/leads'

/** Faults are for the operator's eyes: the message lists all of them, one a line. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n${faults.map(f => `  - ${f}`).join('\n')}`,
    )
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = []
  const host = env['HOST']?.trim() || '127.0.0.1'
  const port = readPort(env['PORT'], faults)
  const siteUrl = readSiteUrl(env['SITE_URL'], host, port, faults)
  const leadEndpoint = readLeadEndpoint(env['SITE_LEAD_ENDPOINT'], faults)
  if (faults.length > 0) throw new ConfigError(faults)
  return { host, port, siteUrl, leadEndpoint }
}

function readPort(value: string | undefined, faults: string[]): number {
  if (value === undefined || value.trim() === '') return 3000
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && /^\s*\d+\s*$/.test(value)) return port
  faults.push(`PORT is ${JSON.stringify(value)}, but must be a number from 0 to 65535.`)
  return 0
}

function readSiteUrl(value: string | undefined, host: string, port: number, faults: string[]): string {
  if (value === undefined || value.trim() === '') return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const url = httpUrl(value)
  if (url && url.pathname === '/' && url.search === '' && url.hash === '') return url.origin
  faults.push(
    `SITE_URL is ${JSON.stringify(value)}, but must be an address such as https://www.example.org, without a path.`,
  )
  return ''
}

function readLeadEndpoint(value: string | undefined, faults: string[]): string {
  if (value === undefined || value.trim() === '' || value.trim() === OWN_LEAD_ENDPOINT) return OWN_LEAD_ENDPOINT
  const url = httpUrl(value)
  if (url) return url.href
  faults.push(
    `SITE_LEAD_ENDPOINT is ${JSON.stringify(value)}, but must be ${OWN_LEAD_ENDPOINT} or an address such as https://hooks.example.org/leads.`,
  )
  return ''
}

/** An http(s) address without a user name or a password, which would end up in the pages. */
function httpUrl(value: string): URL | null {
  const url = URL.parse(value.trim())
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return usable ? url : null
}
