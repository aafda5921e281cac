/** Receives leads. Reports success only once a lead is on disk. New leads, repeats, and leads on hold get the same response. */
import { parseCertificate } from '../../domain/certificate.ts'
import type { HoldReason } from '../../domain/hold-reasons.ts'
import { languageOfPath, languageOfQuery, pathInLanguage } from '../../domain/languages.ts'
import { CERTIFICATE_FIELD, type Contact, errorMessages, parseContact } from '../../domain/lead.ts'
import { implausible } from '../../domain/plausibility.ts'
import type { Alerts } from '../alerts/alerts.ts'
import type { Config } from '../config.ts'
import { createClientAddress, createProxyWatch } from '../http/client-address.ts'
import { type Handler, type HttpRequest, type HttpResponse, html, json, redirect } from '../http/handler.ts'
import type { RateLimit, Verdict } from '../http/rate-limit.ts'
import { copyIn } from '../http/site-manifest.ts'
import type { Log } from '../log.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import type { Availability } from './availability.ts'
import {
  createOwnHosts,
  firstValues,
  isFromAnotherSite,
  isPrefetch,
  isSentToOurHostname,
  leadSource,
  parseFields,
  type ReaderServices,
  type ReadLead,
  type ReadRequest,
  type Refusal,
  readVariant,
  refuse,
  withCampaign,
} from './lead-request.ts'
import { createReadForm, type RenderForm } from './plain-form.ts'

export interface ReceiverServices extends ReaderServices {
  readonly config: Pick<
    Config,
    'publicHostname' | 'campaignParameters' | 'trustProxy' | 'webhookUrl' | 'webhookRepeats' | 'callList'
  >
  readonly availability: Pick<Availability, 'isKnown' | 'shown' | 'languageOf' | 'capture'>
  readonly rateLimit: RateLimit
  readonly alerts: Alerts
  readonly log: Log
  readonly renderForm: RenderForm
  /** The error page for visitors without JavaScript. */
  readonly renderProblem: (status: number, language: string) => string
  /** The Content-Security-Policy for the receiver's own pages. */
  readonly policy: string
}

const USER_AGENT_LIMIT = 500

const RETRY_AFTER_SECONDS = 30

/** The differences between leads sent by the pages' script and leads sent as a plain form. */
interface Channel {
  readonly read: ReadRequest
  readonly accepted: (request: HttpRequest, lead: ReadLead) => HttpResponse
  readonly refused: (refusal: Refusal, request: HttpRequest) => HttpResponse
  readonly headers: HttpResponse['headers']
}

