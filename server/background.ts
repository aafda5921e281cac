/** What runs beside requests: the checks that raise alerts, the switch to a new site, metrics, deliveries, and retention. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { dirname } from 'node:path'
import { HOUR, MINUTE, SECOND } from '../domain/durations.ts'
import type { Alerts } from './alerts/alerts.ts'
import { checkDisks, watchedDisks } from './alerts/disk-watch.ts'
import { checkEvidence } from './alerts/evidence-watch.ts'
import { checkCertificates, httpsUrls } from './alerts/https-certificates.ts'
import { createLaunchWatch, launchSettings } from './alerts/launch-watch.ts'
import { circumstancesOf } from './alerts/problems.ts'
import { checkPublishing } from './alerts/publishing-watch.ts'
import { createStoreWatch } from './alerts/store-watch.ts'
import { sendTo } from './delivery/webhook.ts'
import { createDeliveryWorker } from './delivery/worker.ts'
import { CannotListen, listen } from './http/limited-server.ts'
import type { LiveSite } from './http/live-site.ts'
import type { Site } from './http/site.ts'
import type { Availability } from './intake/availability.ts'
import { letterSender } from './mail/letters.ts'
import { type Log, log } from './process/log.ts'
import { retryUntilDone } from './process/retry.ts'
import { type ReportFailures, repeat } from './process/timers.ts'
import { startRetention } from './retention/retention.ts'
import { type Config, expectsDeliveries, webhookOf } from './settings/config.ts'
import { installationKey } from './settings/installation-key.ts'
import { applyChanges } from './store/operations/upkeep/carry-over.ts'
import type { Store } from './store/store.ts'
import { reasonOf } from './store/store-errors.ts'
import { logChanges, logMissingChanges } from './store/upkeep/change-log.ts'
import { readChanges } from './store/upkeep/erasure-list.ts'

/** How long deliveries in flight have to finish when the server stops. */
export const DRAIN_MS = 8000

export interface Background {
  readonly config: Config
  readonly site: () => Site
  readonly store: Store
  readonly alerts: Alerts
  readonly log: Log
  readonly report: ReportFailures
}

type ShownTexts = Pick<Site, 'copy' | 'reviewed'>

/** Before a page shows them, so a lead's version is known. `reviewedTexts`: where the publisher reads what was reviewed. */
export async function saveShownTexts(
  store: Store,
  { copy: { languages }, reviewed }: ShownTexts,
  reviewedTexts: string,
): Promise<void> {
  for (const { consent, isReviewedWithEnglish, questionnaire } of Object.values(languages)) {
    if (consent !== '') {
      const version = await store.saveConsentText(consent)
      if (isReviewedWithEnglish) await store.recordReviewedTranslation(version)
    }
    await store.saveQuestionnaire(questionnaire)
  }
  await store.saveReviewedTexts(reviewed)
  try {
    writeIfChanged(reviewedTexts, JSON.stringify(await store.reviewedTexts()))
  } catch (error) {
    // The publisher has them from the last site, too.
    log('reviewed_texts_unwritten', { reason: (error as Error).message })
  }
}

/** For another user. */
function writeIfChanged(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text)
  chmodSync(`${file}.new`, 0o644)
  renameSync(`${file}.new`, file)
}

/** Serves a site that's put in place while the server runs. If the store is down, or the site is broken, it tries again. */
export function followSite(live: Pick<LiveSite, 'follow'>, { config, store, log, report }: Background) {
  async function follow(): Promise<void> {
    if (await live.follow(next => saveShownTexts(store, next, config.reviewedTexts))) log('site_switched')
  }
  return repeat(SECOND, follow, report('site_not_switched'))
}

/** Visitors get the certificate also while the store is down. */
export function watchCertificates({ config, alerts, report }: Pick<Background, 'config' | 'alerts' | 'report'>): void {
  const urls = httpsUrls(config)
  repeat(10 * MINUTE, () => checkCertificates({ urls, alerts }), report('certificates_unchecked'))
}

/** Metrics aren't public, regardless of HOST. */
const METRICS_HOST = '127.0.0.1'

/** If the port is in use, tries again every minute: visitors don't depend on metrics. */
export function serveMetrics(
  app: RequestListener,
  { config, alerts, log, report }: Omit<Background, 'site' | 'store'>,
) {
  async function serve(): Promise<void> {
    try {
      const address = { host: METRICS_HOST, port: config.metricsPort ?? 0 }
      const port = await listen(createServer(app), address, 'METRICS_PORT')
      log('metrics_served', { url: `http://${METRICS_HOST}:${port}/metrics` })
      void stop()
    } catch (error) {
      if (!(error instanceof CannotListen)) throw error
      alerts.raise('metrics_unavailable', `Can’t serve metrics. ${error.message}`, {
        detail: { reason: error.message },
      })
    }
  }
  const stop = repeat(MINUTE, serve, report('metrics_unavailable'))
}

