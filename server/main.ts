/** Starts the server and shuts it down gracefully. */
import type { RequestListener } from 'node:http'
import { hostname } from 'node:os'
import { MINUTE } from '../domain/durations.ts'
import { type AlertingOptions, createAlerting } from './alerts/alerting.ts'
import type { Alerts } from './alerts/alerts.ts'
import { alertChannels } from './alerts/channels.ts'
import { createFailureReports } from './alerts/job-failures.ts'
import { checkPublishing } from './alerts/publishing-watch.ts'
import { createAnalytics } from './analytics/analytics.ts'
import { createApp } from './app.ts'
import { createAppWithoutSite, NO_SITE } from './app-without-site.ts'
import {
  DRAIN_MS,
  followSite,
  saveShownTexts,
  serveMetrics,
  startDeliveries,
  startLogging,
  startWatch,
  watchCertificates,
} from './background.ts'
import { CannotListen, createLimitedServer, listen } from './http/limited-server.ts'
import { findLiveSite, type LiveSite } from './http/live-site.ts'
import type { Site } from './http/site.ts'
import { BUILT_SITE, SiteUnusable } from './http/site-files.ts'
import { type Availability, createAvailability } from './intake/availability.ts'
import { exit, fail, stopOnSignals } from './process/exit.ts'
import { announceUrl, describeError, log } from './process/log.ts'
import { createMetrics } from './process/metrics.ts'
import { retryUntilDone } from './process/retry.ts'
import { repeat } from './process/timers.ts'
import { type Config, ConfigError, loadConfig, OWN_LEAD_ENDPOINT } from './settings/config.ts'
import { connectStore, openStore } from './store/open-store.ts'
import { startSearchIndexer } from './store/operations/leads/index-leads.ts'
import type { Store } from './store/store.ts'

/** How long we try to send the last alerts when the process exits. */
const LAST_ALERTS_MS = 2000

async function start(): Promise<void> {
  const config = loadConfig()
  const pagesWaitMs = config.databaseUrl === null ? 0 : MINUTE
  const findLive = () => findLiveSite({ built: BUILT_SITE, siteFolder: config.siteFolder, pagesWaitMs })
  let live = findLive()
  /** Nothing asks for it before there is one. */
  const site = () => (live as LiveSite).site()
  const metrics = config.metricsPort === null ? null : createMetrics({ leadPath: OWN_LEAD_ENDPOINT })
  const [siteHost, source] = [new URL(config.siteUrl).host, `${hostname()}:${config.port}`]
  const alertOptions = { site: siteHost, source, timeZone: config.timeZone, channels: alertChannels(config), log }
  const alerting = createAlerting(alertOptions)
  const availability = createAvailability({ alerts: alerting, copy: () => live?.site().copy ?? { languages: {} } })
  const readiness = () => (live === null ? Promise.resolve(NO_SITE) : availability.readiness())
  const report = createFailureReports(alerting, log)
  const analytics = createAnalytics(config, { site, report })
  const appWithoutSite = createAppWithoutSite(config, { availability, alerts: alerting })
  const app = createApp(config, { site, availability, alerts: alerting, analytics })
  const handle: RequestListener = (...exchange) => (live === null ? appWithoutSite : app)(...exchange)
  const { server, drain } = createLimitedServer(metrics?.countRequests(handle) ?? handle, { alerts: alerting, log })

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
  watchCertificates({ config, alerts: alerting, report })
  const port = await listen(server, config, 'PORT')
  server.on('error', (error: NodeJS.ErrnoException) => {
    const reason = error.code ?? error.name
    const text = `Can’t accept visitors’ connections (${reason}). Check the system’s limits on open files and memory.`
    alerting.raise('accept_failed', text, { detail: { reason } })
  })
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  log('listening', { url })
  announceUrl(url)
  if (metrics) {
    const serve = metrics.app({ readiness, store: () => store })
    serveMetrics(serve, { config, alerts: alerting, log, report })
  }

  // Pages don't need the store, so they're served while it's checked, upgraded, or unavailable.
  const stopProbing = repeat(MINUTE, availability.readiness, report('store_unchecked'))
  store = await retryUntilDone({
    attempt: async () => {
      const onCrash = (error: unknown) => void crash(error, config, alertOptions)
      const opened = await openStore(config, {
        onCreated: file => log('store_created', { file }),
        onUpgrade: availability.upgrading,
        onCrash,
      })
      return startIntake(metrics?.countStore(opened) ?? opened, { config, live, availability })
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
  stops.push(startLogging({ config, store, alerts: alerting, signal }))
  live ??= await untilPublished({ config, store, findLive, alerts: alerting, signal })
  if (live === null) return
  const background = { config, site, store, alerts: alerting, log, report }
  stops.push(startWatch({ ...background, availability, source }))
  stops.push(followSite(live, background))
  stops.push(startSearchIndexer(store, report('search_index_failed')))
  stops.push(await startDeliveries({ ...background, signal }))
}

interface Intake {
  readonly config: Config
  /** Without one, only requests not to be called are taken. */
  readonly live: LiveSite | null
  readonly availability: Availability
}

/** If this fails, the store is closed, so it can be opened again. */
async function startIntake(store: Store, { config, live, availability }: Intake): Promise<Store> {
  try {
    if (live !== null) await prepareForLeads(store, live.site(), config)
    await availability.open(store)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function prepareForLeads(store: Store, site: Site, config: Config): Promise<void> {
  // After an upgrade, before anyone can submit or call.
  const planned = await store.planStaleStories({ ...config.callingHours, closed: site.copy.closed })
  if (planned > 0) log('calls_planned', { numbers: planned })
  await saveShownTexts(store, site, config.reviewedTexts)
}

interface Unpublished {
  readonly config: Config
  readonly store: Store
  readonly findLive: () => LiveSite | null
  readonly alerts: Alerts
  readonly signal: AbortSignal
}

/** Null if the server is stopped first. */
async function untilPublished({ config, store, findLive, alerts, signal }: Unpublished): Promise<LiveSite | null> {
  const { siteFolder: folder, timeZone } = config
  log('no_site', NO_SITE)
  const live = await retryUntilDone({
    attempt: async () => {
      const found = findLive()
      if (found === null) throw new SiteUnusable('Nothing has been published.')
      await prepareForLeads(store, found.site(), config)
      return found
    },
    onFailure: error => {
      if (!(error instanceof SiteUnusable)) log('site_not_switched', describeError(error))
      checkPublishing(alerts, { folder, timeZone, publishedAt: null, isBehind: false, unknownTexts: [] })
    },
    signal,
  })
  if (live !== null) log('site_switched')
  return live
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
