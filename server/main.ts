/** Starts the server, and stops it gently: the only file with side effects on import. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Alerting, createAlerting } from './alerts/alerting.ts'
import { createStoreWatch, type StoreWatch } from './alerts/store-watch.ts'
import { createApp } from './app.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { createDeliveryWorker, type DeliveryWorker } from './delivery/worker.ts'
import { createLimitedServer, type LimitedServer } from './http/limited-server.ts'
import { loadSite, SiteUnusable } from './http/load-site.ts'
import { createAvailability } from './intake/availability.ts'
import { launchSettings } from './launch/launch-settings.ts'
import { watchLaunch } from './launch/launch-watch.ts'
import { describeError, flushLog, log } from './log.ts'
import { createMetrics, metricsApp } from './metrics.ts'
import { startRetention } from './retention/start-retention.ts'
import { OWN_LEAD_ENDPOINT } from './settings/addresses.ts'
import { eraseAgain, readErasures } from './store/erasure/erasure-list.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { StoreUnavailable, StoreUnusable } from './store/store-errors.ts'
import { createVisits, type Visits } from './visits/visits.ts'

/** How long answers and deliveries under way may take to finish after a signal to stop. */
const DRAIN_MS = 8000

/** npm passes on a signal that the whole process group got: only what comes later is a person who presses Ctrl+C again. */
const SAME_SIGNAL_MS = 2000

/** How long an alert may take to be told when the process ends. */
const LAST_WORD_MS = 2000

/**
 * Connections that wait to be taken, as far as the system allows it. With Node's 511, a crowd that comes within a moment fills
 * it, and whoever comes then waits for seconds until their system tries again.
 */
const BACKLOG = 4096

const METRICS_HOST = '127.0.0.1'

/** What a signal to stop has to bring to an end. The store comes last, when it is open. */
interface Running {
  readonly drain: LimitedServer['drain']
  readonly alerting: Alerting
  readonly visits: Visits
  watch: StoreWatch | null
  worker: DeliveryWorker | null
  stopRetention: () => Promise<void>
  store: Store | null
  stopping: boolean
}

async function start(): Promise<void> {
  const config = loadConfig()
  const site = loadSite(join(import.meta.dirname, '../built'))
  const metrics = createMetrics({ leadPath: OWN_LEAD_ENDPOINT })
  const alerting = createAlerting({ ...placeOf(config), url: config.alertUrl, log })
  const availability = createAvailability({ alerts: alerting, words: site.words })
  const visits = createVisits(config, { site, log })
  const app = createApp(config, { site, availability, alerts: alerting, visits })
  const { server, drain } = createLimitedServer(metrics.countRequests(app), { alerts: alerting, log })
  const running: Running = {
    drain,
    alerting,
    visits,
    watch: null,
    worker: null,
    stopRetention: async () => {},
    store: null,
    stopping: false,
  }
  stopOnSignals(running)
  alerting.start()
  await listen(server, config, alerting)
  watchLaunch({ launch: site.launch, settings: launchSettings(config), alerts: alerting })
  // To check a large store after a crash takes a while: pages are there from the first moment.
  const opened = await openStore(config, {
    onCreated: file => log('store_created', { file }),
    onCrash: error => void crash(error, alerting),
  })
  const back = await eraseAgain(opened, readErasures(config.erasureList), config.erasureKey)
  if (back > 0) log('erased_again', { level: 'alert', leads: back })
  const store = metrics.countStore(opened)
  await store.rememberConsent(site.words.consent)
  await store.rememberQuestionnaire(site.words.questionnaire)
  running.store = store
  const certified = config.trustedForm !== 'off'
  const watch = createStoreWatch({ store, probe: availability.isReady, alerts: alerting, certified })
  running.watch = watch
  running.worker = createWorker(store, config, watch.deliveryDied)
  if (config.metricsPort !== null) {
    const gauges = {
      isReady: availability.isReady,
      backlog: store.backlog,
      deliveryPause: store.deliveryPause,
    }
    await listenForMetrics(config.metricsPort, metricsApp(metrics, gauges))
  }
  await availability.open(store)
  visits.start(store)
  log('store_open')
  if (config.webhookUrl === null) log('deliveries_off', { reason: 'LEAD_WEBHOOK_URL is not set' })
  if (config.alertUrl === null) log('alerts_off', { reason: 'ALERT_WEBHOOK_URL is not set' })
  if (running.stopping) return
  alerting.attach(store)
  watch.start()
  running.worker?.start()
  running.stopRetention = startRetention(config, log)
}

