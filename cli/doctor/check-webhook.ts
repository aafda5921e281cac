/** The doctor's look at the webhook: it connects, and sends nothing. The path is never shown, since it is often a secret. */
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Config } from '../../server/config.ts'
import { isStandardSecret } from '../../server/webhook-secret.ts'
import { type Finding, findingsAbout } from './finding.ts'

const TIMEOUT_MS = 5000

const { ok, warning, fault } = findingsAbout('Webhook')

type Settings = Pick<Config, 'webhookUrl' | 'webhookFormat' | 'webhookSecrets'>

export async function checkWebhook(settings: Settings): Promise<readonly Finding[]> {
  const { webhookUrl, webhookFormat } = settings
  if (webhookUrl === null) return [warning('LEAD_WEBHOOK_URL is not set: leads are kept, and delivered nowhere.')]
  const { protocol, hostname, port } = new URL(webhookUrl)
  const secure = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const place = `${hostname}:${port || (secure ? 443 : 80)}`
  const failure = await tryToConnect(host, Number(port || (secure ? 443 : 80)), secure)
  return [
    failure === null
      ? ok(`${place} can be reached${secure ? ' over a secure connection' : ''}. Nothing was sent.`)
      : fault(`${place} cannot be reached: ${failure}.`),
    ...(secure || isLoopback(host)
      ? []
      : [warning('Leads travel to it unencrypted: use https, unless the way there is private.')]),
    ok(
      webhookFormat === 'json'
        ? 'Leads are sent as JSON.'
        : 'Leads are sent as a query string, without consent or page.',
    ),
    signing(settings),
  ]
}

function signing({ webhookFormat, webhookSecrets }: Settings): Finding {
  if (webhookSecrets.length === 0) return ok('Deliveries are not signed, since LEAD_WEBHOOK_SECRET is not set.')
  if (webhookFormat === 'json' && !webhookSecrets.every(isStandardSecret)) {
    return warning('LEAD_WEBHOOK_SECRET does not begin with whsec_: the libraries of Standard Webhooks do not take it.')
  }
  if (webhookSecrets.length === 1) return ok('Deliveries are signed.')
  return ok('Deliveries are signed with two secrets. Remove the old one when the receiver knows the new one.')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Null when the connection stands, else why it does not. */
function tryToConnect(host: string, port: number, secure: boolean): Promise<string | null> {
  return new Promise(resolve => {
    const socket: Socket = secure
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connectTcp({ host, port })
    const end = (result: string | null) => {
      clearTimeout(limit)
      resolve(result)
      socket.destroy()
    }
    const limit = setTimeout(() => end(`no connection within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS)
    socket.once(secure ? 'secureConnect' : 'connect', () => end(null))
    socket.once('error', error => end(whyUnreachable(error)))
    socket.once('close', () => end('the connection was closed'))
  })
}

function whyUnreachable(error: NodeJS.ErrnoException): string {
  const code = error.code ?? error.name
  if (code === 'ECONNREFUSED') return 'nothing listens there (connection refused)'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name cannot be found'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT') return 'there is no way to it'
  if (code === 'ECONNRESET') return 'it broke the connection off'
  if (code.includes('CERT') || code.includes('SIGNATURE')) return `its certificate is not trusted (${code})`
  return `no secure connection or none at all (${code})`
}