interface Watched extends Background {
  readonly availability: Pick<Availability, 'readiness'>
  readonly source: string
}

/** Runs the checks that raise alerts, every minute. Returns a function that stops them. */
export function startWatch({ config, site, store, availability, alerts, source, report }: Watched): () => void {
  const checkLaunch = createLaunchWatch({ launch: () => site().launch, settings: launchSettings(config), alerts })
  const checkStore = createStoreWatch({
    store,
    alerts,
    probe: availability.readiness,
    expectsCertificates: config.trustedForm !== 'off',
    ...circumstancesOf(config, () => site().copy.closed),
  })
  async function checkSite(): Promise<void> {
    const { publication, unknownTexts = [] } = site()
    const { at: publishedAt, of } = publication ?? { at: null, of: null }
    let isBehind = false
    if (publishedAt !== null) {
      await store.recordServedSite({ source, site: of, publishedAt: Date.parse(publishedAt) }).catch(() => {})
      const behind = await store.serversBehind().catch(() => [])
      isBehind = behind.some(each => each.source === source)
    }
    checkPublishing(alerts, {
      folder: config.siteFolder,
      timeZone: config.timeZone,
      publishedAt,
      isBehind,
      unknownTexts,
    })
  }
  const stops = [
    repeat(MINUTE, async () => checkLaunch(), report('launch_unchecked')),
    repeat(MINUTE, checkSite, report('publishing_unchecked')),
    repeat(MINUTE, async () => checkDisks(alerts, watchedDisks(config)), report('disk_unchecked')),
    repeat(MINUTE, checkStore, report('store_unchecked')),
    repeat(HOUR, () => checkEvidence(store, alerts), report('store_unchecked')),
    // If someone was erased while a backup was running.
    repeat(MINUTE, store.emptyLog, report('log_unemptied')),
  ]
  return () => {
    for (const stop of stops) void stop()
  }
}

const UNAPPLIED = 'Leads are accepted, but not delivered until the changes in ERASURE_LIST are applied:'

/** Starts deliveries and retention. Returns a function that stops them. */
export async function startDeliveries({
  config,
  site,
  store,
  alerts,
  log,
  report,
  signal,
}: Background & { readonly signal: AbortSignal }) {
  await retryUntilDone({
    attempt: () => reapplyChanges(store, config, log),
    onFailure(error) {
      const reason = reasonOf(error)
      alerts.raise('changes_unapplied', `${UNAPPLIED} ${reason}`, { detail: { reason } })
    },
    signal,
  })
  if (signal.aborted) return () => {}
  const webhook = webhookOf(config)
  const sendLetter = letterSender(config, site)
  const workers = [
    ...(webhook ? [createDeliveryWorker({ store, send: sendTo(webhook) })] : []),
    ...(sendLetter ? [createDeliveryWorker({ store, send: sendLetter, slots: { mail: 4 } })] : []),
  ]
  for (const worker of workers) worker.start()
  const stopQueuing = webhook ? repeat(MINUTE, store.carryOutUnqueued, report('leads_unqueued')) : () => {}
  const stopRetention = startRetention({
    store,
    days: config.retentionDays,
    key: () => installationKey(config, store),
    alerts,
    log,
    onFailure: report('retention_failed'),
    timeZone: config.timeZone,
    expectsDeliveries: expectsDeliveries(config),
  })
  return () => {
    stopRetention()
    return Promise.all([stopQueuing(), ...workers.map(worker => worker.stop(DRAIN_MS))])
  }
}

/** Also while there's no site: stops are taken then. Nobody waits for it: the list may be on a share that hangs. */
export function startLogging({ config, store, alerts, signal }: Logging): () => void {
  function raiseUnlogged(error: unknown): void {
    const reason = reasonOf(error)
    const text = `Requests not to be called, or erasures, are in the store, but not in ERASURE_LIST, so restoring a backup would undo them. ${reason}`
    if (!signal.aborted) alerts.raise('requests_unlogged', text, { detail: { reason } })
  }
  const stops = [
    repeat(SECOND, () => logChanges(store, config.erasureList), raiseUnlogged),
    // Someone may have lost the list, or its disk was away while another file took its place.
    repeat(HOUR, () => logMissingChanges(store, config.erasureList), raiseUnlogged),
  ]
  return () => {
    for (const stop of stops) void stop()
  }
}

type Logging = Pick<Background, 'config' | 'store' | 'alerts'> & { readonly signal: AbortSignal }

/** Runs before any delivery, so a backup restored by hand doesn't undo later erasures and do-not-call entries. */
async function reapplyChanges(store: Store, config: Config, log: Log): Promise<void> {
  const changes = readChanges(config.erasureList)
  const { erased, doNotCall, dismissed } = await applyChanges(store, changes, () => installationKey(config, store))
  if (erased + doNotCall + dismissed > 0) log('erased_again', { level: 'alert', leads: erased, doNotCall, dismissed })
}
