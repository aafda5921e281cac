/** Starts the server and shuts it down gracefully. */
import { createServer } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { repeat } from './alarm.ts'
import { type AlertingOptions, createAlerting } from './alerts/alerting.ts'
import { httpsUrls, watchCertificates } from './alerts/https-certificates.ts'
import { createStoreWatch } from './alerts/store-watch.ts'
import { createAnalytics } from './analytics/analytics.ts'
import { createApp } from './app.ts'
import { type Config, ConfigError, expectsDeliveries, loadConfig, OWN_LEAD_ENDPOINT, webhookOf } from './config.ts'
import { createDeliveryWorker } from './delivery/worker.ts'
import { CannotListen, createLimitedServer, listen } from './http/limited-server.ts'
import { loadSite, SiteUnusable } from './http/site.ts'
import { installationKey } from './installation-key.ts'
import { createAvailability } from './intake/availability.ts'
import { createLaunchWatch, launchSettings } from './launch/launch-watch.ts'
import { announceUrl, describeError, log } from './log.ts'
import { createMetrics } from './metrics.ts'
import { exit, fail, stopOnSignals } from './process.ts'
import { startRetention } from './retention/retention.ts'
import { applyChanges } from './store/carry-over.ts'
import { readChanges } from './store/change-log.ts'
import { connectStore, openStore } from './store/open-store.ts'
import { startSearchIndexer } from './store/search.ts'
import type { Store } from './store/store.ts'
import { StoreUnavailable, StoreUnusable } from './store/store-errors.ts'

/** How long requests and deliveries in flight have to finish after a stop signal. */
const DRAIN_MS = 8000

/** How long we try to send the last alerts when the process exits. */
const LAST_ALERTS_MS = 2000

/** Metrics aren't public, regardless of HOST. */
const METRICS_HOST = '127.0.0.1'

async function start(): Promise<void> {
  const config = loadConfig()
  const site = loadSite(join(import.meta.dirname, '../built'))
  const metrics = config.metricsPort === null ? null : createMetrics({ leadPath: OWN_LEAD_ENDPOINT })
  const [siteHost, source] = [new URL(config.siteUrl).host, `${hostname()}:${config.port}`]
  const alertOptions = { site: siteHost, source, url: config.alertUrl, log }
  const alerting = createAlerting(alertOptions)
  const availability = createAvailability({ alerts: alerting, copy: site.copy })
  const analytics = createAnalytics(config, { site, log })
  const app = createApp(config, { site, availability, alerts: alerting, analytics })
  const { server, drain } = createLimitedServer(metrics?.countRequests(app) ?? app, { alerts: alerting, log })

  const started: { store?: Store; stopWork?: () => Promise<unknown> } = {}
  let stopping = false
  stopOnSignals(async () => {
    stopping = true
    // Finish responses and deliveries in flight before closing the store.
    const [drained] = await Promise.all([drain(DRAIN_MS), started.stopWork?.()])
    await Promise.all([alerting.stop(LAST_ALERTS_MS), analytics.stop()])
    await started.store?.close()
    log('stopped', { drained })
    return exit()
  }, DRAIN_MS)

  alerting.start()
  watchCertificates({ urls: httpsUrls(config), alerts: alerting })
  const port = await listen(server, config, 'PORT')
  server.on('error', (error: NodeJS.ErrnoException) => {
    const reason = error.code ?? error.name
    const text = `Can’t accept visitors’ connections (${reason}). Check the system’s limits on open files and memory.`
    alerting.raise('accept_failed', text, { detail: { reason } })
  })
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  log('listening', { url })
  announceUrl(url)
  const checkLaunch = createLaunchWatch({ launch: site.launch, settings: launchSettings(config), alerts: alerting })

  // We're already serving pages, because checking a large store after a crash takes a while.
  const opened = await openStore(config, {
    onCreated: file => log('store_created', { file }),
    onCrash: error => void crash(error, config, alertOptions),
  })
  await reapplyChanges(opened, config)
  const store = metrics?.countStore(opened) ?? opened
  started.store = store
  for (const { consent, questionnaire } of Object.values(site.copy.languages)) {
    await store.saveConsentText(consent)
    await store.saveQuestionnaire(questionnaire)
  }
  if (metrics && config.metricsPort !== null) {
    const metricsServer = createServer(metrics.app({ isReady: availability.isReady, store }))
    const chosen = await listen(metricsServer, { host: METRICS_HOST, port: config.metricsPort }, 'METRICS_PORT')
    log('metrics_served', { url: `http://${METRICS_HOST}:${chosen}/metrics` })
  }
  await availability.open(store)
  analytics.start(store)
  log('store_open')
  if (config.webhookUrl === null) log('deliveries_off', { reason: 'LEAD_WEBHOOK_URL is not set' })
  if (config.alertUrl === null) log('alerts_off', { reason: 'ALERT_WEBHOOK_URL is not set' })
  if (stopping) return
  const expectsCertificates = config.trustedForm !== 'off'
  const webhook = webhookOf(config)
  const worker = webhook && createDeliveryWorker({ store, webhook })
  alerting.attach(store)
  const watched = { store, probe: availability.isReady, alerts: alerting }
  const isEmbedded = config.databaseUrl === null
  const delivers = { expectsDeliveries: expectsDeliveries(config) }
  const checkStore = createStoreWatch({ ...watched, ...delivers, expectsCertificates, isEmbedded })
  const stopWatch = repeat(60_000, async () => {
    checkLaunch()
    await checkStore()
    // If someone was erased while a backup was running. If it fails, the next run tries again.
    await store.emptyLog().catch(() => false)
  })
  worker?.start()
  const key = () => installationKey(config, store)
  const stopRetention = startRetention({ ...delivers, store, days: config.retentionDays, key, alerts: alerting, log })
  const stopIndexing = startSearchIndexer(store, error => log('search_index_failed', describeError(error)))
  started.stopWork = () => {
    void stopWatch()
    stopRetention()
    return Promise.all([worker?.stop(DRAIN_MS), stopIndexing()])
  }
}

/** Runs before any delivery, so a backup restored by hand doesn't undo later erasures and do-not-call entries. */
async function reapplyChanges(store: Store, config: Config): Promise<void> {
  const changes = readChanges(config.erasureList)
  const { erased, doNotCall, dismissed } = await applyChanges(store, changes, () => installationKey(config, store))
  if (erased + doNotCall + dismissed > 0) log('erased_again', { level: 'alert', leads: erased, doNotCall, dismissed })
}

/**
 * Exits, so the supervisor restarts the process. Without a working store, we can't accept leads. The crashed store never responds
 * again, so the alert is saved on a new connection.
 */
async function crash(error: unknown, config: Config, alertOptions: AlertingOptions): Promise<never> {
  const alerting = createAlerting(alertOptions)
  await connectStore(config, { access: 'write', busyTimeoutMs: LAST_ALERTS_MS }).then(alerting.attach, () => {})
  const text = 'The server crashed and is being restarted. If this keeps happening, check the log.'
  alerting.raise('service_crashed', text, { detail: describeError(error) })
  await alerting.stop(LAST_ALERTS_MS)
  exit(1)
}

try {
  await start()
} catch (error) {
  const explained = [ConfigError, SiteUnusable, StoreUnusable, CannotListen].some(kind => error instanceof kind)
  if (explained) fail((error as Error).message)
  if (error instanceof StoreUnavailable) fail(`The store is unavailable: ${error.message}`)
  throw error
}
