/** Checks that the server runs and the webhook can be reached, without sending anything. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Config } from '../../server/config.ts'
import { isStandardSecret } from '../../server/delivery/webhook.ts'
import { type Finding, findingsAbout } from './checks.ts'

const TIMEOUT_MS = 5000

export async function checkServer({ host, port }: Pick<Config, 'host' | 'port'>): Promise<readonly Finding[]> {
  const { ok, warning, error } = findingsAbout('Server')
  // The system chooses the port: we can't know it.
  if (port === 0) return []
  const place = `${reachable(host)}:${port}`
  const status = await statusOf(`http://${place}/readyz`)
  if (status === 200) return [ok(`The server is running at ${place} and is ready.`)]
  if (status === 503)
    return [error(`The server is running at ${place} but isn’t ready: its store isn’t accepting writes.`)]
  if (status === 'silent') return [error(`Something is listening at ${place}, but it doesn’t respond.`)]
  if (status === 'closed') return [warning(`The server isn’t running at ${place} (HOST and PORT).`)]
  return [warning(`A different program is running at ${place} (HOST and PORT).`)]
}

/** Where to find a server that listens on all addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

async function statusOf(url: string): Promise<number | 'silent' | 'closed'> {
  try {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.destroy()
    return response.statusCode ?? 0
  } catch (failure) {
    return failure instanceof Error && failure.name === 'AbortError' ? 'silent' : 'closed'
  }
}

const { ok, warning, error } = findingsAbout('Webhook')

type WebhookSettings = Pick<Config, 'webhookUrl' | 'webhookFormat' | 'webhookSecrets'>

/** Never shows the path, which is often a secret. */
export async function checkWebhook(settings: WebhookSettings): Promise<readonly Finding[]> {
  const { webhookUrl, webhookFormat } = settings
  if (webhookUrl === null) return [warning('LEAD_WEBHOOK_URL is not set: leads are stored but not delivered.')]
  const { protocol, hostname, port } = new URL(webhookUrl)
  const secure = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const portNumber = Number(port || (secure ? 443 : 80))
  const failure = await tryToConnect(host, portNumber, secure)
  return [
    failure === null
      ? ok(`${hostname}:${portNumber} can be reached${secure ? ' over a secure connection' : ''}. Nothing was sent.`)
      : error(`${hostname}:${portNumber} can’t be reached: ${failure}.`),
    ...(secure || isLoopback(host)
      ? []
      : [warning('Leads are sent to it unencrypted. Use https unless the network is private.')]),
    ok(
      webhookFormat === 'json'
        ? 'Leads are sent as JSON.'
        : 'Leads are sent as a query string, which leaves out the consent and the page.',
    ),
    signing(settings),
  ]
}

function signing({ webhookFormat, webhookSecrets }: WebhookSettings): Finding {
  if (webhookSecrets.length === 0) return ok('Deliveries are not signed: LEAD_WEBHOOK_SECRET is not set.')
  if (webhookFormat === 'json' && !webhookSecrets.every(isStandardSecret)) {
    return warning('LEAD_WEBHOOK_SECRET doesn’t start with whsec_, so Standard Webhooks libraries will reject it.')
  }
  if (webhookSecrets.length === 1) return ok('Deliveries are signed.')
  return ok('Deliveries are signed with two secrets. Remove the old one once the receiver uses the new one.')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Null once connected, or why not. */
async function tryToConnect(host: string, port: number, secure: boolean): Promise<string | null> {
  const socket: Socket = secure
    ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
    : connectTcp({ host, port })
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return null
  } catch (failure) {
    return whyUnreachable(failure as NodeJS.ErrnoException)
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

function whyUnreachable(failure: NodeJS.ErrnoException): string {
  const code = failure.name === 'AbortError' ? 'ETIMEDOUT' : (failure.code ?? failure.name)
  if (code === 'ECONNREFUSED') return 'connection refused (nothing is listening there)'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the hostname can’t be found'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT') return 'no response'
  if (code === 'ECONNRESET') return 'it closed the connection'
  if (code.includes('CERT') || code.includes('SIGNATURE')) return `its certificate is not trusted (${code})`
  return `the connection failed (${code})`
}
