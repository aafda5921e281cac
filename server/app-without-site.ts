/**
 * Answers while nothing has been published from the organization's folder. The original site, with another organization's name and
 * consent, must not take its place. Requests not to be called are taken, because they can be about earlier leads.
 */
import type { RequestListener } from 'node:http'
import { callLanguages } from '../domain/calling/list.ts'
import { STOP_PATH } from '../domain/do-not-call/stop.ts'
import { ENGLISH, languageOfRequest, pathInLanguage } from '../domain/languages.ts'
import type { Alerts } from './alerts/alerts.ts'
import { machineHandlers } from './app.ts'
import { createListener, type Handler, html } from './http/handler.ts'
import { contentSecurityPolicy, securityHeaders } from './http/security-headers.ts'
import type { Availability, Readiness } from './intake/availability.ts'
import { createStopHandler, fillStopForm, type StopMessages } from './intake/stop.ts'
import { type Log, log as realLog } from './process/log.ts'
import { type Config, OWN_LEAD_ENDPOINT } from './settings/config.ts'

/** For /readyz and the metrics. */
export const NO_SITE: Readiness = {
  status: 'failed',
  reason: 'nothing has been published from the organization’s folder (SITE_FOLDER).',
}

interface Words extends StopMessages {
  readonly unavailable: readonly [heading: string, text: string]
  readonly done: readonly [heading: string, text: string]
  readonly notRecorded: readonly [heading: string, text: string]
  readonly stop: Readonly<Record<'heading' | 'text' | 'phone' | 'email' | 'button', string>>
}

const english: Words = {
  unavailable: ['This Site Is Not Available', 'Please try again later.'],
  stop: {
    heading: 'Stop Calls, Texts, and Emails',
    text: 'Enter your phone number, your email address, or both.',
    phone: 'Phone number',
    email: 'Email address',
    button: 'Stop Contacting Me',
  },
  done: ['Done', 'We’ll stop contacting you.'],
  notRecorded: ['Your Request Was Not Recorded', 'Please try again later.'],
  nothingToStop: 'Enter your phone number or your email address.',
  contactMessages: {
    phoneForeign: 'Enter a US phone number.',
    phoneInvalid: 'Enter a phone number with 10 digits.',
    emailInvalid: 'Enter an email address such as name@example.com.',
  },
}

const spanish: Words = {
  unavailable: ['Este sitio no está disponible', 'Inténtelo de nuevo más tarde.'],
  stop: {
    heading: 'No más llamadas, mensajes ni correos',
    text: 'Escriba su número de teléfono, su correo electrónico o ambos.',
    phone: 'Número de teléfono',
    email: 'Correo electrónico',
    button: 'No me contacten más',
  },
  done: ['Listo', 'Ya no le contactaremos.'],
  notRecorded: ['Su solicitud no quedó registrada', 'Inténtelo de nuevo más tarde.'],
  nothingToStop: 'Escriba su número de teléfono o su correo electrónico.',
  contactMessages: {
    phoneForeign: 'Escriba un número de teléfono de EE. UU.',
    phoneInvalid: 'Escriba un número de teléfono de 10 dígitos.',
    emailInvalid: 'Escriba un correo electrónico como nombre@example.com.',
  },
}

const wordsIn = (language: string) => (language === 'es' ? spanish : english)

const page = (language: string, heading: string, content: string) =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${heading}</title><h1>${heading}</h1>${content}</html>`

const note = (language: string, [heading, text]: readonly [string, string]) => page(language, heading, `<p>${text}</p>`)

/** With the slots of the site's own form (intake/stop.ts). */
function stopForm(language: string): string {
  const { heading, text, button, ...labels } = wordsIn(language).stop
  const field = (name: 'phone' | 'email', type: string) =>
    `<p><label for="${name}">${labels[name]}</label><br><input id="${name}" name="${name}" type="${type}" autocomplete="${type}" value="{{value:${name}}}" aria-invalid="{{invalid:${name}}}" aria-describedby="${name}-error"><br><span id="${name}-error">{{error:${name}}}</span></p>`
  const fields = field('phone', 'tel') + field('email', 'email')
  const action = pathInLanguage(language, STOP_PATH)
  return page(
    language,
    heading,
    `<p>${text}</p><form method="post" action="${action}" novalidate>${fields}<button>${button}</button></form>`,
  )
}

interface Services {
  readonly availability: Availability
  readonly alerts: Alerts
  readonly log?: Log
}

export function createAppWithoutSite(
  config: Config,
  { availability, alerts, log = realLog }: Services,
): RequestListener {
  const policy = contentSecurityPolicy({}, { leadEndpoint: OWN_LEAD_ENDPOINT, trustedForm: 'off' })
  const headers = { 'cache-control': 'no-store', 'content-security-policy': policy }
  const answerStop = createStopHandler({
    config,
    availability,
    messagesIn: wordsIn,
    pagesIn: language => ({
      form: stopForm(language),
      done: note(language, wordsIn(language).done),
      notRecorded: note(language, wordsIn(language).notRecorded),
    }),
    policy: () => policy,
    alerts,
    log,
  })
  const services = { config, availability, alerts, log }
  const handlers = new Map<string, Handler>(machineHandlers({ ...services, readiness: async () => NO_SITE }))
  for (const language of callLanguages) {
    const form = fillStopForm(stopForm(language), {}, {})
    handlers.set(pathInLanguage(language, STOP_PATH), request =>
      request.method === 'POST' ? answerStop(request) : html(200, form, headers),
    )
  }
  const unavailable: Handler = request => {
    const language = languageOfRequest(request) === 'es' ? 'es' : ENGLISH
    return html(503, note(language, wordsIn(language).unavailable), { ...headers, 'retry-after': '60' })
  }
  return createListener(request => (handlers.get(request.path) ?? unavailable)(request), {
    headers: securityHeaders(config),
    failed: unavailable,
    isKnownPath: path => handlers.has(path),
    log,
  })
}
