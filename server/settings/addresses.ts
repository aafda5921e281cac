/** The settings that are addresses: of the site, the desk, the database and the webhooks. */
import type { SettingName } from './names.ts'

export const OWN_LEAD_ENDPOINT = '/api/leads'

/** Where the operator's page is: its address for browsers, and where its process listens. */
export interface DeskAddress {
  readonly url: string
  readonly host: string
  readonly port: number
}

const DEFAULT_DESK_PORT = 3001
const DEFAULT_DESK_URL = `http://localhost:${DEFAULT_DESK_PORT}`
export function readSiteUrl(value: string | undefined, host: string, port: number, faults: string[]): string {
  if (value === undefined) return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const url = httpUrl(value)
  if (url && url.pathname === '/' && url.search === '' && url.hash === '') return url.origin
  faults.push(
    `SITE_URL is ${JSON.stringify(value)}, but must be an address such as https://www.example.org, without a path.`,
  )
  return ''
}

/** Passkeys and cookies would travel readable over plain http: it is for browsers on this machine alone. */
export function readDesk(value = DEFAULT_DESK_URL, port: number | null, host: string, faults: string[]): DeskAddress {
  const url = httpUrl(value)
  if (url?.pathname !== '/' || url.search !== '' || url.hash !== '') {
    faults.push(
      `DESK_URL is ${JSON.stringify(value)}, but must be an address such as https://desk.example.org, without a path.`,
    )
    return { url: '', host, port: 0 }
  }
  if (url.protocol === 'https:') return { url: url.origin, host, port: port ?? DEFAULT_DESK_PORT }
  if (url.hostname !== 'localhost') {
    faults.push(
      `DESK_URL is ${JSON.stringify(value)}, but plain http is for http://localhost:${DEFAULT_DESK_PORT} alone: elsewhere the desk needs https.`,
    )
  }
  if (port !== null) faults.push('DESK_PORT is for a DESK_URL with https: with http, the port stands in DESK_URL.')
  return { url: url.origin, host: '127.0.0.1', port: Number(url.port || 80) }
}

export function readLeadEndpoint(value: string | undefined, faults: string[]): string {
  if (value === undefined || value === OWN_LEAD_ENDPOINT) return OWN_LEAD_ENDPOINT
  const url = httpUrl(value)
  if (url) return url.href
  faults.push(
    `SITE_LEAD_ENDPOINT is ${JSON.stringify(value)}, but must be ${OWN_LEAD_ENDPOINT} or an address such as https://hooks.example.org/leads.`,
  )
  return ''
}

export function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\/([^@/\s]+@)?[^/@\s]+\/[^/?\s]+(\?\S*)?$/.test(value)
}

/** The value is not repeated in the fault: it holds a password. Several hosts may be named, so it is no ordinary address. */
export function readDatabaseUrl(value: string | undefined, faults: string[]): string | null {
  if (value === undefined) return null
  if (isDatabaseUrl(value)) return value
  faults.push('DATABASE_URL must be an address such as postgres://user:password@host:5432/database.')
  return null
}

/** The value is not repeated in the fault: the path of a webhook is often its only secret. */
export function readWebhookUrl(name: SettingName, value: string | undefined, faults: string[]): string | null {
  if (value === undefined) return null
  const url = httpUrl(value)
  if (url) return url.href
  faults.push(`${name} must be an address such as https://hooks.example.org/leads, without a user name or a password.`)
  return null
}

/** An http(s) address without a user name or a password: those would end up in the pages, and fetch refuses them. */
export function httpUrl(value: string): URL | null {
  const url = URL.parse(value)
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return usable ? url : null
}
