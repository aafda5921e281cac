/** Watches the HTTPS certificates of the site and the desk, for the alert and `doctor`. Something else renews them, such as certbot. */
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { DAY } from '../../domain/durations.ts'
import type { Config } from '../settings/config.ts'
import type { Alerts } from './alerts.ts'

const TIMEOUT_MS = 5000
/** Certificates are renewed two weeks ahead or more. */
const LATE_DAYS = 10
export const httpsUrls = ({ siteUrl, desk }: Pick<Config, 'siteUrl' | 'desk'>): readonly string[] =>
  [siteUrl, desk.url].filter(url => url.startsWith('https:'))

/** When the certificate that visitors get expires; null if this machine can't connect. */
export async function expiryOf(url: string): Promise<number | null> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(port || 443),
    // TLS has no name for an address.
    ...(isIP(host) === 0 && { servername: host }),
    // Not verified: an expired one is what we look for.
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return Date.parse(socket.getPeerCertificate().valid_to)
  } catch {
    return null
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

/** Null if it was renewed in time. */
export function expiryProblem(url: string, expiresAt: number, now: number): string | null {
  const days = Math.floor((expiresAt - now) / DAY)
  if (days >= LATE_DAYS) return null
  const { hostname } = new URL(url)
  const when = days < 0 ? 'has expired, so browsers show a warning instead of the page' : `expires in ${days} days`
  return `The HTTPS certificate of ${hostname} ${when}. To see why it isn’t renewed: sudo certbot renew`
}

interface Watched {
  readonly urls: readonly string[]
  readonly alerts: Alerts
  readonly now?: () => number
}

/** Raises the alert. */
export async function checkCertificates({ urls, alerts, now = Date.now }: Watched): Promise<void> {
  for (const url of urls) {
    const expiresAt = await expiryOf(url)
    const problem = expiresAt === null ? null : expiryProblem(url, expiresAt, now())
    if (problem) alerts.raise('https_certificate_expiring', problem)
  }
}
