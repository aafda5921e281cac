/** Puts the HTTP app together. Production and tests both use this one. */
import type { RequestListener } from 'node:http'
import { type Alerts, createAlerts } from './alerts/alerts.ts'
import type { Config } from './config.ts'
import { createClientAddress } from './http/client-address.ts'
import { type Answer, forReading, type Handler, json } from './http/handler.ts'
import { createListener } from './http/listener.ts'
import { type LoadedFile, type Site, textOf } from './http/load-site.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { contentSecurityPolicy, securityHeaders } from './http/security-headers.ts'
import { createServeFile } from './http/serve-file.ts'
import { createServeSite, type PageVisits } from './http/serve-site.ts'
import type { InlineHashes } from './http/site-manifest.ts'
import { createFormPage } from './intake/form-page.ts'
import { createKnowsVersion } from './intake/known-versions.ts'
import { createReadiness } from './intake/readiness.ts'
import { createReceiver } from './intake/receive.ts'
import type { IntakeStore } from './intake/refusal-watch.ts'
import { type Log, log as realLog } from './log.ts'
import { versionOf } from './presented-version.ts'
import { OWN_LEAD_ENDPOINT } from './settings/addresses.ts'

export interface Services {
  readonly site: Site
  readonly store: IntakeStore
  /** Without them, alerts stand in the log alone. */
  readonly alerts?: Alerts
  /** Counts page views, if anybody does. */
  readonly visits?: PageVisits
  readonly log?: Log
}

const NO_STORE = { 'cache-control': 'no-store' }

export function createApp(config: Config, services: Services): RequestListener {
  const { site, store, visits, log = realLog, alerts = createAlerts({ log }) } = services
  const { capture, hasConsent, hasQuestionnaire, probe } = store
  const isReady = createReadiness(probe)
  const submissionError = textOf(site.submissionError)
  const questionnaireVersion = versionOf(site.words.questionnaire)
  const receive = createReceiver({
    capture,
    announceRepeat: config.webhookRepeats,
    knowsConsent: createKnowsVersion(hasConsent, { known: [versionOf(site.words.consent)] }),
    knowsQuestionnaire: createKnowsVersion(hasQuestionnaire, { known: [questionnaireVersion] }),
    questionnaireVersion,
    trustedForm: site.trustedForm,
    rateLimit: createRateLimit({ totalLimit: config.leadFloodLimit }),
    clientAddress: createClientAddress(config.trustProxy),
    alerts,
    log,
    publicName: config.publicName,
    campaignParameters: config.campaignParameters,
    renderForm: createFormPage(textOf(site.plainForm), site.words.questions),
    renderProblem: () => submissionError,
    words: site.words,
    // The receiver's own pages, filled in for a visitor, are held to the same policy as those from a file.
    policy: contentSecurityPolicy({ ...site.plainForm, inline: inlineOf(site.plainForm, site.submissionError) }, site),
  })

  const handlers = new Map<string, Handler>([
    [OWN_LEAD_ENDPOINT, receive],
    ['/healthz', forReading(() => json(200, { status: 'alive' }, NO_STORE))],
    ['/readyz', forReading(async () => readiness(await isReady()))],
  ])
  const serveFile = createServeFile(site)
  const serveSite = createServeSite(site, serveFile, visits)

  return createListener(request => (handlers.get(request.path) ?? serveSite)(request), {
    headers: securityHeaders(config),
    failed: request => serveFile(request, site.error, 500),
    isKnownPath: path => handlers.has(path) || site.byPath.has(path),
    log,
  })
}

function readiness(ready: boolean): Answer {
  return ready ? json(200, { status: 'ready' }, NO_STORE) : json(503, { status: 'the store takes no writes' }, NO_STORE)
}

/** The form and the problem page are answered under one policy, and each has a style of its own. */
function inlineOf(...pages: readonly LoadedFile[]): InlineHashes {
  return {
    scripts: pages.flatMap(({ inline }) => inline?.scripts ?? []),
    styles: pages.flatMap(({ inline }) => inline?.styles ?? []),
  }
}
