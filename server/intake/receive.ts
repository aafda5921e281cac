/** Receives leads. Reports success only once a lead is on disk. New leads, repeats, and leads on hold get the same response. */
import { randomBytes } from 'node:crypto'
import { implausible } from '../../domain/contact/plausibility.ts'
import { parseContact } from '../../domain/contact/read-contact.ts'
import { languageOfPath, languageOfQuery, pathInLanguage } from '../../domain/languages.ts'
import { parseCertificate } from '../../domain/leads/certificate.ts'
import { CERTIFICATE_FIELD, errorMessages } from '../../domain/leads/lead.ts'
import { type Handler, type HttpRequest, type HttpResponse, html, json, redirect } from '../http/handler.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { copyIn } from '../http/site-manifest.ts'
import type { Log } from '../process/log.ts'
import { announcesLeads, type Config } from '../settings/config.ts'
import { tokenHashOf } from '../store/operations/leads/sent-leads.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import type { Availability } from './availability.ts'
import {
  createOwnHosts,
  firstValues,
  isFromAnotherSite,
  isPrefetch,
  leadSource,
  parseFields,
  type ReaderServices,
  type ReadLead,
  type ReadRequest,
  type Refusal,
  readVariant,
  refuse,
  UNSTORABLE,
  withCampaign,
} from './lead-request.ts'
import { letterLimits } from './limits.ts'
import { createReadForm, type RenderForm } from './plain-form.ts'
import type { Screening } from './screening.ts'

export interface ReceiverServices extends ReaderServices {
  readonly config: Pick<
    Config,
    | 'publicHostname'
    | 'trustProxy'
    | 'campaignParameters'
    | 'webhookUrl'
    | 'webhookRepeats'
    | 'callList'
    | 'smtpUrl'
    | 'mailTo'
    | 'visitorMail'
  >
  readonly availability: Pick<Availability, 'isKnown' | 'shown' | 'languageOf' | 'capture'>
  readonly screen: Screening
  readonly log: Log
  readonly renderForm: RenderForm
  /** The error page for visitors without JavaScript. */
  readonly renderProblem: (status: number, language: string) => string
  /** The Content-Security-Policy for the receiver's own pages. */
  readonly policy: () => string
}

const RETRY_AFTER_SECONDS = 30
const TOKEN_BYTES = 24

/** The differences between leads sent by the pages' script and leads sent as a plain form. */
interface Channel {
  readonly read: ReadRequest
  /** `token`: with it, the visitor's tab can say more about the lead (sent-lead.ts). */
  readonly accepted: (request: HttpRequest, lead: ReadLead, token: string) => HttpResponse
  readonly refused: (refusal: Refusal, request: HttpRequest) => HttpResponse
  readonly givesToken: boolean
  readonly headers: () => HttpResponse['headers']
}

export function createReceiver(services: ReceiverServices): Handler {
  const { config, site, availability, screen, log, now } = services
  const letterLimit = createRateLimit(letterLimits)
  const noStore = { 'cache-control': 'no-store' }
  const script: Channel = {
    read: createReadQuery(services),
    accepted: (_, __, token) => json(202, { status: 'accepted', token }),
    refused: ({ status, message, headers }) => json(status, { status: 'refused', message }, headers),
    givesToken: true,
    headers: () => noStore,
  }
  const plainForm: Channel = {
    read: createReadForm(services, services.renderForm),
    accepted: ({ query }, { facts }) =>
      redirect(303, withCampaign(pathInLanguage(languageOfQuery(query), '/thank-you'), facts.campaign)),
    refused: ({ status, headers }, { query }) =>
      html(status, services.renderProblem(status, languageOfQuery(query)), headers),
    givesToken: false,
    headers: () => ({ ...noStore, 'content-security-policy': services.policy() }),
  }

  /** Returns null once the lead is on disk, whether it's new, a repeat, or on hold. */
  async function storeLead(
    { facts, confirmed }: ReadLead,
    request: HttpRequest,
    tokenHash: string | null,
  ): Promise<Refusal | null> {
    const screened = screen(request)
    if ('refusal' in screened) return screened.refusal
    const { clientAddress, userAgent, spamReason, uncount } = screened
    try {
      const { id, state } = await availability.capture({
        ...facts,
        clientAddress,
        userAgent,
        ...(tokenHash !== null && { tokenHash }),
        holdReason:
          spamReason(facts.contact) ?? implausible(facts.contact, confirmed, site().copy.ages, new Date(now())),
        deliver: config.webhookUrl !== null,
        announceRepeat: config.webhookRepeats,
        callFromDesk: config.callList,
        announce: announcesLeads(config),
        writeToVisitor: config.visitorMail && letterLimit.count(clientAddress).kind === 'allow',
      })
      if (state === 'held') log('lead_held', { lead: id })
      return null
    } catch (error) {
      uncount()
      throw error
    }
  }

  async function receive(
    request: HttpRequest,
    { read, accepted, refused, givesToken }: Channel,
  ): Promise<HttpResponse> {
    if (isPrefetch(request.header))
      return refused({ status: 403, message: 'Prefetch requests can’t send leads.' }, request)
    try {
      const result = await read(request)
      if ('response' in result) return result.response
      if ('refusal' in result) return refused(result.refusal, request)
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const refusal = await storeLead(result, request, givesToken ? tokenHashOf(token) : null)
      return refusal ? refused(refusal, request) : accepted(request, result, token)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const headers = { 'retry-after': `${RETRY_AFTER_SECONDS}` }
      return refused({ status: 503, message: 'Can’t accept leads right now. Try again later.', headers }, request)
    }
  }

  return async request => {
    // The address of a form with errors, opened again.
    if (request.method === 'GET' && request.query === '' && request.header('sec-fetch-dest') === 'document') {
      return redirect(303, '/')
    }
    const channel = request.method === 'GET' ? script : request.method === 'POST' ? plainForm : null
    if (!channel) {
      const message = 'Method not allowed. Use GET or POST.'
      return json(405, { status: 'refused', message }, { ...noStore, allow: 'GET, POST' })
    }
    const { status, headers, body } = await receive(request, channel)
    return { status, headers: { ...channel.headers(), ...headers }, body }
  }
}

/** Reads a lead from the pages' script: contact fields are in the query, everything else is in headers. */
function createReadQuery({ config, site, availability, now }: ReaderServices): ReadRequest {
  const ownHosts = createOwnHosts(config.publicHostname)

  return async ({ header, query, isQueryTruncated }) => {
    const fields = isQueryTruncated ? 413 : parseFields(query)
    if (fields === 413) return refuse(414, 'The lead is too long.')
    if (fields === 400) return refuse(400, UNSTORABLE)
    if (isFromAnotherSite(header)) return refuse(403, 'Leads can only be sent from this site’s pages.')
    const consentVersion = header('x-consent-version') ?? ''
    if (!(await availability.isKnown('consent', consentVersion))) {
      return refuse(403, 'The consent version is missing or unknown.')
    }
    const source = leadSource(header('referer'), ownHosts(header), config.campaignParameters)
    const language = availability.languageOf(consentVersion) ?? languageOfPath(source.page)
    const parsed = parseContact(firstValues(fields), new Date(now()).getUTCFullYear())
    if (!parsed.valid) {
      const errors = errorMessages(parsed.errors, copyIn(site().copy, language).contactMessages)
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
        trustedForm: site().trustedForm,
        consentVersion,
        questionnaireVersion: (await availability.isKnown('questionnaire', claimed)) ? claimed : null,
      },
    }
  }
}