export function createReceiver(services: ReceiverServices): Handler {
  const { config, site, availability, rateLimit, alerts, log, now } = services
  const clientAddress = createClientAddress(config.trustProxy)
  const checkProxy = createProxyWatch(clientAddress, alerts)
  const noStore = { 'cache-control': 'no-store' }
  const script: Channel = {
    read: createReadQuery(services),
    accepted: () => json(202, { status: 'accepted' }),
    refused: ({ status, message, headers }) => json(status, { status: 'refused', message }, headers),
    headers: noStore,
  }
  const plainForm: Channel = {
    read: createReadForm(services, services.renderForm),
    accepted: ({ query }, { facts }) =>
      redirect(303, withCampaign(pathInLanguage(languageOfQuery(query), '/thank-you'), facts.campaign)),
    refused: ({ status, headers }, { query }) =>
      html(status, services.renderProblem(status, languageOfQuery(query)), headers),
    headers: { ...noStore, 'content-security-policy': services.policy },
  }

  /** Returns null once the lead is on disk, whether it's new, a repeat, or on hold. */
  async function storeLead(
    { facts, confirmed }: ReadLead,
    { socketAddress, header }: HttpRequest,
  ): Promise<Refusal | null> {
    const address = clientAddress(socketAddress, header('x-forwarded-for'))
    checkProxy(address, socketAddress, header)
    const isOurHost = isSentToOurHostname(header, config.publicHostname)
    if (!isOurHost) {
      alerts.raise(
        'lead_host_unknown',
        'Leads are coming in through a hostname other than the one in SITE_URL and are being put on hold. If the hostname is yours, redirect it to SITE_URL.',
      )
    }
    const verdict = rateLimit.count(address)
    if (verdict.kind === 'refuse') {
      const headers = { 'retry-after': `${verdict.retryAfterSeconds}` }
      return { status: 429, message: 'Too many leads from this address.', headers }
    }
    if (verdict.kind === 'hold' && verdict.from !== 'one address') {
      const { from, limit, count } = verdict
      const text = `${count} leads in ten minutes${from === 'one network' ? ' from one network' : ''}. The limit is ${limit}, so the rest are put on hold. Review them in the desk (Leads > On hold), or run \`leads list --state held\`.`
      alerts.raise('lead_flood', text, { detail: { from } })
    }
    try {
      const { id, state } = await availability.capture({
        ...facts,
        clientAddress: address,
        userAgent: (header('user-agent') ?? '').slice(0, USER_AGENT_LIMIT),
        holdReason:
          spamReason(facts.contact, isOurHost, verdict) ??
          implausible(facts.contact, confirmed, site.copy.ages, new Date(now())),
        deliver: config.webhookUrl !== null,
        announceRepeat: config.webhookRepeats,
        callFromDesk: config.callList,
      })
      if (state === 'held') log('lead_held', { lead: id })
      return null
    } catch (error) {
      rateLimit.uncount(address)
      throw error
    }
  }

  async function receive(request: HttpRequest, { read, accepted, refused }: Channel): Promise<HttpResponse> {
    if (isPrefetch(request.header))
      return refused({ status: 403, message: 'Prefetch requests can’t send leads.' }, request)
    try {
      const result = await read(request)
      if ('response' in result) return result.response
      if ('refusal' in result) return refused(result.refusal, request)
      const refusal = await storeLead(result, request)
      return refusal ? refused(refusal, request) : accepted(request, result)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const headers = { 'retry-after': `${RETRY_AFTER_SECONDS}` }
      return refused({ status: 503, message: 'Can’t accept leads right now. Try again later.', headers }, request)
    }
  }

  return async request => {
    const channel = request.method === 'GET' ? script : request.method === 'POST' ? plainForm : null
    if (!channel) {
      const message = 'Method not allowed. Use GET or POST.'
      return json(405, { status: 'refused', message }, { ...noStore, allow: 'GET, POST' })
    }
    const { status, headers, body } = await receive(request, channel)
    return { status, headers: { ...channel.headers, ...headers }, body }
  }
}

/** Possible spam is put on hold, never dropped, because it may be a real person. */
function spamReason(contact: Contact, isOurHost: boolean, verdict: Verdict): HoldReason | null {
  if (!isOurHost) return 'it came under another name'
  if (verdict.kind === 'hold') return `many from ${verdict.from}`
  if ([contact.firstName, contact.lastName].some(name => /https?:\/\/|www\./i.test(name))) return 'a link in the name'
  return null
}

/** Reads a lead from the pages' script: contact fields are in the query, everything else is in headers. */
function createReadQuery({ config, site, availability, now }: ReaderServices): ReadRequest {
  const ownHosts = createOwnHosts(config.publicHostname)

  return async ({ header, query, isQueryTruncated }) => {
    const fields = isQueryTruncated ? null : parseFields(query)
    if (fields === null) return refuse(414, 'The lead is too long.')
    if (isFromAnotherSite(header)) return refuse(403, 'Leads can only be sent from this site’s pages.')
    const consentVersion = header('x-consent-version') ?? ''
    if (!(await availability.isKnown('consent', consentVersion))) {
      return refuse(403, 'The consent version is missing or unknown.')
    }
    const source = leadSource(header('referer'), ownHosts(header), config.campaignParameters)
    const language = availability.languageOf(consentVersion) ?? languageOfPath(source.page)
    const parsed = parseContact(firstValues(fields), new Date(now()).getUTCFullYear())
    if (!parsed.valid) {
      const errors = errorMessages(parsed.errors, copyIn(site.copy, language).contactMessages)
      return { response: json(422, { status: 'invalid', errors }) }
    }
    // Accept the lead even if its questionnaire version is missing or unknown.
    const claimed = header('x-questionnaire-version') ?? ''
    return {
      confirmed: (header('x-confirmed') ?? '').split(','),
      facts: {
        contact: parsed.contact,
        ...source,
        language,
        variant: readVariant(header('x-page-variant'), header('referer')),
        certificate: parseCertificate(fields.getAll(CERTIFICATE_FIELD)),
        trustedForm: site.trustedForm,
        consentVersion,
        questionnaireVersion: (await availability.isKnown('questionnaire', claimed)) ? claimed : null,
      },
    }
  }
}