/** Which site an alert is about, and which of its servers. */
function placeOf({ siteUrl, port }: Config): { readonly site: string; readonly source: string } {
  return { site: new URL(siteUrl).host, source: `${hostname()}:${port}` }
}

function listen(server: Server, config: Config, alerts: Alerting): Promise<void> {
  const { host, port } = config
  return new Promise(resolve => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (!server.listening) fail(explainListenError(error, config))
      const reason = error.code ?? error.name
      alerts.raise('accept_failed', `The system refuses connections of visitors (${reason}).`, { detail: { reason } })
    })
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const { port: chosen } = server.address() as AddressInfo
      log('listening', { url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}` })
      resolve()
    })
  })
}

/** On loopback, whatever HOST says: figures are for whoever runs the machine, never for visitors. */
function listenForMetrics(port: number, app: RequestListener): Promise<void> {
  const server = createServer(app)
  server.on('error', error => fail(explainListenError(error, { host: METRICS_HOST, port }, 'METRICS_PORT')))
  return new Promise(resolve => {
    server.listen(port, METRICS_HOST, () => {
      const { port: chosen } = server.address() as AddressInfo
      log('metrics_served', { url: `http://${METRICS_HOST}:${chosen}/metrics` })
      resolve()
    })
  })
}

/** Without a webhook leads are kept. */
function createWorker(store: Store, config: Config, onDead: () => void): DeliveryWorker | null {
  const { webhookUrl, webhookFormat, webhookSecrets } = config
  if (webhookUrl === null) return null
  const webhook = { url: webhookUrl, format: webhookFormat, secrets: webhookSecrets }
  return createDeliveryWorker({ store, webhook, onDead })
}

function stopOnSignals(running: Running): void {
  let signals = 0
  let firstAt = 0
  const onSignal = (signal: string) => {
    signals++
    if (signals === 1) {
      firstAt = performance.now()
      void stop(running, signal)
    } else if (signals > 2 && performance.now() - firstAt >= SAME_SIGNAL_MS) {
      log('stopped', { signal, drained: false, reason: 'a third signal' })
      exit(1)
    } else {
      log('still_stopping', { signal, limitMs: DRAIN_MS, hint: 'a third signal ends it at once' })
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
}

/** First the visitors' answers and the deliveries under way, then the store: nothing is cut off in the middle. */
async function stop(running: Running, signal: string): Promise<void> {
  log('stopping', { signal })
  running.stopping = true
  running.watch?.stop()
  const [drained] = await Promise.all([
    running.drain(DRAIN_MS),
    running.worker?.stop(DRAIN_MS),
    running.stopRetention(),
  ])
  await Promise.all([running.alerting.stop(LAST_WORD_MS), running.visits.stop()])
  await running.store?.close()
  log('stopped', { drained })
  exit()
}

function exit(code = 0): never {
  flushLog()
  process.exit(code)
}

/** Whatever restarts the server begins with a sound store; without one, no lead could be taken. */
async function crash(error: unknown, alerting: Alerting): Promise<never> {
  alerting.raise('service_crashed', 'The lead service crashed and ends, to be started again by the system.', {
    detail: describeError(error),
  })
  await alerting.stop(LAST_WORD_MS)
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
  throw error
}
