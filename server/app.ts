/** Assembles the HTTP app. Production and tests use the same one. */
import type { RequestListener } from 'node:http'
import { callLanguages } from '../domain/calling/list.ts'
import { STOP_PATH } from '../domain/do-not-call/stop.ts'
import { ENGLISH, languageOfRequest, pathInLanguage } from '../domain/languages.ts'
import { SENT_LEAD_PATH } from '../domain/leads/sent-lead.ts'
import { PROGRESS_PATH } from '../domain/visits/drop-off.ts'
import { createAlerting } from './alerts/alerting.ts'
import type { Alerts } from './alerts/alerts.ts'
import type { Analytics } from './analytics/analytics.ts'
import { createListener, type Handler, type HttpRequest, json, readOnly, redirect, withQuery } from './http/handler.ts'
import { perSite } from './http/live-site.ts'
import { contentSecurityPolicy, securityHeaders } from './http/security-headers.ts'
import { createServeFile, createServeSite, ownPagesIn, type Site, textOf } from './http/site.ts'
import { copyIn } from './http/site-manifest.ts'
import { type Availability, createAvailability, type IntakeStore, type Readiness } from './intake/availability.ts'
import { CRM_CLIENT_PATH, createCrmClientHandler } from './intake/crm-client.ts'
import { CRM_STOP_PATH, createCrmStopHandler } from './intake/crm-stop.ts'
import { createFormPage } from './intake/plain-form.ts'
import { createReceiver } from './intake/receive.ts'
import { createScreening } from './intake/screening.ts'
import { createSentLeadHandler } from './intake/sent-lead.ts'
import { createStopHandler } from './intake/stop.ts'
import { type Log, log as realLog } from './process/log.ts'
import { type Config, OWN_LEAD_ENDPOINT } from './settings/config.ts'

export interface Services {
  /** Another one may be put in place at any time (http/live-site.ts). */
  readonly site: () => Site
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

interface MachineServices {
  readonly config: Config
  readonly availability: Availability
  readonly alerts: Alerts
  readonly log: Log
  readonly readiness: () => Promise<Readiness>
}

/** What the operator's CRM and monitoring ask for, with or without a site. */
export function machineHandlers({ readiness, ...services }: MachineServices): [path: string, Handler][] {
  const crm = { ...services, now: Date.now }
  return [
    [CRM_STOP_PATH, createCrmStopHandler(crm)],
    [CRM_CLIENT_PATH, createCrmClientHandler(crm)],
    ['/healthz', readOnly(() => json(200, { status: 'alive' }, NO_STORE))],
    [
      '/readyz',
      readOnly(async request => {
        const { status, ...more } = await readiness()
        const shown = isFromThisMachine(request) ? { status, ...more } : { status }
        return json(status === 'ready' ? 200 : 503, shown, NO_STORE)
      }),
    ],
  ]
}

export function createApp(config: Config, services: Services): RequestListener {
  const { site, store, analytics, log = realLog, alerts = createAlerting({ log }) } = services
  const availability =
    services.availability ?? createAvailability({ alerts, copy: () => site().copy, ...(store && { store }) })
  const pages = perSite(site, current => preparePages(current, analytics?.view))
  const policy = () => pages().policy
  const screen = createScreening({ config, alerts })
  const receive = createReceiver({
    config,
    site,
    availability,
    screen,
    log,
    now: Date.now,
    renderForm: (state, language) => pages().own(language).form(state),
    renderProblem: (_, language) => pages().own(language).problem,
    policy,
  })
  const serveSite: Handler = request => pages().serve(request)

  const handlers = new Map<string, Handler>([
    ...machineHandlers({ config, availability, alerts, log, readiness: availability.readiness }),
    [OWN_LEAD_ENDPOINT, receive],
    [SENT_LEAD_PATH, createSentLeadHandler({ config, site, availability, screen, now: Date.now })],
    [PROGRESS_PATH, analytics?.progress ?? (() => ({ status: 204, headers: NO_STORE, body: '' }))],
  ])
  const pagesIn = (language: string) => pages().own(language).stop
  const messagesIn = (language: string) => copyIn(site().copy, language)
  const answerStop = createStopHandler({ config, availability, messagesIn, alerts, log, policy, pagesIn })
  // Stored consents promise them in every language, also in one that's turned off.
  for (const path of callLanguages.map(language => pathInLanguage(language, STOP_PATH))) {
    handlers.set(path, request => {
      if (request.method === 'POST') return answerStop(request)
      return site().byPath.has(path) ? serveSite(request) : redirect(307, withQuery(STOP_PATH, request))
    })
  }

  return createListener(request => (handlers.get(request.path) ?? serveSite)(request), {
    headers: securityHeaders(config),
    failed: request => pages().serveFile(request, ownPagesIn(site(), languageOfRequest(request)).error, 500),
    isKnownPath: path => handlers.has(path) || site().byPath.has(path),
    log,
  })
}

/** What answers are made of, once for each site. */
function preparePages(site: Site, view: Analytics['view'] | undefined) {
  const prepared = new Map(
    Array.from(site.ownPages, ([language, own]) => [
      language,
      {
        form: createFormPage(textOf(own.plainForm), copyIn(site.copy, language).questions),
        problem: textOf(own.submissionError),
        stop: { form: textOf(own.stopForm), done: textOf(own.stopDone), notRecorded: textOf(own.stopError) },
      },
    ]),
  )
  type Prepared = NonNullable<ReturnType<typeof prepared.get>>
  // The forms and their answers share a policy but have different inline scripts and styles.
  const pages = [...site.ownPages.values()].flatMap(({ notFound: _, error: __, ...own }) => Object.values(own))
  const inline = {
    scripts: [...new Set(pages.flatMap(page => page.inline?.scripts ?? []))],
    styles: [...new Set(pages.flatMap(page => page.inline?.styles ?? []))],
  }
  const serveFile = createServeFile(site)
  return {
    serveFile,
    serve: createServeSite(site, serveFile, view),
    policy: contentSecurityPolicy({ inline }, site),
    own: (language: string) => (prepared.get(language) ?? prepared.get(ENGLISH)) as Prepared,
  }
}
