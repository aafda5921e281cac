/** Checks that the server is running and the webhook can be reached, without sending anything. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describeOutcome } from '../../domain/lead-states.ts'
import type { Config } from '../../server/config.ts'
import { describeFailure, isStandardSecret } from '../../server/delivery/webhook.ts'
import { error, type Finding, ok, warning } from './checks.ts'

const TIMEOUT_MS = 5000

export async function checkServer({ host, port }: Pick<Config, 'host' | 'port'>): Promise<readonly Finding[]> {
  // The system picks the port, so we can't know it.
  if (port === 0) return []
  const place = `${reachable(host)}:${port}`
  const status = await statusOf(`http://${place}/readyz`)
  const findings: Readonly<Record<string, Finding>> = {
    200: ok('Server', `The server is running at ${place} and is ready.`),
    503: error('Server', `The server is running at ${place} but isn’t ready: its store isn’t accepting writes.`),
    silent: error('Server', `Something is listening at ${place}, but it doesn’t respond.`),
    closed: warning('Server', `The server isn’t running at ${place} (HOST and PORT).`),
  }
  return [findings[status] ?? warning('Server', `A different program is running at ${place} (HOST and PORT).`)]
}

/** An address we can connect to if the server listens on all of them. */
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

type WebhookSettings = Pick<Config, 'webhookUrl' | 'webhookFormat' | 'webhookSecrets'>

/** Never shows the path, which is often a secret. */
export async function checkWebhook(settings: WebhookSettings): Promise<readonly Finding[]> {
  const { webhookUrl, webhookFormat } = settings
  if (webhookUrl === null) {
    return [warning('Webhook', 'LEAD_WEBHOOK_URL is not set: leads are stored but not delivered.')]
  }
  const { protocol, hostname, port } = new URL(webhookUrl)
  const secure = protocol === 'https:'
  const place = `${hostname}:${port || (secure ? 443 : 80)}`
  const failure = await tryToConnect(hostname.replace(/^\[|\]$/g, ''), Number(port || (secure ? 443 : 80)), secure)
  const isOpen = !secure && !/^(localhost|127\..*|\[::1\])$/.test(hostname)
  return [
    failure === null
      ? ok('Webhook', `${place} can be reached${secure ? ' over a secure connection' : ''}. Nothing was sent.`)
      : error('Webhook', `${place} can’t be reached: ${failure}.`),
    ...(isOpen
      ? [warning('Webhook', 'Leads are sent to it unencrypted. Use https unless the network is private.')]
      : []),
    webhookFormat === 'json'
      ? ok('Webhook', 'Leads are sent as JSON.')
      : ok('Webhook', 'Leads are sent as a query string, which leaves out the consent and the page.'),
    signing(settings),
  ]
}

function signing({ webhookFormat, webhookSecrets }: WebhookSettings): Finding {
  if (webhookSecrets.length === 0) return ok('Webhook', 'Deliveries are not signed: LEAD_WEBHOOK_SECRET is not set.')
  if (webhookFormat === 'json' && !webhookSecrets.every(isStandardSecret)) {
    const wrong = 'LEAD_WEBHOOK_SECRET doesn’t start with whsec_, so Standard Webhooks libraries will reject it.'
    return warning('Webhook', wrong)
  }
  if (webhookSecrets.length === 1) return ok('Webhook', 'Deliveries are signed.')
  const two = 'Deliveries are signed with two secrets. Remove the old one once the receiver uses the new one.'
  return ok('Webhook', two)
}

/** Null if it connected, or why it didn't. */
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
