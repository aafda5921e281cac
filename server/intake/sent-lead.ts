/**
 * Answers the tab that sent a lead (site/browser/say-more.ts): when we may call, another number, and when the person would like the
 * call. The tab proves itself with its token and the number that it shows. Whatever is wrong, it gets the same answer, so nobody
 * learns whether a number is on the do-not-call list.
 */
import { whereabouts } from '../../domain/calling/area-codes.ts'
import { goodTimes } from '../../domain/calling/good-times.ts'
import { createCallingClock } from '../../domain/calling/hours.ts'
import type { PreferredTime } from '../../domain/calling/story-events.ts'
import { formatPhone, phoneDigits } from '../../domain/contact/phone.ts'
import { doubtsAbout } from '../../domain/contact/plausibility.ts'
import { parseContact } from '../../domain/contact/read-contact.ts'
import { HOUR } from '../../domain/durations.ts'
import { languageOfPath } from '../../domain/languages.ts'
import type { Contact } from '../../domain/leads/lead.ts'
import { createClientAddress } from '../http/client-address.ts'
import { type Handler, type HttpRequest, type HttpResponse, json } from '../http/handler.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { copyIn } from '../http/site-manifest.ts'
import type { Config } from '../settings/config.ts'
import { type SentLeadKey, tokenHashOf } from '../store/operations/leads/sent-leads.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import type { Availability } from './availability.ts'
import { firstValues, isFromAnotherSite, type ReaderServices } from './lead-request.ts'
import { sentLeadLimits } from './limits.ts'
import { readBody } from './plain-form.ts'
import type { Screening } from './screening.ts'

export interface SentLeadServices extends ReaderServices {
  readonly config: ReaderServices['config'] &
    Pick<Config, 'trustProxy' | 'webhookUrl' | 'webhookRepeats' | 'callList' | 'callingHours'>
  readonly availability: ReaderServices['availability'] & Pick<Availability, 'store'>
  readonly screen: Screening
}

type Fields = Readonly<Record<string, string>>

const NO_STORE = { 'cache-control': 'no-store' }
const refused = json(403, { status: 'refused' }, NO_STORE)

export function createSentLeadHandler(services: SentLeadServices): Handler {
  const { config, site, availability, screen, now } = services
  const clientAddress = createClientAddress(config.trustProxy)
  const requests = createRateLimit(sentLeadLimits)

  /** Only the desk calls at these times. A CRM has its own. */
  function timesFor(phone: string, at = now()): readonly PreferredTime[] {
    const { place } = whereabouts(phoneDigits(phone), null)
    if (!config.callList || !place) return []
    return goodTimes(place, createCallingClock({ ...config.callingHours, closed: site().copy.closed }), at)
  }

  async function prefer(key: SentLeadKey, from: number): Promise<HttpResponse> {
    // One that was offered within the last hour will do.
    const offered = [...timesFor(key.phone), ...timesFor(key.phone, now() - HOUR)]
    const time = offered.find(each => each.from === from)
    if (!time) return refused
    await availability.store().preferCallTime({ ...key, time })
    return json(202, { status: 'accepted' }, NO_STORE)
  }

  async function correct(request: HttpRequest, key: SentLeadKey, contact: Contact, fields: Fields) {
    const { header } = request
    const consentVersion = header('x-consent-version') ?? ''
    if (!(await availability.isKnown('consent', consentVersion))) return refused
    const page = URL.parse(header('referer') ?? '')?.pathname ?? '/'
    const language = availability.languageOf(consentVersion) ?? languageOfPath(page)
    const typed = fields['newPhone'] ?? ''
    const parsed = parseContact({ ...contact, phone: typed }, new Date(now()).getUTCFullYear())
    const messages = copyIn(site().copy, language).contactMessages
    const doubt = parsed.valid ? doubtsAbout(parsed.contact, null, new Date(now())).phone : parsed.errors.phone
    if (doubt && !(parsed.valid && fields['asked'] === typed)) {
      return json(422, { status: 'invalid', message: messages[doubt] }, NO_STORE)
    }
    const newPhone = formatPhone(typed)
    const accepted = () => json(202, { status: 'accepted', phone: newPhone, times: timesFor(newPhone) }, NO_STORE)
    if (phoneDigits(newPhone) === phoneDigits(key.phone)) return accepted()
    const screened = screen(request)
    if ('refusal' in screened) return json(screened.refusal.status, { status: 'refused' }, NO_STORE)
    const { clientAddress: address, userAgent, spamReason, uncount } = screened
    try {
      const lead = await availability.store().correctSentLead({
        ...key,
        newPhone,
        facts: {
          consentVersion,
          clientAddress: address,
          userAgent,
          // This page doesn't ask for a certificate.
          certificate: { kind: 'none' },
          trustedForm: 'off',
          holdReason: spamReason(contact),
          deliver: config.webhookUrl !== null,
          announceRepeat: config.webhookRepeats,
          callFromDesk: config.callList,
        },
      })
      return lead ? accepted() : refused
    } catch (error) {
      uncount()
      throw error
    }
  }

  return async request => {
    const { method, header, socketAddress } = request
    if (method !== 'POST') return json(405, { status: 'refused' }, { ...NO_STORE, allow: 'POST' })
    if (isFromAnotherSite(header)) return refused
    const body = await readBody(request)
    // The rest of the body may still be arriving, so the connection can't be reused.
    if (!(body instanceof URLSearchParams)) {
      return json(body.status, { status: 'refused' }, { ...NO_STORE, connection: 'close' })
    }
    if (requests.count(clientAddress(socketAddress, header('x-forwarded-for'))).kind === 'refuse') return refused
    const fields = firstValues(body)
    const key = { tokenHash: tokenHashOf(fields['token'] ?? ''), phone: fields['phone'] ?? '' }
    try {
      const { newPhone } = fields
      const sent = await availability.store().sentLead({ ...key, ...(newPhone !== undefined && { newPhone }) })
      if (!sent) return refused
      if (fields['from'] !== undefined) return await prefer(key, Number(fields['from']))
      if (newPhone !== undefined) return await correct(request, key, sent.contact, fields)
      return json(200, { corrected: sent.isCorrected, times: timesFor(key.phone) }, NO_STORE)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return json(503, { status: 'refused' }, { ...NO_STORE, 'retry-after': '30' })
    }
  }
}
