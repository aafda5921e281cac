/**
 * Answers the form on /stop. Says "done" only once the request is on disk, the same for every number, whether we know it or not.
 * Anyone can enter a stranger's number, so a flood raises an alert, and the desk can take its entries back together.
 */

import { checkPhone } from '../../domain/contact/phone.ts'
import { type DoNotCall, parseDoNotCall } from '../../domain/do-not-call/do-not-call.ts'
import { STOP_FIELDS, type StopField } from '../../domain/do-not-call/stop.ts'
import { languageOfPath } from '../../domain/languages.ts'
import { MAX_TYPED } from '../../domain/text/text.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { createClientAddress } from '../http/client-address.ts'
import { type Handler, html } from '../http/handler.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import type { LanguageCopy } from '../http/site-manifest.ts'
import { describeError, type Log, logOnceAMinute } from '../process/log.ts'
import type { Config } from '../settings/config.ts'
import { asOneRequest, type RequestedContact } from '../store/facts/do-not-call/stops.ts'
import type { Availability } from './availability.ts'
import { firstValues, isFromAnotherSite } from './lead-request.ts'
import { stopLimits } from './limits.ts'
import { createShownAgain, escapeHtml, readBody } from './plain-form.ts'

export interface StopPages {
  /** The form again, with slots. */
  readonly form: string
  readonly done: string
  readonly notRecorded: string
}

export interface StopMessages extends Pick<LanguageCopy, 'nothingToStop'> {
  readonly contactMessages: Pick<LanguageCopy['contactMessages'], 'phoneForeign' | 'phoneInvalid' | 'emailInvalid'>
}

export interface StopServices {
  readonly config: Pick<Config, 'trustProxy'>
  readonly availability: Pick<Availability, 'store'>
  readonly messagesIn: (language: string) => StopMessages
  readonly pagesIn: (language: string) => StopPages
  /** The Content-Security-Policy for them. */
  readonly policy: () => string
  readonly alerts: Alerts
  readonly log: Log
}

/** From everyone together, there's only an alert: the largest sites get a few an hour. Nobody may turn off the page for all others. */
const FLOOD = 200
/** If more are waiting to be written, the store can't keep up: better to ask for a call at once than to let people wait. */
const MAX_WAITING = 300

export function createStopHandler(services: StopServices): Handler {
  const { config, availability, messagesIn, pagesIn, policy, alerts, log } = services
  const clientAddress = createClientAddress(config.trustProxy)
  const shownAgain = createShownAgain(config)
  const logRarely = logOnceAMinute(log)
  const requests = createRateLimit({ ...stopLimits, totalLimit: FLOOD })
  const add = inBatches(async contacts =>
    availability.store().addToDoNotCall({ contacts, by: 'website', source: 'web' }),
  )

  /** False if there are too many. */
  function isWithinLimits(address: string): boolean {
    const verdict = requests.count(address)
    if (verdict.kind === 'refuse') return false
    if (verdict.kind === 'hold') {
      const text =
        'Far more people than usual are asking on /stop not to be called. Someone may be entering strangers’ numbers. Review them in the desk (Leads > Do-not-call list > From the website).'
      alerts.raise('stop_flood', text, { detail: { from: verdict.from } })
    }
    return true
  }

  return async request => {
    const { header, socketAddress, path } = request
    const language = languageOfPath(path)
    const pages = pagesIn(language)
    const headers = { 'cache-control': 'no-store', 'content-security-policy': policy() }
    const notRecorded = (status: number, more = {}) => html(status, pages.notRecorded, { ...headers, ...more })
    if (isFromAnotherSite(header)) return notRecorded(403)
    const body = await readBody(request)
    // The rest of the body may still be arriving, so the connection can't be reused.
    if (!(body instanceof URLSearchParams)) return notRecorded(body.status, { connection: 'close' })
    const { contacts, typed, errors } = readStop(firstValues(body), messagesIn(language))
    if (Object.keys(errors).length > 0) {
      const waitSeconds = shownAgain(request)
      if (waitSeconds !== null) return notRecorded(429, { 'retry-after': `${waitSeconds}` })
      return html(422, fillStopForm(pages.form, typed, errors), headers)
    }
    const address = clientAddress(socketAddress, header('x-forwarded-for'))
    if (!isWithinLimits(address)) return notRecorded(429, { 'retry-after': '600' })
    try {
      await add(asOneRequest(contacts).contacts)
      return html(200, pages.done, headers)
    } catch (error) {
      requests.uncount(address)
      logRarely('stop_not_recorded', describeError(error))
      return notRecorded(503, { 'retry-after': '30' })
    }
  }
}

type Fields = Partial<Record<StopField, string>>

/** Either field takes either kind: people paste into the first box they see. */
function readStop(fields: Readonly<Record<string, string>>, messages: StopMessages) {
  const typed: Fields = Object.fromEntries(
    STOP_FIELDS.map(name => [name, (fields[name] ?? '').slice(0, MAX_TYPED + 1).trim()]),
  )
  const { phoneForeign, phoneInvalid, emailInvalid } = messages.contactMessages
  const invalid = {
    phone: (text: string) => {
      if (text.includes('@')) return emailInvalid
      return checkPhone(text) === 'foreign' ? phoneForeign : phoneInvalid
    },
    email: () => emailInvalid,
  }
  const contacts: DoNotCall[] = []
  const errors: Fields = {}
  for (const name of STOP_FIELDS) {
    const text = typed[name] ?? ''
    if (text === '') continue
    const contact = parseDoNotCall(text)
    if (contact) contacts.push(contact)
    else errors[name] = invalid[name](text)
  }
  if (contacts.length === 0 && Object.keys(errors).length === 0) errors.phone = messages.nothingToStop
  return { contacts, typed, errors }
}

const SLOT = /\{\{(value|error|invalid):(phone|email)\}\}/g

/** In one pass, so text from visitors is never treated as a slot. */
export function fillStopForm(template: string, typed: Fields, errors: Fields): string {
  return template.replace(SLOT, (_, kind: string, name: StopField) => {
    if (kind === 'invalid') return String(name in errors)
    return escapeHtml((kind === 'value' ? typed[name] : errors[name]) ?? '')
  })
}

class TooManyWaiting extends Error {}

/** One write for all requests that come in while another is on its way to the disk, so a flood doesn't hold up leads. */
function inBatches(write: (contacts: readonly RequestedContact[]) => Promise<unknown>) {
  let waiting: RequestedContact[] = []
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<unknown> | null = null
  return async (contacts: readonly RequestedContact[]): Promise<unknown> => {
    if (waiting.length > MAX_WAITING) throw new TooManyWaiting()
    waiting.push(...contacts)
    next ??= current
      .catch(() => {})
      .then(() => {
        const batch = waiting
        waiting = []
        next = null
        current = write(batch)
        return current
      })
    return next
  }
}
