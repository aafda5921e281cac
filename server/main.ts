/** Starts the server and shuts it down gracefully. */
import { createServer, type RequestListener } from 'node:http'
import { hostname } from 'node:os'
import { HOUR, MINUTE, SECOND } from '../domain/durations.ts'
import { type AlertingOptions, createAlerting } from './alerts/alerting.ts'
import type { Alerts } from './alerts/alerts.ts'
import { alertChannels } from './alerts/channels.ts'
import { httpsUrls, watchCertificates } from './alerts/https-certificates.ts'
import { createLaunchWatch, launchSettings } from './alerts/launch-watch.ts'
import { circumstancesOf } from './alerts/problems.ts'
import { checkPublishing } from './alerts/publishing-watch.ts'
import { createStoreWatch } from './alerts/store-watch.ts'
import { createAnalytics } from './analytics/analytics.ts'
import { createApp } from './app.ts'
import { sendTo } from './delivery/webhook.ts'
import { createDeliveryWorker } from './delivery/worker.ts'
import { CannotListen, createLimitedServer, listen } from './http/limited-server.ts'
import { createLiveSite, type LiveSite } from './http/live-site.ts'
import type { Site } from './http/site.ts'
import { BUILT_SITE, SiteUnusable } from './http/site-files.ts'
import type { ServerCopy } from './http/site-manifest.ts'
import { type Availability, createAvailability } from './intake/availability.ts'
import { createStopLog, raiseUnlogged } from './intake/stop-log.ts'
import { letterSender } from './mail/letters.ts'
import { exit, fail, stopOnSignals } from './process/exit.ts'
import { announceUrl, describeError, log, logOnceAMinute } from './process/log.ts'
import { createMetrics } from './process/metrics.ts'
import { retryUntilDone } from './process/retry.ts'
import { repeat } from './process/timers.ts'
import { startRetention } from './retention/retention.ts'
import {
  type Config,
  ConfigError,
  expectsDeliveries,
  loadConfig,
  OWN_LEAD_ENDPOINT,
  webhookOf,
} from './settings/config.ts'
import { installationKey } from './settings/installation-key.ts'
import { startSearchIndexer } from './store/leads/search.ts'
import { connectStore, openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import { reasonOf } from './store/store-errors.ts'
import { applyChanges } from './store/upkeep/carry-over.ts'
import { logMissingChanges, withChangeLog } from './store/upkeep/change-log.ts'
import { type Append, appendChanges, readChanges } from './store/upkeep/erasure-list.ts'

/** How long requests and deliveries in flight have to finish after a stop signal. */
const DRAIN_MS = 8000

/** How long we try to send the last alerts when the process exits. */
const LAST_ALERTS_MS = 2000

/** Metrics aren't public, regardless of HOST. */
const METRICS_HOST = '127.0.0.1'

async function start(): Promise<void> {
  const config = loadConfig()
  const live = createLiveSite(BUILT_SITE, { pagesWaitMs: config.databaseUrl === null ? 0 : MINUTE })
  const { site } = live
  const metrics = config.metricsPort === null ? null : createMetrics({ leadPath: OWN_LEAD_ENDPOINT })
  const [siteHost, source] = [new URL(config.siteUrl).host, `${hostname()}:${config.port}`]
  const alertOptions = { site: siteHost, source, timeZone: config.timeZone, channels: alertChannels(config), log }
  const alerting = createAlerting(alertOptions)
  const availability = createAvailability({ alerts: alerting, copy: () => site().copy })
  const analytics = createAnalytics(config, { site, log })
  const app = createApp(config, { site, availability, alerts: alerting, analytics })
  const { server, drain } = createLimitedServer(metrics?.countRequests(app) ?? app, { alerts: alerting, log })

  let store: Store | null = null
  const stopping = new AbortController()
  const { signal } = stopping
  const stops: (() => unknown)[] = []
  stopOnSignals(async () => {
    stopping.abort()
    // Finish responses and deliveries in flight before closing the store.
    const [drained] = await Promise.all([drain(DRAIN_MS), ...stops.map(stop => stop())])
    await Promise.all([alerting.stop(LAST_ALERTS_MS), analytics.stop()])
    await store?.close()
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
  if (metrics) serveMetrics(metrics.app({ readiness: availability.readiness, store: () => store }), config, alerting)

  // Pages don't need the store, so they're served while it's checked, upgraded, or unavailable.
  const stopProbing = repeat(MINUTE, async () => void (await availability.readiness().catch(() => {})))
  const stopLog = createStopLog({ append: appendChanges, alerts: alerting, signal })
  store = await retryUntilDone({
    attempt: async () => {
      const onCrash = (error: unknown) => void crash(error, config, alertOptions)
      const opened = await openStore(config, {
        onCreated: file => log('store_created', { file }),
        onUpgrade: availability.upgrading,
        onCrash,
      })
      return startIntake(metrics?.countStore(opened) ?? opened, { config, site, availability, stopLog })
    },
    onFailure: availability.failedToOpen,
    signal,
  })
  if (store === null) return
  void stopProbing()
  log('store_open')
  if (config.webhookUrl === null) log('deliveries_off', { reason: 'LEAD_WEBHOOK_URL is not set' })
  if (alertOptions.channels.length === 0) log('alerts_off', { reason: 'neither ALERT_WEBHOOK_URL nor MAIL_TO is set' })
  analytics.start(store)
  alerting.attach(store)
  stops.push(startWatch({ config, site, store, availability, alerts: alerting, source }))
  stops.push(followSite(live, store))
  stops.push(startSearchIndexer(store, error => log('search_index_failed', describeError(error))))
  stops.push(await startDeliveries({ config, site, store, alerts: alerting, signal }))
}

interface Intake {
  readonly config: Config
  readonly site: () => Site
  readonly availability: Availability
  readonly stopLog: Append
}

/** If this fails, the store is closed, so it can be opened again. */
async function startIntake(store: Store, { config, site, availability, stopLog }: Intake): Promise<Store> {
  try {
    // After an upgrade, before anyone can submit or call.
    const planned = await store.planStaleStories(config.callingHours)
    if (planned > 0) log('calls_planned', { numbers: planned })
    await saveShownTexts(store, site().copy)
    await availability.open(withChangeLog(store, config.erasureList, stopLog))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Before a page shows them, so a lead's version is known. */
async function saveShownTexts(store: Store, { languages }: ServerCopy): Promise<void> {
  for (const { consent, questionnaire } of Object.values(languages)) {
    await store.saveConsentText(consent)
    await store.saveQuestionnaire(questionnaire)
  }
}

/** Serves a site that's put in place while the server runs. If the store is down, or the site is broken, it tries again. */
function followSite(live: LiveSite, store: Store) {
  const logRarely = logOnceAMinute(log)
  return repeat(SECOND, async () => {
    try {
      if (await live.follow(next => saveShownTexts(store, next.copy))) log('site_switched')
    } catch (error) {
      logRarely('site_not_switched', describeError(error))
    }
  })
}

interface Work {
  readonly config: Config
  readonly store: Store
  readonly alerts: Alerts
}

interface Watched extends Work {
  readonly signal: AbortSignal
}

/** Runs the checks that raise alerts, every minute. Returns a function that stops them. */
function startWatch({
  config,
  site,
  store,
  availability,
  alerts,
  source,
}: Work & { site: () => Site; availability: Availability; source: string }) {
  const checkLaunch = createLaunchWatch({ launch: () => site().launch, settings: launchSettings(config), alerts })
  const checkStore = createStoreWatch({
    store,
    alerts,
    probe: availability.readiness,
    expectsCertificates: config.trustedForm !== 'off',
    ...circumstancesOf(config),
  })
  async function checkSite(): Promise<void> {
    const { publication } = site()
    const { at: publishedAt, of } = publication ?? { at: null, of: null }
    let isBehind = false
    if (publishedAt !== null) {
      await store.recordServedSite({ source, site: of, publishedAt: Date.parse(publishedAt) }).catch(() => {})
      const behind = await store.serversBehind().catch(() => [])
      isBehind = behind.some(each => each.source === source)
    }
    checkPublishing(alerts, { folder: config.siteFolder, timeZone: config.timeZone, publishedAt, isBehind })
  }
  const stop = repeat(MINUTE, async () => {
    checkLaunch()
    await checkSite()
    await checkStore()
    // If someone was erased while a backup was running. If it fails, the next run tries again.
    await store.emptyLog().catch(() => false)
  })
  return () => void stop()
}

const UNAPPLIED = 'Leads are accepted, but not delivered until the changes in ERASURE_LIST are applied:'

/** Starts deliveries and retention. Returns a function that stops them. */
async function startDeliveries({ config, site, store, alerts, signal }: Watched & { site: () => Site }) {
  await retryUntilDone({
    attempt: () => reapplyChanges(store, config),
    onFailure(error) {
      const reason = reasonOf(error)
      alerts.raise('changes_unapplied', `${UNAPPLIED} ${reason}`, { detail: { reason } })
    },
    signal,
  })
  if (signal.aborted) return () => {}
  // The disk with the list may have been away for a while, so that changes were logged nowhere, or in a file that it hides.
  const stopLogging = repeat(HOUR, () =>
    logMissingChanges(store, config.erasureList).catch(error => {
      if (!signal.aborted) raiseUnlogged(alerts)(error)
    }),
  )
  const webhook = webhookOf(config)
  const sendLetter = letterSender(config, site)
  const workers = [
    ...(webhook ? [createDeliveryWorker({ store, send: sendTo(webhook) })] : []),
    ...(sendLetter ? [createDeliveryWorker({ store, send: sendLetter, slots: { mail: 4 } })] : []),
  ]
  for (const worker of workers) worker.start()
  const key = () => installationKey(config, store)
  const stopRetention = startRetention({
    store,
    days: config.retentionDays,
    key,
    alerts,
    log,
    timeZone: config.timeZone,
    expectsDeliveries: expectsDeliveries(config),
  })
  return () => {
    stopRetention()
    void stopLogging()
    return Promise.all(workers.map(worker => worker.stop(DRAIN_MS)))
  }
}

/** Runs before any delivery, so a backup restored by hand doesn't undo later erasures and do-not-call entries. */
async function reapplyChanges(store: Store, config: Config): Promise<void> {
  const changes = readChanges(config.erasureList)
  const { erased, doNotCall, dismissed } = await applyChanges(store, changes, () => installationKey(config, store))
  if (erased + doNotCall + dismissed > 0) log('erased_again', { level: 'alert', leads: erased, doNotCall, dismissed })
}

/** If the port is in use, tries again every minute: visitors don't depend on metrics. */
function serveMetrics(app: RequestListener, { metricsPort }: Config, alerts: Alerts): void {
  const stop = repeat(MINUTE, async () => {
    try {
      const address = { host: METRICS_HOST, port: metricsPort ?? 0 }
      const port = await listen(createServer(app), address, 'METRICS_PORT')
      log('metrics_served', { url: `http://${METRICS_HOST}:${port}/metrics` })
      void stop()
    } catch (error) {
      const reason = (error as CannotListen).message
      alerts.raise('metrics_unavailable', `Can’t serve metrics. ${reason}`, { detail: { reason } })
    }
  })
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
  const explained = [ConfigError, SiteUnusable, CannotListen].some(kind => error instanceof kind)
  if (explained) fail((error as Error).message)
  throw error
}
