/** Checks that the server is running and the webhook can be reached, without sending anything. */
import { once } from 'node:events'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describeOutcome } from '../../domain/leads/lead-states.ts'
import { expiryOf, expiryProblem, httpsUrls } from '../../server/alerts/https-certificates.ts'
import { describeFailure } from '../../server/delivery/webhook.ts'
import { isStandardSecret } from '../../server/delivery/webhook-signature.ts'
import type { Config } from '../../server/settings/config.ts'
import { error, type Finding, ok, warning } from './checks.ts'

const TIMEOUT_MS = 5000

export async function checkServer({ host, port }: Pick<Config, 'host' | 'port'>): Promise<readonly Finding[]> {
  // With port 0, the system picks the port, so we don't know where to connect.
  if (port === 0) return []
  const address = `${connectableHost(host)}:${port}`
  const { status, reason = '' } = await readinessOf({ host, port })
  const findings: Readonly<Record<string, Finding>> = {
    ready: ok('Server', `The server is running at ${address} and is ready.`),
    opening: error('Server', `The server is running at ${address} and is opening its store.`),
    upgrading: error('Server', `The server is running at ${address} and is upgrading its store. ${reason}`.trim()),
    failed: error('Server', `The server is running at ${address} but isn’t ready: ${reason}`),
    silent: error('Server', `Something is listening at ${address}, but it doesn’t respond.`),
    closed: warning('Server', `The server isn’t running at ${address} (HOST and PORT).`),
  }
  return [findings[status] ?? warning('Server', `A different program is running at ${address} (HOST and PORT).`)]
}

/** What the server's /readyz says. `silent`: no response. `closed`: nothing is listening. */
export async function readinessOf({ host, port }: Pick<Config, 'host' | 'port'>) {
  try {
    const url = `http://${connectableHost(host)}:${port}/readyz`
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { status, reason } = (await response.json()) as { status?: unknown; reason?: string }
    return { status: String(status), reason }
  } catch (failure) {
    const { name } = failure as Error
    if (name === 'SyntaxError') return { status: 'unknown' }
    return { status: name === 'TimeoutError' ? 'silent' : 'closed' }
  }
}

/** The address to connect to, even if the server listens on all interfaces. */
function connectableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Never shows the path, which is often a secret. */
export async function* checkWebhook(config: Config): AsyncIterable<Finding> {
  const { webhookUrl, webhookFormat, webhookSecrets, callList } = config
  if (webhookUrl === null && callList) {
    return yield ok('Webhook', 'LEAD_WEBHOOK_URL is not set: your staff call leads from the desk.')
  }
  if (webhookUrl === null) {
    return yield warning('Webhook', 'LEAD_WEBHOOK_URL is not set: leads are stored but not delivered.')
  }
  const { protocol, hostname, port: explicitPort } = new URL(webhookUrl)
  const secure = protocol === 'https:'
  const port = Number(explicitPort || (secure ? 443 : 80))
  const failure = await tryToConnect(hostname.replace(/^\[|\]$/g, ''), port, secure)
  const over = secure ? ' over a secure connection' : ''
  if (failure === null) yield ok('Webhook', `${hostname}:${port} can be reached${over}. Nothing was sent.`)
  else yield error('Webhook', `${hostname}:${port} can’t be reached: ${failure}.`)
  if (!secure && !/^(localhost|127\..*|\[::1\])$/.test(hostname)) {
    yield warning('Webhook', 'Leads are sent unencrypted. Use https unless the network is private.')
  }
  const isJson = webhookFormat === 'json'
  const format = isJson ? 'JSON' : 'a query string, which leaves out the consent and the page'
  yield ok('Webhook', `Leads are sent as ${format}.`)
  if (webhookSecrets.length === 0) yield ok('Webhook', 'Deliveries are not signed: LEAD_WEBHOOK_SECRET is not set.')
  else if (isJson && !webhookSecrets.every(isStandardSecret)) {
    const wrong = 'LEAD_WEBHOOK_SECRET doesn’t start with whsec_, so Standard Webhooks libraries will reject it.'
    yield warning('Webhook', wrong)
  } else {
    const two = ' with two secrets. Remove the old one once the receiver uses the new one'
    yield ok('Webhook', `Deliveries are signed${webhookSecrets.length > 1 ? two : ''}.`)
  }
}

/** As visitors get them, so a proxy's or a load balancer's. */
export async function checkCertificates(config: Config, now: number): Promise<readonly Finding[]> {
  return Promise.all(
    httpsUrls(config).map(async url => {
      const { hostname } = new URL(url)
      const expiresAt = await expiryOf(url)
      if (expiresAt === null) {
        const unchecked = `${hostname} can’t be reached from this machine, so its certificate wasn’t checked.`
        return warning('HTTPS', `${unchecked} Open ${url} elsewhere: if that fails, visitors don’t get it, either.`)
      }
      const problem = expiryProblem(url, expiresAt, now)
      if (problem) return (expiresAt < now ? error : warning)('HTTPS', problem)
      const day = new Date(expiresAt).toISOString().slice(0, 10)
      return ok('HTTPS', `The certificate of ${hostname} is valid until ${day}.`)
    }),
  )
}

/** Returns null on success, or the reason it couldn't connect. */
async function tryToConnect(host: string, port: number, secure: boolean): Promise<string | null> {
  const socket = secure
    ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
    : connectTcp({ host, port })
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return null
  } catch (failure) {
    return (failure as Error).name === 'AbortError' ? 'no response' : describeOutcome(describeFailure(failure))
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}
