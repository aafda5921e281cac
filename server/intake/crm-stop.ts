/** Receives requests not to be called from the operator's CRM, signed per Standard Webhooks. Contract: docs/webhook.md. */
import { timingSafeEqual } from 'node:crypto'
import { type DoNotCall, parseDoNotCall } from '../../domain/do-not-call.ts'
import { isStorable } from '../../domain/text.ts'
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
}

const answer = (status: number, message: string, headers = {}) =>
  json(status, { message }, { 'cache-control': 'no-store', ...headers })

export function createCrmStopHandler({ config, availability, now, log }: CrmStopServices): Handler {
  return async request => {
    if (config.crmStopSecrets.length === 0) return answer(404, 'CRM_STOP_SECRET is not set.')
    if (request.method !== 'POST') return answer(405, 'Method not allowed. Use POST.', { allow: 'POST' })
    const body = await readText(request)
    if (typeof body !== 'string') return answer(body.status, body.message, { connection: 'close' })
    const webhookId = verifiedId(request, body, config.crmStopSecrets, now())
    if (webhookId === null) return answer(401, 'The signature is wrong, or the time is more than five minutes off.')
    const stop = readStop(body)
    if (stop === null) {
      return answer(422, 'Send JSON with "phone" (US, 10 digits), "email", or "leadId" (data.id of a lead we sent).')
    }
    try {
      const result = await availability.store().stopFromCrm({ webhookId, ...stop })
      if (result.kind === 'unknown lead') return answer(422, 'There’s no lead with this ID, or it was erased.')
      return answer(200, result.kind === 'known' ? 'Already recorded.' : 'Recorded.')
    } catch (error) {
      log('stop_not_recorded', describeError(error))
      return answer(503, 'Not recorded. Try again later.', { 'retry-after': '30' })
    }
  }
}

const MAX_AGE_SECONDS = 5 * 60
const MAX_ID_LENGTH = 200

/** The message's ID; null if the signature or the time is wrong. */
function verifiedId(
  { header }: Pick<HttpRequest, 'header'>,
  body: string,
  secrets: readonly string[],
  now: number,
): string | null {
  const [id = '', timestamp = ''] = [header('webhook-id'), header('webhook-timestamp')]
  if (id === '' || id.length > MAX_ID_LENGTH || !/^\d{1,12}$/.test(timestamp)) return null
  if (Math.abs(now / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return null
  const received = (header('webhook-signature') ?? '').split(' ').filter(each => each.startsWith('v1,'))
  const isValid = secrets.some(secret => {
    const expected = signatureOf(secret, `${id}.${timestamp}.${body}`)
    return received.some(each => isEqual(Buffer.from(each.slice('v1,'.length), 'base64'), expected))
  })
  return isValid ? id : null
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
