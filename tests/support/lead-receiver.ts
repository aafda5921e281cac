/** The intake endpoint on loopback, with a real store in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consent } from '../../content/en/contact-form.ts'
import { shownQuestionnaire } from '../../content/panel-copy.ts'
import { askedIn } from '../../content/questions.ts'
import { words } from '../../content/words.ts'
import { consentAsPresented, questionnaireAsPresented } from '../../domain/as-presented.ts'
import { leadQuery, type TrustedFormMode } from '../../domain/lead.ts'
import type { AgeRange } from '../../domain/plausibility.ts'
import { createAlerting } from '../../server/alerts/alerting.ts'
import { createListener, text } from '../../server/http/handler.ts'
import { createRateLimit, type RateLimitOptions } from '../../server/http/rate-limit.ts'
import type { ServerQuestion } from '../../server/http/site-manifest.ts'
import { createAvailability } from '../../server/intake/availability.ts'
import { createReceiver } from '../../server/intake/receive.ts'
import { createScreening } from '../../server/intake/screening.ts'
import type { Log } from '../../server/process/log.ts'
import { openSqliteStore, type SqliteOptions } from '../../server/store/sqlite/sqlite-store.ts'
import { rowsOf, storedLeads } from './lead-fixtures.ts'
import { listen } from './receiver.ts'

type LogLine = Readonly<Record<string, unknown>>

export type LeadReceiver = Awaited<ReturnType<typeof startLeadReceiver>>

export interface LeadReceiverOptions {
  /** Store folder. A temporary folder by default. */
  readonly folder?: string
  readonly now?: () => number
  readonly rateLimit?: RateLimitOptions
  readonly trustedProxies?: readonly string[]
  /** The hostname in SITE_URL. */
  readonly publicHostname?: string
  readonly campaignParameters?: readonly string[]
  readonly trustedForm?: TrustedFormMode
  readonly announceRepeat?: boolean
  readonly store?: SqliteOptions
  /** The site's questions by default. */
  readonly questions?: readonly ServerQuestion[]
  readonly onAccepted?: () => void
  /** Ages aren't checked by default. */
  readonly ages?: AgeRange
}

export async function startLeadReceiver(options: LeadReceiverOptions = {}) {
  const { now = Date.now, onAccepted } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'leads-'))
  const file = join(folder, 'leads.db')
  const store = openSqliteStore(file, { now, ...options.store })
  if (onAccepted) store.onDue(onAccepted)
  const consentVersion = await store.saveConsentText(consentAsPresented(consent))
  const questionnaireVersion = await store.saveQuestionnaire(questionnaireAsPresented(shownQuestionnaire.en))
  const failures: string[] = []
  const lines: LogLine[] = []
  const log: Log = (code, detail) => lines.push({ code, ...detail })
  const alerts = createAlerting({ log })
  const copyOf = (language: 'en' | 'es') => ({
    consent: consentAsPresented(words[language].consent, language, words.en.consent),
    questionnaire: questionnaireAsPresented(shownQuestionnaire[language], language, shownQuestionnaire.en),
    contactMessages: words[language].contactMessages,
    questions: options.questions ?? askedIn(words[language].questions),
    unanswered: words[language].plainForm.unanswered,
    nothingToStop: words[language].stopContact.missing,
  })
  const copy = {
    languages: { en: copyOf('en'), es: copyOf('es') },
    formPages: ['/', '/advertorial', '/spring', '/es/'],
    ages: options.ages ?? null,
  }
  const spanish = {
    consentVersion: await store.saveConsentText(copy.languages.es.consent),
    questionnaireVersion: await store.saveQuestionnaire(copy.languages.es.questionnaire),
  }
  const config = {
    webhookUrl: 'https://crm.example.org/hook',
    webhookRepeats: options.announceRepeat ?? false,
    callList: true,
    trustProxy: options.trustedProxies ?? [],
    publicHostname: options.publicHostname ?? null,
    campaignParameters: options.campaignParameters ?? [],
  }
  const rateLimit = createRateLimit({ now, ...options.rateLimit })
  const receive = createReceiver({
    config,
    screen: createScreening({ config, rateLimit, alerts }),
    site: { trustedForm: options.trustedForm ?? 'off', copy },
    availability: createAvailability({ alerts, copy, store }),
    log,
    now,
    renderForm: (state, language) => JSON.stringify({ ...state, ...(language !== 'en' && { language }) }),
    renderProblem: (status, language) => `<h1>${language === 'en' ? '' : `${language} `}problem ${status}</h1>`,
    policy: "default-src 'none'",
  })
  const listener = createListener(
    request => (request.path === '/api/leads' ? receive(request) : text(404, 'not found')),
    {
      headers: {},
      isKnownPath: () => false,
      failed: () => text(500, 'failed'),
      log: (code, detail) => {
        if (code === 'request_failed') failures.push(JSON.stringify(detail))
      },
    },
  )
  const server = await listen(listener)
  return {
    endpoint: `${server.url}/api/leads`,
    store,
    consentVersion,
    questionnaireVersion,
    spanish,
    /** Logged errors that caused a 500. */
    failures,
    /** The receiver's log. */
    lines,
    /** All rows in a table, oldest lead first. */
    rows: async (table: 'leads' | 'history' | 'outbox') =>
      table === 'leads' ? storedLeads(file) : rowsOf(file, `SELECT * FROM ${table} ORDER BY lead_id`),
    close: async () => {
      await server.close()
      await store.close()
      if (options.folder === undefined) rmSync(folder, { recursive: true })
    },
  }
}

/** Sends a request that fetch can't: any method, header, or target, and a body in chunks. */
export function sendRaw(
  { endpoint }: LeadReceiver,
  options: {
    readonly method?: string
    readonly target?: string
    readonly headers?: Record<string, string>
    readonly chunks?: readonly string[]
  },
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders }> {
  const { method = 'GET', target = '/api/leads', headers = {}, chunks = [] } = options
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(endpoint)
    const outgoing = request({ hostname, port, method, path: target, headers }, incoming => {
      incoming.resume().on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers }))
    })
    outgoing.on('error', reject)
    for (const chunk of chunks) outgoing.write(chunk)
    outgoing.end()
  })
}

export const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1965-12-10',
  email: 'ada@example.org',
  phone: '(555) 210-2030',
} as const

/** Sends a lead the way the site's script does. */
export function sendQuery(
  receiver: LeadReceiver,
  contact: Partial<Record<keyof typeof ada, string>> = {},
  headers: Record<string, string> = {},
  extraQuery = '',
): Promise<Response> {
  return fetch(`${receiver.endpoint}?${leadQuery({ ...ada, ...contact })}${extraQuery}`, {
    headers: {
      accept: 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-consent-version': receiver.consentVersion,
      'x-questionnaire-version': receiver.questionnaireVersion,
      ...headers,
    },
  })
}
