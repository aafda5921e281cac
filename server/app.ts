/** Assembles the HTTP app. Production and tests use the same one. */
import type { RequestListener } from 'node:http'
import { PROGRESS_PATH } from '../domain/drop-off.ts'
import { ENGLISH, languageOfRequest, pathInLanguage } from '../domain/languages.ts'
import { SENT_LEAD_PATH } from '../domain/sent-lead.ts'
import { STOP_PATH } from '../domain/stop.ts'
import { createAlerting } from './alerts/alerting.ts'
import type { Alerts } from './alerts/alerts.ts'
import type { Analytics } from './analytics/analytics.ts'
import { createListener, type Handler, type HttpRequest, json, readOnly } from './http/handler.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { contentSecurityPolicy, securityHeaders } from './http/security-headers.ts'
import { createServeFile, createServeSite, ownPagesIn, type Site, textOf } from './http/site.ts'
import { copyIn } from './http/site-manifest.ts'
import { type Availability, createAvailability, type IntakeStore } from './intake/availability.ts'
import { CRM_STOP_PATH, createCrmStopHandler } from './intake/crm-stop.ts'
import { createFormPage } from './intake/plain-form.ts'
import { createReceiver } from './intake/receive.ts'
import { createScreening } from './intake/screening.ts'
import { createSentLeadHandler } from './intake/sent-lead.ts'
import { createStopHandler } from './intake/stop.ts'
import { type Log, log as realLog } from './process/log.ts'
import { type Config, OWN_LEAD_ENDPOINT } from './settings/config.ts'

export interface Services {
  readonly site: Site
  /** The server opens its store after it starts listening, so it passes `availability` instead. */
  readonly store?: IntakeStore
  readonly availability?: Availability
  /** Without it, alerts only go to the log. */
  readonly alerts?: Alerts
  /** Without it, nothing is counted and there are no variants. */
  readonly analytics?: Pick<Analytics, 'view' | 'progress'>
  readonly log?: Log
}

const NO_STORE = { 'cache-control': 'no-store' }

/** Reasons name paths and hosts, so others see only the status. */
const isFromThisMachine = ({ socketAddress = '', header }: HttpRequest) =>
  header('x-forwarded-for') === undefined && /^(::ffff:)?127\.|^::1$/.test(socketAddress)

export function createApp(config: Config, services: Services): RequestListener {
  const { site, store, analytics, log = realLog, alerts = createAlerting({ log }) } = services
  const { copy } = site
  const availability = services.availability ?? createAvailability({ alerts, copy, ...(store && { store }) })
  // The forms and their answers share a policy but have different inline scripts and styles.
  const pages = [...site.ownPages.values()].flatMap(own => [
    ...[own.plainForm, own.submissionError],
    ...[own.stopForm, own.stopDone, own.stopError],
  ])
  const inline = {
    scripts: [...new Set(pages.flatMap(page => page.inline?.scripts ?? []))],
    styles: [...new Set(pages.flatMap(page => page.inline?.styles ?? []))],
  }
  const policy = contentSecurityPolicy({ inline }, site)
  const forms = new Map(
    Array.from(site.ownPages, ([language, { plainForm, submissionError }]) => [
      language,
      {
        form: createFormPage(textOf(plainForm), copyIn(copy, language).questions),
        problem: textOf(submissionError),
      },
    ]),
  )
  const formsIn = (language: string) => forms.get(language) ?? forms.get(ENGLISH)
  const rateLimit = createRateLimit({ totalLimit: config.leadFloodLimit })
  const screen = createScreening({ config, rateLimit, alerts })
  const receive = createReceiver({
    config,
    site,
    availability,
    screen,
    log,
    now: Date.now,
    renderForm: (state, language) => formsIn(language)?.form(state) ?? '',
    renderProblem: (_, language) => formsIn(language)?.problem ?? '',
    policy,
  })

  const handlers = new Map<string, Handler>([
    [OWN_LEAD_ENDPOINT, receive],
    [SENT_LEAD_PATH, createSentLeadHandler({ config, site, availability, screen, now: Date.now })],
    [CRM_STOP_PATH, createCrmStopHandler({ config, availability, now: Date.now, log, alerts })],
    [PROGRESS_PATH, analytics?.progress ?? (() => ({ status: 204, headers: NO_STORE, body: '' }))],
    ['/healthz', readOnly(() => json(200, { status: 'alive' }, NO_STORE))],
    [
      '/readyz',
      readOnly(async request => {
        const { status, ...more } = await availability.readiness()
        const shown = isFromThisMachine(request) ? { status, ...more } : { status }
        return json(status === 'ready' ? 200 : 503, shown, NO_STORE)
      }),
    ],
  ])
  const serveFile = createServeFile(site)
  const serveSite = createServeSite(site, serveFile, analytics?.view)
  const stopPages = new Map(
    Array.from(site.ownPages, ([language, { stopForm, stopDone, stopError }]) => [
      language,
      { form: textOf(stopForm), done: textOf(stopDone), notRecorded: textOf(stopError) },
    ]),
  )
  const answerStop = createStopHandler({ config, availability, copy, alerts, log, policy, pages: stopPages })
  for (const language of site.ownPages.keys()) {
    handlers.set(pathInLanguage(language, STOP_PATH), request =>
      request.method === 'POST' ? answerStop(request) : serveSite(request),
    )
  }

  return createListener(request => (handlers.get(request.path) ?? serveSite)(request), {
    headers: securityHeaders(config),
    failed: request => serveFile(request, ownPagesIn(site, languageOfRequest(request)).error, 500),
    isKnownPath: path => handlers.has(path) || site.byPath.has(path),
    log,
  })
}
