/** Receives requests not to be called from the operator's CRM, signed per Standard Webhooks. Contract: docs/webhook.md. */
import { timingSafeEqual } from 'node:crypto'
import { type DoNotCall, parseDoNotCall } from '../../domain/do-not-call.ts'
import { MINUTE } from '../../domain/durations.ts'
import { isStorable } from '../../domain/text.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { signatureOf } from '../delivery/webhook-signature.ts'
import { type Handler, type HttpRequest, json } from '../http/handler.ts'
import { readText } from '../http/request-body.ts'
import { describeError, type Log } from '../process/log.ts'
import type { Config } from '../settings/config.ts'
import type { CrmStop } from '../store/do-not-call/crm-stops.ts'
import type { Availability } from './availability.ts'

export const CRM_STOP_PATH = '/api/do-not-call'

interface CrmStopServices {
  readonly config: Pick<Config, 'crmStopSecrets'>
  readonly availability: Pick<Availability, 'store'>
  readonly now: () => number
  readonly log: Log
  readonly alerts: Pick<Alerts, 'raise'>
}

const answer = (status: number, message: string, headers = {}) =>
  json(status, { message }, { 'cache-control': 'no-store', ...headers })

export function createCrmStopHandler({ config, availability, now, log, alerts }: CrmStopServices): Handler {
  return async request => {
    if (config.crmStopSecrets.length === 0) return answer(404, 'CRM_STOP_SECRET is not set.')
    if (request.method !== 'POST') return answer(405, 'Method not allowed. Use POST.', { allow: 'POST' })
    const body = await readText(request)
    if (typeof body !== 'string') return answer(body.status, body.message, { connection: 'close' })
    const signed = readSigned(request, body, config.crmStopSecrets)
    const offMs = signed ? now() - signed.at : 0
    if (signed && Math.abs(offMs) > MAX_AGE_MS) alerts.raise('clocks_differ', clocksDiffer(offMs))
    if (!signed || Math.abs(offMs) > MAX_AGE_MS)
      return answer(401, 'The signature is wrong, or the time is more than five minutes off.')
    const stop = readStop(body)
    if (stop === null) {
      return answer(422, 'Send JSON with "phone" (US, 10 digits), "email", or "leadId" (data.id of a lead we sent).')
    }
    try {
      const result = await availability.store().stopFromCrm({ webhookId: signed.id, ...stop })
      if (result.kind === 'unknown lead') return answer(422, 'There’s no lead with this ID, or it was erased.')
      return answer(200, result.kind === 'known' ? 'Already recorded.' : 'Recorded.')
    } catch (error) {
      log('stop_not_recorded', describeError(error))
      return answer(503, 'Not recorded. Try again later.', { 'retry-after': '30' })
    }
  }
}

const MAX_AGE_MS = 5 * MINUTE
const MAX_ID_LENGTH = 200

function clocksDiffer(offMs: number): string {
  const minutes = Math.round(Math.abs(offMs) / MINUTE)
  return `Your CRM asked us to stop calling someone, and was refused, because its clock is ${minutes} minutes ${offMs > 0 ? 'behind' : 'ahead of'} this server’s. Check this server’s clock (timedatectl), then the CRM’s.`
}

/** The message's ID and time; null if the signature is wrong. */
function readSigned({ header }: Pick<HttpRequest, 'header'>, body: string, secrets: readonly string[]) {
  const [id = '', timestamp = ''] = [header('webhook-id'), header('webhook-timestamp')]
  if (id === '' || id.length > MAX_ID_LENGTH || !/^\d{1,12}$/.test(timestamp)) return null
  const received = (header('webhook-signature') ?? '').split(' ').filter(each => each.startsWith('v1,'))
  const isValid = secrets.some(secret => {
    const expected = signatureOf(secret, `${id}.${timestamp}.${body}`)
    return received.some(each => isEqual(Buffer.from(each.slice('v1,'.length), 'base64'), expected))
  })
  return isValid ? { id, at: Number(timestamp) * 1000 } : null
}

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/** Null if there's nothing in it that we can record. */
function readStop(body: string): Omit<CrmStop, 'webhookId'> | null {
  let message: unknown
  try {
    message = JSON.parse(body)
  } catch {
    return null
  }
  if (!isStorable(message)) return null
  const { phone, email, leadId = null } = (message ?? {}) as Readonly<Record<string, unknown>>
  if (leadId !== null && (typeof leadId !== 'string' || leadId.length > MAX_ID_LENGTH)) return null
  const contacts: DoNotCall[] = []
  for (const given of [phone, email]) {
    if (given === undefined || given === null) continue
    const contact = typeof given === 'string' ? parseDoNotCall(given) : null
    if (contact === null) return null
    contacts.push(contact)
  }
  return contacts.length === 0 && leadId === null ? null : { contacts, leadId }
}
