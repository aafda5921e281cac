/** Starts the server, and stops it gently: the only file with side effects on import. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { consent } from '../content/contact-form.ts'
import { consentAsPresented } from '../domain/consent.ts'
import { createApp } from './app.ts'
import { type Config, ConfigError, loadConfig, OWN_LEAD_ENDPOINT } from './config.ts'
import { createDeliveryWorker, type DeliveryWorker } from './delivery/worker.ts'
import { loadSite, SiteUnusable } from './http/load-site.ts'
import { createReadiness } from './intake/readiness.ts'
import { describeError, flushLog, log } from './log.ts'
import { createMetrics, metricsApp } from './metrics.ts'
import { openStore } from './store/open-store.ts'
import { type Store, StoreUnavailable, StoreUnusable } from './store/store.ts'

/** How long requests under way may take to finish after a signal to stop; deliveries get five seconds more. */
const DRAIN_MS = 5000

const METRICS_HOST = '127.0.0.1'

const serverOptions: ServerOptions = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  // Node looks after the time-outs above only so often.
  connectionsCheckingInterval: 2000,
  // Nearly every request is a GET, which has no body to wait for.
  optimizeEmptyRequests: true,
}

async function start(): Promise<void> {
  const config = loadConfig()
  const site = loadSite(join(import.meta.dirname, '../dist'))
  const metrics = createMetrics({ leadPath: OWN_LEAD_ENDPOINT })
  const opened = await openStore(config, { onCreated: file => log('a new store was made', { file }), onCrash: crash })
  const store = metrics.countStore(opened)
  await store.rememberConsent(consentAsPresented(consent))
  const worker = createWorker(store, config)
  if (config.metricsPort !== null) {
    const gauges = { isReady: createReadiness(store.probe), backlog: store.backlog }
    await listenForMetrics(config.metricsPort, metricsApp(metrics, gauges))
  }
  const server = createServer(serverOptions, metrics.countRequests(createApp(config, { site, store })))
  server.on('error', error => fail(explainListenError(error, config)))
  server.listen(config.port, config.host, () => {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : config.port
    log('listening', { url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}` })
    if (config.webhookUrl === null) log('leads are kept, not delivered', { reason: 'LEAD_WEBHOOK_URL is not set' })
    worker?.start()
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => drain({ server, worker, store }, signal))
}

/** On loopback, whatever HOST says: figures are for whoever runs the machine, never for visitors. */
function listenForMetrics(port: number, app: RequestListener): Promise<void> {
  const server = createServer(app)
  server.on('error', error => fail(explainListenError(error, { host: METRICS_HOST, port }, 'METRICS_PORT')))
  return new Promise(resolve => {
    server.listen(port, METRICS_HOST, () => {
      const { port: chosen } = server.address() as AddressInfo
      log('metrics are served', { url: `http://${METRICS_HOST}:${chosen}/metrics` })
      resolve()
    })
  })
}

/** Without a webhook leads are kept. */
function createWorker(store: Store, { webhookUrl, webhookSecret }: Config): DeliveryWorker | null {
  if (webhookUrl === null) return null
  return createDeliveryWorker({ store, webhook: { url: webhookUrl, secret: webhookSecret } })
}

interface Running {
  readonly server: Server
  readonly worker: DeliveryWorker | null
  readonly store: Store
}

/** First the visitors' requests, then the deliveries under way, then the store: nothing is cut off in the middle. */
async function drain({ server, worker, store }: Running, signal: string): Promise<void> {
  log('stopping', { signal })
  const closed = new Promise<true>(resolve => server.close(() => resolve(true)))
  // A connection that was busy at the signal stays open after its answer, and its next request would still be taken.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const drained = await Promise.race([closed, sleep(DRAIN_MS, false)])
  clearInterval(sweep)
  server.closeAllConnections()
  await worker?.stop()
  await store.close()
  log('stopped', { drained })
  exit()
}

function exit(code = 0): never {
  flushLog()
  process.exit(code)
}

/** Whatever restarts the server begins with a sound store; without one, no lead could be taken. */
function crash(error: unknown): never {
  log('the lead service crashed', { level: 'alert', ...describeError(error) })
  exit(1)
}

function explainListenError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'PORT',
): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop what uses it, or set ${setting} to another number.`
  if (error.code === 'EACCES')
    return `Port ${port} on ${host} may not be used by this user. Set ${setting} to a number above 1023.`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return `HOST is ${JSON.stringify(host)}, which is not an address of this machine.`
  }
  return `The server cannot listen on ${host}:${port} (${error.code ?? error.name}).`
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

try {
  await start()
} catch (error) {
  if (error instanceof ConfigError || error instanceof SiteUnusable || error instanceof StoreUnusable) {
    fail(error.message)
  }
  if (error instanceof StoreUnavailable) fail(`The store cannot be used now: ${error.message}`)
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') fail('The site is not built. Run `npm run build` first.')
  throw error
}
